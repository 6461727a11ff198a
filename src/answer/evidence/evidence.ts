import type { DocumentReader } from '../../ingest/store/document-reader.ts'
import { type Meaning, toCosineFeature } from '../../search/meaning.ts'
import type { Hit } from '../../search/searcher.ts'
import type { Lexicon } from '../../text/dictionary.ts'
import { EnglishTerms } from '../../text/english-terms.ts'
import { detectVectorLanguage } from '../../text/language.ts'
import type { WordRarity } from '../../text/rarity.ts'
import { Terms } from '../../text/terms.ts'
import type { Question, QuestionTerm } from '../question/question.ts'
import { type Candidate, listCandidates } from './candidates.ts'
import {
  type Evidence,
  FEATURES,
  type FeatureName,
  type Features,
  type Known,
  withFeatures,
} from './features.ts'
import { withTypedRows } from './table-candidates.ts'
import { ACROSS, THRESHOLD, WITHIN } from './weights.ts'

export type RankerOptions = {
  readonly reader: DocumentReader
  /** Compares sentences by meaning; without it, words alone decide. */
  readonly meaning?: Meaning | undefined
  /** How common words are; without it, the rarity of words in what was found alone weighs them. */
  readonly rarity?: WordRarity | undefined
  /** Compares words across languages; without it, names, numbers and vectors alone do. */
  readonly lexicon?: Lexicon | undefined
  /** How sure an answer has to be, 0 to 1: what cannot be so sure is not compared. */
  readonly strictness?: number | undefined
  /** Others than the fitted ones, as while they are fitted. */
  readonly weights?: Weights
  /** Also what could not come first is read, so that weights are not fitted on odds that stand for others. */
  readonly readsAll?: true
}

/** What models tell of a candidate, as far as that is known: of vectors `nearness`, of the cross-encoder `answers`. */
type Likeness = Partial<Pick<Features, 'nearness' | 'answers'>>

/** What tells how likely a statement answers: a bias and a weight for each feature. */
type Model = { readonly bias: number; readonly weights: Readonly<Record<FeatureName, number>> }

/** For statements in the language of the question and in the other one, and the likelihood from which on a statement answers. */
export type Weights = { readonly within: Model; readonly across: Model; readonly threshold: number }

const FITTED: Weights = { within: WITHIN, across: ACROSS, threshold: THRESHOLD }

/** Vectors cost; the candidates that words and ranks speak least for get none. */
const MAX_VECTORS = 60
/** Of the others so many are compared whatever their words say. */
const ALWAYS = 8
/** So many characters of a statement are: a list of 2,000 costs as much as ten sentences, and its beginning says what it is about. */
const MAX_EMBEDDED = 400
/** As near as a statement comes to a question, and as likely as one is to answer it. */
const NEAREST = { nearness: 1, answers: 2.5 } satisfies Likeness
/** At most so many of the likeliest statements are read together with the question; five gave the same figures (bench/fit-answers.ts). */
const READ = 2
/** The strictness that the fitted threshold stands for, and how far its ends move it, in logits. */
const USUAL_STRICTNESS = 0.5
const REACH = 4

/** Ranks what was found by how well it answers. */
export class EvidenceRanker {
  readonly #options: RankerOptions
  readonly #terms = new Terms()
  readonly #english: EnglishTerms
  readonly #weights: Weights

  constructor(options: RankerOptions) {
    this.#options = options
    this.#weights = options.weights ?? FITTED
    this.#english = new EnglishTerms(options.lexicon, this.#terms)
  }

