import { parseChineseNumber } from './chinese-number.ts'
import { foldForms } from './numerals.ts'
import type { Span } from './sentences.ts'

/** `half` and `quarter` belong to its year. */
export type DateValue = {
  readonly year?: number
  readonly month?: number
  readonly day?: number
  readonly quarter?: number
  readonly half?: number
  readonly span: Span
}

/** 1000 to 2999. */
export const ANY_YEAR = /^[12]\d{3}$/u

export type DateParts = Omit<DateValue, 'span'>

type TimeOfDay = { readonly hour: number; readonly minute: number; readonly span: Span }

/** English months as CLDR abbreviates them. */
const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
const NAME =
  '(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\\b\\.?'
const FULL = 'January|February|April|June|July|August|September|October|November|December'
const ORDINALS: Readonly<Record<string, number>> = { first: 1, second: 2, third: 3, fourth: 4 }

const YEAR = '(?:19|20)\\d\\d'
const FISCAL = '(?:FY|CY|fiscal(?: year)?)'
const HAN_DIGIT = '[〇零一二三四五六七八九]'
const HAN_YEAR = `(?<year>${YEAR}|${HAN_DIGIT}{4})\\s?年度?`
const HAN_MONTH = '(?<month>1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九])\\s?月(?:份)?'
const HAN_DAY =
  '(?<day>3[01]|[12]\\d|0?[1-9]|三十一?|二?十[一二三四五六七八九]?|[一二三四五六七八九])\\s?[日号]'
const DAY = '(?<day>3[01]|[12]\\d|0?[1-9])(?:st|nd|rd|th)?'
const MONTH = `(?<month>${NAME})`
const START = '(?<![\\p{Script=Latin}\\d_]|\\d[.,:/-])'
const END = '(?![\\d%]|s\\b|[.,:]\\d|[-/]\\d)'
const NO_DIGIT = '(?!\\d|[.,]\\d)'
const ENGLISH_PART = `(?<part>first|second|third|fourth|[1-4](?:st|nd|rd|th))[ -](?:(?:fiscal|financial|calendar)[ -])?`
const OF_YEAR = `(?:(?: of)?(?: the)?(?: ${FISCAL})?[ ,]{1,2}(?:${FISCAL} ?)?(?<year>${YEAR}|(?<=FY ?)\\d\\d)${NO_DIGIT})`

/** Complete matches; of two at one place the longer wins. */
const FORMS: readonly RegExp[] = [
  `${START}(?<year>${YEAR})(?<sign>[-/.])(?<month>1[0-2]|0?[1-9])\\k<sign>(?<day>3[01]|[12]\\d|0?[1-9])(?!\\d)`,
  `${START}(?<year>${YEAR})[-/](?<month>1[0-2]|0[1-9])${END}`,
  `${START}(?<first>\\d{1,2})(?<sign>[-/.])(?<second>\\d{1,2})\\k<sign>(?<year>${YEAR})${END}`,
  `${START}${DAY}(?: of)? ${MONTH}(?:,? (?<year>${YEAR})${NO_DIGIT})?`,
  `${START}${MONTH} ${DAY}${NO_DIGIT}(?:,? (?<year>${YEAR})${NO_DIGIT})?`,
  `${START}${MONTH},? (?<year>${YEAR})${NO_DIGIT}`,
  `(?<!\\d)(?:${HAN_YEAR}\\s?)?${HAN_MONTH}(?:\\s?${HAN_DAY})?`,
  `(?<!\\d)(?:${HAN_YEAR}\\s?)?(?:(?<!前)第?(?<quarter>[一二三四1-4])\\s?季(?:度|报|(?<=第.\\s?季))|(?<half>[上下])半年)`,
  `(?<!\\d)${HAN_YEAR}`,
  `${START}Q ?(?<quarter>[1-4])(?!\\d)${OF_YEAR}?`,
  `${START}H(?<half>[12])(?!\\d)${OF_YEAR}?`,
  `${START}(?:FY ?)?(?<year>${YEAR}|(?<=FY ?)\\d\\d)[ -]?(?:Q(?<quarter>[1-4])|H(?<half>[12]))(?!\\d)`,
  `${START}(?:(?<quarter>[1-4])Q|(?<half>[12])H) ?(?:FY)?(?<year>${YEAR}|\\d\\d)(?!\\d)`,
  `\\b${ENGLISH_PART}(?<unit>quarter)\\b${OF_YEAR}?`,
  `\\b${ENGLISH_PART}(?<unit>half)(?: of the(?: ${FISCAL})? year\\b|${OF_YEAR})`,
  `${START}${FISCAL} ?['’]?(?<year>${YEAR}|\\d\\d)(?!\\d)`,
  `${START}(?<year>${YEAR})[-/]\\d\\d(?![\\d/-])`,
  `${START}(?<year>${YEAR})${END}`,
  `(?<=(?<!\\d)${YEAR} ?[-–—~至到] ?)(?<year>${YEAR})${END}`,
  `(?<![\\p{L}\\d])(?<year>${YEAR})(?=[-–—~]${YEAR}${END})`,
]
  .map(form => new RegExp(form, 'giu'))
  .concat(
    new RegExp(
      `\\b(?<month>${FULL}|(?<=\\b(?:in|by|since|until|till|from|to|of|before|after|between|during|and|early|late|mid) )(?:March|May))\\b`,
      'gu',
    ),
  )

