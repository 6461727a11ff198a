import { toFailure } from '../../errors.ts'
import { unlessAborted } from '../../system/unless-aborted.ts'
import type { Reranker } from '../reranker.ts'
import type { Hit, Query, Searcher } from '../searcher.ts'
import { listingsLast } from './listings-last-searcher.ts'

export type RerankOptions = {
  /** So many of the best hits are looked at again; the others keep their order after them. */
  readonly depth: number
  /** Share of the reranker in the new score, 0 to 1; the search that found the hits has the rest. */
  readonly weight: number
  /** Scores that lie closer together than this say little: they get as much less of the weight. */
  readonly leastRange?: number | undefined
  /** Longest the reranker may take. When it takes longer or fails, the hits stay in their order and say so. */
  readonly timeMs?: number | undefined
}

/** A searcher whose best hits are put in order once more by a reranker. Scores are from 0 to 1 of the best. */
export class RerankedSearcher implements Searcher {
  readonly #searcher: Searcher
  readonly #reranker: Reranker
  readonly #options: RerankOptions

  constructor(searcher: Searcher, reranker: Reranker, options: RerankOptions) {
    this.#searcher = searcher
    this.#reranker = reranker
    this.#options = options
  }

  async search(query: Query, signal?: AbortSignal): Promise<readonly Hit[]> {
    const { depth } = this.#options
    const found = await this.#searcher.search(
      { ...query, limit: Math.max(query.limit, depth) },
      signal,
    )
    const [near, far] = [found.slice(0, depth), found.slice(depth)]
    const scores = await this.#scores(query.text, near, signal)
    if ('failure' in scores)
      return found.slice(0, query.limit).map(hit => ({ ...hit, notReranked: scores.failure }))
    const mixed = this.#mixed(near, scores.scores)
    return listingsLast([...mixed, ...scaledBelow(mixed.at(-1)?.score ?? 1, far)]).slice(
      0,
      query.limit,
    )
  }

  #mixed(near: readonly Hit[], scores: readonly number[]): readonly Hit[] {
    const { weight, leastRange } = this.#options
    const closer = normalised(scores, leastRange)
    const first = normalised(near.map(hit => hit.score))
    return near
      .map((hit, index) => {
        const parts = { search: (1 - weight) * first[index]!, reranker: weight * closer[index]! } // a score a hit
        const reranked = { rank: index + 1, score: scores[index]!, parts }
        return { ...hit, score: parts.reranker + parts.search, reranked }
      })
      .toSorted((a, b) => b.score - a.score)
  }

  async #scores(text: string, hits: readonly Hit[], signal?: AbortSignal): Promise<Scores> {
    const { timeMs } = this.#options
    if (timeMs === undefined) return { scores: await this.#reranker.scores(text, hits, signal) }
    const limit = AbortSignal.timeout(timeMs)
    const stop = signal ? AbortSignal.any([signal, limit]) : limit
    try {
      return { scores: await unlessAborted(this.#reranker.scores(text, hits, stop), stop) }
    } catch (error) {
      signal?.throwIfAborted()
      return {
        failure: limit.aborted
          ? `The reranker took longer than ${timeMs} ms.`
          : toFailure(error).message,
      }
    }
  }
}

type Scores = { readonly scores: readonly number[] } | { readonly failure: string }

/** Scores of hits that were not looked at again, brought under those that were; their order stays. */
function scaledBelow(ceiling: number, hits: readonly Hit[]): readonly Hit[] {
  const highest = hits[0]?.score ?? 1
  return hits.map(hit => ({
    ...hit,
    score: highest > 0 ? (ceiling * hit.score) / highest : hit.score,
  }))
}

/** 0 for the lowest, 1 for the highest, where they lie as far apart as `leastRange`; else less. */
function normalised(scores: readonly number[], leastRange = 0): readonly number[] {
  const lowest = Math.min(...scores)
  const range = Math.max(Math.max(...scores) - lowest, leastRange)
  return scores.map(score => (range > 0 ? (score - lowest) / range : 1))
}
