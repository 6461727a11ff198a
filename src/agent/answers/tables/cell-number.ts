import { chineseNumber } from '../../../search/analysis/chinese-number.ts'

/** A number of a question, with its place there. */
export type PlacedNumber = { readonly value: number; readonly start: number; readonly end: number }

/** One number with its unit before or behind it: `EUR 1,310`, `0.8 kg`, `45 m2`, `5天`; no `A100`, no `0,8`, no date. */
const NUMBER_CELL =
  /^(?:[€$£¥]|[A-Z]{3}\s)?\s*(?<digits>-?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?)\s*(?<unit>[a-z]{1,2}[23]|[^\d\s,.][^\d]{0,12})?$/u
const YEAR_CELL = /^(?:\D{0,4}[^\d.,])?((?:19|20)\d\d)(?:年|[-./年]\d{1,2}(?:[-./月]\d{1,2}日?)?)?$/u

const SCALE = String.raw`万亿|千万|百万|亿|万|千(?![克米瓦])|k\b|thousand\b|million\b|billion\b|trillion\b|bn\b|hundred\b|dozen\b`
const DIGITS = new RegExp(
  String.raw`(?<![\p{Script=Latin}\p{N}.,第-])(?<sign>(?<=^|[\s(（于过为到至])-)?(?<digits>\d{1,3}(?:,\d{3})+|\d+)(?<part>\.\d+)?(?!\d|[.,-]\d)(?:\s?(?<scale>${SCALE}))?`,
  'giu',
)
const SCALES: Readonly<Record<string, number>> = {
  ...{ 万亿: 1e12, 亿: 1e8, 千万: 1e7, 百万: 1e6, 万: 1e4, 千: 1e3 },
  ...{ k: 1e3, thousand: 1e3, million: 1e6, billion: 1e9, bn: 1e9, trillion: 1e12, hundred: 100, dozen: 12 },
}

const WORDS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ')
/** Words are read as numbers where something is said to be so much: `has two`, `为零`. */
const WORD = new RegExp(
  String.raw`(?<=\b(?:of|is|are|has|have|had|than|least|most|over|under|above|below)\s)(?<word>${WORDS.join('|')})\b(?:\s(?<scale>${SCALE}))?(?!\s(?:and\s)?(?:${WORDS.join('|')}|\w+ty)\b)`,
  'giu',
)
const HAN = /(?<=[为是有于过到少多足达])(?<han>[零〇一二两三四五六七八九十百千万]+)(?!亿|\p{Script=Han}{0,2}[些样般])/gu

/** The number that a cell is; undefined of a text. */
export function cellNumber(cell: string): number | undefined {
  const digits = NUMBER_CELL.exec(plain(cell))?.groups?.digits
  return digits === undefined ? undefined : Number(digits.replaceAll(',', ''))
}

/** What stands behind the number of a cell. */
export function cellUnit(cell: string): string {
  return NUMBER_CELL.exec(plain(cell))?.groups?.unit?.trim() ?? ''
}

const NOTE = /(?<=\d)[⁰¹²³⁴-⁹]+/gu

/** A text without the signs of notes behind its numbers, which would be read as their last digits, and with one sign for minus. */
export function withoutNotes(text: string): string {
  return text.replace(NOTE, '').replaceAll('\u2212', '-')
}

function plain(cell: string): string {
  return withoutNotes(cell).normalize('NFKC').trim()
}

/** The year that a cell is, or that its date lies in. */
export function cellYear(cell: string): number | undefined {
  const year = YEAR_CELL.exec(plain(cell))?.[1]
  return year === undefined ? undefined : Number(year)
}

/** The numbers of a question in its order; those of names (`A200`), dates and versions are none. */
export function numbersIn(question: string): readonly PlacedNumber[] {
  const digits = [...question.matchAll(DIGITS)].map(({ 0: all, index, groups = {} }) => {
    const { sign = '', digits: whole = '', part = '', scale = '' } = groups
    const value = Number(sign + whole.replaceAll(',', '') + part)
    return { value: scaled(value, scale), start: index, end: index + all.length }
  })
  const words = [...question.matchAll(WORD)].map(({ 0: all, index, groups: { word = '', scale = '' } = {} }) => {
    return { value: scaled(WORDS.indexOf(word.toLowerCase()), scale), start: index, end: index + all.length }
  })
  const han = [...question.matchAll(HAN)].flatMap(({ 0: all, index }) => {
    const value = chineseNumber(all)
    return value === undefined ? [] : [{ value, start: index, end: index + all.length }]
  })
  return [...digits, ...words, ...han].toSorted((a, b) => a.start - b.start)
}

function scaled(value: number, scale: string): number {
  return Number((value * (SCALES[scale.toLowerCase()] ?? 1)).toPrecision(12))
}

/** `2021`, by its digits alone a year. */
export function isYear(value: number): boolean {
  return Number.isInteger(value) && value >= 1900 && value < 2100
}
