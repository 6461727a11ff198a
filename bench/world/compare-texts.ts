/** How one text holds the words of another. */
export type TextComparison = {
  /** Words of the text that was read. */
  readonly words: number
  /** Words of the text it is compared with. */
  readonly otherWords: number
  /** Share of the other text's words that were found, each as often as it stands there (0 to 1). */
  readonly found: number
  /** Longest common subsequence of the words by the shorter text's length (0 to 1), over the first `MAX_ORDERED_WORDS`. */
  readonly order: number
}

/** Keeps the quadratic comparison of two texts below a second. */
const MAX_ORDERED_WORDS = 4_000

/** Letters and digits of any script; characters that are written without blanks between words count singly. */
const WORD = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{N}]+/gu

/** Some readers write the targets of links, which are not shown. */
const ADDRESS = /\b(?:https?|ftp|mailto):\S+/gi

export function splitWords(text: string): readonly string[] {
  return text.replaceAll(ADDRESS, ' ').normalize('NFKC').toLowerCase().match(WORD) ?? []
}

export function compareTexts(text: string, other: string): TextComparison {
  const words = splitWords(text)
  const otherWords = splitWords(other)
  return {
    words: words.length,
    otherWords: otherWords.length,
    found: measureFound(words, otherWords),
    order: measureOrder(words.slice(0, MAX_ORDERED_WORDS), otherWords.slice(0, MAX_ORDERED_WORDS)),
  }
}

function measureFound(words: readonly string[], others: readonly string[]): number {
  if (others.length === 0) return 1
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  let found = 0
  for (const word of others) {
    const left = counts.get(word) ?? 0
    if (left === 0) continue
    counts.set(word, left - 1)
    found++
  }
  return found / others.length
}

function measureOrder(words: readonly string[], others: readonly string[]): number {
  const shorter = Math.min(words.length, others.length)
  if (shorter === 0) return 1
  let previous = new Uint16Array(others.length + 1)
  for (const word of words) {
    const current = new Uint16Array(others.length + 1)
    for (const [index, other] of others.entries()) {
      const diagonal = previous[index] ?? 0
      current[index + 1] =
        word === other ? diagonal + 1 : Math.max(previous[index + 1] ?? 0, current[index] ?? 0)
    }
    previous = current
  }
  return (previous[others.length] ?? 0) / shorter
}
