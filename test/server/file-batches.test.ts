import { afterAll, beforeAll, expect, test } from 'vitest'
import { Sandbox } from '../fakes/store.ts'
import { Api } from './api.ts'

let sandbox: Sandbox
let api: Api
let store: string

beforeAll(async () => {
  sandbox = await Sandbox.make()
  api = new Api(await sandbox.open())
  store = String((await api.json('POST', '/v1/vector_stores', { name: 'batches' })).id)
})
afterAll(() => sandbox.remove())

const path = (rest = '') => `/v1/vector_stores/${store}/file_batches${rest}`
const upload = (...texts: readonly string[]) =>
  Promise.all(texts.map((text, at) => api.upload(`${at}.txt`, text)))

test('a batch tells how far its files are, and lists them', async () => {
  const file_ids = await upload('One.', '', 'Three.')
  const { id, ...made } = await api.json('POST', path(), { file_ids, attributes: { year: 1999 } })
  expect(made).toMatchObject({
    object: 'vector_store.files_batch',
    vector_store_id: store,
    status: 'in_progress',
  })
  await api.indexed(store)
  expect(await api.json('GET', path(`/${id}`))).toMatchObject({
    ...{ id, status: 'completed' },
    file_counts: { in_progress: 0, completed: 2, failed: 1, cancelled: 0, total: 3 },
  })
  const failed = await api.json('GET', path(`/${id}/files?filter=failed`))
  expect(failed).toMatchObject({
    data: [{ id: file_ids[1], attributes: { year: 1999 } }],
    has_more: false,
  })
})
test('every file of a batch may have settings of its own', async () => {
  const [first, second] = await upload('One.', 'Two.')
  const chunking_strategy = {
    type: 'static',
    static: { max_chunk_size_tokens: 200, chunk_overlap_tokens: 70 },
  }
  const files = [
    { file_id: first, attributes: { a: 1 } },
    { file_id: second, chunking_strategy },
  ]
  const { id } = await api.json('POST', path(), { files })
  await api.indexed(store)
  const { data } = await api.json('GET', path(`/${id}/files?order=asc`))
  const byId = (a: { id: string }, b: { id: string }) =>
    files.findIndex(f => f.file_id === a.id) - files.findIndex(f => f.file_id === b.id)
  expect((data as { id: string }[]).toSorted(byId)).toMatchObject([
    { attributes: { a: 1 } },
    { chunking_strategy },
  ])
})
test('a batch of files that all fail has failed', async () => {
  const { id } = await api.json('POST', path(), { file_ids: await upload('', ' ') })
  await api.indexed(store)
  expect(await api.json('GET', path(`/${id}`))).toMatchObject({
    status: 'failed',
    file_counts: { failed: 2 },
  })
})
test('a cancelled batch takes what waits out of the queue', async () => {
  const collection = await api.passim.collections.get(store)
  const fileIds = await upload('Never.', 'Read.')
  const batch = await api.passim.fileBatches.create(
    collection,
    fileIds.map(fileId => ({ fileId })),
  )
  const counts = { in_progress: 0, cancelled: 2, total: 2 }
  expect(await api.json('POST', path(`/${batch.id}/cancel`))).toMatchObject({
    status: 'cancelled',
    file_counts: counts,
  })
  expect(await api.json('GET', path(`/${batch.id}`))).toMatchObject({
    status: 'cancelled',
    file_counts: counts,
  })
})
test('a file that is taken out of the store counts as cancelled', async () => {
  const [kept, gone] = await upload('Kept.', 'Gone.')
  const { id } = await api.json('POST', path(), { file_ids: [kept, gone] })
  await api.indexed(store)
  await api.json('DELETE', `/v1/vector_stores/${store}/files/${gone}`)
  expect(await api.json('GET', path(`/${id}`))).toMatchObject({
    file_counts: { completed: 1, cancelled: 1, total: 2 },
  })
})
test('a batch with a file that is not there adds none', async () => {
  const [fileId] = await upload('Here.')
  expect(await api.refusal('POST', path(), { file_ids: [fileId, 'file-none'] })).toMatchObject({
    status: 404,
  })
  expect(await api.refusal('GET', `/v1/vector_stores/${store}/files/${fileId}`)).toMatchObject({
    status: 404,
  })
})
test('a batch is of ids or of files, and of some', async () => {
  for (const body of [{}, { file_ids: [] }, { file_ids: ['a'], files: [{ file_id: 'a' }] }]) {
    expect(await api.refusal('POST', path(), body)).toMatchObject({ status: 400 })
  }
})
test('a batch is found in its own store only', async () => {
  const { id } = await api.json('POST', path(), { file_ids: await upload('Mine.') })
  const other = await api.json('POST', '/v1/vector_stores', {})
  expect(
    await api.refusal('GET', `/v1/vector_stores/${other.id}/file_batches/${id}`),
  ).toMatchObject({ status: 404 })
  await api.indexed(store)
})
