import { parseChineseDigits, parseChineseNumber } from './chinese-number.ts'
import type { Span } from './sentences.ts'
import { toSimplified } from './simplified.ts'

/** A written number with its scale: `1,310`, `1.5亿`, `twenty-five`, `三分之一`, `3rd`. */
export type Numeral = {
  readonly value: number
  readonly span: Span
  readonly isOrdinal: boolean
  /** True for a Han digit, a scale, or `one`, mostly parts of words. */
  readonly needsUnit: boolean
  /** Multiplier of its digits: 10,000 in `3万`. */
  readonly scale: number
}

/** English numbers (Huddleston and Pullum 2002, chapter 5, section 7). */
const ONES =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'
const ORDINALS =
  'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth'
const DENOMINATORS = 'half third quarter fifth sixth seventh eighth ninth tenth'
export const SCALES: Readonly<Record<string, number>> = {
  dozen: 12,
  hundred: 1e2,
  thousand: 1e3,
  million: 1e6,
  billion: 1e9,
  trillion: 1e12,
  k: 1e3,
  M: 1e6,
  mn: 1e6,
  bn: 1e9,
  百: 1e2,
  千: 1e3,
  万: 1e4,
  百万: 1e6,
  千万: 1e7,
  亿: 1e8,
  百亿: 1e10,
  千亿: 1e11,
  万亿: 1e12,
}
const FRACTIONS: Readonly<Record<string, number>> = {
  '½': 1 / 2,
  '⅓': 1 / 3,
  '⅔': 2 / 3,
  '¼': 1 / 4,
  '¾': 3 / 4,
}

const HAN = '[零〇一二两三四五六七八九十百千万亿]'
const SMALL = ONES.split(' ').slice(1, 10).join('|')
const WORD = `(?:${[ONES, TENS, ORDINALS.replace('second ', '')].join(' ').replaceAll(' ', '|')}|(?<!\\b(?:an?|one|per|each|every|\\d) )second|dozen|hundred|thousand|million|billion|trillion)`

/** Takes all digits at once, so that `1.2.3` is no number. */
const NUMERAL = new RegExp(
  [
    `(?<![\\p{Script=Latin}\\p{Script=Greek}_][-.]?|\\d[.,]?)(?<sign>(?<=^|[\\s([|:=<>])[-−]|负|零下 ?|\\b(?:minus|negative) )?(?<digits>\\d+(?:[.,\\u00a0\\u2009\\u202f]\\d+)*)`,
    `(?:百分之|(?<denominator>${HAN}{1,5}|\\d{1,3})分之)(?<numerator>${HAN}{1,8}(?:点${HAN}{1,8})?|\\d{1,6}(?:\\.\\d{1,6})?)`,
    `第\\s?(?<rank>${HAN}{1,12}|\\d{1,6})`,
    `(?<han>${HAN}{1,24}(?:点[零〇一二三四五六七八九]{1,8}[万亿]{0,2})?)`,
    `(?<half>半(?=个?\\p{Script=Han}))`,
    `\\b(?<parts>${SMALL}|an?)[- ](?<of>(?:${DENOMINATORS.replaceAll(' ', '|')})s?|halves)\\b`,
    `\\bhalf(?=\\s(?:an?|of)\\b)(?: an?\\b)?(?: (?<of_half>dozen|hundred|thousand|million|billion|trillion)\\b)?`,
    `\\b(?<article>an? )?(?<words>${WORD}(?:(?:[ -]|\\s+and\\s+)${WORD}){0,12})\\b(?<half_more> and a half\\b)?`,
    `(?<sign_fraction>[½⅓⅔¼¾])`,
  ]
    .map(form => `(?:${form})`)
    .join('|'),
  'giu',
)
/** Text after digits that belongs to them. */
const BEHIND =
  /(?<fraction>\s?[½⅓⅔¼¾])|(?<ordinal>st|nd|rd|th)\b|[ -]?(?<scale>hundred|thousand|million|billion|trillion|dozen|bn|mn)s?\b|(?<short>[kM])(?![\p{L}\p{N}])|\s?[多余]?(?<han>万亿|千亿|百亿|千万|百万|亿|万|[千百](?![克米瓦帕赫焦卡伏安升字兆]))/uy

