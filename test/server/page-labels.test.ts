import { afterAll, beforeAll, expect, test } from 'vitest'
import { Sandbox } from '../fakes/store.ts'
import { pdf } from '../fixtures/pdf.ts'
import { Api } from './api.ts'

let sandbox: Sandbox
let api: Api

beforeAll(async () => {
  sandbox = await Sandbox.make()
  const passim = await sandbox.open()
  const lines = ['A hotel costs at most 180 euros a night.', 'A meal costs at most 28 euros a day.']
  const pages = lines.map(text => [{ text, x: 72, y: 100, size: 12 }])
  const labels = '/PageLabels<</Nums[0<</S/r>>1<</S/D/St 2>>]>>'
  await passim.index([await sandbox.write({ 'rules.pdf': pdf(pages, '', labels) })])
  api = new Api(passim)
})
afterAll(() => sandbox.remove())

async function cite(question: string) {
  const { citations } = await api.json('POST', '/api/ask', { question })
  return (citations as readonly object[])[0] // the route's
}

test('a citation has the label that its page states', async () => {
  expect(await cite('What may a hotel cost?')).toMatchObject({ page: 1, pageLabel: 'i' })
})

test('a label that is the number of the page is left out', async () => {
  const citation = await cite('What may a meal cost?')
  expect(citation).toMatchObject({ page: 2 })
  expect(citation).not.toHaveProperty('pageLabel')
})
