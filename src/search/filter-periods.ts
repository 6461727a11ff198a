/** A span of time in Unix seconds, UTC: from its start, up to its end. */
export type Period = { readonly start: number; readonly end: number }

const DATE = /^(?<year>\d{4})(?:-(?<month>\d\d)(?:-(?<day>\d\d))?)?$/
const RECENT = /^(?:last|past) (?<count>\d{1,4}) days$|^(?:最近|过去)\s?(?<han>\d{1,4})\s?天$/
const NAMED: Readonly<Record<string, readonly [Unit, number]>> = {
  today: ['day', 0],
  yesterday: ['day', -1],
  'this week': ['week', 0],
  'last week': ['week', -1],
  'this month': ['month', 0],
  'last month': ['month', -1],
  'this year': ['year', 0],
  'last year': ['year', -1],
  今天: ['day', 0],
  昨天: ['day', -1],
  本周: ['week', 0],
  上周: ['week', -1],
  本月: ['month', 0],
  上月: ['month', -1],
  上个月: ['month', -1],
  今年: ['year', 0],
  去年: ['year', -1],
}

type Unit = 'day' | 'week' | 'month' | 'year'

/**
 * Reads a day, month or year (`2026-03-01`, `2026-03`), or one relative to now (`last week`,
 * `最近7天`). Undefined for other text. Weeks start on Monday (ISO 8601).
 */
export function readPeriod(text: string, now: Date): Period | undefined {
  const { year, month, day } = DATE.exec(text)?.groups ?? {}
  if (year !== undefined) return readDate(Number(year), month, day)
  const recent = RECENT.exec(text.toLowerCase())?.groups
  const days = recent?.count ?? recent?.han
  if (days !== undefined) {
    const { start } = toPeriod(now, 'day', 1 - Number(days))
    return { start, end: toPeriod(now, 'day', 0).end }
  }
  const named = NAMED[text.toLowerCase()]
  return named && toPeriod(now, ...named)
}

/** Undefined if no calendar has the day. */
function readDate(year: number, month: string | undefined, day: string | undefined) {
  const date = new Date(Date.UTC(year, Number(month ?? 1) - 1, Number(day ?? 1)))
  const isReal =
    date.getUTCMonth() === Number(month ?? 1) - 1 && date.getUTCDate() === Number(day ?? 1)
  return isReal ? toPeriod(date, day ? 'day' : month ? 'month' : 'year', 0) : undefined
}

function toPeriod(date: Date, unit: Unit, offset: number): Period {
  return { start: findStart(date, unit, offset), end: findStart(date, unit, offset + 1) }
}

function findStart(date: Date, unit: Unit, offset: number): number {
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()]
  const daysSinceMonday = (date.getUTCDay() + 6) % 7
  const starts: Readonly<Record<Unit, () => number>> = {
    day: () => Date.UTC(year, month, day + offset),
    week: () => Date.UTC(year, month, day - daysSinceMonday + 7 * offset),
    month: () => Date.UTC(year, month + offset, 1),
    year: () => Date.UTC(year + offset, 0, 1),
  }
  return starts[unit]() / 1000
}
