import { EventEmitter, once } from 'node:events'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openTenants } from '../../src/app/tenants/tenants.ts'
import { type EmbeddingServer, startEmbeddingServer } from '../fakes/embedding-server.ts'
import { Sandbox } from '../fakes/store.ts'

let sandbox: Sandbox
let server: EmbeddingServer
beforeEach(async () => {
  sandbox = await Sandbox.make()
  server = await startEmbeddingServer(64, texts =>
    texts.some(text => text.includes('forbidden')) ? 400 : undefined,
  )
})
afterEach(async () => {
  await sandbox.remove()
  await server.close()
})

/** With the server as the configured embedder. */
const environment = () => ({ PASSIM_EMBEDDER_URL: server.url, PASSIM_EMBEDDER: 'hasher' })
const open = () => sandbox.open({ environment: environment(), embedder: undefined })

test('while the server is down, what needs no vectors works, and what does says why it does not', async () => {
  await (await open()).index([await sandbox.write({ 'pier.txt': 'The pier is closed.' })])
  await sandbox.close()
  await server.close()
  const passim = await open()
  const docs = await sandbox.write({ 'crane.txt': 'The crane is for hire.' })
  const { totals } = await passim.index([docs], { withoutVectors: true })
  expect(totals).toMatchObject({ indexed: 1, failed: 0 })
  expect((await passim.search({ query: 'crane', mode: 'keyword' })).map(hit => hit.name)).toEqual([
    'crane.txt',
  ])
  await expect(passim.search({ query: 'crane', mode: 'vector' })).rejects.toMatchObject({
    code: 'model_unavailable',
    message: expect.stringContaining('cannot be reached'),
  })
})

describe('a server that has never answered', () => {
  let isDown = true
  beforeEach(async () => {
    isDown = true
    await server.close()
    server = await startEmbeddingServer(64, () => (isDown ? 404 : undefined))
  })

  test('is named by what needs it, with the way to work without it', async () => {
    const passim = await open()
    const docs = await sandbox.write({ 'pier.txt': 'The pier is closed.' })
    await expect(passim.index([docs])).rejects.toMatchObject({
      code: 'model_missing',
      message: expect.stringMatching(/hasher at .* answered 404/s),
      advice: expect.stringMatching(/--embedder none.*unset embedder\.url/s),
    })
    const check = (await passim.doctor()).checks.find(({ name }) => name === 'embedder')
    expect(check).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('answered 404') },
    })
    expect(await passim.collections.list()).toEqual([])
  })

  test('is not needed for the first files that are indexed by keywords alone, which says so', async () => {
    const docs = await sandbox.write({ 'pier.txt': 'The pier is closed.' })
    const passim = await open()
    const told = {
      code: 'model_missing',
      message: expect.stringMatching(/^The collection default .*answered 404/s),
      advice: expect.stringContaining('passim collections re-embed default'),
    }
    const planned = await passim.index([docs], { withoutVectors: true, dryRun: true })
    expect([planned.totals.indexed, planned.warnings]).toEqual([1, [told]])
    const first = await passim.index([docs], { withoutVectors: true })
    expect([first.totals.indexed, first.warnings]).toEqual([1, [told]])
    expect(await passim.index([docs], { withoutVectors: true })).not.toHaveProperty('warnings')
    expect(await passim.search({ query: 'pier', mode: 'keyword' })).toHaveLength(1)
    isDown = false
    const [collection] = await passim.collections.listVisible()
    await passim.reEmbed.run(collection!, 'hasher', {})
    expect((await passim.index([docs])).totals).toMatchObject({ replaced: 1 })
    expect(await passim.search({ query: 'pier', mode: 'vector' })).toHaveLength(1)
  })

  test('stops no collection that has another model or none', async () => {
    const passim = await open()
    await passim.collections.create({ name: 'default', embedder: 'none' })
    const docs = await sandbox.write({ 'pier.txt': 'The pier is closed.' })
    expect((await passim.index([docs])).totals).toMatchObject({ indexed: 1 })
    expect((await passim.search({ query: 'pier' })).map(hit => hit.name)).toEqual(['pier.txt'])
  })

  test('is used by the same store from its first answer on', async () => {
    const passim = await open()
    isDown = false
    await passim.index([await sandbox.write({ 'pier.txt': 'The pier is closed.' })])
    expect(await passim.collections.list()).toMatchObject([
      { embedderId: 'hasher@1:64', dimensions: 64 },
    ])
    expect((await passim.search({ query: 'pier', mode: 'vector' })).map(hit => hit.name)).toEqual([
      'pier.txt',
    ])
  })
})

test('a service starts while the server is down, and searches by meaning when it is back', async () => {
  let isDown = false
  await server.close()
  server = await startEmbeddingServer(64, () => (isDown ? 404 : undefined))
  await (await open()).index([await sandbox.write({ 'pier.txt': 'The pier is closed.' })])
  await sandbox.close()
  isDown = true
  const told: string[] = []
  const onError = (_: string, error: unknown) => told.push(String(error))
  const service = await openTenants({ home: sandbox.home, environment: environment(), onError })
  const { passim, release } = await service.stores.acquire('default')
  const search = async (mode: 'keyword' | 'vector') =>
    (await passim.search({ query: 'pier', mode })).map(hit => hit.name)
  expect(await search('keyword')).toEqual(['pier.txt'])
  await expect(search('vector')).rejects.toMatchObject({ code: 'model_missing' })
  isDown = false
  expect(await search('vector')).toEqual(['pier.txt'])
  expect(told).toEqual([expect.stringContaining('answered 404')])
  release()
  await service.close()
})

test('whoever searches at a server that hangs before it was ever reached need not wait for it, nor does closing', async () => {
  let state: 'up' | 'down' | 'hanging' = 'up'
  const asked = new EventEmitter()
  await server.close()
  server = await startEmbeddingServer(64, () => {
    if (state !== 'hanging') return state === 'down' ? 404 : undefined
    asked.emit('asked')
    return new Promise<void>(() => {})
  })
  await (await open()).index([await sandbox.write({ 'pier.txt': 'The pier is closed.' })])
  await sandbox.close()
  state = 'down'
  const service = await openTenants({
    home: sandbox.home,
    environment: environment(),
    onError: () => {},
  })
  const { passim, release } = await service.stores.acquire('default')
  state = 'hanging'
  const leaving = new AbortController()
  const isAsked = once(asked, 'asked')
  const first = passim.search({ query: 'pier', mode: 'vector', signal: leaving.signal })
  await isAsked
  const others = ['pier', 'crane'].map(query => passim.search({ query, mode: 'vector' }))
  const isAskedAgain = once(asked, 'asked')
  leaving.abort(new Error('left'))
  await expect(first).rejects.toThrow('left')
  await isAskedAgain
  const ended = Promise.allSettled(others)
  release()
  await service.close()
  expect((await ended).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
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
  expect((await passim.search({ query: 'pier', mode: 'vector' })).map(hit => hit.name)).toEqual([
    'b.txt',
  ])
})
