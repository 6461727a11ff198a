import { afterAll, beforeAll, expect, test } from 'vitest'
import { Sandbox } from '../../fakes/store.ts'
import { Api } from '../api.ts'

let sandbox: Sandbox
let api: Api
let path: string

beforeAll(async () => {
  sandbox = await Sandbox.make()
  api = new Api(await sandbox.open())
  const text =
    'Prices in EUR.\n\n| Item | Price |\n|---|---|\n| Desk, oak | 1,200 |\n| =Lamp | 35 |\n\nTimes.\n\n| Train | Leaves |\n|---|---|\n| C1 | 06:40 |\n| C2 | 09:15 |\n'
  await api.store({ 'price list.md': text })
  const document = (await api.passim.list((await api.passim.collections.list())[0]!))[0]! // just stored
  path = `/api/documents/${document.id}/tables`
})
afterAll(() => sandbox.remove())

test('the tables of a document come typed, with the place of each cell', async () => {
  expect(await api.json('GET', path)).toMatchObject({
    tables: [
      {
        name: 'price_list_prices_in_eur',
        caption: 'Prices in EUR.',
        key: 'Item',
        columns: [
          { name: 'Item', kind: 'text', unit: null },
          { name: 'Price', kind: 'number', unit: 'EUR', measure: 'money' },
        ],
        rows: [
          ['Desk, oak', '1,200'],
          ['=Lamp', '35'],
        ],
        cells: [
          [{ charStart: expect.any(Number) }, { value: 1200, unit: 'EUR' }],
          [{}, { value: 35 }],
        ],
      },
      { name: 'price_list_times', columns: [{ kind: 'text' }, { kind: 'time' }] },
    ],
  })
  expect(await api.json('GET', `${path}?table=2`)).toMatchObject({
    tables: [{ name: 'price_list_times' }],
  })
})
test('as CSV a table has its cells exactly as they are written', async () => {
  const answer = await api.request('GET', `${path}?format=csv`)
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(await answer.text()).toBe('Item,Price\r\n"Desk, oak","1,200"\r\n=Lamp,35\r\n')
  const accepted = await api.app.request(`${path}?table=2`, { headers: { accept: 'text/csv' } })
  expect(await accepted.text()).toBe('Train,Leaves\r\nC1,06:40\r\nC2,09:15\r\n')
})
test('a table that is not there is told, as is a format', async () => {
  expect(await api.refusal('GET', `${path}?table=3`)).toMatchObject({ status: 400, param: 'table' })
  expect(await api.refusal('GET', `${path}?format=xls`)).toMatchObject({
    status: 400,
    param: 'format',
  })
  expect(await api.refusal('GET', '/api/documents/none/tables')).toMatchObject({ status: 404 })
})
test('it is among the routes that are described', async () => {
  const { paths } = (await api.json('GET', '/openapi.json')) as { paths?: Record<string, object> } // OpenAPI's
  expect(paths).toHaveProperty(['/api/documents/{id}/tables', 'get'])
})
