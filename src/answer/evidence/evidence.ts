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
  type FeaturedCandidate,
  type FeatureName,
  type Features,
  withFeatures,
} from './features.ts'
import { withTypedRows } from './table-candidates.ts'
import { ACROSS, THRESHOLD, WITHIN } from './weights.ts'

export type RankerOptions = {
  readonly reader: DocumentReader
  /** Without it words alone decide. */
  readonly meaning?: Meaning
  /** Without it rarity among the hits decides. */
  readonly rarity?: WordRarity
  /** Without it names, numbers and vectors compare languages. */
  readonly lexicon?: Lexicon
  /** Required certainty, 0 to 1; hopeless candidates are skipped. */
  readonly strictness?: number
  /** Replaces the fitted weights during fitting. */
  readonly weights?: Weights
  /** Reads all candidates, so that weights are fitted on real odds. */
  readonly readsAll?: true
}

/** `nearness` by vectors, `answers` by the cross-encoder. */
type Likeness = Partial<Pick<Features, 'nearness' | 'answers'>>

type Model = { readonly bias: number; readonly weights: Readonly<Record<FeatureName, number>> }

/** Weights per language relation, and the threshold. */
export type Weights = { readonly within: Model; readonly across: Model; readonly threshold: number }

const FITTED: Weights = { within: WITHIN, across: ACROSS, threshold: THRESHOLD }

/** Candidates with vectors, so that answers stay cheap. */
const MAX_VECTORS = 60
/** Candidates compared regardless of words, so that paraphrases have a chance. */
const ALWAYS = 8
/** Embedded characters, so that long lists stay cheap; the beginning states the topic. */
const MAX_EMBEDDED = 400
/** Best possible values of the model features. */
const NEAREST = { nearness: 1, answers: 2.5 } satisfies Likeness
/** Statements read by the cross-encoder; five gave equal figures (bench/fit-answers.ts). */
const READ = 2
/** Strictness of the fitted threshold, and its range in logits (bench/fit-answers.ts). */
const USUAL_STRICTNESS = 0.5
const REACH = 4

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
    return await this.#rankCandidates(question, candidates, this.#weights.within, signal)
  }

  /** Compares by English meanings. */
  async rankAcross(
    question: Question,
    hits: readonly Hit[],
    signal?: AbortSignal,
  ): Promise<readonly Evidence[]> {
    const names = question.terms.filter(({ isName }) => isName).map(({ written }) => written)
    const terms = { extract: (text: string) => this.#english.listTerms(text, names) }
    const candidates = listCandidates(hits, terms).filter(
      ({ language }) => language !== question.language,
    )
    return await this.#rankCandidates(
      translateToEnglish(question, this.#english),
      candidates,
      this.#weights.across,
      signal,
    )
  }

  isEnough({ score }: Pick<Evidence, 'score'>): boolean {
    const { strictness = USUAL_STRICTNESS } = this.#options
    return (
      logOdds(score) >= logOdds(this.#weights.threshold) + (strictness - USUAL_STRICTNESS) * REACH
    )
  }

  async #rankCandidates(
    question: Question,
    every: readonly Candidate[],
    model: Model,
    signal?: AbortSignal,
  ): Promise<readonly Evidence[]> {
    const { meaning } = this.#options
    const isListRequested = question.kind === 'list' || question.kind === 'steps'
    const all = every.filter(({ statement }) => isListRequested || statement.kind !== 'list')
    const shortlist = this.#selectShortlist(question, all, model)
    if (!meaning || shortlist.length === 0) return sortByScore(shortlist, model)
    const possible = sortByScore(shortlist, model, () => NEAREST)
    const compared = this.#selectPossible(possible, ALWAYS)
    const near = await computeNearnesses(question, compared, meaning, signal)
    const read = shortlist.filter(({ candidate }) => near.has(candidate))
    const likeliest = sortByScore(read, model, candidate => ({
      ...near.get(candidate),
      answers: NEAREST.answers,
    }))
    const odds = await this.#answerOdds(question, likeliest, model, signal)
    return sortByScore(read, model, candidate => ({
      ...near.get(candidate),
      ...odds.get(candidate),
    }))
  }

  /** Reads while one could come first; others get the lowest odds read. */
  async #answerOdds(
    { text }: Question,
    likeliest: readonly Evidence[],
    model: Model,
    signal?: AbortSignal,
  ): Promise<ReadonlyMap<Candidate, Likeness>> {
    const answerScores = new Map<Candidate, number>()
    let best = 0
    for (const { candidate, features, score } of this.#selectPossible(likeliest).slice(0, READ)) {
      if (score <= best && !this.#options.readsAll) break
      const [answers] =
        (await this.#options.meaning?.estimateAnswerOdds?.(
          text,
          [toTitledText(candidate)],
          signal,
        )) ?? []
      if (answers === undefined) return new Map()
      answerScores.set(candidate, answers)
      best = Math.max(best, computeScore({ ...features, answers }, model))
    }
    const lowest = Math.min(...answerScores.values())
    const scored = answerScores.size === 0 ? [] : likeliest
    return new Map(
      scored.map(({ candidate }) => [
        candidate,
        { answers: answerScores.get(candidate) ?? lowest },
      ]),
    )
  }

  /** Returns candidates that could reach the threshold, at least `always`. */
  #selectPossible(ranking: readonly Evidence[], always = 0): readonly Evidence[] {
    return ranking.slice(
      0,
      Math.max(always, ranking.filter(evidence => this.isEnough(evidence)).length),
    )
  }

  /** Recomputes features, because weights depend on the candidates. */
  #selectShortlist(
    question: Question,
    all: readonly Candidate[],
    model: Model,
  ): readonly FeaturedCandidate[] {
    const { rarity } = this.#options
    const candidates = withFeatures(question, all, rarity)
    if (all.length <= MAX_VECTORS) return candidates
    const best = sortByScore(candidates, model).map(({ candidate }) => candidate)
    return withFeatures(question, best.slice(0, MAX_VECTORS), rarity)
  }
}

