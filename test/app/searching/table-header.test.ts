import { afterAll, beforeAll, expect, test } from 'vitest'
import { readTableHeader } from '../../../src/app/searching/hit-json.ts'
import type { Passim } from '../../../src/index.ts'
import { Sandbox } from '../../fakes/store.ts'

const ROWS = Array.from({ length: 300 }, (_, at) => `| Hive ${at + 100} | ${at + 7} | calm |`)

let sandbox: Sandbox
let passim: Passim
beforeAll(async () => {
  sandbox = await Sandbox.make()
  passim = await sandbox.open()
  await sandbox.write({
    'hives.md': `# Wax | honey\n\n| Hive | Frames | Mood |\n| --- | --- | --- |\n${ROWS.join('\n')}\n`,
    'bees.md': '# Wax | honey\n\nBees fly in May | in June.',
  })
  await passim.index([sandbox.path('.')])
})
afterAll(() => sandbox.remove())

test('a hit that begins inside a long table has its header', async () => {
  const [hit] = await passim.search({ query: 'hive 350', mode: 'keyword' })
  expect(hit?.text).toMatch(/^Hive \d+ \| \d+ \| calm\n/)
  expect(hit && readTableHeader(hit)).toBe('Hive | Frames | Mood')
})

test('titles and headings are no header of a table', async () => {
  const [hit] = await passim.search({ query: 'bees fly', mode: 'keyword' })
  expect(hit?.context).toContain('Wax | honey')
  expect(hit && readTableHeader(hit)).toBeUndefined()
})
