import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { parsePeriod } from '../../src/search/periods.ts'

const check = (now: Date, text: string, from: string, until = from) =>
  expect(parsePeriod(text, now), text).toEqual({ from, until })

describe('in the middle of a month', () => {
  /** A Wednesday. */
  const now = new Date(2026, 2, 4, 15)

  test.each([
    ['2026-03-01', '2026-03-01', '2026-03-01'],
    ['2026-12', '2026-12-01', '2026-12-31'],
    ['2026', '2026-01-01', '2026-12-31'],
    ['February 2024', '2024-02-01', '2024-02-29'],
    ['2024年2月', '2024-02-01', '2024-02-29'],
    ['5 January 2024', '2024-01-05', '2024-01-05'],
    ['Q1 2025', '2025-01-01', '2025-03-31'],
    ['today', '2026-03-04', '2026-03-04'],
    ['前天', '2026-03-02', '2026-03-02'],
    ['last week', '2026-02-23', '2026-03-01'],
    ['上星期', '2026-02-23', '2026-03-01'],
    ['This week', '2026-03-02', '2026-03-08'],
    ['last month', '2026-02-01', '2026-02-28'],
    ['去年', '2025-01-01', '2025-12-31'],
    ['last 7 days', '2026-02-26', '2026-03-04'],
    ['past seven days', '2026-02-26', '2026-03-04'],
    ['最近 7 天', '2026-02-26', '2026-03-04'],
    ['过去七天', '2026-02-26', '2026-03-04'],
    ['最近两周', '2026-02-19', '2026-03-04'],
    ['last two weeks', '2026-02-19', '2026-03-04'],
    ['Monday', '2026-03-02', '2026-03-02'],
    ['周三', '2026-03-04', '2026-03-04'],
    ['last Wednesday', '2026-02-25', '2026-02-25'],
    ['last Friday', '2026-02-27', '2026-02-27'],
    ['上周一', '2026-02-23', '2026-02-23'],
    ['这周五', '2026-03-06', '2026-03-06'],
  ])('%s is from %s to %s', (text, from, until) => check(now, text, from, until))

  test.each(['2026-02-30', '2026-13', 'someday', '2026-03-01T10:00', '2023年2月29日', 'March'])(
    '%s is none',
    text => expect(parsePeriod(text, now)).toBeUndefined(),
  )
})

test('at the end of a month, the months before end at their own last day', () => {
  const now = new Date(2026, 4, 31, 23, 59)
  check(now, 'last month', '2026-04-01', '2026-04-30')
  check(now, '上个月', '2026-04-01', '2026-04-30')
  check(now, 'last three months', '2026-03-01', '2026-05-31')
  check(now, '最近三个月', '2026-03-01', '2026-05-31')
  check(now, 'last 7 days', '2026-05-25', '2026-05-31')
  check(now, 'this week', '2026-05-25', '2026-05-31')
})

test('at the turn of a year', () => {
  const first = new Date(2027, 0, 1, 0, 1)
  check(first, 'yesterday', '2026-12-31')
  check(first, '上周', '2026-12-21', '2026-12-27')
  check(first, 'this week', '2026-12-28', '2027-01-03')
  check(first, 'last month', '2026-12-01', '2026-12-31')
  check(first, 'last year', '2026-01-01', '2026-12-31')
  check(first, '最近两天', '2026-12-31', '2027-01-01')
  const last = new Date(2026, 11, 31, 23, 59)
  check(last, '今年', '2026-01-01', '2026-12-31')
  check(last, 'last 7 days', '2026-12-25', '2026-12-31')
})

test('29 February has a year before it', () =>
  check(new Date(2028, 1, 29, 12), '过去2年', '2026-03-01', '2028-02-29'))

test.each([
  ['Asia/Shanghai', '2027-01-01', '2026-12-26'],
  ['America/Los_Angeles', '2026-12-31', '2026-12-25'],
  ['UTC', '2026-12-31', '2026-12-25'],
])('in %s the day is %s', (TZ, today, weekAgo) => {
  const module = new URL('../../dist/search/periods.js', import.meta.url).href
  const script = `const { parsePeriod } = await import(${JSON.stringify(module)})
    const now = new Date('2026-12-31T20:00:00Z')
    console.log(JSON.stringify(['today', '今天', 'last 7 days', '最近7天'].map(text => parsePeriod(text, now))))`
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    env: { ...process.env, TZ },
    encoding: 'utf8',
  })
  const day = { from: today, until: today }
  const days = { from: weekAgo, until: today }
  expect(JSON.parse(stdout)).toEqual([day, day, days, days])
})
