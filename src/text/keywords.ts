import { ENGLISH_FUNCTION_WORDS } from './function-words.ts'

/** Searched UTF-16 units, so that analysing them does not block the thread (1 MB took 2.4 s). */
export const MAX_SEARCHED_CHARS = 20_000

/** Length of either end of a longer text, so that the actual question is included. */
const END_CHARS = 1_000

/** Frequent words added, so that the query stays short. */
const MAX_KEYWORDS = 64

/** Characters scanned for them from either end, so that the cost is bounded. */
const SCANNED_CHARS = 100_000

const WORD = /\p{Script=Han}{2}|[\p{L}\p{N}][\p{L}\p{N}'-]{2,40}/gu

/** Shortens to the beginning, the end, and the most frequent words. */
export function shortenForSearch(text: string): string {
  if (text.length <= MAX_SEARCHED_CHARS) return text
  const scanned = `${text.slice(0, SCANNED_CHARS)} ${text.slice(-SCANNED_CHARS)}`
  const parts = [text.slice(0, END_CHARS), text.slice(-END_CHARS), findKeywords(scanned).join(' ')]
  return Buffer.from(parts.join('\n')).toString() // cut surrogates become U+FFFD
}

function findKeywords(text: string): readonly string[] {
  const counts = new Map<string, number>()
  for (const [word] of text.toLowerCase().matchAll(WORD)) {
    if (!ENGLISH_FUNCTION_WORDS.has(word)) counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  const byCount = [...counts].toSorted(([, a], [, b]) => b - a)
  return byCount.slice(0, MAX_KEYWORDS).map(([word]) => word)
}
