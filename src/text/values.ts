import { parseChineseNumber } from './chinese-number.ts'
import { type DateValue, findDates } from './dates.ts'
import { findNumerals } from './numerals.ts'
import { areOverlapping, type Span } from './sentences.ts'

/** A year, which every day needs. Tested first, because dates cost more. */
const YEAR = /(?:19|20)\d\d|[〇零一二三四五六七八九]{4}\s?年/

const WORDED_NUMBER =
  /[十百千万亿]|分之|\d ?(?:k|mn|bn)\b|\b(?:ten|eleven|twelve|[a-z]+(?:teen|ty)|hundred|thousand|million|billion|trillion)\b/iu

const MAY_HAVE_VALUE = new RegExp(`\\d|${YEAR.source}|${WORDED_NUMBER.source}|星期|礼拜`, 'iu')

/** Smallest number that is also a term in digits: smaller ones are mostly parts of other words. */
const MIN_NUMBER = 10

/** Digits of a telephone number (ITU-T E.164, which allows 15), so that tables are not joined. */
const MIN_DIGITS = 7
const MAX_DIGITS = 15

/** Country codes of one and two digits; all others have three (ITU-T E.164, 2016). */
const COUNTRY_CODE = /^(?:[17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})/

/** Digits by which people name a long number: the last four of a telephone or account. */
const TAIL_DIGITS = 4

/** Length of a joined code, so that addresses are left to their parts. */
const MAX_CODE = 40

