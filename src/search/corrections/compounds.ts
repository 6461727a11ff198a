import type { Analyzer } from '../../text/analyzer.ts'
import type { Dictionary } from '../../text/dictionary.ts'
import { ENGLISH_FUNCTION_WORDS } from '../../text/function-words.ts'
import type { IndexReader } from '../index-reader.ts'
import { type SynonymConcept, type SynonymTerm, toSynonymTerm } from '../synonyms/synonyms.ts'
import type { CountedTerms } from '../term-rarity.ts'

/** Maximum compounds per query, and divisions tried per word, so that pasted text stays cheap. */
const MAX_COMPOUNDS = 4
const MAX_DIVISIONS = 4

/** Maximum texts with both words that are looked at, because looking for a sequence reads them. */
const MAX_HOLDERS = 100

const MIN_LETTERS = 6
/** Each division analyses both parts; dictionaries have no longer word. */
const MAX_LETTERS = 64
const MIN_PART = 2
/** Minimum letters of a part that is no function word, because two are mostly an abbreviation. */
const MIN_WORD = 3
const WORD = /[a-z]+/g
const IS_WORD = /^[a-z]+$/
const JOINS = /^[ -]$/

type Texts = { readonly counts: CountedTerms; readonly index: IndexReader }

/** Finds other spellings of compounds: `data base` for `database`, and the reverse. */
export class Compounds {
  readonly #analyzer: Analyzer
  readonly #dictionary: Dictionary

  constructor(analyzer: Analyzer, dictionary: Dictionary) {
    this.#analyzer = analyzer
    this.#dictionary = dictionary
  }

  async join(plain: string, { counts, index }: Texts): Promise<readonly SynonymConcept[]> {
    const words = [...plain.matchAll(WORD)]
    const pairs = words.flatMap(({ index: start, 0: first }, index) => {
      const next = words[index + 1]
      if (!next || first.length < MIN_PART || next[0].length < MIN_PART) return []
      if (!JOINS.test(plain.slice(start + first.length, next.index))) return []
      if (ENGLISH_FUNCTION_WORDS.has(first) || !this.#isIndexed(first + next[0], counts)) return []
      const parts = [first, next[0]]
      if (!parts.every(part => this.#isWord(part))) return []
      return [
        {
          written: toSynonymTerm(parts.join(' '), this.#analyzer),
          others: [toSynonymTerm(parts.join(''), this.#analyzer)],
        },
      ]
    })
    return await filterAsync(
      pairs.slice(0, MAX_COMPOUNDS),
      async ({ written }) => !(await isInSequence(written, index)),
    )
  }

  isDivisible(word: string, counts: CountedTerms): boolean {
    return this.#listDivisions(word, counts).length > 0
  }

  async divide(word: string, { counts, index }: Texts): Promise<SynonymConcept | undefined> {
    const divisions = this.#listDivisions(word, counts).map(parts =>
      toSynonymTerm(parts.join(' '), this.#analyzer),
    )
    const others = await filterAsync(divisions.slice(0, MAX_DIVISIONS), division =>
      isInSequence(division, index),
    )
    if (others.length === 0) return undefined
    const written = toSynonymTerm(word, this.#analyzer)
    const found = await index.findWithAllTerms(written.terms, 1, {})
    return found.length === 0 ? { written, others } : undefined
  }

  #listDivisions(word: string, counts: CountedTerms): readonly (readonly string[])[] {
    if (word.length < MIN_LETTERS || word.length > MAX_LETTERS || !IS_WORD.test(word)) return []
    return Array.from({ length: word.length - 2 * MIN_PART + 1 }, (_, index) => [
      word.slice(0, index + MIN_PART),
      word.slice(index + MIN_PART),
    ]).filter(parts => parts.every(part => this.#isIndexed(part, counts) && this.#isWord(part)))
  }

  #isIndexed(word: string, counts: CountedTerms): boolean {
    return this.#analyzer.listTerms(word).every(term => counts.hasTerm(term))
  }

  /** A part that is no word of the language makes no compound. */
  #isWord(part: string): boolean {
    if (ENGLISH_FUNCTION_WORDS.has(part)) return true
    const [stem = part] = this.#analyzer.listTerms(part)
    return part.length >= MIN_WORD && this.#dictionary.findMeanings(stem).length > 0
  }
}

async function isInSequence(
  { terms, sequence }: SynonymTerm,
  index: IndexReader,
): Promise<boolean> {
  const found = await index.findWithAllTerms(terms, MAX_HOLDERS, {})
  if (found.length === 0) return false
  const within = { rows: found.map(({ row }) => row), sequences: [sequence] }
  return (await index.findWithAllTerms(terms, 1, within)).length > 0
}

async function filterAsync<Item>(
  items: readonly Item[],
  isSelected: (item: Item) => Promise<boolean>,
): Promise<readonly Item[]> {
  const flags = await Promise.all(items.map(isSelected))
  return items.filter((_, index) => flags[index])
}
