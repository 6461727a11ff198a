import type { Filter } from '../filter.ts'
import {
  type Hit,
  type HybridWeights,
  measureLikelihood,
  type Query,
  type Searcher,
} from '../searcher.ts'

type Narrowing = {
  /** Minimum confidence of a hit, from 0 to 1. */
  readonly minConfidence?: number | undefined
  /** Has to be met beside a query's own. */
  readonly filter?: Filter | undefined
  /** Of the two legs, in place of a query's own. */
  readonly weights?: HybridWeights | undefined
}

/** A searcher that finds less, or by other weights, whatever it is asked: for who must not choose where to look, as a model. */
export class NarrowedSearcher implements Searcher {
  readonly #inner: Searcher
  readonly #narrowing: Narrowing

  constructor(inner: Searcher, narrowing: Narrowing) {
    this.#inner = inner
    this.#narrowing = narrowing
  }

  async search(query: Query, signal?: AbortSignal): Promise<readonly Hit[]> {
    const { filter: own, minConfidence = 0, weights } = this.#narrowing
    const filter: Filter | undefined =
      own && query.filter ? { type: 'and', filters: [own, query.filter] } : (own ?? query.filter)
    const hits = await this.#inner.search({ ...query, filter, ...(weights && { weights }) }, signal)
    return hits.filter(hit => measureLikelihood(hit) >= minConfidence)
  }
}
