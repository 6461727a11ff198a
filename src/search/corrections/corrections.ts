import type { Analyzer } from '../../text/analyzer.ts'
import type { Dictionary } from '../../text/dictionary.ts'
import { CHINESE_FUNCTION_WORDS } from '../../text/function-words.ts'
import { TOKEN } from '../../text/word-tokens.ts'
import type { IndexReader } from '../index-reader.ts'
import { type SynonymConcept, toApplied, toSynonymTerm } from '../synonyms/synonyms.ts'
import { countTerms } from '../term-counts.ts'
import type { CountedTerms } from '../term-rarity.ts'
import { Compounds } from './compounds.ts'
import { filterNearStems, isOneEdit } from './near-words.ts'
import { listNumberForms } from './number-forms.ts'
import { listRegionalForms } from './regional-words.ts'
import { TermLexicon } from './term-lexicon.ts'
import { listForms } from './word-forms.ts'

export type Correction = { readonly from: string; readonly to: readonly string[] }

export type CorrectedTerms = {
  readonly corrected: readonly Correction[]
  readonly terms: readonly string[]
  /** Terms of the missing words, which no text can have. */
  readonly missing: ReadonlySet<string>
  readonly rarest: readonly string[]
  readonly compounds: readonly SynonymConcept[]
}

/** Maximum missing words of a query; protects against pasted texts. */
const MAX_MISSING = 8

/** Maximum words that replace one, so that queries stay short. */
const MAX_NEAR = 3

const MIN_LETTERS = 3
const WORD = /[\p{L}\p{M}]+/gu
const ENDS_IN_LETTER = /[\p{L}\p{M}]$/u
const FIRST_WORD = /^[\p{L}\p{M}]+/u
const HAN = /\p{Script=Han}/u
const HAN_RUN = /\p{Script=Han}{2,}/gu

type CorrectionDictionaries = {
  readonly en: Dictionary
  readonly zh: Dictionary
  readonly readings: Dictionary
}

type CorrectionScope = {
  readonly counts: CountedTerms
  readonly index: IndexReader
  /** Terms with synonyms, which are no slips. */
  readonly explained: ReadonlySet<string>
  readonly found: FoundPassages
}

type Passages = readonly { readonly context: string; readonly text: string }[]

export type FoundPassages = {
  readonly hits: Passages
  readonly readOthers: () => AsyncIterable<Passages>
}

type Word = { readonly word: string; readonly terms: readonly string[] }

type Proposal = { readonly words: readonly Word[]; readonly to: readonly string[] }

export class Corrections {
  readonly #analyzer: Analyzer
  readonly #dictionaries: CorrectionDictionaries
  readonly #compounds: Compounds
  /** Keyed by a collection's counts. */
  readonly #lexicons = new WeakMap<object, TermLexicon>()

  constructor(analyzer: Analyzer, dictionaries: CorrectionDictionaries) {
    this.#analyzer = analyzer
    this.#dictionaries = dictionaries
    this.#compounds = new Compounds(analyzer, dictionaries.en)
  }

  async correct(
    text: string,
    { counts, index, explained, found }: CorrectionScope,
  ): Promise<CorrectedTerms | undefined> {
    const words = this.#listWords(text)
    const joined = await this.#compounds.join(this.#analyzer.normalizeText(text), { counts, index })
    const settled = new Set([...explained, ...joined.flatMap(({ written }) => written.terms)])
    const uncounted = words
      .filter(({ terms }) => !terms.some(term => settled.has(term) || counts.hasTerm(term)))
      .slice(0, MAX_MISSING)
    const notInHits = await this.#dropFound(uncounted, [found.hits])
    const proposals = this.#proposeReplacements(text, notInHits, counts)
    const replaceable = new Set(proposals.flatMap(({ words }) => words))
    const unseen = await this.#dropFound(
      notInHits.filter(
        word => replaceable.has(word) || this.#compounds.isDivisible(word.word, counts),
      ),
      found.readOthers(),
    )
    if (unseen.length === 0 && joined.length === 0) return undefined
    const divided = await Promise.all(
      unseen.map(({ word }) => this.#compounds.divide(word, { counts, index })),
    )
    const compounds = [...joined, ...divided.filter(concept => concept !== undefined)]
    const undivided = new Set(unseen.filter((_, index) => !divided[index]))
    const proposed = proposals.filter(({ words }) => words.some(word => undivided.has(word)))
    const replaced = await selectMissing(proposed, index)
    if (replaced.length === 0 && compounds.length === 0) return undefined
    return {
      corrected: [...toApplied(compounds), ...replaced.map(toCorrection)],
      terms: [...new Set(replaced.flatMap(({ to }) => to))],
      missing: new Set(replaced.flatMap(({ words }) => words.flatMap(word => word.terms))),
      rarest: replaced.flatMap(({ to }) => selectRarest(to, counts) ?? []),
      compounds,
    }
  }

