/** Natural logarithms of a word's share of all text: one that is as common as `COMMON` tells next to nothing, one as rare as `RARE` all that a word can. */
const COMMON = -9.5
export const RARE = -13

/** What the commonest words still weigh: a text may have no others. */
const LEAST = 0.15

/**
 * How rare words are in their language: that a text does not say `want` or 想 tells less than that it does not say `quorum`. The text
 * that it is read from, with the first question, has lines `word<TAB>score`, of the words that are commoner than most.
 */
export class WordRarity {
  readonly #read: () => string
  #scores: ReadonlyMap<string, number> | undefined

  constructor(read: () => string) {
    this.#read = read
  }

  /** Of a Chinese word, or a term as the analyzer gives it: from .15, as common as `the`, to 1. */
  of(word: string): number {
    this.#scores ??= parsed(this.#read())
    const score = this.#scores.get(word) ?? RARE
    return Math.min(1, Math.max(LEAST, (COMMON - score) / (COMMON - RARE)))
  }
}

function parsed(text: string): ReadonlyMap<string, number> {
  const lines = text.split('\n').filter(Boolean)
  return new Map(lines.map(line => line.split('\t')).map(([word = '', score]) => [word, Number(score)]))
}
