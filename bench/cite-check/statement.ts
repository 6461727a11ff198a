import {
  CHINESE_FUNCTION,
  ENGLISH_FUNCTION,
  MODALS,
  MONTHS,
  NEGATORS,
  UNITS,
} from './closed-words.ts'
import { withoutRadicals } from './document.ts'

export type Measure = { readonly value: number; readonly unit?: string }

/** What a text states, as far as numbers, names, negation and content words tell. */
export type Statement = {
  readonly text: string
  readonly chinese: boolean
  readonly measures: readonly Measure[]
  readonly names: readonly string[]
  readonly content: ReadonlySet<string>
  /** The content words that stand behind a negation, within its clause. */
  readonly negated: ReadonlySet<string>
  readonly modality?: 'must' | 'may'
}

export function readStatement(text: string): Statement {
  const plain = withoutRadicals(text).normalize('NFKC')
  const chinese = isChinese(plain)
  return {
    text: plain,
    chinese,
    measures: measuresOf(plain),
    names: namesOf(plain),
    content: new Set(contentOf(plain)),
    negated: negatedOf(plain),
    modality: modalityOf(plain),
  }
}

/** Chinese where at least a fifth of the letters are Han characters. */
export function isChinese(text: string): boolean {
  const han = text.match(/\p{Script=Han}/gu)?.length ?? 0
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  return letters > 0 && han >= letters / 5
}

const NUMBER =
  /(?<![\p{L}\d.])[-−]?\d+(?:,\d{3})*(?:\.\d+)?|(?<=\p{Script=Han})\d+(?:,\d{3})*(?:\.\d+)?/gu

/** The numbers of a text, in digits or in words, each with the unit that stands beside it. */
export function measuresOf(text: string): Measure[] {
  const digits = [...text.matchAll(NUMBER)].map(match => {
    const behind = text.slice(match.index + match[0].length)
    const value = Number(match[0].replaceAll(',', '').replace('−', '-'))
    return { value, unit: unitAfter(behind) ?? currencyBefore(text.slice(0, match.index)) }
  })
  return [...digits, ...wordNumbers(text), ...monthsOf(text)]
}

/** March is the third month, as in 3 月. */
const monthsOf = (text: string): Measure[] =>
  [...text.matchAll(MONTHS)].map(match => ({
    value: match.slice(1).findIndex(Boolean) + 1,
    unit: 'month',
  }))

function unitAfter(behind: string): string | undefined {
  const rest = behind.replace(/^[\s-]*/, '')
  const word = /^(?:[%‰°€£$¥][CF]?|[\p{Script=Latin}·/µ²³]+[²³]?)/u.exec(rest)?.[0]
  if (word)
    return (
      UNITS.get(word) ??
      UNITS.get(word.toLowerCase()) ??
      UNITS.get(word.replace(/\/.*$/, '').toLowerCase())
    )
  for (const length of [4, 3, 2, 1]) {
    const unit = UNITS.get(rest.slice(0, length))
    if (unit) return unit
  }
  return undefined
}

const currencyBefore = (before: string): string | undefined => {
  const sign = /([€£$¥]|EUR|USD|GBP|RMB|CNY)\s*$/.exec(before)?.[1]
  return sign ? UNITS.get(sign) : undefined
}

const ENGLISH_NUMBERS = (
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen ' +
  'sixteen seventeen eighteen nineteen twenty'
).split(' ')
const ENGLISH_TENS = ['twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety']

/** Numbers in words. *One* and 一 are left out: they are articles as often as numbers. */
function wordNumbers(text: string): Measure[] {
  const english = [...text.toLowerCase().matchAll(/\b([a-z]+)(?:-([a-z]+))?\b/g)].flatMap(match => {
    const value = englishNumber(match[1]!, match[2])
    return value === undefined
      ? []
      : [{ value, unit: unitAfter(text.slice(match.index + match[0].length)) }]
  })
  const chinese = [...text.matchAll(/[零二两三四五六七八九十百千万]+/g)].flatMap(match => {
    const value = chineseNumber(match[0])
    const unit = unitAfter(text.slice(match.index + match[0].length))
    return value === undefined || !unit || text[match.index - 1] === '一' ? [] : [{ value, unit }]
  })
  return [...english, ...chinese]
}

