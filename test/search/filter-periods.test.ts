import { expect, test } from 'vitest'
import { readPeriod } from '../../src/search/filter-periods.ts'

/** A Wednesday. */
const NOW = new Date('2026-03-04T15:00:00Z')

test.each([
  ['2026-03-01', '2026-03-01', '2026-03-02'],
  ['2026-12', '2026-12-01', '2027-01-01'],
  ['2026', '2026-01-01', '2027-01-01'],
  ['today', '2026-03-04', '2026-03-05'],
  ['last week', '2026-02-23', '2026-03-02'],
  ['This week', '2026-03-02', '2026-03-09'],
  ['last month', '2026-02-01', '2026-03-01'],
  ['去年', '2025-01-01', '2026-01-01'],
  ['last 7 days', '2026-02-26', '2026-03-05'],
  ['最近7天', '2026-02-26', '2026-03-05'],
])('%s is from %s to %s', (text, start, end) =>
  expect(readPeriod(text, NOW)).toEqual({
    start: Date.parse(start) / 1000,
    end: Date.parse(end) / 1000,
  }),
)

test.each(['2026-02-30', '2026-13', 'someday', '2026-03-01T10:00'])('%s is none', text =>
  expect(readPeriod(text, NOW)).toBeUndefined(),
)