/** Every form has one of these. Most texts have none, and the forms cost more. */
const MAY_BE_DATED = new RegExp(`\\d|[年月季半]|quarter|half|${NAME}`, 'iu')

/** Finds days, months, years, quarters and halves, in order. */
export function findDates(text: string): readonly DateValue[] {
  const folded = foldForms(text)
  if (!MAY_BE_DATED.test(folded)) return []
  return selectMatches(folded, FORMS).flatMap(match => {
    const date = toDate(match.groups ?? {})
    const span = { start: match.index, end: match.index + match[0].trimEnd().length }
    const isVerb = /^(?:may|mar|march)\b/.test(match[0]) && date.year === undefined
    return Object.keys(date).length > 0 && !isVerb ? [{ ...date, span }] : []
  })
}

function selectMatches(text: string, forms: readonly RegExp[]): readonly RegExpExecArray[] {
  const all = forms.flatMap(form => [...text.matchAll(form)])
  const sorted = all.toSorted((a, b) => a.index - b.index || b[0].length - a[0].length)
  let end = 0
  return sorted.filter(({ 0: { length }, index }) => {
    if (index < end) return false
    end = index + length
    return true
  })
}

function toDate(groups: Readonly<Record<string, string | undefined>>): Omit<DateValue, 'span'> {
  const { year, month, day, quarter, half, part, unit = '', first, second } = groups
  const nth =
    part === undefined ? undefined : (ORDINALS[part.toLowerCase()] ?? Number.parseInt(part, 10))
  const parts = {
    year: year === undefined ? undefined : parseYear(year),
    month: month === undefined ? undefined : parseMonth(month),
    day: day === undefined ? undefined : parseDigits(day),
    quarter: quarter === undefined ? undefined : parseDigits(quarter),
    half: half === undefined ? undefined : half === '上' ? 1 : half === '下' ? 2 : Number(half),
    ...(nth !== undefined && { [unit.toLowerCase()]: nth }),
    ...(first !== undefined &&
      second !== undefined &&
      orderDayAndMonth(Number(first), Number(second))),
  }
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined))
}

function orderDayAndMonth(first: number, second: number): Pick<DateValue, 'day' | 'month'> {
  if (first === second && first <= 12) return { day: first, month: first }
  if (first > 12 && first <= 31 && second <= 12) return { day: first, month: second }
  return second > 12 && second <= 31 && first <= 12 ? { day: second, month: first } : {}
}

function parseYear(written: string): number | undefined {
  const year = parseDigits(written)
  return year !== undefined && year < 100 ? 2000 + year : year
}

function parseMonth(written: string): number | undefined {
  const index = MONTHS.indexOf(written.toLowerCase().slice(0, 3))
  return index < 0 ? parseDigits(written) : index + 1
}

function parseDigits(written: string): number | undefined {
  return /^\d/.test(written) ? Number.parseInt(written, 10) : parseChineseNumber(written)
}

/** Days of the week as in CLDR. */
const WEEKDAYS =
  /\b(sun|mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?)(?:day)?s?\b|(?:周|星期|礼拜)([日天一二三四五六])/giu
