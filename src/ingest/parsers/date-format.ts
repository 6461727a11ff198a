import type { Token } from './format-pattern.ts'

const DAY_MS = 86_400_000
const MONTHS = 'January February March April May June July August September October November December'.split(' ')
const WEEKDAYS = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ')
const HAN_WEEKDAYS = '日一二三四五六'

/** Days from a spreadsheet's day 0 to 1970. Lotus took 1900 for a leap year, so that days before March count one less. */
const DAYS_TO_1970 = 25_569
const DAYS_TO_1970_FROM_1904 = 24_107
const FIRST_TRUE_DAY = 60
/** The last day of the year 9999: beyond it a number is no date. */
const LAST_DAY = 2_958_466

/** Whether a pattern shows a date or a time rather than a number. */
export function isDatePattern(pattern: readonly Token[]): boolean {
  return pattern.some(token => 'code' in token && /^(\[[hms]+\]|[ymdhs]+(\.0+)?|aaaa?|e+)$/i.test(token.code))
}

/** A day number, with the time as its fraction, written by a pattern. */
export function formatDate(pattern: readonly Token[], value: number, is1904: boolean): string {
  if (!(value >= 0 && value < LAST_DAY)) return String(value)
  const codes = pattern.map(token => ('code' in token ? token.code : ''))
  const isHalfDay = codes.some(code => /^(am\/pm|a\/p|上午\/下午)$/i.test(code))
  const secondDecimals = Math.max(0, ...codes.map(code => /^s+\.(0+)$/i.exec(code)?.[1]?.length ?? 0))
  const moment = momentOf(value, is1904, 10 ** Math.min(3, secondDecimals))
  return pattern
    .map((token, index) =>
      'literal' in token
        ? token.literal
        : datePart(token.code, { moment, isHalfDay, isMinute: isMinute(codes, index) }),
    )
    .join('')
    .trim()
}

type Moment = { readonly date: Date; readonly value: number }

/** Rounded to what is shown, so that 23:59:59.9999 is midnight. */
function momentOf(value: number, is1904: boolean, unitsPerSecond: number): Moment {
  const step = 1000 / unitsPerSecond
  const lotusDay = !is1904 && value < FIRST_TRUE_DAY ? 1 : 0
  const ms = Math.round((value * DAY_MS) / step) * step
  const offset = is1904 ? DAYS_TO_1970_FROM_1904 : DAYS_TO_1970
  return { date: new Date(ms + (lotusDay - offset) * DAY_MS), value: ms / DAY_MS }
}

/** `m` is minutes behind hours or before seconds. */
function isMinute(codes: readonly string[], index: number): boolean {
  const isTimePart = (code: string) => /^[ymdhs]+(\.0+)?$|^\[/i.test(code)
  const before = codes.slice(0, index).findLast(isTimePart) ?? ''
  const after = codes.slice(index + 1).find(isTimePart) ?? ''
  return /^\[?h/i.test(before) || /^\[?s/i.test(after)
}

type PartOptions = { readonly moment: Moment; readonly isHalfDay: boolean; readonly isMinute: boolean }

function datePart(code: string, { moment, isHalfDay, isMinute }: PartOptions): string {
  const { date } = moment
  const padded = (value: number) => String(value).padStart(Math.min(2, code.length), '0')
  switch (code[0]!.toLowerCase()) {
    case 'y':
    case 'e':
      return code.length <= 2 && code[0] !== 'e'
        ? String(date.getUTCFullYear() % 100).padStart(2, '0')
        : String(date.getUTCFullYear())
    case 'm':
      return isMinute ? padded(date.getUTCMinutes()) : monthPart(code.length, date)
    case 'd':
      return code.length > 2 ? weekday(code.length, date) : padded(date.getUTCDate())
    case 'h':
      return padded(isHalfDay ? date.getUTCHours() % 12 || 12 : date.getUTCHours())
    case 's':
      return secondPart(code, date)
    case '[':
      return elapsed(code, moment.value)
    case '上':
      return date.getUTCHours() < 12 ? '上午' : '下午'
    case 'a':
      return halfDayOrWeekday(code, date)
    default:
      return /^[-/:.,]$/.test(code) ? code : ''
  }
}

function monthPart(length: number, date: Date): string {
  const month = date.getUTCMonth()
  if (length <= 2) return String(month + 1).padStart(length, '0')
  const name = MONTHS[month]! // months are 0 to 11
  return length === 4 ? name : name.slice(0, length === 3 ? 3 : 1)
}

function weekday(length: number, date: Date): string {
  const name = WEEKDAYS[date.getUTCDay()]! // days are 0 to 6
  return length === 3 ? name.slice(0, 3) : name
}

function halfDayOrWeekday(code: string, date: Date): string {
  if (code.includes('/')) return (date.getUTCHours() < 12 ? 'AM' : 'PM').slice(0, code.length === 3 ? 1 : 2)
  return (code.length === 4 ? '星期' : '周') + HAN_WEEKDAYS[date.getUTCDay()]
}

function secondPart(code: string, date: Date): string {
  const [whole, decimals = ''] = code.split('.') as [string, string?] // split gives at least one part
  const seconds = String(date.getUTCSeconds()).padStart(Math.min(2, whole.length), '0')
  const fraction = String(date.getUTCMilliseconds()).padStart(3, '0').slice(0, decimals.length)
  return decimals ? `${seconds}.${fraction}` : seconds
}

/** Hours, minutes or seconds that do not start again after a day, an hour or a minute. */
function elapsed(code: string, value: number): string {
  const unit = { h: 24, m: 1440, s: 86_400 }[code[1]!.toLowerCase()] ?? 1
  return String(Math.floor(value * unit + 1e-9)).padStart(code.length - 2, '0')
}