/** Longest text of numbers alone; protects against pasted texts. */
const MAX_NUMBERS = 64

/** Accepts a unit of one letter behind digits; with 四 the name 四川 begins. */
export function hasOnlyNumbers(text: string): boolean {
  if (text.length > MAX_NUMBERS) return false
  const numerals = findNumerals(text)
  const words = numerals.reduceRight(
    (rest, { span }) => `${rest.slice(0, span.start)} ${rest.slice(span.end)}`,
    text,
  )
  const hasDigits = numerals.every(({ span }) => /\p{N}/u.test(text.slice(span.start, span.end)))
  return numerals.length > 0 && !(hasDigits ? /\p{L}{2}/u : /\p{L}/u).test(words)
}

/** Finds numbers in order, without nesting, in linear time. */
export function findNumerals(text: string): readonly Numeral[] {
  const found: Numeral[] = []
  for (const match of foldForms(text).matchAll(NUMERAL)) {
    if (match.index < (found.at(-1)?.span.end ?? 0)) continue // scale of the previous number
    for (const numeral of read(match)) {
      const last = found.at(-1)
      if (last && canContinue(last, numeral)) found[found.length - 1] = joinNumerals(last, numeral)
      else found.push(numeral)
    }
  }
  return found
}

/** Signs whose full-width forms start at U+FFE0, in order. */
const WIDE_SIGNS = [...'¢£¬¯¦¥₩']