  /** Spares a look into the index. A pair of characters seldom resembles another. */
  async #dropFound(
    words: readonly Word[],
    found: AsyncIterable<Passages> | readonly Passages[],
  ): Promise<readonly Word[]> {
    let missing = words
    if (words.every(({ word }) => HAN.test(word))) return words
    for await (const passages of found) {
      const texts = passages.map(({ context, text }) => `${context}\n${text}`.toLowerCase())
      missing = missing.filter(
        word => HAN.test(word.word) || !texts.some(text => this.#isFound(word, text)),
      )
      if (missing.every(({ word }) => HAN.test(word))) break
    }
    return missing
  }

  #isFound({ word, terms }: Word, text: string): boolean {
    const start = word.slice(0, MIN_LETTERS)
    const others = new Set<string>()
    for (let index = text.indexOf(start); index >= 0; index = text.indexOf(start, index + 1)) {
      if (!ENDS_IN_LETTER.test(text.slice(Math.max(0, index - 2), index)))
        others.add(FIRST_WORD.exec(text.slice(index))?.[0] ?? '')
    }
    return [...others].some(
      other => other === word || this.#analyzer.listTerms(other).some(term => terms.includes(term)),
    )
  }

  /** Returns the word that texts most often have for a term: `calibration` for `calibr`. */
  findWritten(term: string, texts: readonly string[]): string | undefined {
    const start = term.slice(0, MIN_LETTERS)
    const similar = texts.filter(text => text.toLowerCase().includes(start))
    const words = [
      ...countTerms((similar.length > 0 ? similar : texts).flatMap(listWritten)),
    ].filter(
      ([word]) =>
        HAN.test(word) === HAN.test(term) && this.#analyzer.listTerms(word).includes(term),
    )
    return words.toSorted(([, a], [, b]) => b - a)[0]?.[0]
  }

  /** Returns small numbers and times of the query with the other forms that texts have. */
  findForms(text: string, counts: CountedTerms): readonly SynonymConcept[] {
    return listNumberForms(this.#analyzer.normalizeText(text)).flatMap(({ from, to }) => {
      const others = to
        .map(form => toSynonymTerm(form, this.#analyzer))
        .filter(({ terms }) => terms.every(term => counts.hasTerm(term)))
      return others.length > 0 ? [{ written: toSynonymTerm(from, this.#analyzer), others }] : []
    })
  }

  #proposeReplacements(
    text: string,
    unseen: readonly Word[],
    counts: CountedTerms,
  ): readonly Proposal[] {
    if (unseen.length === 0) return []
    const lexicons = counts.holders.map(holders => this.#openLexicon(holders))
    return [
      ...unseen.map(word => ({ words: [word], to: this.#findNear(word.word, counts, lexicons) })),
      this.#findRegional(text, unseen, counts),
    ].filter(({ to }) => to.length > 0)
  }

  /** Lists words with their terms; of Chinese, words and pairs of single characters. */
  #listWords(text: string): readonly Word[] {
    const plain = this.#analyzer.normalizeText(text)
    const contentTerms = new Set(this.#analyzer.listQueryTerms(text))
    const words = (plain.match(WORD) ?? [])
      .filter(word => word.length >= MIN_LETTERS && !HAN.test(word))
      .map(word => ({ word, terms: this.#analyzer.listTerms(word) }))
      .filter(({ terms }) => terms.some(term => contentTerms.has(term)))
    const pairs = (plain.match(HAN_RUN) ?? []).flatMap(run => this.#listHanWords(run))
    const all = [...words, ...pairs.map(word => ({ word, terms: listPairs(word) }))]
    return [...new Map(all.map(correction => [correction.word, correction])).values()]
  }

  #listHanWords(run: string): readonly string[] {
    const words = this.#dictionaries.zh.splitWords(run)
    return words.flatMap((word, index) => {
      const next = words[index + 1] ?? ''
      if ([...word].length > 1) return [word]
      return [...next].length === 1 && !isGrammatical(word + next) ? [word + next] : []
    })
  }

  #openLexicon(holders: ReadonlyMap<string, number>): TermLexicon {
    const cached = this.#lexicons.get(holders)
    if (cached) return cached
    const { zh } = this.#dictionaries
    const lexicon = new TermLexicon(
      holders.keys(),
      pair => !isGrammatical(pair) && zh.findMeanings(pair).length > 0,
    )
    this.#lexicons.set(holders, lexicon)
    return lexicon
  }

  /** Prefers other forms to slips. A word of the language is no slip. */
  #findNear(
    word: string,
    counts: CountedTerms,
    lexicons: readonly TermLexicon[],
  ): readonly string[] {
    if (HAN.test(word)) return this.#findHomophones(word, counts, lexicons)
    const [stem = word] = this.#analyzer.listTerms(word)
    const forms = listForms(word).flatMap(form => this.#analyzer.listTerms(form))
    const folded = lexicons.flatMap(lexicon => [
      ...lexicon.listFolded(word),
      ...lexicon.listFolded(stem),
    ])
    const variants = [...forms.filter(form => counts.hasTerm(form)), ...folded]
    if (variants.length > 0) return selectFrequent(variants, counts)
    if (this.#dictionaries.en.findMeanings(stem).length > 0) return []
    const near = lexicons.flatMap(lexicon =>
      filterNearStems(word, lexicon.listWordsWithFirst(word.charAt(0))),
    )
    const edited = near.filter(term => isOneEdit(stem, term))
    return selectFrequent(edited.length > 0 ? edited : near, counts)
  }

  #findHomophones(
    word: string,
    counts: CountedTerms,
    lexicons: readonly TermLexicon[],
  ): readonly string[] {
    const [first = '', second = '', ...others] = word
    if (others.length > 0 || isGrammatical(word)) return []
    const isLikeFirst = this.#createSoundTest(first)
    const isLikeSecond = this.#createSoundTest(second)
    const same = lexicons.flatMap(lexicon => [
      ...lexicon.listPairsWithFirst(first).filter(pair => isLikeSecond(pair.slice(first.length))),
      ...lexicon
        .listPairsWithSecond(second)
        .filter(pair => isLikeFirst(pair.slice(0, -second.length))),
    ])
    return selectFrequent(same, counts)
  }

  #createSoundTest(character: string): (other: string) => boolean {
    const readings = this.#dictionaries.readings.findMeanings(character)
    return other =>
      this.#dictionaries.readings.findMeanings(other).some(reading => readings.includes(reading))
  }

  /** Converts words of the dictionary only, because most pairs of characters are none. */
  #findRegional(text: string, unseen: readonly Word[], counts: CountedTerms): Proposal {
    const { zh } = this.#dictionaries
    const words = unseen.filter(({ word }) => HAN.test(word) && zh.findMeanings(word).length > 0)
    if (words.length === 0) return { words, to: [] }
    const own = new Set(listPairs(this.#analyzer.normalizeText(text)))
    const to = listRegionalForms(text.normalize('NFKC'))
      .flatMap(listPairs)
      .filter(pair => !own.has(pair) && counts.hasTerm(pair))
    return { words, to: [...new Set(to)] }
  }
}

/**
 * Keeps proposals for words that no text has, by the index, because counts are of a sample. Looks
 * for one text per term.
 */
async function selectMissing(
  proposed: readonly Proposal[],
  index: IndexReader,
): Promise<readonly Proposal[]> {
  const terms = [...new Set(proposed.flatMap(({ words }) => words.flatMap(word => word.terms)))]
  const found = await Promise.all(terms.map(term => index.findWithAllTerms([term], 1, {})))
  const existing = new Set(terms.filter((_, index) => found[index]?.length !== 0))
  return proposed.flatMap(({ words, to }) => {
    const missing = words.filter(word => !word.terms.some(term => existing.has(term)))
    return missing.length === 0 ? [] : [{ words: missing, to }]
  })
}

function toCorrection({ words, to }: Proposal): Correction {
  return { from: words.map(({ word }) => word).join(' '), to }
}

/** Includes characters beside a function word, which the text only joins. */
function isGrammatical(word: string): boolean {
  return [word, ...word].some(part => CHINESE_FUNCTION_WORDS.has(part))
}

function listPairs(text: string): readonly string[] {
  return (text.match(HAN_RUN) ?? []).flatMap(run => {
    const characters = [...run]
    return characters.slice(1).map((character, index) => `${characters[index]}${character}`)
  })
}

function listWritten(text: string): readonly string[] {
  const words = text.normalize('NFKC').match(TOKEN) ?? []
  return words.flatMap(word => (HAN.test(word) ? listPairs(word) : [word]))
}

function selectRarest(terms: readonly string[], counts: CountedTerms): string | undefined {
  return terms.toSorted((a, b) => counts.computeIdf(b) - counts.computeIdf(a))[0]
}

function selectFrequent(terms: readonly string[], counts: CountedTerms): readonly string[] {
  const rare = [...new Set(terms)].map(term => ({ term, idf: counts.computeIdf(term) }))
  return rare
    .toSorted((a, b) => a.idf - b.idf)
    .slice(0, MAX_NEAR)
    .map(({ term }) => term)
}
