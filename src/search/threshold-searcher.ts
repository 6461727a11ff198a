import type { Hit, Query, Searcher } from './searcher.ts'

/** Leaves out what scores too low. */
export class ThresholdSearcher implements Searcher {
  readonly #inner: Searcher
  readonly #minScore: number

  constructor(inner: Searcher, minScore: number) {
    this.#inner = inner
    this.#minScore = minScore
  }

  async search(query: Query, signal?: AbortSignal): Promise<readonly Hit[]> {
    const hits = await this.#inner.search(query, signal)
    return hits.filter(hit => hit.score >= this.#minScore)
  }
}
