import { getItem } from '../../../../system/items.ts'
import {
  formatDigits,
  formatGeneralNumber,
  splitSections,
  type Token,
  tokenizeFormat,
} from './digit-format.ts'

export type NumberFormat = (value: number) => string

type Section = { readonly pattern: readonly Token[]; readonly condition?: Condition }
type Condition = { readonly operator: string; readonly limit: number }

type NumberFormatOptions = {
  /** Days are counted from 1904, as on old Macintoshes. */
  readonly is1904?: boolean
}

const DAY_MS = 86_400_000
const MONTHS =
  'January February March April May June July August September October November December'.split(' ')
const WEEKDAYS = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ')
const HAN_WEEKDAYS = '日一二三四五六'
/** Lotus took 1900 for a leap year, so days before March count one less. */
const DAYS_TO_1970 = 25_569
const DAYS_TO_1970_FROM_1904 = 24_107
const FIRST_TRUE_DAY = 60
/** Excel's limit of dates: the end of 9999. */
const LAST_DAY = 2_958_466

/** Excel's limit of a format code. */
const MAX_CODE_CHARS = 255

/** Keyed by number (ECMA-376, 18.8.30); 14 and 22 depend on the country, so ISO is used. */
const BUILTIN_FORMATS: Readonly<Record<number, string>> = {
  1: '0',
  2: '0.00',
  3: '#,##0',
  4: '#,##0.00',
  9: '0%',
  10: '0.00%',
  11: '0.00E+00',
  12: '# ?/?',
  13: '# ??/??',
  14: 'yyyy-mm-dd',
  15: 'd-mmm-yy',
  16: 'd-mmm',
  17: 'mmm-yy',
  18: 'h:mm AM/PM',
  19: 'h:mm:ss AM/PM',
  20: 'h:mm',
  21: 'h:mm:ss',
  22: 'yyyy-mm-dd h:mm',
  27: 'yyyy"年"m"月"',
  28: 'm"月"d"日"',
  29: 'm"月"d"日"',
  30: 'm-d-yy',
  31: 'yyyy"年"m"月"d"日"',
  32: 'h"时"mm"分"',
  33: 'h"时"mm"分"ss"秒"',
  34: '上午/下午h"时"mm"分"',
  35: '上午/下午h"时"mm"分"ss"秒"',
  36: 'yyyy"年"m"月"',
  37: '#,##0;-#,##0',
  38: '#,##0;-#,##0',
  39: '#,##0.00;-#,##0.00',
  40: '#,##0.00;-#,##0.00',
  45: 'mm:ss',
  46: '[h]:mm:ss',
  47: 'mm:ss.0',
  48: '##0.0E+0',
  50: 'yyyy"年"m"月"',
  51: 'm"月"d"日"',
  52: 'yyyy"年"m"月"',
  53: 'm"月"d"日"',
  54: 'm"月"d"日"',
  55: '上午/下午h"时"mm"分"',
  56: '上午/下午h"时"mm"分"ss"秒"',
  57: 'yyyy"年"m"月"',
  58: 'm"月"d"日"',
}

export function findBuiltinFormat(id: number): string | undefined {
  return BUILTIN_FORMATS[id]
}

export function isTooLongCode(code: string): boolean {
  return code.length > MAX_CODE_CHARS
}

export function compileNumberFormat(code: string, options: NumberFormatOptions = {}): NumberFormat {
  if (isTooLongCode(code)) return formatGeneralNumber
  const sections = splitSections(code).slice(0, 3).map(parseSection)
  return value => {
    const index = chooseSection(sections, value)
    const section = sections[index]
    if (!section) return formatGeneralNumber(value)
    if (isGeneral(section)) return formatGeneral(section, index === 0 ? value : Math.abs(value))
    if (isDatePattern(section.pattern))
      return formatDate(section.pattern, value, options.is1904 ?? false)
    const showsSign = index === 0 && !section.condition && value < 0
    return formatDigits(section.pattern, Math.abs(value), showsSign)
  }
}

/** `@` stands for text. */
function isGeneral({ pattern }: Section): boolean {
  return pattern.some(token => 'code' in token && /^(General|@)$/i.test(token.code))
}

function formatGeneral({ pattern }: Section, value: number): string {
  return pattern
    .map(token => ('literal' in token ? token.literal : formatGeneralNumber(value)))
    .join('')
}

function parseSection(code: string): Section {
  const written = /\[(<=|>=|<>|<|>|=)\s*(-?[\d.]+)\]/.exec(code)
  const condition = written ? { operator: written[1] ?? '', limit: Number(written[2]) } : undefined
  return { pattern: tokenizeFormat(code), condition }
}

function chooseSection(sections: readonly Section[], value: number): number {
  const stated = sections.findIndex(({ condition }) => condition && isMet(condition, value))
  if (stated >= 0) return stated
  if (sections.some(section => section.condition))
    return sections.findLastIndex(section => !section.condition)
  if (value < 0 && sections.length > 1) return 1
  return value === 0 && sections.length > 2 ? 2 : 0
}