/** Folds full-width and Traditional characters; keeps every position. */
export function foldForms(text: string): string {
  return toSimplified(text)
    .replace(/[！-～]/gu, sign => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
    .replace(/[￠-￦]/gu, sign => WIDE_SIGNS[sign.charCodeAt(0) - 0xffe0] ?? sign)
}

function read(match: RegExpExecArray): readonly Numeral[] {
  const { digits, han, rank, numerator, words, parts, half } = match.groups ?? {}
  if (digits !== undefined) return parseDigits(match, digits)
  if (han !== undefined) return parseHan(match, han)
  if (rank !== undefined) return createNumeral(match, toNumber(rank), { isOrdinal: true })
  if (numerator !== undefined) return parseHanFraction(match, numerator)
  if (parts !== undefined) return parseWordFraction(match, parts)
  if (words !== undefined) return parseWords(match, words)
  if (half !== undefined) return createNumeral(match, 0.5, { needsUnit: true })
  return createNumeral(
    match,
    FRACTIONS[match.groups?.sign_fraction ?? ''] ??
      0.5 * (SCALES[match.groups?.of_half?.toLowerCase() ?? ''] ?? 1),
  )
}

function createNumeral(
  { 0: written, index }: RegExpExecArray,
  value: number | undefined,
  own: Partial<Omit<Numeral, 'value'>> = {},
): readonly Numeral[] {
  if (value === undefined) return []
  const span = { start: index, end: index + written.length }
  return [{ value, span, isOrdinal: false, needsUnit: false, scale: 1, ...own }]
}

/** Takes groups of three for one number, other commas for separators. */
function parseDigits(match: RegExpExecArray, digits: string): readonly Numeral[] {
  const bare = digits.replace(/[\u00a0\u2009\u202f]/g, ',')
  const isGrouped = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(bare)
  const start = match.index + match[0].length - digits.length
  let offset = start
  return (isGrouped ? [digits] : digits.split(/[,\u00a0\u2009\u202f]/)).flatMap(
    (digitGroup, nth) => {
      const span = { start: nth === 0 ? match.index : offset, end: offset + digitGroup.length }
      offset += digitGroup.length + 1
      const plain = isGrouped ? bare.replaceAll(',', '') : digitGroup
      if (!/^(?!0\d\d)\d{1,15}(?:\.\d{1,15})?$/.test(plain)) return []
      return withBehind(
        match.input,
        Number(plain) * (nth === 0 && match.groups?.sign ? -1 : 1),
        span,
      )
    },
  )
}

/** Adds scale, fraction or ending. Leaves digits before other letters to units. */
function withBehind(text: string, value: number, span: Span): readonly Numeral[] {
  BEHIND.lastIndex = span.end
  const { 0: behind = '', groups = {} } = BEHIND.exec(text) ?? {}
  const factor =
    SCALES[
      (groups.scale ?? groups.short ?? groups.han ?? '').replace(/^[A-Z](?=.)/, letter =>
        letter.toLowerCase(),
      )
    ] ?? 1
  const more = FRACTIONS[groups.fraction?.trim() ?? ''] ?? 0
  const end = span.end + behind.length
  return [
    {
      value: roundBinary((value + more) * factor),
      span: { start: span.start, end },
      scale: factor,
      isOrdinal: groups.ordinal !== undefined,
      needsUnit: false,
    },
  ]
}

function toNumber(written: string): number | undefined {
  return /^\d/.test(written) ? Number(written) : parseChineseNumber(written)
}

/** Parses Han numbers; `千万` alone is mostly a word, `两三` means about two. */
function parseHan(match: RegExpExecArray, han: string): readonly Numeral[] {
  const isPlaceFirst = /^[百千万亿]/.test(han)
  if (isPlaceFirst && /[^百千万亿]/.test(han)) return []
  const isString = parseChineseDigits(han) !== undefined
  if (isString && (han.length === 2 || han.length === 3)) return []
  return createNumeral(match, parseChineseNumber(han), {
    needsUnit: isString || isPlaceFirst || han.length === 1,
  })
}

function parseHanFraction(match: RegExpExecArray, numerator: string): readonly Numeral[] {
  const over = toNumber(numerator)
  const under = toNumber(match.groups?.denominator ?? '100')
  return over === undefined || !under ? [] : createNumeral(match, over / under)
}

function parseWordFraction(match: RegExpExecArray, parts: string): readonly Numeral[] {
  const over = Math.max(1, ONES.split(' ').indexOf(parts.toLowerCase()))
  const part = (match.groups?.of ?? '').toLowerCase().replace('halves', 'half').replace(/s$/, '')
  return createNumeral(match, over / (DENOMINATORS.split(' ').indexOf(part) + 2))
}

function parseWords(match: RegExpExecArray, words: string): readonly Numeral[] {
  const read = [...words.toLowerCase().matchAll(/[a-z]+/g)]
    .map(([word]) => word)
    .filter(word => word !== 'and')
  const [first = ''] = read
  const isOrdinal = ORDINALS.split(' ').includes(read.at(-1) ?? first)
  const value = sumWords(read)
  const more = match.groups?.half_more ? 0.5 : 0
  const needsUnit = read.length === 1 && (value === 1 || value === 0 || first in SCALES)
  return createNumeral(match, value === undefined ? undefined : value + more, {
    isOrdinal,
    needsUnit: needsUnit && !more && !match.groups?.article,
  })
}

/** Sums words: `two hundred and five`, but not `two three`. */
function sumWords(words: readonly string[]): number | undefined {
  let total = 0
  let part: number | undefined
  for (const word of words) {
    const factor = SCALES[word]
    if (factor === undefined) {
      const value = parseWord(word)
      if (part !== undefined && !canFollow(part, value)) return undefined
      part = (part ?? 0) + value
    } else if (factor < 1000) part = (part ?? 1) * factor
    else [total, part] = [total + (part ?? 1) * factor, undefined]
  }
  return total + (part ?? 0)
}

function parseWord(word: string): number {
  const find = (words: string) => words.split(' ').indexOf(word)
  const value = find(ONES)
  if (value >= 0) return value
  const ten = find(TENS)
  return ten >= 0 ? 20 + 10 * ten : find(ORDINALS) + 1
}

function canFollow(part: number, value: number): boolean {
  if (part > 0 && part % 100 === 0) return value < 100
  return part >= 20 && part % 10 === 0 && value < 10
}

function canContinue(last: Numeral, next: Numeral): boolean {
  return (
    last.span.end === next.span.start &&
    last.scale > Math.abs(next.value) &&
    next.value >= 0 &&
    !next.isOrdinal
  )
}

function joinNumerals(last: Numeral, next: Numeral): Numeral {
  return {
    ...next,
    value: roundBinary(last.value + next.value),
    span: { start: last.span.start, end: next.span.end },
  }
}

/** Removes binary rounding: .1 + .2 is .3. */
export function roundBinary(value: number): number {
  return Number(value.toPrecision(12))
}
