import { ENGLISH_FUNCTION_WORDS } from './function-words.ts'

/** Of what is searched for, in UTF-16 units: its words are analysed at once, and those of 1 MB held everybody up for 2.4 s. */
export const MAX_SEARCHED_CHARS = 20_000

/** Of a text that is too long, what is asked most often stands in its first or its last words. */
const END_CHARS = 1_000

/** Beside these, its most frequent words. */
const MAX_KEYWORDS = 64

/** So much is looked through for them, from either end. */
const SCANNED_CHARS = 100_000

/** Words of languages with spaces, and pairs of characters of those without. */
const WORD = /\p{Script=Han}{2}|[\p{L}\p{N}][\p{L}\p{N}'-]{2,40}/gu

/** The text to search for in place of one that may be too long: its beginning, its end, and the words that it says most often. */
export function searchable(text: string): string {
  if (text.length <= MAX_SEARCHED_CHARS) return text
  const scanned = `${text.slice(0, SCANNED_CHARS)} ${text.slice(-SCANNED_CHARS)}`
  const parts = [text.slice(0, END_CHARS), text.slice(-END_CHARS), keywordsOf(scanned).join(' ')]
  return Buffer.from(parts.join('\n')).toString() // halves of characters that were cut become U+FFFD
}

function keywordsOf(text: string): readonly string[] {
  const counts = new Map<string, number>()
  for (const [word] of text.toLowerCase().matchAll(WORD)) {
    if (!ENGLISH_FUNCTION_WORDS.has(word)) counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  const byCount = [...counts].toSorted(([, a], [, b]) => b - a)
  return byCount.slice(0, MAX_KEYWORDS).map(([word]) => word)
}
