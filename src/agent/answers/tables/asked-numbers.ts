import { namesPattern } from '../../language/measure-units.ts'
import { statedNumbers } from '../../language/number-reader.ts'
import type { StatedNumber } from '../../language/stated-number.ts'

/** A number of a question, with its place there, and what its words multiply its digits by. */
export type PlacedNumber = {
  readonly value: number
  readonly scale: number
  readonly start: number
  readonly end: number
}

const WRITTEN = /^(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?![.,]\d)/u
const JOINED_BEFORE = /[\p{Script=Latin}\p{N}.,第-]$/u
const SIGN = /(?:^|[\s(（于过为到至])-$/u

/** Words that are seldom meant as numbers are where something is said to be so much: `has one`. */
const COUNTED = /\b(?:of|is|are|has|have|had|than|least|most|over|under|above|below)\s$/
/** Han numbers are read where something is said to be so much: `为零`, `超过三千`. */
const HAN_COUNTED = /[为是有于过到少多足达满]$/u
const VAGUE = /^\p{Script=Han}{0,2}[些样般]/u
/** `longer than a minute`, `half an hour`. */
const ONE = new RegExp(
  `(?<=\\b(?:than|over|under|above|below|within|least|most|exceeds?)\\s)an?(?=\\s(?:${namesPattern()})\\b)`,
  'gu',
)

/** The numbers of a question in its order; those of names (`A200`), dates and versions are none. In lower case. */
export function numbersIn(question: string): readonly PlacedNumber[] {
  const ones = [...question.matchAll(ONE)].map(({ 0: { length }, index }) => ({
    ...{ value: 1, scale: 1, start: index, end: index + length },
  }))
  const stated = statedNumbers(question).flatMap(number => amountOf(question, number) ?? [])
  return [...ones, ...stated].toSorted((a, b) => a.start - b.start)
}

function amountOf(question: string, number: StatedNumber): PlacedNumber | undefined {
  const { start, end } = number
  const [value, digits] = [Number(number.value), Number(number.digits)]
  const placed = { value, scale: digits === 0 ? 1 : value / digits, start, end }
  if (!/^\d/.test(question[start] ?? '')) return isCounted(question, number) ? placed : undefined
  if (/^-\d/.test(question.slice(end)) || !WRITTEN.test(question.slice(start, end))) return undefined
  if (SIGN.test(question.slice(Math.max(0, start - 2), start))) return { ...placed, value: -value, start: start - 1 }
  return JOINED_BEFORE.test(question.slice(0, start)) ? undefined : placed
}

function isCounted(question: string, { start, end, isIncidental }: StatedNumber): boolean {
  const before = question.slice(Math.max(0, start - 8), start)
  if (/[a-z]/.test(question[start] ?? '')) return !isIncidental || COUNTED.test(before)
  return HAN_COUNTED.test(before) && !VAGUE.test(question.slice(end))
}

/** `2021`, by its digits alone a year. */
export function isYear(value: number): boolean {
  return Number.isInteger(value) && value >= 1900 && value < 2100
}
