import { dot } from '../ingest/embed/vector.ts'
import type { Analyzer } from '../text/analyzer.ts'
import { type DateValue, datesIn } from '../text/dates.ts'
import { type Language, languageOf } from '../text/language.ts'
import { sentences } from '../text/sentences.ts'
import { type Term, Terms } from '../text/terms.ts'
import { BY_SENTENCE, BY_WORDS } from './confidence-weights.ts'
import type { MeanPriors } from './language-means.ts'
import type { Hit } from './searcher.ts'
import type { CountedTerms } from './term-rarity.ts'

/**
 * What tells whether a passage answers a query; each 0 to 1. Words are weighed by how rare they are in the collections. Of a passage
 * in another language than the query's only the last two tell something.
 */
export const FEATURES = [
  'own', // the share of the query's words that one sentence has
  'passage', // the share that the passage has, headings included
  'worst', // how rare the rarest word is that the passage lacks
  'unknown', // the share of the words that the collections lack as far as they were counted, and the passage too
  'numbers', // the share of the query's numbers that the passage lacks
  'names', // of its names
  'period', // 1 where it tells of another time than the query, half where of none
  'near', // lift of its vector, up to .1; without a vector what `passage` says
  'across', // 1 where it is in another language
  'acrossNear',
  'like', // how much more like the query its best sentence is than any two texts of the two languages; where that was looked at
] as const

export type FeatureName = (typeof FEATURES)[number]
type WordFeatures = Readonly<Record<Exclude<FeatureName, 'like'>, number>>
export type Features = WordFeatures & { readonly like: number | undefined }

/** Longer queries are passages themselves: their first words do. */
const MAX_TERMS = 48
const MAX_SENTENCES = 200
const FULL_LIFT = 0.1
/** What is less like the query than that is no less so. */
const LEAST_LIKE = -1.5
/** What an ending may add to a stem. */
const LONGEST_ENDING = 5

/** How rare terms are in what is searched. */
type TermCounts = Pick<CountedTerms, 'idf' | 'holds'>

type Asked = {
  readonly language: Language
  readonly terms: readonly AskedTerm[]
  readonly total: number
  readonly dates: readonly DateValue[]
}

type AskedTerm = {
  /** Of each form of it, whether a text holds that. */
  readonly forms: readonly ((plain: string) => boolean)[]
  readonly weight: number
  /** As a share of the rarest. */
  readonly rarity: number
  readonly isUnknown: boolean
  readonly isNumber: boolean
  readonly isName: boolean
}

/** What is known beside the texts of hits. */
type JudgedBy = {
  /** Without them words weigh alike. */
  readonly counts?: TermCounts | undefined
  /** Cosines of the best sentences of the first hits. */
  readonly likeness?: readonly number[] | undefined
}

/** Says how likely hits answer a query, by its words and vectors: nothing is embedded, and nothing but the hits' texts is read. */
export class Confidence {
  readonly #analyzer: Analyzer
  readonly #terms = new Terms()
  readonly #priors: MeanPriors

  /** `priors` are those of the model that sentences are embedded with; without them how like the query a sentence is tells nothing. */
  constructor(analyzer: Analyzer, priors: MeanPriors = {}) {
    this.#analyzer = analyzer
    this.#priors = priors
  }

  /** Each hit with its confidence; one in the query's language is `weak` where it is likely about something else. */
  judge(query: string, hits: readonly Hit[], by: JudgedBy): readonly Hit[] {
    return this.computeFeatures(query, hits, by).map((features, at) => {
      const hit = hits[at]! // one each
      const { answers, related, leastRelated } =
        features.like === undefined ? BY_WORDS : BY_SENTENCE
      const weak = features.across ? hit.weak : computeLikelihood(features, related) < leastRelated
      return { ...hit, confidence: computeLikelihood(features, answers), weak }
    })
  }

  computeFeatures(
    query: string,
    hits: readonly Hit[],
    { counts, likeness = [] }: JudgedBy,
  ): readonly Features[] {
    const asked = this.#parseQuery(query, counts)
    return hits.map((hit, at) => ({
      ...this.#computeWordFeatures(asked, hit),
      like: this.#computeLikeness(asked, hit, likeness[at]),
    }))
  }

