import { parseChineseNumber } from '../text/chinese-number.ts'
import { type DateValue, findDates, findWeekdays, getDayRange } from '../text/dates.ts'
import { foldForms } from '../text/numerals.ts'

/** Both inclusive, in ISO 8601. */
export type Period = { readonly from: string; readonly until: string }

type Unit = 'day' | 'week' | 'month' | 'year'

const UNITS: readonly (readonly [RegExp, Unit])[] = [
  [/days?$|[天日]$/iu, 'day'],
  [/weeks?$|[周]$|星期$/iu, 'week'],
  [/months?$|月$/iu, 'month'],
  [/years?$|年$/iu, 'year'],
]

const DAYS_AGO: readonly (readonly [RegExp, number])[] = [
  [/^(?:today|今天|今日)$/iu, 0],
  [/^(?:yesterday|昨天|昨日)$/iu, 1],
  [/^(?:the day before yesterday|前天)$/iu, 2],
]

const THIS = /^(?:this (?<unit>week|month|year)|(?:本|这个?|今)(?<han>周|星期|月|年))$/iu
const LAST = /^(?:(?:the )?last (?<unit>week|month|year)|(?:上个?|去)(?<han>周|星期|月|年))$/iu
const RECENT =
  /^(?:(?:the )?(?:last|past) (?<count>\d{1,4}|few|two|three|four|five|six|seven|ten) (?<unit>days|weeks|months|years)|(?:最近|过去|近)\s?(?<number>\d{1,4}|[一二两三四五六七八九十几]{1,3})\s?个?(?<han>天|日|周|星期|月|年))$/iu

/** English numerals of RECENT; "few" counts as three. */
const NUMERALS: Readonly<Record<string, number>> = {
  few: 3,
  几: 3,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  ten: 10,
}

const ISO_FORM = /^\d{4}(?:-\d\d){0,2}$/

/**
 * Parses a date, a weekday, or a period such as "last week" or 最近三天: calendar days in the
 * machine's time zone. N days, weeks, months or years end today, weeks start on Monday (ISO 8601).
 */
export function parsePeriod(text: string, now: Date): Period | undefined {
  const bare = foldForms(text).trim()
  return parseRelative(bare, now) ?? parseWeekday(bare, now) ?? parseDate(bare)
}

/** Formats as in ISO 8601, in local time. */
export function formatDay(day: Date): string {
  return formatDigits((day.getFullYear() * 100 + day.getMonth() + 1) * 100 + day.getDate())
}

function parseRelative(text: string, now: Date): Period | undefined {
  const ago = DAYS_AGO.find(([pattern]) => pattern.test(text))?.[1]
  if (ago !== undefined) return toPeriod(shiftDays(now, -ago), shiftDays(now, -ago))
  const current = THIS.exec(text)?.groups
  if (current) return toUnitPeriod(now, readUnit(current))
  const last = LAST.exec(text)?.groups
  if (last) {
    const unit = readUnit(last)
    return toUnitPeriod(shift(startUnit(now, unit), unit, -1), unit)
  }
  const recent = RECENT.exec(text)?.groups
  if (!recent) return undefined
  return toPeriod(shiftDays(shift(now, readUnit(recent), -readCount(recent)), 1), now)
}

/** 上 and 本 count weeks from Monday; "last Friday" is the Friday before today. */
const WEEKDAY = /^(?<which>last |this |上个?|本|这个?)?(?<name>.+)$/iu

function parseWeekday(text: string, now: Date): Period | undefined {
  const { which = '', name = '' } = WEEKDAY.exec(text)?.groups ?? {}
  const [found] = findWeekdays(name)
  if (!found || found.span.end - found.span.start !== name.length) return undefined
  const since = (now.getDay() - found.day + 7) % 7
  const inWeek = (found.day + 6) % 7
  const monday = startUnit(now, 'week')
  if (which.startsWith('上')) return toDayPeriod(shiftDays(monday, inWeek - 7))
  if (/^last /iu.test(which)) return toDayPeriod(shiftDays(now, -(since || 7)))
  if (which !== '') return toDayPeriod(shiftDays(monday, inWeek))
  return toDayPeriod(shiftDays(now, -since))
}

function parseDate(text: string): Period | undefined {
  if (ISO_FORM.test(text)) {
    const [year = 0, month, day] = text.split('-').map(Number)
    return toDatePeriod({ year, ...(month !== undefined && { month }), ...(day && { day }) })
  }
  const [found, ...others] = findDates(text)
  if (!found?.year || others.length > 0) return undefined
  if (found.span.start !== 0 || found.span.end !== text.length) return undefined
  return toDatePeriod(found)
}

function toDatePeriod(date: Omit<DateValue, 'span'>): Period | undefined {
  const { first, last } = getDayRange(date)
  const from = formatDigits(first)
  if (!isDay(from)) return undefined
  const until = formatDigits(last)
  if (isDay(until)) return { from, until }
  return date.day === undefined ? { from, until: findMonthEnd(until) } : undefined
}

function isDay(day: string): boolean {
  const ms = Date.parse(`${day}T00:00:00Z`)
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(day)
}

function findMonthEnd(day: string): string {
  const [year = 0, month = 1] = day.split('-').map(Number)
  return new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10)
}

function readUnit({ unit, han }: Readonly<Record<string, string | undefined>>): Unit {
  const written = unit ?? han ?? ''
  return UNITS.find(([pattern]) => pattern.test(written))?.[1] ?? 'day'
}

function readCount({ count, number }: Readonly<Record<string, string | undefined>>): number {
  const written = count ?? number ?? ''
  return NUMERALS[written.toLowerCase()] ?? parseChineseNumber(written) ?? Number(written)
}

function startUnit(day: Date, unit: Unit): Date {
  if (unit === 'week') return shiftDays(day, -((day.getDay() + 6) % 7))
  const month = unit === 'year' ? 0 : day.getMonth()
  return unit === 'day' ? day : createDay(day.getFullYear(), month, 1)
}

function toDayPeriod(day: Date): Period {
  return toPeriod(day, day)
}

function toUnitPeriod(day: Date, unit: Unit): Period {
  const first = startUnit(day, unit)
  return toPeriod(first, shiftDays(shift(first, unit, 1), -1))
}

function shift(day: Date, unit: Unit, count: number): Date {
  if (unit === 'day' || unit === 'week') return shiftDays(day, count * (unit === 'week' ? 7 : 1))
  const month = day.getMonth() + (unit === 'year' ? 12 * count : count)
  const lastDay = createDay(day.getFullYear(), month + 1, 0).getDate()
  return createDay(day.getFullYear(), month, Math.min(day.getDate(), lastDay))
}

function shiftDays(day: Date, count: number): Date {
  return createDay(day.getFullYear(), day.getMonth(), day.getDate() + count)
}

/** Uses noon, which every day has in every time zone. */
function createDay(year: number, month: number, day: number): Date {
  return new Date(year, month, day, 12)
}

function toPeriod(first: Date, last: Date): Period {
  return { from: formatDay(first), until: formatDay(last) }
}

function formatDigits(number: number): string {
  const digits = String(number).padStart(8, '0')
  return `${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6)}`
}