const DIGIT_GROUPS =
  /(?<![\p{Script=Latin}\d.,/-])(?:(?:\+|00)\d{1,3}[ -]?)?\(?\d+(?:[ -]|\)[ -]?|[ -]?\()\d[\d ()-]{0,30}\d(?![\p{Script=Latin}\d]|[.,/]\d)/gu

/**
 * Groups of three digits separated by points, spaces or apostrophes (ISO 80000-1 allows
 * spaces).
 */
const GROUPED =
  /(?<![\p{Script=Latin}\d.,'/-])\d{1,3}(?:(?<sign>[.'’])\d{3}(?:\k<sign>\d{3})+|(?: \d{3})+)(?![\p{Script=Latin}\d]|[.,' ]\d)/gu

const COMMAS = /(?<![\p{Script=Latin}\d.,])\d{1,3}(?:,\d{3})+(?![\p{Script=Latin}\d]|,\d)/gu

/** Numbers of three digits or more: below, `3.10` may be a version that is not `3.1`. */
const TRAILING_ZEROS =
  /(?<![\p{Script=Latin}\d.,])(?:\d{3,20}|\d{1,3}(?:,\d{3})+)(?:\.\d{0,9}[1-9]0{1,9}|\.0{1,9})(?![\p{Script=Latin}\d]|[.,]\d)/gu

const LONG_NUMBER = new RegExp(
  `(?<![\\p{Script=Latin}\\d.,])\\d{${MIN_DIGITS},20}(?![\\p{Script=Latin}\\d]|[.,]\\d)`,
  'gu',
)
const COMPACT_DATE =
  /(?<![\p{Script=Latin}\d.,])(?<year>(?:19|20)\d\d)(?<month>\d\d)(?<day>\d\d)(?![\p{Script=Latin}\d]|[.,]\d)/gu
const NUMERIC_DATE =
  /(?<![\p{Script=Latin}\d.,/-])(?<first>\d{1,2})(?<sign>[-/.])(?<second>\d{1,2})\k<sign>(?<year>(?:19|20)\d\d)(?![\p{Script=Latin}\d]|[-/.]\d)/gu
const PERCENT = /(?<![\p{Script=Latin}\d.,])(?<number>\d+(?:\.\d+)?) ?(?:%|per ?cent\b)/giu
const FRACTION =
  /(?<![\p{Script=Latin}\d⁄/.-])(?<over>\d{1,4})[⁄/](?<under>\d{1,4})(?![\p{Script=Latin}\d⁄/]|[.-]\d)/gu
/** Compounds that are also written as one word: `e-mail`, `Wi-Fi`, `Type-C`. */
const HYPHENATED =
  /(?<![A-Za-z\d-])(?:[A-Za-z]{1,3}[-‐][A-Za-z]{2,20}|[A-Za-z]{2,20}[-‐][A-Za-z]{1,3})(?![A-Za-z\d-])/gu
const CODE = /(?<![A-Za-z\d])[A-Za-z\d]+(?:[-._/‐–−][A-Za-z\d]+)+/gu
const WEEKDAY = /(?<![个\d一二两三四五六七八九十几])(?:星期|礼拜)(?<day>[日天一二三四五六])/gu

/**
 * Finds days as ISO 8601, numbers and telephone numbers in digits, percentages with `%`, codes
 * without separators. Expects NFKC and Simplified.
 */
export function findValues(text: string): ReadonlySet<string> {
  const values = new Set<string>()
  for (const [written] of text.matchAll(HYPHENATED))
    values.add(written.replace(/[-‐]/, '').toLowerCase())
  if (!MAY_HAVE_VALUE.test(text)) return values
  const dates = YEAR.test(text) ? findDates(text) : []
  addDates(text, dates, values)
  if (WORDED_NUMBER.test(text)) addNumerals(text, dates, values)
  for (const [written] of text.matchAll(GROUPED)) values.add(keepDigits(written))
  for (const [written] of text.matchAll(DIGIT_GROUPS)) addPhone(written, values)
  for (const [written] of text.matchAll(TRAILING_ZEROS)) values.add(dropZeros(written))
  for (const { groups } of text.matchAll(PERCENT)) values.add(`${Number(groups?.number)}%`)
  for (const { groups } of text.matchAll(FRACTION)) values.add(`${groups?.over}/${groups?.under}`)
  for (const [written] of text.matchAll(CODE)) addCode(written, values)
  for (const { groups } of text.matchAll(WEEKDAY))
    values.add(`周${groups?.day === '天' ? '日' : groups?.day}`)
  return values
}

/** Adds last digits of long numbers. A query has none: it means the complete number. */
export function findIndexedValues(text: string): ReadonlySet<string> {
  const values = [...findValues(text)].filter(
    value => !(SIGNED.test(value) && text.includes(value)),
  )
  const long = [...text.matchAll(LONG_NUMBER)].map(([written]) => written)
  return new Set([...values, ...long.map(written => written.slice(-TAIL_DIGITS))])
}

/** Dates and fractions, which are terms if they are written so. */
const SIGNED = /[-/]/

function addDates(text: string, dates: readonly DateValue[], values: Set<string>): void {
  for (const { year, month, day, span } of dates) {
    const written = text.slice(span.start, span.end)
    if (year !== undefined && month !== undefined && day !== undefined)
      addDay(year, month, day, values)
    else if (year !== undefined && !/\d{4}/.test(written)) values.add(String(year))
  }
  for (const { groups = {} } of text.matchAll(COMPACT_DATE))
    addDay(Number(groups.year), Number(groups.month), Number(groups.day), values)
  for (const { groups = {} } of text.matchAll(NUMERIC_DATE)) {
    const [year, first, second] = [groups.year, groups.first, groups.second].map(Number)
    if (year === undefined || first === undefined || second === undefined) continue
    addDay(year, second, first, values)
    if (groups.sign !== '.') addDay(year, first, second, values) // with points the day is first
  }
}

function addDay(year: number, month: number, day: number, values: Set<string>): void {
  const iso = formatDay(year, month, day)
  if (iso) values.add(iso)
}

function formatDay(year: number, month: number, day: number): string | undefined {
  const date = new Date(Date.UTC(year, month - 1, day))
  const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  return exists ? date.toISOString().slice(0, 10) : undefined
}

/** Rewrites days, and numbers without separators and trailing zeros. */
export function toCommonSpelling(text: string): string {
  return toIsoDays(text)
    .replace(GROUPED, keepDigits)
    .replace(TRAILING_ZEROS, dropZeros)
    .replace(COMMAS, keepDigits)
}

/** Returns days as ISO 8601 with their places; leaves out those that may be month first. */
export function findDays(text: string): readonly { readonly iso: string; readonly span: Span }[] {
  if (!YEAR.test(text)) return []
  return findDates(text).flatMap(({ year, month, day, span }) => {
    if (year === undefined || month === undefined || day === undefined) return []
    const iso = formatDay(year, month, day)
    return iso ? [{ iso, span }] : []
  })
}

function toIsoDays(text: string): string {
  if (!YEAR.test(text)) return text
  let written = ''
  let end = 0
  for (const { iso, span } of findDays(text)) {
    written += text.slice(end, span.start) + iso
    end = span.end
  }
  const replaceCompact = (compact: string, year: string, month: string, day: string) =>
    formatDay(Number(year), Number(month), Number(day)) ?? compact
  return (written + text.slice(end)).replace(COMPACT_DATE, replaceCompact)
}

function addNumerals(text: string, dates: readonly DateValue[], values: Set<string>): void {
  for (const { value, span, needsUnit } of findNumerals(text)) {
    const written = text.slice(span.start, span.end)
    if (/^[\d.,]+$/.test(written) || dates.some(date => areOverlapping(date.span, span))) continue
    const share = /^百分之/.test(written)
    if (share) values.add(`${Number((value * 100).toPrecision(12))}%`)
    else if (written.includes('分之')) addHanFraction(written, values)
    else if (!needsUnit && value >= MIN_NUMBER) values.add(String(value))
  }
}

function addHanFraction(written: string, values: Set<string>): void {
  const [under, over] = written
    .split('分之')
    .map(part => (/^\d+$/.test(part) ? Number(part) : parseChineseNumber(part)))
  if (over !== undefined && under !== undefined) values.add(`${over}/${under}`)
}

/** Leaves groups shorter than three digits to tables, unless all are pairs. */
function addPhone(written: string, values: Set<string>): void {
  const international = /^(?:\+|00)/.exec(written)?.[0]
  const groups = written.match(/\d+/g) ?? []
  const digits = keepDigits(written).slice(international === '00' ? 2 : 0)
  if (digits.length < MIN_DIGITS || digits.length > MAX_DIGITS) return
  const arePairs = digits.startsWith('0') && groups.every(group => group.length === 2)
  const isSplit = groups.slice(1).every(group => group.length >= 3) && !groups.every(isYear)
  if (!international && !arePairs && !isSplit) return
  values.add(international ? digits.replace(COUNTRY_CODE, '') : digits)
}

function addCode(written: string, values: Set<string>): void {
  if (!/\d/.test(written) || !/[A-Za-z]/.test(written)) return
  const code = written.replace(/[-._/‐–−]/g, '').toLowerCase()
  if (code.length <= MAX_CODE) values.add(code)
}

function keepDigits(written: string): string {
  return written.replace(/\D/g, '')
}

function dropZeros(written: string): string {
  return written.replaceAll(',', '').replace(/\.?0+$/, '')
}

function isYear(group: string): boolean {
  return /^(?:19|20)\d\d$/.test(group)
}
