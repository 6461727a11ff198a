import type { Hit, Query, Searcher } from '../searcher.ts'
import { capScore } from './listings-last-searcher.ts'

/** Minimum number of hits to request, so that a strong hit below a small limit can still replace a weak one. */
const LEAST_COMPARED = 10

/** Moves weak hits after all others: a near vector does not outweigh missing words of the query. */
export class WeakLastSearcher implements Searcher {
  readonly #searcher: Searcher

  constructor(searcher: Searcher) {
    this.#searcher = searcher
  }

  async search(query: Query, signal?: AbortSignal): Promise<readonly Hit[]> {
    const limit = Math.max(query.limit, LEAST_COMPARED)
    return putWeakLast(await this.#searcher.search({ ...query, limit }, signal)).slice(
      0,
      query.limit,
    )
  }
}

/** Moves weak hits to the end and caps their scores at that of the last other hit. */
function putWeakLast(hits: readonly Hit[]): readonly Hit[] {
  const trusted = hits.filter(hit => !hit.weak)
  const highest = trusted.at(-1)?.score ?? Number.POSITIVE_INFINITY
  return [...trusted, ...hits.filter(hit => hit.weak).map(hit => capScore(hit, highest))]
}