  /** 1 for the same text, 0 for what is as like it as any: models put texts of one language close together, Chinese ones closer. */
  #computeLikeness(
    { language }: Asked,
    { text }: Hit,
    cosine: number | undefined,
  ): number | undefined {
    const asked = this.#priors[language]
    const told = this.#priors[languageOf(text)]
    if (cosine === undefined || !asked || !told) return undefined
    const usual = dot(asked, told)
    return Math.max(LEAST_LIKE, (cosine - usual) / (1 - usual))
  }

  #parseQuery(query: string, counts: TermCounts | undefined): Asked {
    const names = new Set([...query.matchAll(NAME)].flatMap(([name]) => this.#analyzer.terms(name)))
    const terms = this.#terms.contentOf(query).slice(0, MAX_TERMS)
    const idfs = terms.map(term => findIdf(term, counts))
    const most = Math.max(1e-9, ...idfs)
    return {
      language: languageOf(query),
      dates: datesIn(query),
      total: Math.max(
        1e-9,
        idfs.reduce((sum, idf) => sum + idf, 0),
      ),
      terms: terms.map(({ anyOf, text }, at) => ({
        forms: anyOf.filter(form => !form.includes('…')).map(createMatcher),
        weight: idfs[at]!, // one a term
        rarity: idfs[at]! / most,
        isUnknown: counts !== undefined && !anyOf.some(form => counts.holds(form)),
        isNumber: /\d/.test(text),
        isName: names.has(text),
      })),
    }
  }

  #computeWordFeatures(
    { language, terms, total, dates }: Asked,
    { text, context, lift }: Hit,
  ): WordFeatures {
    const near = lift === undefined ? undefined : Math.min(1, Math.max(0, lift / FULL_LIFT))
    if (languageOf(text) !== language) return { ...NOTHING, across: 1, acrossNear: near ?? 0 }
    const above = this.#normalize(context)
    const spans = sentences(text).slice(0, MAX_SENTENCES)
    const inContext = terms.map(term => hasTerm(above, term))
    const held = [...inContext]
    let best = ''
    let own = 0
    for (const { start, end } of spans) {
      const plain = this.#normalize(text.slice(start, end))
      let share = 0
      for (let at = 0; at < terms.length; at++) {
        const term = terms[at]! // within
        if (!hasTerm(plain, term)) continue
        held[at] = true
        share += term.weight / total
      }
      if (share > own) [best, own] = [text.slice(start, end), share]
    }
    const lacking = terms.filter((_, at) => !held[at])
    const lackedOf = (some: readonly AskedTerm[]) =>
      some.length === 0 ? 0 : some.filter(term => lacking.includes(term)).length / some.length
    const passage = 1 - sumWeights(lacking) / total
    return {
      ...NOTHING,
      own,
      passage,
      worst: Math.max(0, ...lacking.map(({ rarity }) => rarity)),
      unknown: sumWeights(lacking.filter(({ isUnknown }) => isUnknown)) / total,
      numbers: lackedOf(terms.filter(({ isNumber }) => isNumber)),
      names: lackedOf(terms.filter(({ isName }) => isName)),
      period: comparePeriods(dates, [best, context, text]),
      near: near ?? passage,
    }
  }

  /** As it is compared. */
  #normalize(text: string): string {
    if (HAN.test(text)) return this.#analyzer.plain(text)
    const lower = text.normalize('NFKC').toLowerCase()
    return ACCENTED.test(lower) ? lower.normalize('NFD').replace(/\p{M}/gu, '') : lower
  }
}

const HAN = /\p{Script=Han}/u
const ACCENTED = /[\u00c0-\u024f]/
/** A word with a capital that is not the first. */
const NAME = /(?<=\S\s+)\p{Lu}[\p{L}\d-]+/gu

const NOTHING = Object.fromEntries(FEATURES.map(name => [name, 0])) as WordFeatures // every one of them

function findIdf({ anyOf }: Term, counts: TermCounts | undefined): number {
  return counts ? Math.min(...anyOf.map(form => counts.idf(form))) : 1
}

function sumWeights(terms: readonly AskedTerm[]): number {
  return terms.reduce((sum, { weight }) => sum + weight, 0)
}

function hasTerm(plain: string, { forms }: AskedTerm): boolean {
  return forms.some(isIn => isIn(plain))
}

function createMatcher(form: string): (plain: string) => boolean {
  return HAN.test(form) ? plain => plain.includes(form) : plain => hasWord(plain, form)
}

/** A word of the stem: looked for as it stands, for taking every word of every hit to its stem costs more than the search. */
function hasWord(plain: string, stem: string): boolean {
  const begin = stem.length > 3 && stem.endsWith('i') ? stem.slice(0, -1) : stem
  for (let at = plain.indexOf(begin); at >= 0; at = plain.indexOf(begin, at + 1)) {
    if (at > 0 && isLetter(plain.charCodeAt(at - 1))) continue
    let end = at + begin.length
    while (isLetter(plain.charCodeAt(end))) end++
    if (end - at - begin.length <= (begin.length > 2 ? LONGEST_ENDING : 0)) return true
  }
  return false
}

/** Or digit, of what stands in lower case without accents. */
function isLetter(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39)
}

function comparePeriods(dates: readonly DateValue[], texts: readonly string[]): number {
  if (dates.length === 0) return 0
  for (const text of texts) {
    const told = datesIn(text)
    if (told.length > 0)
      return told.some(one => dates.some(asked => datesAgree(asked, one))) ? 0 : 1
  }
  return 0.5
}

function datesAgree(asked: DateValue, told: DateValue): boolean {
  const parts = ['year', 'half', 'quarter', 'month', 'day'] as const
  return parts.every(
    part => asked[part] === undefined || told[part] === undefined || asked[part] === told[part],
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
