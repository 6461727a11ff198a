import { statedNumbers } from '../../language/number-reader.ts'
import type { StatedNumber } from '../../language/stated-number.ts'

/** A number of a question, with its place there. */
export type PlacedNumber = { readonly value: number; readonly start: number; readonly end: number }

const WRITTEN = /^(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?![.,]\d)/u
const JOINED_BEFORE = /[\p{Script=Latin}\p{N}.,第-]$/u
const SIGN = /(?:^|[\s(（于过为到至])-$/u

/** Words are read as numbers where something is said to be so much: `has two`, `为零`. */
const COUNTED = /\b(?:of|is|are|has|have|had|than|least|most|over|under|above|below)\s$/
const HAN_COUNTED = /[为是有于过到少多足达]$/u
const VAGUE = /^\p{Script=Han}{0,2}[些样般]/u

/** The numbers of a question in its order; those of names (`A200`), dates and versions are none. In lower case. */
export function numbersIn(question: string): readonly PlacedNumber[] {
  return statedNumbers(question).flatMap(number => {
    const { value, start, end } = number
    if (!/^\d/.test(question[start] ?? ''))
      return isCounted(question, number) ? [{ value: Number(value), start, end }] : []
    const isSigned = SIGN.test(question.slice(Math.max(0, start - 2), start))
    if (!isSigned && JOINED_BEFORE.test(question.slice(0, start))) return []
    if (/^-\d/.test(question.slice(end)) || !WRITTEN.test(question.slice(start, end))) return []
    return [isSigned ? { value: -Number(value), start: start - 1, end } : { value: Number(value), start, end }]
  })
}

function isCounted(question: string, { start, end }: StatedNumber): boolean {
  const before = question.slice(Math.max(0, start - 8), start)
  if (/[a-z]/.test(question[start] ?? '')) return COUNTED.test(before)
  return HAN_COUNTED.test(before) && !VAGUE.test(question.slice(end))
}

/** `2021`, by its digits alone a year. */
export function isYear(value: number): boolean {
  return Number.isInteger(value) && value >= 1900 && value < 2100
}
