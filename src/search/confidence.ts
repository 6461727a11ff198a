import { dot } from '../ingest/embed/vector.ts'
import type { Analyzer } from '../text/analyzer.ts'
import { type DateValue, findDates } from '../text/dates.ts'
import { detectLanguage, type Language } from '../text/language.ts'
import { splitSentences } from '../text/sentences.ts'
import { type Term, Terms } from '../text/terms.ts'
import { toCommonSpelling } from '../text/values.ts'
import { BY_SENTENCE, BY_WORDS } from './confidence-weights.ts'
import type { Correction } from './corrections/corrections.ts'
import type { MeanPriors } from './language-means.ts'
import type { Hit } from './searcher.ts'
import type { AppliedSynonym } from './synonyms/synonyms.ts'
import type { CountedTerms } from './term-rarity.ts'

/**
 * Features of a passage, each 0 to 1, with words weighted by rarity. Only the last two apply
 * across languages.
 */
export const FEATURES = [
  'own', // share of the query's words in one sentence
  'passage', // share in the passage and its headings
  'worst', // rarity of the rarest missing word
  'unknown', // share of the words in neither the counted chunks nor the passage
  'numbers', // share of the query's numbers that it lacks
  'names', // the same for its names
  'period', // 1 if it states another time than the query, 0.5 if none
  'near', // lift of its vector, up to .1; estimated by `passage` without one
  'across', // 1 if it is in another language
  'acrossNear',
  'like', // excess similarity of its best sentence over unrelated texts
] as const

export type FeatureName = (typeof FEATURES)[number]
type WordFeatures = Readonly<Record<Exclude<FeatureName, 'like'>, number>>
export type Features = WordFeatures & { readonly like: number | undefined }

/** Protects against pasted texts. */
const MAX_TERMS = 48
const MAX_SENTENCES = 200
const FULL_LIFT = 0.1
/** Limits one odd cosine (bench/fit-confidence.ts). */
const MIN_SIMILARITY = -1.5
/** Longest suffix of a stem, so that `hats` does not match `hatstand`. */
const MAX_ENDING = 5

type TermCounts = Pick<CountedTerms, 'computeIdf' | 'hasTerm'>

type ParsedQuery = {
  readonly language: Language
  readonly terms: readonly QueryTerm[]
  readonly total: number
  readonly dates: readonly DateValue[]
}

type QueryTerm = {
  readonly forms: readonly ((plain: string) => boolean)[]
  readonly weight: number
  /** Share of the rarest term's weight. */
  readonly rarity: number
  readonly isUnknown: boolean
  readonly isNumber: boolean
  readonly isName: boolean
}

/** `corrected` also replaces the counts of its words. */
type Parsing = {
  readonly counts: TermCounts | undefined
  readonly synonyms: readonly PreparedSynonym[]
  readonly corrected: readonly PreparedSynonym[]
}

type PreparedSynonym = {
  readonly from: ReadonlySet<string>
  readonly forms: readonly ((plain: string) => boolean)[]
  readonly terms: readonly string[]
}

type JudgedBy = {
  readonly counts?: TermCounts
  /** Cosines of the best sentences of the first hits. */
  readonly likeness?: readonly number[]
  readonly synonyms?: readonly AppliedSynonym[]
  readonly corrected?: readonly Correction[]
}

/** Estimates how likely hits answer a query, from the hits alone. */
export class Confidence {
  readonly #analyzer: Analyzer
  readonly #terms = new Terms()
  readonly #priors: MeanPriors

  /** `priors` belong to the sentence embedder; without them its cosines are ignored. */
  constructor(analyzer: Analyzer, priors: MeanPriors = {}) {
    this.#analyzer = analyzer
    this.#priors = priors
  }

  judge(query: string, hits: readonly Hit[], by: JudgedBy): readonly Hit[] {
    return this.computeFeatures(query, hits, by).map((features, index) => {
      const hit = hits[index]!
      const { answers, related, leastRelated } =
        features.like === undefined ? BY_WORDS : BY_SENTENCE
      const weak = features.across ? hit.weak : computeLikelihood(features, related) < leastRelated
      return { ...hit, confidence: computeLikelihood(features, answers), weak }
    })
  }

