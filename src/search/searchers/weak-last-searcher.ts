import type { Hit, Query, Searcher } from '../searcher.ts'
import { capScore } from './listings-last-searcher.ts'

/** Least number of hits that are compared, so that the first of few is not a weak one while one that is not weak follows. */
const LEAST_COMPARED = 10

/** A searcher whose weak hits come after all others: a near vector does not outweigh that a passage has nothing of the query. */
export class WeakLastSearcher implements Searcher {
  readonly #searcher: Searcher

  constructor(searcher: Searcher) {
    this.#searcher = searcher
  }

  async search(query: Query, signal?: AbortSignal): Promise<readonly Hit[]> {
    const limit = Math.max(query.limit, LEAST_COMPARED)
    return putWeakLast(await this.#searcher.search({ ...query, limit }, signal)).slice(0, query.limit)
  }
}

/** The score of a weak hit is at most that of the last one that is not. */
function putWeakLast(hits: readonly Hit[]): readonly Hit[] {
  const trusted = hits.filter(hit => !hit.weak)
  const highest = trusted.at(-1)?.score ?? Number.POSITIVE_INFINITY
  return [...trusted, ...hits.filter(hit => hit.weak).map(hit => capScore(hit, highest))]
}