  /** Statements in the question's own language. */
  async rank(
    question: Question,
    hits: readonly Hit[],
    signal?: AbortSignal,
  ): Promise<readonly Evidence[]> {
    const { reader } = this.#options
    const every = listCandidates(hits, this.#terms)
    const typed = await withTypedRows(question, hits, every, { reader, terms: this.#terms, signal })
    const candidates = typed.filter(
      ({ language, selectedBy }) => selectedBy || language === question.language,
    )
    return await this.#ranked(question, candidates, this.#weights.within, signal)
  }

  /** Statements in the other language, compared by the English meanings of words. */
  async rankAcross(
    question: Question,
    hits: readonly Hit[],
    signal?: AbortSignal,
  ): Promise<readonly Evidence[]> {
    const names = question.terms.filter(({ isName }) => isName).map(({ written }) => written)
    const terms = { of: (text: string) => this.#english.listTerms(text, names) }
    const candidates = listCandidates(hits, terms).filter(
      ({ language }) => language !== question.language,
    )
    return await this.#ranked(
      translateToEnglish(question, this.#english),
      candidates,
      this.#weights.across,
      signal,
    )
  }

  /** Its likelihood to answer reaches the one threshold. */
  isEnough({ score }: Pick<Evidence, 'score'>): boolean {
    const { strictness = USUAL_STRICTNESS } = this.#options
    return (
      logOdds(score) >= logOdds(this.#weights.threshold) + (strictness - USUAL_STRICTNESS) * REACH
    )
  }

  async #ranked(
    question: Question,
    every: readonly Candidate[],
    model: Model,
    signal?: AbortSignal,
  ): Promise<readonly Evidence[]> {
    const { meaning } = this.#options
    const isListWanted = question.kind === 'list' || question.kind === 'steps'
    const all = every.filter(({ statement }) => isListWanted || statement.kind !== 'list')
    const known = this.#shortlisted(question, all, model)
    if (!meaning || known.length === 0) return ranked(known, model)
    const possible = ranked(known, model, () => NEAREST)
    const compared = this.#possible(possible, ALWAYS)
    const near = await computeNearnesses(question, compared, meaning, signal)
    const read = known.filter(({ candidate }) => near.has(candidate))
    const likeliest = ranked(read, model, one => ({ ...near.get(one), answers: NEAREST.answers }))
    const odds = await this.#answerOdds(question, likeliest, model, signal)
    return ranked(read, model, one => ({ ...near.get(one), ...odds.get(one) }))
  }

  /**
   * Of the likeliest, which are read as long as one could still come first. The others are taken to be as unlikely as the unlikeliest
   * that was read; where nothing was, nothing is told of any.
   */
  async #answerOdds(
    { text }: Question,
    likeliest: readonly Evidence[],
    model: Model,
    signal?: AbortSignal,
  ): Promise<ReadonlyMap<Candidate, Likeness>> {
    const known = new Map<Candidate, number>()
    let best = 0
    for (const { candidate, features, score } of this.#possible(likeliest).slice(0, READ)) {
      if (score <= best && !this.#options.readsAll) break
      const [answers] =
        (await this.#options.meaning?.estimateAnswerOdds?.(
          text,
          [toTitledText(candidate)],
          signal,
        )) ?? []
      if (answers === undefined) return new Map()
      known.set(candidate, answers)
      best = Math.max(best, scoreOf({ ...features, answers }, model))
    }
    const least = Math.min(...known.values())
    const told = known.size === 0 ? [] : likeliest
    return new Map(
      told.map(({ candidate }) => [candidate, { answers: known.get(candidate) ?? least }]),
    )
  }

  /** Those that could answer if they were as near as can be; so many whatever their words say. */
  #possible(ranking: readonly Evidence[], always = 0): readonly Evidence[] {
    return ranking.slice(0, Math.max(always, ranking.filter(one => this.isEnough(one)).length))
  }

  /** How much a word tells depends on the other candidates: the features of the best are not those that they had among all. */
  #shortlisted(question: Question, all: readonly Candidate[], model: Model): readonly Known[] {
    const { rarity } = this.#options
    const known = withFeatures(question, all, rarity)
    if (all.length <= MAX_VECTORS) return known
    const best = ranked(known, model).map(({ candidate }) => candidate)
    return withFeatures(question, best.slice(0, MAX_VECTORS), rarity)
  }
}

/** The question with English forms for its Chinese words; names and numbers stay as they are. */
function translateToEnglish(question: Question, english: EnglishTerms): Question {
  if (question.language !== 'zh') return question
  const said = new Set(question.terms.map(({ text }) => text))
  const words = english
    .listHeads(question.text)
    .filter(({ word }) => [...word].some(character => said.has(character)))
  const known = words.map(({ word, anyOf }): QuestionTerm => {
    return {
      anyOf,
      text: word,
      word,
      written: word,
      role: 'subject',
      isName: false,
    }
  })
  return {
    ...question,
    terms: [...question.terms.filter(({ text }) => !/\p{Script=Han}/u.test(text)), ...known],
  }
}

/** The likeliest first, with what models tell of them in place of what words do. */
function ranked(
  known: readonly Known[],
  model: Model,
  likenessOf: (candidate: Candidate) => Likeness = () => ({}),
): readonly Evidence[] {
  return known
    .map(({ candidate, features }) => ({
      candidate,
      features: { ...features, ...likenessOf(candidate) },
    }))
    .map(one => ({ ...one, score: scoreOf(one.features, model) }))
    .toSorted((a, b) => b.score - a.score)
}

/** A statement is read under the title of its document. */
function toTitledText(candidate: Candidate): string {
  const text = toEmbeddedText(candidate)
  const { title } = candidate.statement.passage
  return text.includes(title) ? text : `${title}\n${text}`
}

function toEmbeddedText({ embedded }: Candidate): string {
  return embedded.slice(0, MAX_EMBEDDED)
}

function logOdds(likelihood: number): number {
  return Math.log(likelihood / (1 - likelihood))
}

/** By logistic regression: bench/fit-answers.ts. */
function scoreOf(features: Features, { bias, weights }: Model): number {
  const sum = FEATURES.reduce((sum, name) => sum + features[name] * weights[name], bias)
  return 1 / (1 + Math.exp(-sum))
}

async function computeNearnesses(
  { text }: Question,
  compared: readonly Evidence[],
  meaning: Meaning,
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<Candidate, Likeness>> {
  const candidates = compared.map(({ candidate }) => candidate)
  const sentences = candidates.map(one => ({
    documentId: one.statement.passage.documentId,
    text: toEmbeddedText(one),
  }))
  const { cosines, unrelated } = await meaning.measureNearness(text, sentences, signal)
  // Of a model whose unrelated texts are not known, neither is what a cosine means.
  const isKnown = ({ embedded }: Candidate) =>
    unrelated[detectVectorLanguage(embedded)] !== undefined
  return new Map(
    candidates.map((one, at) => [
      one,
      isKnown(one) ? { nearness: toCosineFeature(cosines[at]!) } : {},
    ]),
  ) // one each
}