  computeFeatures(
    query: string,
    hits: readonly Hit[],
    { counts, likeness = [], synonyms = [], corrected = [] }: JudgedBy,
  ): readonly Features[] {
    const parsing = {
      counts,
      synonyms: this.#prepareSynonyms(synonyms),
      corrected: this.#prepareSynonyms(corrected),
    }
    const asWritten = this.#parseQuery(query, parsing)
    const common = toCommonSpelling(query)
    const respelled = common === query ? undefined : this.#parseQuery(common, parsing)
    return hits.map((hit, index) => {
      const features = this.#computeWordFeatures(asWritten, hit)
      const others = respelled && this.#computeWordFeatures(respelled, hit)
      return {
        ...(others && others.passage > features.passage ? others : features),
        like: this.#computeLikeness(asWritten, hit, likeness[index]),
      }
    })
  }

  #computeLikeness(
    { language }: ParsedQuery,
    { text }: Hit,
    cosine: number | undefined,
  ): number | undefined {
    if (cosine === undefined) return undefined
    const queryPrior = this.#priors[language]
    const priors = this.#priors[detectLanguage(text)]
    if (!queryPrior || !priors) return undefined
    const usual = dot(queryPrior, priors)
    return Math.max(MIN_SIMILARITY, (cosine - usual) / (1 - usual))
  }

  #prepareSynonyms(synonyms: readonly AppliedSynonym[]): readonly PreparedSynonym[] {
    return synonyms.map(({ from, to }) => {
      const terms = to.map(text => this.#terms.listContent(text))
      return {
        from: new Set(this.#terms.listContent(from).flatMap(({ anyOf }) => anyOf)),
        forms: [
          ...terms.map(createTextMatcher),
          ...to.map(text => createMatcher(this.#normalize(text))),
        ],
        terms: [...to, ...terms.flat().flatMap(({ anyOf }) => anyOf)],
      }
    })
  }

  #parseQuery(query: string, { counts, synonyms, corrected }: Parsing): ParsedQuery {
    const find = (some: readonly PreparedSynonym[], { anyOf }: Term) =>
      some.filter(({ from }) => anyOf.some(form => from.has(form)))
    const names = new Set(
      [...query.matchAll(NAME)].flatMap(([name]) => this.#analyzer.listTerms(name)),
    )
    const weighed = this.#terms
      .listContent(query)
      .slice(0, MAX_TERMS)
      .map(term => {
        const corrections = find(corrected, term)
        const others = [...corrections, ...find(synonyms, term)]
        const counted = [...term.anyOf, ...corrections.flatMap(({ terms }) => terms)]
        return { ...term, others, counted, weight: findIdf(counted, counts) }
      })
    const maxWeight = Math.max(1e-9, ...weighed.map(({ weight }) => weight))
    return {
      language: detectLanguage(query),
      dates: findDates(query),
      total: Math.max(
        1e-9,
        weighed.reduce((sum, { weight }) => sum + weight, 0),
      ),
      terms: weighed.map(({ anyOf, text, weight, others, counted }) => ({
        forms: [
          ...anyOf.filter(form => !form.includes('…')).map(createMatcher),
          ...others.flatMap(({ forms }) => forms),
        ],
        weight,
        rarity: weight / maxWeight,
        isUnknown: counts !== undefined && !counted.some(form => counts.hasTerm(form)),
        isNumber: /\d/.test(text),
        isName: names.has(text),
      })),
    }
  }

  #computeWordFeatures(
    { language, terms, total, dates }: ParsedQuery,
    { text, context, lift, name, metadata = {} }: Hit,
  ): WordFeatures {
    const near = lift === undefined ? undefined : Math.min(1, Math.max(0, lift / FULL_LIFT))
    if (detectLanguage(text) !== language) return { ...NOTHING, across: 1, acrossNear: near ?? 0 }
    const { author = '', subject = '', keywords = '' } = metadata
    const above = this.#normalize([context, name, author, subject, keywords].join('\n'))
    const hasNumbers = terms.some(({ isNumber }) => isNumber)
    const sentences = splitSentences(text)
      .slice(0, MAX_SENTENCES)
      .map(({ start, end }) => text.slice(start, end))
    const plain = sentences.map(sentence =>
      this.#normalize(hasNumbers ? `${sentence} ${toCommonSpelling(sentence)}` : sentence),
    )
    const all = plain.join('\n')
    const shares = plain.map(() => 0)
    const found = terms.map(term => {
      const having = hasTerm(all, term) ? listHaving(plain, term) : []
      for (const index of having) shares[index] = (shares[index] ?? 0) + term.weight / total
      return having.length > 0 || hasTerm(above, term)
    })
    const own = Math.max(0, ...shares)
    const best = own > 0 ? (sentences[shares.indexOf(own)] ?? '') : ''
    const lacking = terms.filter((_, index) => !found[index])
    const findLacking = (some: readonly QueryTerm[]) =>
      some.length === 0 ? 0 : some.filter(term => lacking.includes(term)).length / some.length
    const passage = 1 - sumWeights(lacking) / total
    return {
      ...NOTHING,
      own,
      passage,
      worst: Math.max(0, ...lacking.map(({ rarity }) => rarity)),
      unknown: sumWeights(lacking.filter(({ isUnknown }) => isUnknown)) / total,
      numbers: findLacking(terms.filter(({ isNumber }) => isNumber)),
      names: findLacking(terms.filter(({ isName }) => isName)),
      period: comparePeriods(dates, [best, context, text]),
      near: near ?? passage,
    }
  }

  #normalize(text: string): string {
    if (HAN.test(text)) return this.#analyzer.normalizeText(text)
    const lower = text.normalize('NFKC').toLowerCase()
    return ACCENTED.test(lower) ? lower.normalize('NFD').replace(/\p{M}/gu, '') : lower
  }
}

