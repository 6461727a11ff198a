import { chineseNumber } from './chinese-number.ts'

/** A longer one is an address or noise: its parts are found, the whole is not worth a term. */
const MAX_CHARS = 64

/** Letters and digits that identifiers are made of: ASCII, Latin, Greek, Cyrillic. Ranges are twice as fast as properties. */
const LETTER = '[A-Za-z0-9\\u00C0-\\u024F\\u0370-\\u052F]'

/** A whole one: tried from every letter, a word as long as a document would be read as often as it has letters. */
const WORD = `(?<!${LETTER})${LETTER}+`

/** Words joined by signs (`foo_bar`, `7714-2015`, `a@b.cn`), with signs at the end (`C++`, `C#`) or a point before (`.NET`). */
const COMPOUND = new RegExp(
  String.raw`(?<=^|[\s(（"'“])\.${WORD}(?:[._\-/@:+&]${WORD})*|${WORD}(?:[._\-/@:+&]+${WORD})+(?:\+\+|#)?|${WORD}(?:\+\+|#)`,
  'gu',
)

const SIGN = String.raw`[._\-/@:+&#]`

/** What every compound has: a sign before a word, or one that ends it after a word. */
const JOINT = new RegExp(`${SIGN}(?:(?=${LETTER})|(?<=${LETTER}[+#]))`, 'g')

const PART = new RegExp(`${SIGN}|${LETTER}`)

/** What every word with a capital inside holds. */
const CAMEL_BORDER = /[a-z][A-Z]|[A-Z]{2}[a-z]/

/** `fooBar`, `getHTTPResponse`: where a new word begins inside one. */
const CAMEL = /(?<![A-Za-z])[A-Za-z]+(?:[a-z][A-Z]|[A-Z][a-z])[A-Za-z]*/g
const CAMEL_PART = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g

/** Numbered parts of laws and books: `第一百二十三条`, `第 5 章`. */
const NUMBERED =
  /第\s*([〇零一二三四五六七八九十百千万两]+|\d+)\s*([条條章节節款项項编編卷回册冊页頁号號])/g

/**
 * What stands for one thing though it is written in several words, as terms in lower case: identifiers, versions, numbers of
 * standards, addresses whole; words inside camel case; numbered parts with their number in digits (`第123条`).
 * Expects text in NFKC with its case kept; `fold` makes a Han character Simplified.
 */
export function identifierTerms(
  text: string,
  fold: (character: string) => string,
): readonly string[] {
  return [...compounds(text), ...camelParts(text), ...numberedParts(text, fold)]
}

function compounds(text: string): readonly string[] {
  const found = stretches(text.replace(/[‐–−]/g, '-')).flatMap(
    stretch => stretch.match(COMPOUND) ?? [],
  )
  return found
    .map(whole => whole.toLowerCase())
    .filter(whole => whole.length <= MAX_CHARS && !isPlain(whole))
}

/** The places that may hold a compound: words and signs in a row, with the character before them. */
function stretches(text: string): readonly string[] {
  const found: string[] = []
  let end = 0
  for (const { index } of text.matchAll(JOINT)) {
    if (index < end) continue // of the same stretch
    let start = index
    while (isPart(text, start - 1)) start--
    end = index + 1
    while (isPart(text, end)) end++
    found.push(text.slice(Math.max(0, start - 1), end))
  }
  return found
}

function isPart(text: string, at: number): boolean {
  return PART.test(text.charAt(at)) // nothing outside
}

/** `3.14` is a term of its own already; ordinary words with a hyphen (`well-known`) are best found by their parts. */
function isPlain(compound: string): boolean {
  return /^(?:\d+(?:\.\d+)+|[^\d._/@:+&#]+)$/.test(compound)
}

function camelParts(text: string): readonly string[] {
  if (!CAMEL_BORDER.test(text)) return []
  return [...text.matchAll(CAMEL)].flatMap(([word]) => {
    const parts = word.length <= MAX_CHARS ? (word.match(CAMEL_PART) ?? []) : []
    return parts.length > 1 && parts.every(part => part.length > 1)
      ? parts.map(part => part.toLowerCase())
      : []
  })
}

function numberedParts(text: string, fold: (character: string) => string): readonly string[] {
  if (!text.includes('第')) return []
  return [...text.matchAll(NUMBERED)].flatMap(([, number = '', part = '']) => {
    const value = /^\d/.test(number) ? Number(number) : chineseNumber(number)
    return value === undefined ? [] : [`第${value}${fold(part)}`]
  })
}