const WEEKDAY_NAMES = ['sun日天', 'mon一', 'tue二', 'wed三', 'thu四', 'fri五', 'sat六']

/** Returns 0 for Sunday. */
export function findWeekdays(
  text: string,
): readonly { readonly day: number; readonly span: Span }[] {
  return [...foldForms(text).matchAll(WEEKDAYS)].map(
    ({ index, 0: { length }, 1: english, 2: han }) => ({
      day: WEEKDAY_NAMES.findIndex(name =>
        name.includes((english ?? han ?? '').slice(0, 3).toLowerCase()),
      ),
      span: { start: index, end: index + length },
    }),
  )
}

/** Returns numbers: 20250301 and 20250331 for March 2025; year 0 if missing. */
export function getDayRange({ year = 0, half, quarter, month, day }: DateParts): {
  first: number
  last: number
} {
  const [from, to] = listMonths({ half, quarter, month })
  return {
    first: (year * 100 + from) * 100 + (day ?? 1),
    last: (year * 100 + to) * 100 + (day ?? 31),
  }
}

function listMonths({
  half,
  quarter,
  month,
}: Pick<DateParts, 'half' | 'quarter' | 'month'>): readonly [number, number] {
  if (month !== undefined) return [month, month]
  if (quarter !== undefined) return [3 * quarter - 2, 3 * quarter]
  return half === undefined ? [1, 12] : [6 * half - 5, 6 * half]
}

const PART_OF_DAY = '(?:(?<part>上午|早上|早晨|凌晨|中午|下午|傍晚|晚上|夜里)\\s?)'
const TIMES: readonly RegExp[] = [
  `${PART_OF_DAY}?(?<![\\d:.])(?<hour>2[0-4]|[01]?\\d):(?<minute>[0-5]\\d)(?::[0-5]\\d)?(?![\\d:])(?: ?(?<half>[ap])\\.?m\\b\\.?)?`,
  `(?<![\\d:.])(?<hour>1[0-2]|0?\\d)(?:\\.(?<minute>[0-5]\\d))? ?(?<half>[ap])\\.?m\\b\\.?`,
  `${PART_OF_DAY}?(?<![\\d:.])(?<hour>2[0-4]|[01]?\\d)\\s?[点时](?:(?<minute>[0-5]?\\d)分?|(?<quarter>半|一刻|三刻)|整|钟)?(?!\\d)`,
  `${PART_OF_DAY}(?<hour>十[一二]?|[一二三四五六七八九两])点(?:(?<quarter>半|一刻|三刻)|(?<minute>[二三四五]?十[一二三四五六七八九]?)分?|整|钟)?`,
].map(form => new RegExp(form, 'giu'))

export function findTimes(text: string): readonly TimeOfDay[] {
  return selectMatches(foldForms(text), TIMES).map(({ 0: written, index, groups = {} }) => {
    const quarter = { 半: 30, 一刻: 15, 三刻: 45 }[groups.quarter ?? '']
    const minute = quarter ?? parseDigits(groups.minute ?? '0') ?? 0
    const hour = to24Hours(parseDigits(groups.hour ?? '') ?? 0, groups.half ?? groups.part ?? '')
    return { hour, minute, span: { start: index, end: index + written.length } }
  })
}

function to24Hours(hour: number, part: string): number {
  if (hour === 12) return /^(?:a|凌晨)/i.test(part) ? 0 : 12
  return hour < 12 && /^(?:p|下午|傍晚|晚上|夜里)/i.test(part) ? hour + 12 : hour
}

const DATE_FIELDS = ['year', 'half', 'quarter', 'month', 'day'] as const

export function isDated(
  expected: DateValue,
  dates: readonly DateValue[],
  context: readonly DateValue[],
): boolean {
  const years = new Set(context.map(({ year }) => year))
  const includesDate = (date: DateValue) =>
    DATE_FIELDS.every(field => {
      if (expected[field] === undefined || expected[field] === date[field]) return true
      return field === 'year' && date.year === undefined && years.has(expected.year)
    })
  const isOfYear =
    DATE_FIELDS.every(field => field === 'year' || expected[field] === undefined) &&
    years.has(expected.year)
  return dates.some(includesDate) || (isOfYear && dates.every(({ year }) => year === undefined))
}