const HAN = /\p{Script=Han}/u
const ACCENTED = /[\u00c0-\u024f]/
const NAME = /(?<=\S\s+)\p{Lu}[\p{L}\d-]+/gu

const NOTHING = Object.fromEntries(FEATURES.map(name => [name, 0])) as WordFeatures

function findIdf(forms: readonly string[], counts: TermCounts | undefined): number {
  return counts ? Math.min(...forms.map(form => counts.computeIdf(form))) : 1
}

function sumWeights(terms: readonly QueryTerm[]): number {
  return terms.reduce((sum, { weight }) => sum + weight, 0)
}

function listHaving(sentences: readonly string[], term: QueryTerm): readonly number[] {
  const having: number[] = []
  for (let index = 0; index < sentences.length; index++)
    if (hasTerm(sentences[index] ?? '', term)) having.push(index)
  return having
}

function hasTerm(plain: string, { forms }: QueryTerm): boolean {
  return forms.some(isIn => isIn(plain))
}

function createTextMatcher(terms: readonly Term[]): (plain: string) => boolean {
  const all = terms.map(({ anyOf }) => anyOf.map(createMatcher))
  return plain => all.length > 0 && all.every(forms => forms.some(isIn => isIn(plain)))
}

function createMatcher(form: string): (plain: string) => boolean {
  return HAN.test(form) ? plain => plain.includes(form) : plain => hasWord(plain, form)
}

/** Looks at word starts: stemming every word costs more than the search. */
function hasWord(plain: string, stem: string): boolean {
  const prefix = stem.length > 3 && stem.endsWith('i') ? stem.slice(0, -1) : stem
  for (let index = plain.indexOf(prefix); index >= 0; index = plain.indexOf(prefix, index + 1)) {
    if (index > 0 && isLetter(plain.charCodeAt(index - 1))) continue
    let end = index + prefix.length
    while (isLetter(plain.charCodeAt(end))) end++
    if (end - index - prefix.length <= (prefix.length > 2 ? MAX_ENDING : 0)) return true
  }
  return false
}

/** For lower-case text without accents. */
function isLetter(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39)
}

function comparePeriods(dates: readonly DateValue[], texts: readonly string[]): number {
  if (dates.length === 0) return 0
  for (const text of texts) {
    const stated = findDates(text)
    if (stated.length > 0)
      return stated.some(statedDate =>
        dates.some(queryDate => isCompatibleDate(queryDate, statedDate)),
      )
        ? 0
        : 1
  }
  return 0.5
}

function isCompatibleDate(queryDate: DateValue, found: DateValue): boolean {
  const parts = ['year', 'half', 'quarter', 'month', 'day'] as const
  return parts.every(
    part =>
      queryDate[part] === undefined || found[part] === undefined || queryDate[part] === found[part],
  )
}

function computeLikelihood(features: Features, { bias, weights }: Model): number {
  return (
    1 /
    (1 +
      Math.exp(
        -FEATURES.reduce((sum, name) => sum + (features[name] ?? 0) * (weights[name] ?? 0), bias),
      ))
  )
}

type Model = {
  readonly bias: number
  readonly weights: Readonly<Partial<Record<FeatureName, number>>>
}
