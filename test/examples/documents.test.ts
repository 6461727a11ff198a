import { execFile } from 'node:child_process'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendLines } from '../../examples/send-records.ts'
import { Sandbox } from '../fakes/store.ts'
import { startServer } from '../server/running.ts'

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await Sandbox.make()
})
afterAll(() => sandbox.remove())

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

test('examples say how to run them, and what is missing, without a stack trace', async () => {
  const run = (...args: readonly string[]) =>
    new Promise<{ code: unknown; stderr: string }>(resolve => {
      const env = { PATH: process.env.PATH, HOME: '/nonexistent', PASSIM_HOME: sandbox.home }
      const command = ['node_modules/tsx/dist/cli.mjs', ...args]
      execFile(process.execPath, command, { env }, (error, _, stderr) =>
        resolve({ code: error?.code, stderr }),
      )
    })
  expect(await run('examples/own-parser.ts')).toEqual({
    code: 1,
    stderr: 'Usage: npx tsx examples/own-parser.ts FILE.srt QUERY\n',
  })
  expect(await run('examples/own-tool.ts', 'How much?')).toEqual({
    code: 1,
    stderr: 'No chat model is configured. To use one, set PASSIM_MODEL_URL.\n',
  })
})
