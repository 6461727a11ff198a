import { SCALE_WORDS } from './scales.ts'
import type { StatedNumber } from './stated-number.ts'

const ONES =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  )
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')
const ORDINALS =
  'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth thirtieth'.split(
    ' ',
  )
const MONTHS = 'January February March April May June July August September October November December'.split(' ')

const VALUES = new Map<string, number>([
  ...ONES.map((word, value) => [word, value] as const),
  ...TENS.map((word, at) => [word, 20 + 10 * at] as const),
  ...ORDINALS.map((word, at) => [word, at < 19 ? at + 1 : 10 * (at - 17)] as const),
  ['twice', 2],
  ['thrice', 3],
])
const FACTORS = new Map(SCALE_WORDS)

/** The words that tell how many. */
export const CARDINALS: readonly string[] = [...ONES, ...TENS, ...FACTORS.keys(), 'twice', 'thrice']

/** Mostly no numbers: `the one that`, `first of all`, `a second`. */
const INCIDENTAL = new Set(['one', 'zero', 'first', 'second', 'hundred', 'thousand', 'million', 'billion', 'trillion'])

const WORD = [...VALUES.keys(), ...FACTORS.keys()].join('|')
const RUN = new RegExp(`\\b(?:${WORD})(?:(?:[ -]|\\s+and\\s+)(?:${WORD}))*\\b`, 'gi')
const HALF = /(?<!\b(?:first|second|other)[ -])\bhalf\b/gi
const MONTH = new RegExp(`\\b(${MONTHS.join('|')})\\b`, 'g')

/** Numbers in English words, up to trillions; months count by their number beside digits, as in `31 March`. */
export function englishNumbers(words: string, text: string): readonly StatedNumber[] {
  const runs = [...words.matchAll(RUN)].flatMap(({ 0: run, index }) => valuesOf(run.toLowerCase(), index))
  const halves = [...words.matchAll(HALF)].map(({ 0: half, index }) => stated(0.5, index, index + half.length))
  return [...runs, ...halves, ...months(text)]
}

function months(text: string): readonly StatedNumber[] {
  return [...text.matchAll(MONTH)].map(({ 0: name, index }) => {
    const end = index + name.length
    const isDate = /\d(?:st|nd|rd|th)?(?: of)? $/.test(text.slice(Math.max(0, index - 8), index))
    const isBefore = /^,? \d/.test(text.slice(end, end + 4))
    return stated(MONTHS.indexOf(name) + 1, index, end, !isDate && !isBefore)
  })
}

/** A number as far as its words were read: what is before its last factor of thousands, and what is behind. */
type Sum = { readonly total: number; readonly part: number | undefined; readonly start: number; readonly end: number }

/** `two hundred and five` is one number, `two three` are two. */
function valuesOf(run: string, offset: number): readonly StatedNumber[] {
  const words = [...run.matchAll(/[a-z]+/g)].filter(([word]) => word !== 'and')
  const sums = words.reduce<readonly Sum[]>((read, { 0: word, index }) => {
    const last = read.at(-1)
    const end = offset + index + word.length
    const open = last && goesOn(last, word) ? last : { total: 0, part: undefined, start: offset + index }
    return [...(open === last ? read.slice(0, -1) : read), { ...open, ...withWord(open, word), end }]
  }, [])
  const isIncidental = words.length === 1 && INCIDENTAL.has(words[0]![0]) // it has a word
  return sums.map(({ total, part = 0, start, end }) => stated(total + part, start, end, isIncidental))
}

function withWord({ total, part }: Pick<Sum, 'total' | 'part'>, word: string): Pick<Sum, 'total' | 'part'> {
  const factor = FACTORS.get(word)
  if (factor === undefined) return { total, part: (part ?? 0) + (VALUES.get(word) ?? 0) }
  return factor < 1000
    ? { total, part: (part ?? 1) * factor }
    : { total: total + (part ?? 1) * factor, part: undefined }
}

function goesOn({ part }: Sum, word: string): boolean {
  const value = VALUES.get(word)
  return part === undefined || value === undefined || continues(part, value)
}

/** `twenty` by `one`, `two hundred` by anything below. */
function continues(part: number, value: number): boolean {
  if (part % 100 === 0 && part > 0) return value < 100
  return part % 10 === 0 && part >= 20 && value < 10
}

function stated(value: number, start: number, end: number, isIncidental = false): StatedNumber {
  return { value: String(value), digits: String(value), start, end, isIncidental }
}
