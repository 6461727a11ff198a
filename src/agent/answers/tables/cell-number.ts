import { chineseNumber } from '../../../search/analysis/chinese-number.ts'

/** A number of a question, with its place there. */
export type PlacedNumber = { readonly value: number; readonly start: number; readonly end: number }

/** One number with its unit before or behind it: `EUR 1,310`, `0.8 kg`, `5天`; no `A100`, no date. */
const NUMBER_CELL = /^(?:[€$£¥]|[A-Z]{3}\s)?\s*(-?\d[\d,]*(?:\.\d+)?)\s*(?<unit>[^\d\s][^\d]{0,12})?$/u
const YEAR_CELL = /^(?:\D{0,4}[^\d.,])?((?:19|20)\d\d)(?:年|[-./年]\d{1,2}(?:[-./月]\d{1,2}日?)?)?$/u

const DIGITS =
  /(?<![\p{Script=Latin}\p{N}.,第-])(?<digits>\d+(?:,\d{3})*(?:\.\d+)?)(?!\d|[.,-]\d)(?:\s?(?<scale>万|千|k\b|thousand\b|million\b))?/giu
const SCALES: Readonly<Record<string, number>> = { 万: 1e4, 千: 1e3, k: 1e3, thousand: 1e3, million: 1e6 }

const WORDS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ')
/** Words are read as numbers where something is said to be so much: `has two`, `为零`. */
const WORD = new RegExp(
  String.raw`(?<=\b(?:of|is|are|has|have|had|than|least|most|over|under|above|below)\s)(?<word>${WORDS.join('|')})\b`,
  'giu',
)
const HAN = /(?<=[为是有于过到少多足达])(?<han>[零〇一二两三四五六七八九十百千万]+)(?!\p{Script=Han}{0,2}[些样般])/gu

/** The number that a cell is; undefined of a text. */
export function cellNumber(cell: string): number | undefined {
  const written = NUMBER_CELL.exec(cell.normalize('NFKC').trim())?.[1]
  return written === undefined ? undefined : Number(written.replaceAll(',', ''))
}

/** What stands behind the number of a cell. */
export function cellUnit(cell: string): string {
  return NUMBER_CELL.exec(cell.normalize('NFKC').trim())?.groups?.unit?.trim() ?? ''
}

/** The year that a cell is, or that its date lies in. */
export function cellYear(cell: string): number | undefined {
  const year = YEAR_CELL.exec(cell.normalize('NFKC').trim())?.[1]
  return year === undefined ? undefined : Number(year)
}

/** The numbers of a question in its order; those of names (`A200`), dates and versions are none. */
export function numbersIn(question: string): readonly PlacedNumber[] {
  const digits = [...question.matchAll(DIGITS)].map(({ 0: all, index, groups = {} }) => {
    const value = Number(groups.digits?.replaceAll(',', '')) * (SCALES[groups.scale?.toLowerCase() ?? ''] ?? 1)
    return { value, start: index, end: index + all.length }
  })
  const words = [...question.matchAll(WORD)].map(({ 0: all, index }) => ({
    ...{ value: WORDS.indexOf(all.toLowerCase()), start: index, end: index + all.length },
  }))
  const han = [...question.matchAll(HAN)].flatMap(({ 0: all, index }) => {
    const value = chineseNumber(all)
    return value === undefined ? [] : [{ value, start: index, end: index + all.length }]
  })
  return [...digits, ...words, ...han].toSorted((a, b) => a.start - b.start)
}

/** `2021`, by its digits alone a year. */
export function isYear(value: number): boolean {
  return Number.isInteger(value) && value >= 1900 && value < 2100
}