function englishNumber(word: string, rest: string | undefined): number | undefined {
  const tens = ENGLISH_TENS.indexOf(word)
  if (tens >= 0) {
    const ones = rest ? ENGLISH_NUMBERS.indexOf(rest) : 0
    return ones >= 0 && ones < 10 ? tens * 10 + 20 + ones : tens * 10 + 20
  }
  const value = ENGLISH_NUMBERS.indexOf(word)
  return value > 1 ? value : undefined
}

const CHINESE_DIGITS = '零一二三四五六七八九'

/** 三十五 is 35; undefined for what is no number. */
function chineseNumber(text: string): number | undefined {
  let total = 0
  let digit: number | undefined
  for (const character of text.replaceAll('两', '二')) {
    const scale = { 十: 10, 百: 100, 千: 1000, 万: 10_000 }[character]
    if (scale === 10_000) total = (total + (digit ?? 0)) * scale
    else if (scale) total += (digit ?? 1) * scale
    digit = scale ? undefined : CHINESE_DIGITS.indexOf(character)
    if (digit !== undefined && digit < 0) return undefined
  }
  return total + (digit ?? 0) || undefined
}

/**
 * Names: capitalised words that do not merely begin a sentence, words of capitals, and codes with digits.
 * In Chinese only Latin words and codes can be told by their form: see `borrowed` in support.ts for the others.
 */
function namesOf(text: string): string[] {
  const words = [...text.matchAll(/[\p{Script=Latin}\d][\p{Script=Latin}\d'’.-]*(?<![.'’-])/gu)]
  return words.flatMap((match, index) => {
    const word = match[0].replace(/['’]s$/, '')
    if (word.search(MONTHS) === 0) return []
    const begins = index === 0 || /[.!?:]\s*["'(]?$/.test(text.slice(0, match.index))
    const follows = words[index + 1]
    const beside =
      follows &&
      /^\p{Lu}\p{Ll}/u.test(follows[0]) &&
      follows.index === match.index + match[0].length + 1
    if (isCode(word)) return [word.toLowerCase()]
    if (!/^\p{Lu}\p{Ll}/u.test(word) || ENGLISH_FUNCTION.has(word.toLowerCase())) return []
    return begins && !beside ? [] : [word.toLowerCase()]
  })
}

/** A1, X-200, NASA: not a number, and not a unit such as kg. */
const isCode = (word: string): boolean =>
  !UNITS.has(word) &&
  (/^(?=.*\p{L})(?=.*\d)(?!\d+(?:st|nd|rd|th|s)$)(?!\d+[a-zµ]+$)/u.test(word) ||
    /^\p{Lu}{2,}$/u.test(word))

/** Content words: stems of English words, pairs of neighbouring Chinese characters; function words left out. */
export function contentOf(text: string): string[] {
  const english = (text.toLowerCase().match(/[\p{Script=Latin}][\p{Script=Latin}'’-]*/gu) ?? [])
    .flatMap(word => word.split('-'))
    .map(word => word.replace(/['’].*$/, ''))
    .filter(word => word.length > 1 && !ENGLISH_FUNCTION.has(word) && !UNITS.has(word))
    .map(stem)
  return [...english, ...hanRuns(text).flatMap(pairsOf)]
}

const hanRuns = (text: string): string[] =>
  text.split(CHINESE_FUNCTION).flatMap(part => part.match(/\p{Script=Han}+/gu) ?? [])

const pairsOf = (run: string): string[] =>
  [...run].slice(1).map((character, index) => run[index] + character)

/** The ends that English puts to one word: crude, and the same on both sides. */
export const stem = (word: string): string =>
  word.length < 4
    ? word
    : word.replace(/(?:ies|ied)$/, 'y').replace(/(?:ing|edly|ed|es|s|ly|e)$/, '')

/** The three content words, or the six characters, behind a negation in its clause. */
function negatedOf(text: string): Set<string> {
  const negated = new Set<string>()
  for (const clause of text.split(/[,;:，；：。]|\bbut\b|\band\b|但|而是/)) {
    for (const match of clause.matchAll(NEGATORS)) {
      const behind = clause.slice(match.index + match[0].length)
      const words = isChinese(behind)
        ? contentOf(behind.slice(0, 6))
        : contentOf(behind).slice(0, 3)
      for (const word of words) negated.add(word)
    }
  }
  return negated
}

function modalityOf(text: string): 'must' | 'may' | undefined {
  if (MODALS.must.test(text)) return 'must'
  return MODALS.may.test(text) ? 'may' : undefined
}
