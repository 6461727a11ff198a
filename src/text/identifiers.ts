import { parseChineseNumber } from './chinese-number.ts'

/** Length of an identifier, so that addresses and noise are indexed by their parts only. */
const MAX_CHARS = 64

/** Ranges are twice as fast as Unicode properties. */
const LETTER = '[A-Za-z0-9\\u00C0-\\u024F\\u0370-\\u052F]'

/** Matches complete words, so that no long word costs quadratic time. */
const WORD = `(?<!${LETTER})${LETTER}+`

/**
 * Words joined by signs (`foo_bar`, `7714-2015`, `a@b.cn`), trailing signs (`C++`, `C#`) or a
 * leading point (`.NET`).
 */
const COMPOUND = new RegExp(
  String.raw`(?<=^|[\s(（"'“])\.${WORD}(?:[._\-/@:+&]${WORD})*|${WORD}(?:[._\-/@:+&]+${WORD})+(?:\+\+|#)?|${WORD}(?:\+\+|#)`,
  'gu',
)

const SIGN = String.raw`[._\-/@:+&#]`

/** Sign before a word, or at the end of one. */
const JOINT = new RegExp(`${SIGN}(?:(?=${LETTER})|(?<=${LETTER}[+#]))`, 'g')

const PART = new RegExp(`${SIGN}|${LETTER}`)

const CAMEL_BORDER = /[a-z][A-Z]|[A-Z]{2}[a-z]/

/** Word borders inside `fooBar`, `getHTTPResponse`. */
const CAMEL = /(?<![A-Za-z])[A-Za-z]+(?:[a-z][A-Z]|[A-Z][a-z])[A-Za-z]*/g
const CAMEL_PART = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g

/** Numbered parts: `第一百二十三条`, `第 5 章`. */
const NUMBERED =
  /第\s*([〇零一二三四五六七八九十百千万两]+|\d+)\s*([条條章节節款项項编編卷回册冊页頁号號])/g

/**
 * Finds identifiers, versions, standards and addresses, words inside camel case, and numbered
 * parts (`第123条`). Expects NFKC; `fold` converts to Simplified.
 */
export function findIdentifiers(
  text: string,
  fold: (character: string) => string,
): readonly string[] {
  return [...findCompounds(text), ...splitCamelCase(text), ...findNumberedParts(text, fold)]
}

function findCompounds(text: string): readonly string[] {
  const found = findRuns(text.replace(/[‐–−]/g, '-')).flatMap(
    stretch => stretch.match(COMPOUND) ?? [],
  )
  return found
    .map(compound => compound.toLowerCase())
    .filter(compound => compound.length <= MAX_CHARS && !isPlain(compound))
}

function findRuns(text: string): readonly string[] {
  const found: string[] = []
  let end = 0
  for (const { index } of text.matchAll(JOINT)) {
    if (index < end) continue // inside the previous run
    let start = index
    while (isPart(text, start - 1)) start--
    end = index + 1
    while (isPart(text, end)) end++
    found.push(text.slice(Math.max(0, start - 1), end))
  }
  return found
}

function isPart(text: string, index: number): boolean {
  return PART.test(text.charAt(index))
}

/** Accepts numbers and hyphenated words, which are terms already. */
function isPlain(compound: string): boolean {
  return /^(?:\d+(?:\.\d+)+|[^\d._/@:+&#]+)$/.test(compound)
}

function splitCamelCase(text: string): readonly string[] {
  if (!CAMEL_BORDER.test(text)) return []
  return [...text.matchAll(CAMEL)].flatMap(([word]) => {
    const parts = word.length <= MAX_CHARS ? (word.match(CAMEL_PART) ?? []) : []
    return parts.length > 1 && parts.every(part => part.length > 1)
      ? parts.map(part => part.toLowerCase())
      : []
  })
}

function findNumberedParts(text: string, fold: (character: string) => string): readonly string[] {
  if (!text.includes('第')) return []
  return [...text.matchAll(NUMBERED)].flatMap(([, number = '', part = '']) => {
    const value = /^\d/.test(number) ? Number(number) : parseChineseNumber(number)
    return value === undefined ? [] : [`第${value}${fold(part)}`]
  })
}

const MAYBE_EXTENSION = /(?<![\p{Script=Latin}\d])[a-z\d]{1,10}(?![\p{Script=Latin}\d])/giu
const WORD_BEFORE = /(?:\p{Script=Han}{1,2}|[\p{L}\p{N}]{1,64})(?=[\s._-]{0,2}$)/u
const WORD_BEHIND = /^\s(?:\p{Script=Han}{1,2}|[\p{L}\p{N}]{1,64})/u
/** A word and two signs. */
const MAX_BESIDE = 66

/** Finds `budget xlsx`, `budget.xlsx`, `xlsx budget`. `extensions` have a point: `.xlsx`. */
export function findNamedFiles(
  text: string,
  extensions: ReadonlySet<string>,
): readonly { readonly word: string; readonly extension: string }[] {
  return [...text.matchAll(MAYBE_EXTENSION)].flatMap(({ 0: written, index }) => {
    const extension = `.${written.toLowerCase()}`
    if (!extensions.has(extension)) return []
    const end = index + written.length
    const before = WORD_BEFORE.exec(text.slice(Math.max(0, index - MAX_BESIDE), index))
    const behind = WORD_BEHIND.exec(text.slice(end, end + MAX_BESIDE))
    return [...(before ?? []), ...(behind ?? [])].map(word => ({ word, extension }))
  })
}
