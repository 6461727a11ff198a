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
  ['dozen', 12],
  ['twice', 2],
  ['thrice', 3],
])
const FACTORS = new Map([
  ['hundred', 100],
  ['thousand', 1e3],
  ['million', 1e6],
  ['billion', 1e9],
])

/** The words that tell how many. */
export const CARDINALS: readonly string[] = [...ONES, ...TENS, ...FACTORS.keys(), 'dozen', 'twice', 'thrice']

/** Mostly no numbers: `the one that`, `first of all`, `a second`. */
const INCIDENTAL = new Set(['one', 'zero', 'first', 'second', 'hundred', 'thousand', 'million', 'billion'])

const WORD = [...VALUES.keys(), ...FACTORS.keys()].join('|')
const RUN = new RegExp(`\\b(?:${WORD})(?:(?:[ -]|\\s+and\\s+)(?:${WORD}))*\\b`, 'gi')
const HALF = /(?<!\b(?:first|second|other)[ -])\bhalf\b/gi
const MONTH = new RegExp(`\\b(${MONTHS.join('|')})\\b`, 'g')

/** Numbers in English words, up to billions; months count by their number beside digits, as in `31 March`. */
export function englishNumbers(words: string, text: string): readonly StatedNumber[] {
  const runs = [...words.matchAll(RUN)].flatMap(([run]) => valuesOf(run.toLowerCase().split(/[\s-]+/)))
  const halves = [...words.matchAll(HALF)].map(() => stated(0.5))
  return [...runs, ...halves, ...months(text)]
}

function months(text: string): readonly StatedNumber[] {
  return [...text.matchAll(MONTH)].map(({ 0: name, index }) => {
    const isDate = /\d(?:st|nd|rd|th)?(?: of)? $/.test(text.slice(Math.max(0, index - 8), index))
    const isBefore = /^,? \d/.test(text.slice(index + name.length, index + name.length + 4))
    return stated(MONTHS.indexOf(name) + 1, !isDate && !isBefore)
  })
}

/** `two hundred and five` is one number, `two three` are two. */
function valuesOf(run: readonly string[]): readonly StatedNumber[] {
  const numbers: StatedNumber[] = []
  let sum = 0
  let part: number | undefined
  const end = (isIncidental: boolean) => {
    if (part !== undefined || sum > 0) numbers.push(stated(sum + (part ?? 0), isIncidental))
    sum = 0
    part = undefined
  }
  for (const word of run) {
    const factor = FACTORS.get(word)
    const value = VALUES.get(word)
    if (factor === 100) part = (part ?? 1) * 100
    else if (factor) {
      sum += (part ?? 1) * factor
      part = undefined
    } else if (value !== undefined) {
      if (part !== undefined && !continues(part, value)) end(false)
      part = (part ?? 0) + value
    }
  }
  end(run.length === 1 && INCIDENTAL.has(run[0]!)) // it has a word
  return numbers
}

/** `twenty` by `one`, `two hundred` by anything below. */
function continues(part: number, value: number): boolean {
  if (part % 100 === 0 && part > 0) return value < 100
  return part % 10 === 0 && part >= 20 && value < 10
}

function stated(value: number, isIncidental = false): StatedNumber {
  return { value: String(value), digits: String(value), isIncidental }
}
