import type { Dictionary } from './dictionary.ts'
import type { Term } from './terms.ts'

/** Natural logarithms of a word's share of all text: one that is as common as `COMMON` tells next to nothing, one as rare as `RARE` all that a word can. */
const COMMON = -9.5
export const RARE = -13

/** Every word that the language has often enough is in the text, or nearly so. */
const UNKNOWN = 0.99

/** What the commonest words still weigh: a text may have no others. */
const LEAST = 0.15

/**
 * How rare words are in their language: that a text does not say `want` or 想 tells less than that it does not say `quorum`. The text
 * that it is read from, with the first question, has lines `word<TAB>score`, of the words that are commoner than most.
 */
export class WordRarity {
  readonly #read: () => string
  readonly #words: Pick<Dictionary, 'meanings'> | undefined
  #scores: ReadonlyMap<string, number> | undefined

  /** `words` has such as are too rare for the text. */
  constructor(read: () => string, words?: Pick<Dictionary, 'meanings'>) {
    this.#read = read
    this.#words = words
  }

  /** Of a Chinese word, or a term as the analyzer gives it: from .15, as common as `the`, to 1. */
  of(word: string): number {
    this.#scores ??= parsed(this.#read())
    const score = this.#scores.get(word) ?? RARE
    return Math.min(1, Math.max(LEAST, (COMMON - score) / (COMMON - RARE)))
  }

  /** Whether it is a word of the language, however rare. */
  knows({ word, text }: Pick<Term, 'word' | 'text'>): boolean {
    return this.of(word) < UNKNOWN || (this.#words?.meanings(text).length ?? 0) > 0
  }
}

function parsed(text: string): ReadonlyMap<string, number> {
  const lines = text.split('\n').filter(Boolean)
  return new Map(
    lines.map(line => line.split('\t')).map(([word = '', score]) => [word, Number(score)]),
  )
}
