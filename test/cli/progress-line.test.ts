import { expect, test } from 'vitest'
import { formatProgress, formatProgressLine, TimeLeft } from '../../src/cli/progress-line.ts'
import { en } from '../../src/cli/sentences/en.ts'

const KB = 1024

/** Documents worked off one after the other at a steady speed; what was said after each. */
function estimates(
  sizes: readonly number[],
  bytesPerMs: number,
): readonly { said: number; left: number }[] {
  let now = 0
  const timeLeft = new TimeLeft(() => now)
  for (const [id, bytes] of sizes.entries()) timeLeft.noteFound(`${id}`, bytes)
  const msOf = (bytes: number) => (bytes + 16 * KB) / bytesPerMs
  let left = sizes.reduce((sum, bytes) => sum + msOf(bytes), 0)
  return sizes.flatMap((bytes, id) => {
    now += msOf(bytes)
    left -= msOf(bytes)
    timeLeft.done(`${id}`)
    const said = timeLeft.estimateSeconds()
    return said === undefined ? [] : [{ said, left: left / 1000 }]
  })
}

test('the time left is told by bytes: many small documents before a large one make it no shorter', () => {
  const sizes = [...Array.from({ length: 200 }, () => 2 * KB), 20_000 * KB]
  for (const { said, left } of estimates(sizes, 50))
    expect(Math.abs(said - left)).toBeLessThan(0.02 * left + 0.1)
})

test('a part of a document counts', () => {
  let now = 0
  const timeLeft = new TimeLeft(() => now)
  timeLeft.noteFound('a', 1_000_000)
  now = 10_000
  timeLeft.noteShare('a', 0.5)
  expect(timeLeft.estimateSeconds()).toBeCloseTo(10, 5)
  timeLeft.noteShare('a', 0.25) // told late, by another worker
  expect(timeLeft.estimateSeconds()).toBeCloseTo(10, 5)
  timeLeft.done('a')
  expect(timeLeft.estimateSeconds()).toBe(0)
})

test('one slow document moves the time left, and not from one minute to an hour', () => {
  let now = 0
  const timeLeft = new TimeLeft(() => now)
  for (let id = 0; id < 121; id++) timeLeft.noteFound(`${id}`, 100 * KB)
  for (let id = 0; id < 60; id++) {
    now += 1_000
    timeLeft.done(`${id}`)
  }
  expect(timeLeft.estimateSeconds()).toBeCloseTo(61, 0)
  now += 60_000 // sixty times as slow as the others
  timeLeft.done('60')
  expect(timeLeft.estimateSeconds()).toBeLessThan(180)
})

test('before anything is done, nobody knows', () => {
  const timeLeft = new TimeLeft(() => 0)
  timeLeft.noteFound('a', 1)
  expect(timeLeft.estimateSeconds()).toBeUndefined()
})

test('a line of progress fits, and keeps the end of a path and both ends of a long name', () => {
  const state = { done: 12, byWords: 0, total: 345, secondsLeft: 3_540, stage: 'embed 12/300' }
  const line = (source: string, columns: number) =>
    formatProgressLine({ ...state, source }, columns)
  expect(line('/docs/a.md', 80)).toBe(
    '░░░░░░░░░░ 12 of 345 done, 59 min left, embed 12/300: /docs/a.md',
  )
  const found = formatProgressLine({ ...state, byWords: 30, source: '/docs/a.md' }, 100)
  expect(found).toContain('12 of 345 done, 30 searchable by keyword, 59 min left')
  expect(line('/home/ada/documents/papers/report-2026.pdf', 80)).toMatch(/: ….*\/report-2026\.pdf$/)
  const long = `/docs/quarterly ${'very '.repeat(20)}long report.pdf`
  expect(line(long, 80)).toMatch(/: quarterl.*….*report\.pdf$/)
  for (const source of [long, '/文档/员工年休假管理规定与实施细则（二〇二六年修订版）及附件.docx'])
    for (const columns of [60, 80, 120])
      expect([...line(source, columns)].length).toBeLessThanOrEqual(columns)
})

test('a file name cannot steer the terminal through the line of progress', () => {
  const source = '/docs/a\u001b[2J\nb\u202efdp.exe'
  expect(
    formatProgressLine(
      { done: 0, byWords: 0, total: 1, secondsLeft: 1, stage: 'parse 1', source },
      120,
    ),
  ).toMatch(/: \/docs\/a bfdp\.exe$/)
})

test('all that was found so far is not called all: more may be found, and upkeep follows', () => {
  const state = {
    done: 162,
    byWords: 0,
    total: 162,
    secondsLeft: 0,
    stage: 'write 3/3',
    source: '',
  }
  expect(formatProgress(state, en.index)).toBe('162 done, finishing, write 3/3')
  expect(formatProgress({ ...state, done: 161 }, en.index)).toMatch(/^161 of 162 done, /)
})

test('before anything is done, no time is stated', () => {
  const state = {
    done: 0,
    byWords: 0,
    total: 2,
    secondsLeft: undefined,
    stage: 'parse 1',
    source: '',
  }
  expect(formatProgress(state, en.index)).toBe('0 of 2 done, parse 1')
})
