import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { sendLines } from '../../examples/send-records.ts'
import { startServer } from '../server/running.ts'

test('send records: each is a document, found by its text', async () => {
  const { url, passim, close } = await startServer()
  const rows = [
    { id: '4711', title: 'Printer jams', text: 'The printer jams with recycled paper.' },
    { id: '4712' },
    { id: '4713', records: [{ part: 'bolt', price: 1.5 }] },
  ]
  const send = async () => {
    const lines = Readable.from(rows.map(row => Buffer.from(`${JSON.stringify(row)}\n`)))
    const answers = []
    for await (const answer of sendLines(url, 'tickets', lines)) answers.push(answer)
    return answers
  }
  expect(await send()).toMatchObject([
    { line: 1, id: '4711', result: 'created' },
    { line: 2, error: { code: 'invalid_input' } },
    { line: 3, id: '4713', result: 'created' },
  ])
  expect(await send()).toMatchObject([{ result: 'unchanged' }, {}, { result: 'unchanged' }])
  await expect.poll(() => passim.isBusy, { timeout: 60_000 }).toBe(false)
  const [hit] = await passim.search({ query: 'recycled paper', collections: ['tickets'] })
  expect(hit).toMatchObject({ source: 'id:4711', title: 'Printer jams' })
  await close()
})
