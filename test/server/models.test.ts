import { afterAll, beforeAll, expect, test } from 'vitest'
import { Sandbox } from '../fakes/store.ts'
import { Api } from './api.ts'

let sandbox: Sandbox
let api: Api

beforeAll(async () => {
  sandbox = await Sandbox.make()
  api = new Api(await sandbox.open())
})
afterAll(() => sandbox.remove())

const create = async (name?: string) =>
  String((await api.json('POST', '/v1/vector_stores', { ...(name && { name }) })).id)

test('models are those that can be named: vector stores by their names, if these are unique', async () => {
  const folder = await create('a/b')
  const twins = [await create('twin'), await create('twin')]
  const nameless = await create()
  const { data } = await api.json('GET', '/v1/models')
  const models = data as { id: string; type: string; vector_store_id?: string }[]
  expect(models.slice(0, 3)).toMatchObject([
    { id: 'passim-extractive', type: 'chat' },
    { id: 'hashing-64@1', type: 'embedding' },
    { id: nameless, type: 'chat', vector_store_id: nameless },
  ])
  expect(models[3]).toMatchObject({ id: 'a/b', type: 'chat', name: 'a/b', vector_store_id: folder })
  expect(models.slice(4).map(({ id }) => id)).toEqual(expect.arrayContaining(twins))
  for (const id of [folder, 'a/b'])
    expect(await api.json('GET', `/v1/models/${id}`)).toMatchObject({ id, vector_store_id: folder })
  expect(await api.refusal('GET', '/v1/models/gpt-none')).toMatchObject({ status: 404 })
})

test('a vector store is accepted by its name wherever by its id', async () => {
  const { id, fileIds } = await api.store({ 'fox.md': 'The fox is red.' }, 'animals')
  const routes: readonly (readonly [string, string, unknown?])[] = [
    ['GET', '/v1/vector_stores/STORE'],
    ['GET', '/v1/vector_stores/STORE/files'],
    ['GET', `/v1/vector_stores/STORE/files/${fileIds[0]}`],
    ['POST', '/v1/vector_stores/STORE/search', { query: 'fox' }],
  ]
  for (const [method, path, body] of routes) {
    const [byName, byId] = await Promise.all(
      ['animals', id].map(store => api.json(method, path.replace('STORE', store), body)),
    )
    expect(byName).toEqual(byId)
  }
  const tools = [{ type: 'file_search', vector_store_ids: ['animals', id] }]
  const answer = await api.request('POST', '/v1/responses', { input: 'Which fox?', tools })
  expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('red')])
})

test('an id wins over a name, and a name that is used twice is refused with the ids', async () => {
  const first = await create('first')
  await create(first)
  expect(await api.json('GET', `/v1/vector_stores/${first}`)).toMatchObject({ name: 'first' })
  const ids = [await create('same'), await create('same')]
  const refused = await api.json('POST', '/v1/chat/completions', {
    model: 'same',
    messages: [{ role: 'user', content: 'Who?' }],
  })
  expect(refused.error).toMatchObject({ code: 'conflict', param: 'model' })
  for (const id of ids) expect(refused.error?.message).toContain(id)
  expect(await api.refusal('DELETE', '/v1/vector_stores/same')).toMatchObject({ status: 409 })
})
