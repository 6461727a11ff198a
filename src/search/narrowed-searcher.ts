import type { Filter } from './filter.ts'
import type { Hit, Query, Searcher } from './searcher.ts'

export type Narrowing = {
  /** Hits below are left out. */
  readonly minScore?: number | undefined
  /** Has to be met beside a query's own. */
  readonly filter?: Filter | undefined
}

/** A searcher that finds less, whatever it is asked: for who must not choose where to look, as a model. */
export class NarrowedSearcher implements Searcher {
  readonly #inner: Searcher
  readonly #narrowing: Narrowing

  constructor(inner: Searcher, narrowing: Narrowing) {
    this.#inner = inner
    this.#narrowing = narrowing
  }

  async search(query: Query, signal?: AbortSignal): Promise<readonly Hit[]> {
    const { filter: own, minScore = 0 } = this.#narrowing
    const filter: Filter | undefined =
      own && query.filter ? { type: 'and', filters: [own, query.filter] } : (own ?? query.filter)
    const hits = await this.#inner.search({ ...query, filter }, signal)
    return hits.filter(hit => hit.score >= minScore)
  }
}
