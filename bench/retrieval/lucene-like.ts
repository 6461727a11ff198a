import { stem } from 'porter2'
import type { Passage } from '../../src/app/evaluation/evaluation-set.ts'

/** What Anserini sets, whose figures are the ones that papers quote. */
const K1 = 0.9
const B = 0.4

/** The stop words of Lucene's EnglishAnalyzer. */
const STOP_WORDS = new Set(
  'a an and are as at be but by for if in into is it no not of on or such that the their then there these they this to was will with'.split(
    ' ',
  ),
)

type Posting = { readonly passage: number; readonly count: number }

/**
 * BM25 as Lucene 9 scores it, over title and text as one field: English words without stop words, by their stems, Chinese in pairs of
 * characters, as the analyzers for English and for Chinese, Japanese and Korean make them. Lucene itself rounds the lengths of texts to a byte.
 */
export class LuceneLike {
  readonly #ids: readonly string[]
  readonly #lengths: readonly number[]
  readonly #average: number
  readonly #postings = new Map<string, Posting[]>()

  constructor(passages: readonly Passage[]) {
    this.#ids = passages.map(({ id }) => id)
    const terms = passages.map(({ title, text }) => termsOf(`${title} ${text}`))
    this.#lengths = terms.map(({ length }) => length)
    this.#average =
      this.#lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, terms.length)
    for (const [passage, own] of terms.entries()) {
      for (const [term, count] of counted(own)) {
        const known = this.#postings.get(term)
        if (known) known.push({ passage, count })
        else this.#postings.set(term, [{ passage, count }])
      }
    }
  }

  /** Ids of the passages, best first; those without a word of the query are not among them. */
  search(query: string, depth: number): string[] {
    const scores = new Map<number, number>()
    for (const term of termsOf(query)) {
      const postings = this.#postings.get(term) ?? []
      const rarity = Math.log(
        1 + (this.#ids.length - postings.length + 0.5) / (postings.length + 0.5),
      )
      for (const { passage, count } of postings) {
        const length = this.#lengths[passage]! / this.#average // one a passage
        const score = (rarity * count) / (count + K1 * (1 - B + B * length))
        scores.set(passage, (scores.get(passage) ?? 0) + score)
      }
    }
    const ranked = [...scores].sort(([first, a], [second, b]) => b - a || first - second)
    return ranked.slice(0, depth).map(([passage]) => this.#ids[passage]!) // a place in the list
  }
}

function counted(terms: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
  return counts
}

/** Words of letters and digits, where a point or an apostrophe may stand within; runs of Han characters in pairs. */
export function termsOf(text: string): string[] {
  const words = text
    .normalize('NFKC')
    .toLowerCase()
    .matchAll(
      /\p{Script=Han}+|(?:(?!\p{Script=Han})[\p{L}\p{M}\p{N}_])+(?:['’.](?:(?!\p{Script=Han})[\p{L}\p{N}_])+)*/gu,
    )
  return [...words].flatMap(([word]) => {
    if (/^\p{Script=Han}/u.test(word)) return pairsOf([...word])
    const plain = word.replace(/['’]s$/, '')
    return STOP_WORDS.has(plain) ? [] : [stem(plain)]
  })
}

const pairsOf = (characters: readonly string[]): string[] =>
  characters.length < 2
    ? [...characters]
    : characters.slice(1).map((character, at) => `${characters[at]}${character}`)
