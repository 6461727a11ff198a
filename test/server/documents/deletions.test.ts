import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Deletion } from '../../../src/ingest/store/catalog/deletions.ts'
import { Sandbox } from '../../fakes/store.ts'
import { Api } from '../api.ts'

let sandbox: Sandbox
let api: Api
beforeAll(async () => {
  sandbox = await Sandbox.make()
  api = new Api(await sandbox.open())
})
afterAll(() => sandbox.remove())

const deletions = async () =>
  (await api.json('GET', '/api/deletions')).deletions as readonly Deletion[]
const found = async (id: string, query: string) => {
  const { data } = await api.json('POST', `/v1/vector_stores/${id}/search`, { query })
  return (data as readonly { readonly filename: string }[]).map(({ filename }) => filename)
}
const NOT_FOUND = { status: 404, code: 'not_found', param: 'id' }

test('a file of a vector store is brought back by the id of its deletion, and can be found again', async () => {
  const { id, fileIds } = await api.store({ 'heron.txt': 'A heron.' }, 'birds')
  await api.json('DELETE', `/v1/vector_stores/${id}/files/${fileIds[0]}`)
  expect(await found(id, 'heron')).toEqual([])
  const [deletion] = await deletions()
  expect(deletion).toMatchObject({ kind: 'document', name: 'birds', documents: 1 })
  const restored = await api.json('POST', `/api/deletions/${deletion?.id}/restore`)
  expect(restored).toMatchObject({
    restored: deletion?.subjectId,
    kind: 'document',
    collection: 'birds',
  })
  await api.indexed(id)
  expect(await found(id, 'heron')).toEqual(['heron.txt'])
  expect(await deletions()).toEqual([])
  expect(await api.refusal('POST', `/api/deletions/${deletion?.id}/restore`)).toEqual(NOT_FOUND)
})

test('a vector store is brought back by its own id, under another name where that is taken', async () => {
  const { id } = await api.store({ 'crane.txt': 'A crane.' }, 'waders')
  await api.json('DELETE', `/v1/vector_stores/${id}`)
  await api.passim.collections.findOrCreate('waders', {})
  const taken = await api.refusal('POST', `/api/deletions/${id}/restore`)
  expect(taken).toMatchObject({ status: 409, code: 'conflict' })
  expect(await api.json('POST', `/api/deletions/${id}/restore`, { as: 'others' })).toMatchObject({
    collection: 'others',
  })
  await api.indexed(id)
  expect(await found(id, 'crane')).toEqual(['crane.txt'])
})

test('nobody brings back what is deleted for good', async () => {
  const { id } = await api.store({ 'egret.txt': 'An egret.' }, 'lost')
  await api.json('DELETE', `/v1/vector_stores/${id}`)
  const deletion = (await deletions()).find(({ subjectId }) => subjectId === id)
  expect(await api.json('DELETE', `/api/deletions/${id}`)).toEqual({
    id: deletion?.id,
    deleted: true,
  })
  expect(await api.refusal('POST', `/api/deletions/${id}/restore`)).toEqual(NOT_FOUND)
  expect(await api.refusal('DELETE', `/api/deletions/${id}`)).toEqual(NOT_FOUND)
})

test('a vector store is brought back by its name, unless several of that name were deleted', async () => {
  const { id } = await api.store({ 'ibis.txt': 'An ibis.' }, 'named')
  await api.json('DELETE', `/v1/vector_stores/${id}`)
  const other = await api.store({ 'kite.txt': 'A kite.' }, 'named')
  await api.json('DELETE', `/v1/vector_stores/${other.id}`)
  expect(await api.refusal('POST', '/api/deletions/named/restore')).toEqual({
    status: 409,
    code: 'conflict',
    param: 'id',
  })
  expect(await api.json('DELETE', `/api/deletions/${other.id}`)).toMatchObject({ deleted: true })
  expect(await api.json('POST', '/api/deletions/named/restore')).toMatchObject({
    restored: id,
    collection: 'named',
  })
})
