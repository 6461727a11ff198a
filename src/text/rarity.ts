import type { Dictionary } from './dictionary.ts'
import type { Term } from './terms.ts'

/**
 * Log shares of all text: `COMMON` words say almost nothing, `RARE` ones everything (chosen so
 * that weights spread over 0 to 1).
 */
const COMMON = -9.5
export const RARE = -13

/** Share of the text that known words cover, so that unknown words count as rare. */
const UNKNOWN = 0.99

/** Lets texts of common words compare, too. */
const MIN_RARITY = 0.15

/** Rarity of words in their language. Lines `word<TAB>score`, loaded on first use. */
export class WordRarity {
  readonly #read: () => string
  readonly #words: Pick<Dictionary, 'findMeanings'> | undefined
  #scores: ReadonlyMap<string, number> | undefined

  /** `words` contains words too rare for the list. */
  constructor(read: () => string, words?: Pick<Dictionary, 'findMeanings'>) {
    this.#read = read
    this.#words = words
  }

  /** Returns .15 (as common as `the`) to 1 for a Chinese word or an analyzer term. */
  getRarity(word: string): number {
    this.#scores ??= parseScores(this.#read())
    const score = this.#scores.get(word) ?? RARE
    return Math.min(1, Math.max(MIN_RARITY, (COMMON - score) / (COMMON - RARE)))
  }

  hasWord({ word, text }: Pick<Term, 'word' | 'text'>): boolean {
    return this.getRarity(word) < UNKNOWN || (this.#words?.findMeanings(text).length ?? 0) > 0
  }
}

function parseScores(text: string): ReadonlyMap<string, number> {
  const lines = text.split('\n').filter(Boolean)
  return new Map(
    lines.map(line => line.split('\t')).map(([word = '', score]) => [word, Number(score)]),
  )
}
