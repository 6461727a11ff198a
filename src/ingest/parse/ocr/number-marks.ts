import { getLast } from '../../../system/items.ts'
import type { OcrLine } from './ocr.ts'

const GROUPED = /(?<![\d.,，．])\d{1,3}(?:[.,，．]\d{3})+[.,，．]\d{1,3}(?![.,，．]?\d)/g
const FRACTION = /(?<![\d.,，．])\d+([.,，．])\d{1,2}(?![.,，．]?\d)/g
const MARKS = /[.,，．]/g
/** Groups, so that the number of a section is not taken for thousands. */
const MIN_GROUPS = 2
/** Ratio of the two marks' counts, so that only a clear page has a decimal mark. */
const CLEARLY = 3

type Mark = '.' | ','

/**
 * Corrects points and commas, which look alike in small pictures. A contradictory number gets
 * the marks of the page's other numbers, or the least change.
 */
export function fixNumberMarks(lines: readonly OcrLine[]): readonly OcrLine[] {
  const ofFractions = findFractionMark(lines)
  return lines.map(line => ({
    ...line,
    text: line.text.replace(GROUPED, number => correctNumber(number, ofFractions)),
  }))
}

function findFractionMark(lines: readonly OcrLine[]): Mark | undefined {
  const marks = lines.flatMap(({ text }) =>
    [...text.matchAll(FRACTION)].map(([, mark = '']) => toMark(mark)),
  )
  const points = marks.filter(mark => mark === '.').length
  const commas = marks.length - points
  if (points > CLEARLY * commas) return '.'
  return commas > CLEARLY * points ? ',' : undefined
}

function correctNumber(number: string, ofFractions: Mark | undefined): string {
  const marks = (number.match(MARKS) ?? []).map(toMark)
  const parts = number.split(MARKS)
  if (getLast(parts).length === 3) return correctThousands(number, marks, ofFractions)
  const groups = marks.slice(0, -1)
  const commas = groups.filter(mark => mark === ',').length
  const isParted = commas === 0 || commas === groups.length
  const isRight = isParted && marks.at(-1) !== groups[0]
  if (isRight || (isParted && (groups.length < MIN_GROUPS || !ofFractions || isAddress(number))))
    return number
  const fraction = ofFractions ?? matchFraction(commas + Number(marks.at(-1) === '.'), marks.length)
  if (!fraction) return number
  return `${parts.slice(0, -1).join(getOtherMark(fraction))}${fraction}${parts.at(-1)}`
}

function correctThousands(
  number: string,
  marks: readonly Mark[],
  ofFractions: Mark | undefined,
): string {
  if (!ofFractions || marks.at(-1) === ofFractions || marks.every(mark => mark === marks[0]))
    return number
  return number.split(MARKS).join(getOtherMark(ofFractions))
}

function matchFraction(right: number, marks: number): Mark | undefined {
  if (right * 2 === marks) return undefined
  return right * 2 > marks ? '.' : ','
}

const getOtherMark = (mark: Mark): Mark => (mark === '.' ? ',' : '.')

function isAddress(number: string): boolean {
  const parts = number.split('.')
  return parts.length === 4 && parts.every(part => Number(part) <= 255)
}

function toMark(mark: string): Mark {
  return mark === ',' || mark === '，' ? ',' : '.'
}