/** Adds English forms of Chinese words; names and numbers stay. */
function translateToEnglish(question: Question, english: EnglishTerms): Question {
  if (question.language !== 'zh') return question
  const ownTerms = new Set(question.terms.map(({ text }) => text))
  const words = english
    .listHeads(question.text)
    .filter(({ word }) => [...word].some(character => ownTerms.has(character)))
  const translated = words.map(({ word, anyOf }): QuestionTerm => {
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
    terms: [...question.terms.filter(({ text }) => !/\p{Script=Han}/u.test(text)), ...translated],
  }
}

function sortByScore(
  candidates: readonly FeaturedCandidate[],
  model: Model,
  likenessOf: (candidate: Candidate) => Likeness = () => ({}),
): readonly Evidence[] {
  return candidates
    .map(({ candidate, features }) => ({
      candidate,
      features: { ...features, ...likenessOf(candidate) },
    }))
    .map(scored => ({ ...scored, score: computeScore(scored.features, model) }))
    .toSorted((a, b) => b.score - a.score)
}

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

/** Logistic regression (bench/fit-answers.ts). */
function computeScore(features: Features, { bias, weights }: Model): number {
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
  const sentences = candidates.map(candidate => ({
    documentId: candidate.statement.passage.documentId,
    text: toEmbeddedText(candidate),
  }))
  const { cosines, unrelated } = await meaning.measureNearness(text, sentences, signal)
  // Cosines mean nothing without the model's priors.
  const hasPriors = ({ embedded }: Candidate) =>
    unrelated[detectVectorLanguage(embedded)] !== undefined
  return new Map(
    candidates.map((candidate, index) => [
      candidate,
      hasPriors(candidate) ? { nearness: toCosineFeature(cosines[index]!) } : {},
    ]),
  )
}
