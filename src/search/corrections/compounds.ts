import type { Analyzer } from '../../text/analyzer.ts'
import type { IndexReader } from '../index-reader.ts'
import type { SynonymConcept, SynonymTerm } from '../synonyms/synonyms.ts'
import type { CountedTerms } from '../term-rarity.ts'

/** Maximum compounds per query, and divisions tried per word, so that pasted text stays cheap. */
const MAX_COMPOUNDS = 4
const MAX_DIVISIONS = 4

const LEAST_LETTERS = 6
const LEAST_PART = 2
const WORD = /[a-z]+/g
const IS_WORD = /^[a-z]+$/
const JOINS = /^[ -]$/

type Texts = { readonly counts: CountedTerms; readonly index: IndexReader }

/** Finds other spellings of compounds: `data base` for `database`, and the reverse. */
export class Compounds {
  readonly #analyzer: Analyzer

  constructor(analyzer: Analyzer) {
    this.#analyzer = analyzer
  }

  /** Joins neighbouring words if texts have the joined word, and nowhere the two in sequence. */
  async join(plain: string, { counts, index }: Texts): Promise<readonly SynonymConcept[]> {
    const telling = new Set(this.#analyzer.listQueryTerms(plain))
    const words = [...plain.matchAll(WORD)]
    const pairs = words.flatMap(({ index: start, 0: first }, at) => {
      const next = words[at + 1]
      if (!next || first.length < LEAST_PART || next[0].length < LEAST_PART) return []
      if (!JOINS.test(plain.slice(start + first.length, next.index))) return []
      const joined = this.#toTerm(first + next[0])
      const isTelling = this.#analyzer.listTerms(first).some(term => telling.has(term))
      if (!isTelling || !hasAll(joined, counts)) return []
      return [{ written: this.#toTerm(`${first} ${next[0]}`), others: [joined] }]
    })
    return await filterAsync(
      pairs.slice(0, MAX_COMPOUNDS),
      async ({ written }) => !(await isInSequence(written, index)),
    )
  }

  /** Divides a word that no text has into two that texts have in sequence. */
  async divide(word: string, { counts, index }: Texts): Promise<SynonymConcept | undefined> {
    if (word.length < LEAST_LETTERS || !IS_WORD.test(word)) return undefined
    const divisions = Array.from({ length: word.length - 2 * LEAST_PART + 1 }, (_, at) =>
      this.#toTerm(`${word.slice(0, at + LEAST_PART)} ${word.slice(at + LEAST_PART)}`),
    ).filter(division => hasAll(division, counts))
    const others = await filterAsync(divisions.slice(0, MAX_DIVISIONS), division =>
      isInSequence(division, index),
    )
    if (others.length === 0) return undefined
    const written = this.#toTerm(word)
    const found = await index.findWithAllTerms(written.terms, 1, {})
    return found.length === 0 ? { written, others } : undefined
  }

  #toTerm(text: string): SynonymTerm {
    const sequence = this.#analyzer.listSequence(text)
    return { text, sequence, terms: [...new Set(sequence)] }
  }
}

function hasAll({ terms }: SynonymTerm, counts: CountedTerms): boolean {
  return terms.every(term => counts.hasTerm(term))
}

async function isInSequence(
  { terms, sequence }: SynonymTerm,
  index: IndexReader,
): Promise<boolean> {
  return (await index.findWithAllTerms(terms, 1, { sequences: [sequence] })).length > 0
}

async function filterAsync<Item>(
  items: readonly Item[],
  isKept: (item: Item) => Promise<boolean>,
): Promise<readonly Item[]> {
  const kept = await Promise.all(items.map(isKept))
  return items.filter((_, at) => kept[at])
}
