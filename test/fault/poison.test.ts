import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Sandbox } from '../fakes/store.ts'
import { badFiles, goodFiles } from './poison-files.ts'

const GOOD = 98

let sandbox: Sandbox

beforeEach(async () => {
  sandbox = await Sandbox.make()
})
afterEach(() => sandbox.remove())

test('98 good files and two poisoned ones: 98 indexed, two named failures, nobody waits for the poison', async () => {
  const good = Array.from({ length: GOOD }, (_, index) => [
    `${index}.txt`,
    `Good file number ${index}.`,
  ])
  const docs = await sandbox.write(Object.fromEntries(good))
  await writeFile(sandbox.path('0-memory.html'), '<'.repeat(2_000_000))
  await writeFile(sandbox.path('0-time.md'), '- a list item with *words* in it\n'.repeat(1_000_000))
  const passim = await sandbox.open({
    settings: {
      parsing: { processes: 2, timeMs: 9_000, timePerMebibyteMs: 0, memoryBytes: 400 * 2 ** 20 },
    },
  })
  const ended: string[] = []
  const result = await passim.index([docs], {
    onEvent: event => event.type === 'done' && ended.push(event.outcome),
  })
  expect(result.totals).toMatchObject({ indexed: GOOD, failed: 2 })
  const failures = result.documents.filter(document => document.status === 'failed')
  expect(failures.map(({ source, error }) => [source.slice(docs.length + 1), error?.code])).toEqual(
    [
      ['0-memory.html', expect.stringMatching(/timeout|too_large/)],
      ['0-time.md', expect.stringMatching(/timeout|too_large/)],
    ],
  )
  expect(ended.indexOf('indexed')).toBeLessThan(ended.lastIndexOf('failed')) // with both processes poisoned
  expect(
    await passim.search({ query: 'good file number 97', mode: 'keyword', limit: 1 }),
  ).toHaveLength(1)
})

test('bad files of every format among good ones: each good one is found, each bad one is named, no process is left', {
  timeout: 300_000,
}, async () => {
  const [good, bad] = [goodFiles(), badFiles()]
  expect(good.size).toBeGreaterThanOrEqual(98)
  expect(Object.keys(bad).length).toBeGreaterThanOrEqual(60)
  const docs = await sandbox.write({})
  for (const [name, { bytes }] of good) await sandbox.write({ [name]: bytes as string }) // written as they are
  for (const [name, bytes] of Object.entries(bad)) await sandbox.write({ [name]: bytes as string })
  const passim = await sandbox.open({
    settings: {
      parsing: { processes: 2, timeMs: 9_000, timePerMebibyteMs: 0, memoryBytes: 300 * 2 ** 20 },
    },
  })
  const result = await passim.index([docs])
  const failures = result.documents.filter(document => document.status === 'failed')
  expect(failures.map(({ source }) => path.basename(source)).toSorted()).toEqual(
    Object.keys(bad).toSorted(),
  )
  for (const { source, error } of failures) expect(error?.message).toContain(path.basename(source))
  for (const [name, { word }] of good) {
    const hits = await passim.search({ query: word, mode: 'keyword', limit: 1 })
    expect(hits.map(hit => hit.name)).toEqual([name])
  }
  await sandbox.close()
  expect(childProcesses()).toEqual([])
})

/** Of this process, which tests share: none but what a test starts. */
function childProcesses(): readonly string[] {
  const children = readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8')
    .split(' ')
    .filter(Boolean)
  return children.filter(id => /parser-process/.test(readFileSync(`/proc/${id}/cmdline`, 'utf8')))
}
