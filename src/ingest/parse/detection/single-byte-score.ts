import { loadIconv } from './iconv.ts'
import { LANGUAGE_TRIGRAMS } from './language-trigrams.ts'
import type { Script, SingleByteCharset } from './single-byte-charsets.ts'

/** Below common ideographs, so that trigrams decide beside Chinese. */
const LETTER = 1
/** Letter that the language lacks, or symbol inside a word. */
const ALIEN = -1
const JUNK = -2
/** Quotation mark, dash or sign outside words; every language has them. */
const MARK = 0.6

const MAX_BONUS = 0.8
/** Share of a text's trigrams among the 300 of its language, in running text of any length. */
const USUAL_SHARE = 0.4

const TRIGRAM_CHARS = 3
const NO_LETTERS = /[^\p{L}\p{M}]+/gu
const JUNK_CHARACTER = /[\p{Cc}\p{Co}\p{Cn}\p{Cs}\ufffd]/u
const MARK_CHARACTER = /[\p{P}\p{S}\p{Z}\p{N}\u200c-\u200f]/u
/** Box-drawing and mathematical signs, also common in wrongly decoded bytes. */
const OTHER_SYMBOL = /[\u2200-\u22ff\u2300-\u25ff]/u
const WORD_CHARACTER = /[\p{L}\p{M}]/u
// biome-ignore lint/suspicious/noControlCharactersInRegex: escapes colour logs
const PLAIN = /[\t\n\f\r\x1b\x20-\x7e]/
const THAI_ABOVE = /[\u0e31\u0e34-\u0e3a\u0e47-\u0e4e]/u
const THAI_BASE = /[\u0e01-\u0e2e\u0e31\u0e34-\u0e3a\u0e47-\u0e4e]/u

export function scoreSingleByteCharset(
  bytes: Uint8Array,
  { charset, script, languages }: SingleByteCharset,
): number {
  const text = loadIconv().decode(Buffer.from(bytes), charset)
  const trigrams = countTrigrams(text, script)
  return Math.max(
    ...languages.map(({ code, letters }) => {
      const share = measureTrigramShare(trigrams, code)
      return scoreLetters(text, letters, script) + MAX_BONUS * Math.min(1, share / USUAL_SHARE)
    }),
  )
}

function scoreLetters(text: string, letters: string, script: Script): number {
  const alphabet = new Set(letters)
  let sum = 0
  let count = 0
  let before = ' '
  for (let index = 0; index < text.length; index++) {
    const here = text.charAt(index)
    if (!PLAIN.test(here)) {
      sum += weigh(here, { before, after: text.charAt(index + 1), alphabet, script })
      count++
    }
    before = here
  }
  return count === 0 ? 0 : sum / count
}

type Context = {
  readonly before: string
  readonly after: string
  readonly alphabet: ReadonlySet<string>
  readonly script: Script
}

function weigh(here: string, { before, after, alphabet, script }: Context): number {
  if (JUNK_CHARACTER.test(here)) return JUNK
  const small = here.toLowerCase()
  if (!alphabet.has(small)) return weighForeign(here, before, after)
  if (script === 'thai') return THAI_ABOVE.test(here) && !THAI_BASE.test(before) ? ALIEN : LETTER
  if (here !== small && isSmallLetter(before)) return ALIEN
  return script !== 'latin' && (isAsciiLetter(before) || isAsciiLetter(after)) ? ALIEN : LETTER
}

function weighForeign(here: string, before: string, after: string): number {
  if (OTHER_SYMBOL.test(here)) return 0
  const isInWord = WORD_CHARACTER.test(before) && WORD_CHARACTER.test(after)
  return MARK_CHARACTER.test(here) && !isInWord ? MARK : ALIEN
}

function isSmallLetter(character: string): boolean {
  return character !== character.toUpperCase()
}

function isAsciiLetter(character: string): boolean {
  return /[A-Za-z]/.test(character)
}

/** Outside of Latin scripts, counts only trigrams with a character beyond ASCII. */
function countTrigrams(text: string, script: Script): ReadonlyMap<string, number> {
  const words = ` ${text.toLowerCase().replace(NO_LETTERS, ' ').trim()} `
  const counts = new Map<string, number>()
  for (let index = 0; index + TRIGRAM_CHARS <= words.length; index++) {
    const trigram = words.slice(index, index + TRIGRAM_CHARS)
    if (script !== 'latin' && !/[^\0-\u007f]/.test(trigram)) continue
    counts.set(trigram, (counts.get(trigram) ?? 0) + 1)
  }
  return counts
}

const trigramSets = new Map<string, ReadonlySet<string>>()

function measureTrigramShare(trigrams: ReadonlyMap<string, number>, code: string): number {
  const frequent = loadTrigrams(code)
  let hits = 0
  let total = 0
  for (const [trigram, count] of trigrams) {
    total += count
    if (frequent.has(trigram)) hits += count
  }
  return total === 0 ? 0 : hits / total
}

function loadTrigrams(code: string): ReadonlySet<string> {
  const cached = trigramSets.get(code)
  if (cached) return cached
  const joined = LANGUAGE_TRIGRAMS[code] ?? ''
  const trigrams = new Set(
    Array.from({ length: joined.length / TRIGRAM_CHARS }, (_, index) =>
      joined.slice(index * TRIGRAM_CHARS, (index + 1) * TRIGRAM_CHARS),
    ),
  )
  trigramSets.set(code, trigrams)
  return trigrams
}
