import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Passim } from '../../src/app/passim.ts'
import { GatedEmbedder } from '../fakes/gated-embedder.ts'
import { Sandbox } from '../fakes/store.ts'
import { Api } from './api.ts'

let sandbox: Sandbox
let passim: Passim
let embedder: GatedEmbedder
let api: Api
beforeEach(async () => {
  sandbox = await Sandbox.make()
  embedder = new GatedEmbedder()
  passim = await sandbox.open({ embedder })
  api = new Api(passim)
  embedder.shut()
})
afterEach(async () => {
  embedder.open()
  await sandbox.remove()
})

test('a file that was uploaded answers by its words at once, and is in progress until it has vectors', async () => {
  const { id: store } = await api.json('POST', '/v1/vector_stores', { name: 'birds' })
  const file = await api.upload('heron.txt', 'The heron is called Maren. It stands in the reeds.')
  await api.json('POST', `/v1/vector_stores/${store}/files`, { file_id: file })
  const documents = async () => (await api.json('GET', '/api/documents?collection=birds')).documents
  await expect.poll(documents).toMatchObject([{ status: 'in_progress', searchable: 'words' }])
  const status = async () =>
    (await api.json('GET', `/v1/vector_stores/${store}/files/${file}`)).status
  expect(await status()).toBe('in_progress')
  expect(await api.json('GET', `/v1/vector_stores/${store}`)).toMatchObject({
    status: 'in_progress',
  })
  const found = await api.json('POST', '/api/search', {
    query: 'heron',
    collections: ['birds'],
    mode: 'keyword',
  })
  expect(found.hits).toMatchObject([{ title: 'heron.txt' }])
  expect(found.warnings).toMatchObject([{ code: 'words_only' }])
  embedder.open()
  await expect.poll(status).toBe('completed')
  expect(await documents()).toMatchObject([{ status: 'completed', searchable: 'all' }])
  const then = await api.json('POST', '/api/search', {
    query: 'heron',
    collections: ['birds'],
    mode: 'vector',
  })
  expect(then).toMatchObject({ hits: [{ title: 'heron.txt' }] })
  expect(then).not.toHaveProperty('warnings')
})