function isMet({ operator, limit }: Condition, value: number): boolean {
  if (operator === '<') return value < limit
  if (operator === '<=') return value <= limit
  if (operator === '>') return value > limit
  if (operator === '>=') return value >= limit
  return (operator === '=') === (value === limit)
}

function isDatePattern(pattern: readonly Token[]): boolean {
  return pattern.some(
    token => 'code' in token && /^(\[[hms]+\]|[ymdhs]+(\.0+)?|aaaa?|e+)$/i.test(token.code),
  )
}

function formatDate(pattern: readonly Token[], value: number, is1904: boolean): string {
  if (!(value >= 0 && value < LAST_DAY)) return String(value)
  const codes = pattern.map(token => ('code' in token ? token.code : ''))
  const isHalfDay = codes.some(code => /^(am\/pm|a\/p|上午\/下午)$/i.test(code))
  const secondDecimals = Math.max(
    0,
    ...codes.map(code => /^s+\.(0+)$/i.exec(code)?.[1]?.length ?? 0),
  )
  const moment = toMoment(value, is1904, 10 ** Math.min(3, secondDecimals))
  return pattern
    .map((token, index) =>
      'literal' in token
        ? token.literal
        : formatDatePart(token.code, { moment, isHalfDay, isMinute: isMinute(codes, index) }),
    )
    .join('')
    .trim()
}

type Moment = { readonly date: Date; readonly value: number }

/** Rounds to the shown precision, so that 23:59:59.9999 is midnight. */
function toMoment(value: number, is1904: boolean, unitsPerSecond: number): Moment {
  const step = 1000 / unitsPerSecond
  const lotusDay = !is1904 && value < FIRST_TRUE_DAY ? 1 : 0
  const ms = Math.round((value * DAY_MS) / step) * step
  const offset = is1904 ? DAYS_TO_1970_FROM_1904 : DAYS_TO_1970
  return { date: new Date(ms + (lotusDay - offset) * DAY_MS), value: ms / DAY_MS }
}

/** `m` means minutes after hours or before seconds. */
function isMinute(codes: readonly string[], index: number): boolean {
  const isTimePart = (code: string) => /^[ymdhs]+(\.0+)?$|^\[/i.test(code)
  const before = codes.slice(0, index).findLast(isTimePart) ?? ''
  const after = codes.slice(index + 1).find(isTimePart) ?? ''
  return /^\[?h/i.test(before) || /^\[?s/i.test(after)
}

type PartOptions = {
  readonly moment: Moment
  readonly isHalfDay: boolean
  readonly isMinute: boolean
}

function formatDatePart(code: string, { moment, isHalfDay, isMinute }: PartOptions): string {
  const { date } = moment
  const padNumber = (value: number) => String(value).padStart(Math.min(2, code.length), '0')
  switch (code.charAt(0).toLowerCase()) {
    case 'y':
    case 'e':
      return code.length <= 2 && code[0] !== 'e'
        ? String(date.getUTCFullYear() % 100).padStart(2, '0')
        : String(date.getUTCFullYear())
    case 'm':
      return isMinute ? padNumber(date.getUTCMinutes()) : formatMonth(code.length, date)
    case 'd':
      return code.length > 2 ? formatWeekday(code.length, date) : padNumber(date.getUTCDate())
    case 'h':
      return padNumber(isHalfDay ? date.getUTCHours() % 12 || 12 : date.getUTCHours())
    case 's':
      return formatSecond(code, date)
    case '[':
      return formatElapsed(code, moment.value)
    case '上':
      return date.getUTCHours() < 12 ? '上午' : '下午'
    case 'a':
      return formatHalfDayOrWeekday(code, date)
    default:
      return /^[-/:.,]$/.test(code) ? code : ''
  }
}

function formatMonth(length: number, date: Date): string {
  const month = date.getUTCMonth()
  if (length <= 2) return String(month + 1).padStart(length, '0')
  const name = getItem(MONTHS, month)
  return length === 4 ? name : name.slice(0, length === 3 ? 3 : 1)
}

function formatWeekday(length: number, date: Date): string {
  const name = getItem(WEEKDAYS, date.getUTCDay())
  return length === 3 ? name.slice(0, 3) : name
}

function formatHalfDayOrWeekday(code: string, date: Date): string {
  if (code.includes('/'))
    return (date.getUTCHours() < 12 ? 'AM' : 'PM').slice(0, code.length === 3 ? 1 : 2)
  return (code.length === 4 ? '星期' : '周') + HAN_WEEKDAYS[date.getUTCDay()]
}

function formatSecond(code: string, date: Date): string {
  const [integer = '', decimals = ''] = code.split('.')
  const seconds = String(date.getUTCSeconds()).padStart(Math.min(2, integer.length), '0')
  const fraction = String(date.getUTCMilliseconds()).padStart(3, '0').slice(0, decimals.length)
  return decimals ? `${seconds}.${fraction}` : seconds
}

function formatElapsed(code: string, value: number): string {
  const unit = { h: 24, m: 1440, s: 86_400 }[code.charAt(1).toLowerCase()] ?? 1
  return String(Math.floor(value * unit + 1e-9)).padStart(code.length - 2, '0')
}
