import { afterAll, beforeAll, expect, test } from 'vitest'
import { Sandbox } from '../fakes/store.ts'
import { Api } from './api.ts'

let sandbox: Sandbox
let api: Api

beforeAll(async () => {
  sandbox = await Sandbox.make()
  api = new Api(await sandbox.open())
  for (const name of ['alpha', 'beta']) await api.json('POST', '/v1/vector_stores', { name })
  await api.store({ 'fox.md': 'The fox is red.' }, 'gamma')
})
afterAll(() => sandbox.remove())

test('collections are listed by name, page by page, with what they hold', async () => {
  const first = await api.json('GET', '/api/collections?limit=2')
  const second = await api.json('GET', `/api/collections?limit=2&after=${first.last}`)
  expect([first, second]).toMatchObject([
    { collections: [{ name: 'alpha' }, { name: 'beta' }], hasMore: true },
    {
      collections: [
        {
          name: 'gamma',
          engine: 'lance',
          embedderId: 'hashing-64@1',
          documents: { in_progress: 0, completed: 1, failed: 0, cancelled: 0 },
          chunks: 1,
          bytes: 15,
        },
      ],
      hasMore: false,
    },
  ])
  const { collections } = second as unknown as { collections: object[] } // a page of the list
  expect(Object.keys(collections[0] ?? {})).not.toContain('tableId')
  expect(await api.refusal('GET', '/api/collections?after=vs_none')).toMatchObject({
    status: 400,
    param: 'after',
  })
})

test('a collection is found by its name or id', async () => {
  const byName = await api.json('GET', '/api/collections/gamma')
  expect(await api.json('GET', `/api/collections/${byName.id}`)).toEqual(byName)
  expect(await api.refusal('GET', '/api/collections/none')).toEqual({
    status: 404,
    code: 'not_found',
    param: 'id',
  })
})
