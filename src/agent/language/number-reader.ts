import { hanNumbers } from './han-numbers.ts'
import { englishNumbers } from './number-words.ts'
import { ENGLISH_SCALE, HAN_SCALE, scaled } from './scales.ts'
import type { StatedNumber } from './stated-number.ts'

const NUMBER = new RegExp(
  String.raw`(?<written>\d+(?:[.,]\d+)*)(?:[ -]?(?<english>${ENGLISH_SCALE})\b|(?<thousands>k)\b|\s?(?<han>${HAN_SCALE}))?`,
  'giu',
)

/** The numbers of a text in NFKC, by their places: in digits, in English words, in Han characters. */
export function statedNumbers(text: string): readonly StatedNumber[] {
  const digits = [...text.matchAll(NUMBER)].map(({ 0: all, index, groups: { written = '', ...scales } = {} }) => ({
    ...inDigits(written, scales.english ?? scales.thousands ?? scales.han),
    start: index,
    end: index + all.length,
  }))
  const words = text.replace(NUMBER, match => ' '.repeat(match.length))
  const all = [...digits, ...englishNumbers(words, text), ...hanNumbers(words)]
  return all.toSorted((a, b) => a.start - b.start)
}

function inDigits(written: string, scale: string | undefined) {
  const digits = canonical(written.replaceAll(',', ''))
  return { digits, value: scale ? canonical(String(scaled(Number(digits), scale))) : digits }
}

/** `05` is 5 and `3.50` is 3.5; what has more than one point, as a version, stays as it is. */
function canonical(digits: string): string {
  return /^\d{1,15}(?:\.\d+)?$/.test(digits) ? String(Number(digits)) : digits
}
