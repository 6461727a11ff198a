import { hanNumbers } from './han-numbers.ts'
import { englishNumbers } from './number-words.ts'
import type { StatedNumber } from './stated-number.ts'

const SCALES = new Map(
  Object.entries({
    ...{ hundred: 1e2, thousand: 1e3, million: 1e6, billion: 1e9, trillion: 1e12, bn: 1e9 },
    ...{ 百: 1e2, 千: 1e3, 万: 1e4, 百万: 1e6, 千万: 1e7, 亿: 1e8, 万亿: 1e12 },
  }),
)
const NUMBER =
  /(\d+(?:[.,]\d+)*)(?:[ -]?(hundred|thousand|million|billion|trillion|bn)\b|\s?(百万|千万|万亿|[百千万亿]))?/gi

/**
 * The claim states a number that the text does not: in digits or in words, English or Chinese, with the same scale. What
 * a text says without a scale may be said with one, as where a table is in millions.
 */
export function numbersMissing(claim: string, text: string): boolean {
  return unstatedNumbers(claim, text).length > 0
}

/** The numbers of the claim that the text does not state; of an empty text, all of them. */
export function unstatedNumbers(claim: string, text: string): readonly string[] {
  const stated = numbersIn(claim).filter(number => !number.isIncidental)
  if (stated.length === 0) return []
  const there = numbersIn(text)
  const values = new Set(there.flatMap(({ value, digits }) => [value, ...(digits === value ? aliasesOf(value) : [])]))
  const digits = new Set(there.map(number => number.digits))
  const missing = stated.filter(
    one => !values.has(one.value) && !(one.digits === one.value ? digits : bareOf(there)).has(one.digits),
  )
  return missing.map(number => number.value)
}

function bareOf(numbers: readonly StatedNumber[]): ReadonlySet<string> {
  return new Set(numbers.filter(({ value, digits }) => value === digits).map(({ digits }) => digits))
}

/** `50 %` and a half are the same. */
function aliasesOf(value: string): readonly string[] {
  if (value === '50') return ['0.5']
  return value === '0.5' ? ['50'] : []
}

function numbersIn(text: string): readonly StatedNumber[] {
  const plain = text.replace(/½/g, ' 0.5').normalize('NFKC')
  const digits = [...plain.matchAll(NUMBER)].map(([, written = '', english, han]) => inDigits(written, english ?? han))
  const words = plain.replace(NUMBER, match => ' '.repeat(match.length))
  return [...digits, ...englishNumbers(words, plain), ...hanNumbers(words)]
}

function inDigits(written: string, scale: string | undefined): StatedNumber {
  const digits = canonical(written.replaceAll(',', ''))
  const factor = SCALES.get(scale?.toLowerCase() ?? '')
  return { digits, value: factor ? canonical(String(Number((Number(digits) * factor).toPrecision(12)))) : digits }
}

/** `05` is 5 and `3.50` is 3.5; what has more than one point, as a version, stays as it is. */
function canonical(digits: string): string {
  return /^\d{1,15}(?:\.\d+)?$/.test(digits) ? String(Number(digits)) : digits
}
