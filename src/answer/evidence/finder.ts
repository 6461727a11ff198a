import type { Filter } from '../../search/filter.ts'
import type { Hit, Searcher } from '../../search/searcher.ts'
import { areAllWeak } from '../../search/weak-hits.ts'
import type { Language } from '../../text/language.ts'
import type { Question } from '../question/question.ts'
import { type Evidence, type EvidenceRanker, leastLogOdds, logOdds } from './evidence.ts'
import type { Slip } from './slips.ts'

/** Where something is looked for. */
export type Where = {
  readonly collectionIds: readonly string[]
  readonly documentIds?: readonly string[] | undefined
  readonly limit?: number | undefined
}

/** What was found for a question: what may be quoted, best first, and what comes nearest. */
export type Found = {
  readonly hits: readonly Hit[]
  readonly evidence: readonly Evidence[]
  readonly nearest: readonly Evidence[]
  readonly slips: readonly Slip[]
}

/** Sentences are looked for in this many hits; in the further ones there is seldom an answer, and each costs. */
export const MAX_HITS = 8
/** In the other language the first hits are less often the right ones. */
const MAX_ACROSS = 14

export type FinderOptions = {
  readonly searcher: Searcher
  readonly ranker: EvidenceRanker
  readonly strictness?: number | undefined
}

/** Searches, and keeps what answers: everything whose likelihood to answer reaches one threshold. */
export class EvidenceFinder {
  readonly #options: FinderOptions

  constructor(options: FinderOptions) {
    this.#options = options
  }

  /** In the documents of the question's own language. */
  async within(question: Question, where: Where, signal?: AbortSignal): Promise<Found> {
    const hits = await this.search(question, where, where.limit ?? MAX_HITS, signal)
    return await this.among(question, hits.slice(0, MAX_HITS), signal)
  }

  /** In the documents that are not in the language of the question: those that say so, and those of which it is not known. */
  async across(question: Question, where: Where, signal?: AbortSignal): Promise<Found> {
    const { searcher, ranker } = this.#options
    const query = { ...where, text: question.text, limit: MAX_ACROSS, filter: otherThan(question.language) }
    const hits = await searcher.search(query, signal)
    if (areAllWeak(hits)) return { hits, evidence: [], nearest: [], slips: [] }
    const ranking = await ranker.rankAcross(question, hits, signal)
    return { hits, evidence: this.#enough(ranking), nearest: ranking, slips: [] }
  }

  async among(question: Question, hits: readonly Hit[], signal?: AbortSignal): Promise<Found> {
    const { ranking, slips } = await this.#options.ranker.rank(question, hits, signal)
    return { hits, evidence: this.#enough(ranking), nearest: ranking, slips }
  }

  search(
    { text }: Question,
    { collectionIds, documentIds }: Where,
    limit: number,
    signal?: AbortSignal,
  ): Promise<readonly Hit[]> {
    return this.#options.searcher.search({ text, collectionIds, documentIds, limit }, signal)
  }

  #enough(ranking: readonly Evidence[]): readonly Evidence[] {
    const least = leastLogOdds(this.#options.strictness)
    return ranking.filter(({ score }) => logOdds(score) >= least)
  }
}

function otherThan(language: Language): Filter {
  return { key: 'language', type: 'ne', value: language }
}
