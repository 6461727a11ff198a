import { writeFile } from 'node:fs/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Sandbox } from '../fakes/store.ts'

const GOOD = 98

let sandbox: Sandbox

beforeEach(async () => {
  sandbox = await Sandbox.make()
})
afterEach(() => sandbox.remove())

test('98 good files and two poisoned ones: 98 indexed, two named failures, nobody waits for the poison', async () => {
  const good = Array.from({ length: GOOD }, (_, index) => [`${index}.txt`, `Good file number ${index}.`])
  const docs = await sandbox.write(Object.fromEntries(good))
  await writeFile(sandbox.path('0-memory.html'), '<'.repeat(2_000_000))
  await writeFile(sandbox.path('0-time.md'), '- a list item with *words* in it\n'.repeat(1_000_000))
  const passim = await sandbox.open({
    settings: { parsing: { processes: 2, timeMs: 9_000, timePerMebibyteMs: 0, memoryBytes: 400 * 2 ** 20 } },
  })
  const ended: string[] = []
  const result = await passim.index([docs], {
    onEvent: event => event.type === 'done' && ended.push(event.outcome),
  })
  expect(result.totals).toMatchObject({ indexed: GOOD, failed: 2 })
  const failures = result.documents.filter(document => document.status === 'failed')
  expect(failures.map(({ source, error }) => [source.slice(docs.length + 1), error?.code])).toEqual([
    ['0-memory.html', expect.stringMatching(/timeout|too_large/)],
    ['0-time.md', expect.stringMatching(/timeout|too_large/)],
  ])
  expect(ended.indexOf('indexed')).toBeLessThan(ended.lastIndexOf('failed')) // with both processes poisoned
  expect(await passim.search({ query: 'good file number 97', mode: 'keyword', limit: 1 })).toHaveLength(1)
})
