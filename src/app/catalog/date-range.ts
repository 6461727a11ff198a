import { parseChineseNumber } from '../../text/chinese-number.ts'
import { findDates, findWeekdays, getDayRange } from '../../text/dates.ts'
import { foldForms } from '../../text/numerals.ts'

/** Days from first to last, both inclusive, as `2026-03-05`. */
export type Period = { readonly from: string; readonly until: string }

/** Period that may be open at one end. */
export type DateRange = { readonly [End in keyof Period]?: Period[End] | undefined }

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
  /^(?:(?:the )?(?:last|past) (?<count>\d{1,3}|few|two|three|four|five|six|seven|ten) (?<unit>days|weeks|months|years)|(?:最近|过去|近)(?<number>\d{1,3}|[一二两三四五六七八九十几]{1,3})个?(?<han>天|日|周|星期|月|年))$/iu

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

/**
 * Parses a period that is the complete text: a date, a weekday before today, or a relative one
 * such as "last week" or 最近三天.
 */
export function parsePeriod(text: string, now: Date): Period | undefined {
  const bare = foldForms(text).trim()
  return parseRelative(bare, now) ?? parseWeekday(bare, now) ?? parseDate(bare)
}

function parseRelative(text: string, now: Date): Period | undefined {
  const ago = DAYS_AGO.find(([pattern]) => pattern.test(text))?.[1]
  if (ago !== undefined) return toRange(shiftDays(now, -ago), shiftDays(now, -ago))
  const current = THIS.exec(text)?.groups
  if (current) return toUnitRange(now, readUnit(current))
  const last = LAST.exec(text)?.groups
  if (last) {
    const unit = readUnit(last)
    return toUnitRange(shift(startUnit(now, unit), unit, -1), unit)
  }
  const recent = RECENT.exec(text)?.groups
  if (!recent) return undefined
  return toRange(shift(now, readUnit(recent), -readCount(recent)), now)
}

function parseWeekday(text: string, now: Date): Period | undefined {
  const [found] = findWeekdays(text)
  if (!found || found.span.end - found.span.start !== text.length) return undefined
  const day = shiftDays(now, -((now.getDay() - found.day + 7) % 7))
  return toRange(day, day)
}

function parseDate(text: string): Period | undefined {
  const [found, ...others] = findDates(text)
  if (!found?.year || others.length > 0) return undefined
  if (found.span.start !== 0 || found.span.end !== text.length) return undefined
  const { first, last } = getDayRange(found)
  return { from: toDay(first), until: toDay(last) }
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
  return unit === 'day' ? day : new Date(day.getFullYear(), month, 1)
}

function toUnitRange(day: Date, unit: Unit): Period {
  const first = startUnit(day, unit)
  return toRange(first, shiftDays(shift(first, unit, 1), -1))
}

function shift(day: Date, unit: Unit, count: number): Date {
  if (unit === 'day' || unit === 'week') return shiftDays(day, count * (unit === 'week' ? 7 : 1))
  const months = unit === 'year' ? 12 * count : count
  return new Date(day.getFullYear(), day.getMonth() + months, day.getDate())
}

function shiftDays(day: Date, count: number): Date {
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() + count)
}

function toRange(first: Date, last: Date): Period {
  return { from: formatDay(first), until: formatDay(last) }
}

/** Formats a local day as in ISO 8601. */
export function formatDay(day: Date): string {
  return toDay((day.getFullYear() * 100 + day.getMonth() + 1) * 100 + day.getDate())
}

function toDay(number: number): string {
  const digits = String(number).padStart(8, '0')
  return `${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6)}`
}

export function isInRange(day: string, { from, until }: DateRange): boolean {
  return (from === undefined || day >= from) && (until === undefined || day <= until)
}
