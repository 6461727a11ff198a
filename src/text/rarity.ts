/**
 * Log shares of all text: `COMMON` words say almost nothing, `RARE` ones everything (chosen so
 * that weights spread over 0 to 1).
 */
const COMMON = -9.5
export const RARE = -13

/** Lets texts of common words compare, too. */
const MIN_RARITY = 0.15

/** Rarity of words in their language. Lines `word<TAB>score`, loaded on first use. */
export class WordRarity {
  readonly #read: () => string
  #scores: ReadonlyMap<string, number> | undefined

  constructor(read: () => string) {
    this.#read = read
  }

  /** Returns .15 (as common as `the`) to 1 for a Chinese word or an analyzer term. */
  getRarity(word: string): number {
    this.#scores ??= parseScores(this.#read())
    const score = this.#scores.get(word) ?? RARE
    return Math.min(1, Math.max(MIN_RARITY, (COMMON - score) / (COMMON - RARE)))
  }
}

function parseScores(text: string): ReadonlyMap<string, number> {
  const lines = text.split('\n').filter(Boolean)
  return new Map(
    lines.map(line => line.split('\t')).map(([word = '', score]) => [word, Number(score)]),
  )
}
