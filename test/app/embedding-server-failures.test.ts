import { afterEach, beforeEach, expect, test } from 'vitest'
import { type EmbeddingServer, startEmbeddingServer } from '../fakes/embedding-server.ts'
import { Sandbox } from '../fakes/store.ts'

let sandbox: Sandbox
let server: EmbeddingServer
beforeEach(async () => {
  sandbox = await Sandbox.make()
  server = await startEmbeddingServer(64, texts => (texts.some(text => text.includes('forbidden')) ? 400 : undefined))
})
afterEach(async () => {
  await sandbox.remove()
  await server.close()
})

/** With the server as the configured embedder. */
function open() {
  const environment = { PASSIM_EMBEDDER_URL: server.url, PASSIM_EMBEDDER: 'hasher' }
  return sandbox.open({ environment, embedder: undefined })
}

test('while the server is down, what needs no vectors works, and what does says why it does not', async () => {
  await (await open()).index([await sandbox.write({ 'pier.txt': 'The pier is closed.' })])
  await sandbox.close()
  await server.close()
  const passim = await open()
  const docs = await sandbox.write({ 'crane.txt': 'The crane is for hire.' })
  const { totals } = await passim.index([docs], { withoutVectors: true })
  expect(totals).toMatchObject({ indexed: 1, failed: 0 })
  expect((await passim.search({ query: 'crane', mode: 'keyword' })).map(hit => hit.name)).toEqual(['crane.txt'])
  await expect(passim.search({ query: 'crane', mode: 'vector' })).rejects.toMatchObject({
    code: 'model_unavailable',
    message: expect.stringContaining('cannot be reached'),
  })
})

test('a server that is down from the beginning is named, and the way to work without it', async () => {
  await server.close()
  await expect(open()).rejects.toMatchObject({
    code: 'model_unavailable',
    message: expect.stringMatching(/hasher at .* cannot be reached.*leave out embedder\.url/s),
  })
})

test('a text that the server refuses fails its document, not the others', async () => {
  const passim = await open()
  const docs = await sandbox.write({ 'a.txt': 'A forbidden word.', 'b.txt': 'The pier is closed.' })
  const { documents } = await passim.index([docs])
  expect(documents.map(({ status, error }) => [status, error?.code])).toEqual([
    ['failed', 'invalid_input'],
    ['indexed', undefined],
  ])
  expect(documents[0]?.error?.message).toContain('refuses a text')
  expect((await passim.search({ query: 'pier', mode: 'vector' })).map(hit => hit.name)).toEqual(['b.txt'])
})
