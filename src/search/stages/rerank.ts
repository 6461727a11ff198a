import { toFailure } from '../../errors.ts'
import { raceAbort } from '../../system/unless-aborted.ts'
import type { Reranker } from '../reranker.ts'
import type { Hit } from '../searcher.ts'
import type { Stage } from '../stage.ts'
import { sortListingsLast } from './put-last.ts'

export type RerankOptions = {
  /** Number of the best hits to rerank; the others keep their order. */
  readonly depth: number
  /** Share of the reranker in the new score, 0 to 1. */
  readonly weight: number
  /** Range of scores below which the weight falls in proportion. */
  readonly minRange?: number | undefined
  /** If reranking takes longer or fails, the hits keep their order and say so. */
  readonly timeMs?: number | undefined
}

/** Returns scores from 0 to 1. */
export function rerank(reranker: Reranker, options: RerankOptions): Stage {
  return async ({ text, limit }, find, signal) => {
    const found = await find(Math.max(limit, options.depth))
    const near = found.slice(0, options.depth)
    const result = await scoreInTime(options, signal, stop => reranker.scoreHits(text, near, stop))
    if ('failure' in result)
      return found.slice(0, limit).map(hit => ({ ...hit, notReranked: result.failure }))
    const mixed = mergeScores(near, result.scores, options)
    const far = scaleBelow(mixed.at(-1)?.score ?? 1, found.slice(options.depth))
    return sortListingsLast([...mixed, ...far]).slice(0, limit)
  }
}

type Scores = { readonly scores: readonly number[] } | { readonly failure: string }

async function scoreInTime(
  { timeMs }: RerankOptions,
  signal: AbortSignal | undefined,
  score: (stop: AbortSignal | undefined) => Promise<readonly number[]>,
): Promise<Scores> {
  if (timeMs === undefined) return { scores: await score(signal) }
  const limit = AbortSignal.timeout(timeMs)
  const stop = signal ? AbortSignal.any([signal, limit]) : limit
  try {
    return { scores: await raceAbort(score(stop), stop) }
  } catch (error) {
    signal?.throwIfAborted()
    return {
      failure: limit.aborted
        ? `The reranker took longer than ${timeMs} ms.`
        : toFailure(error).message,
    }
  }
}

function mergeScores(
  near: readonly Hit[],
  scores: readonly number[],
  { weight, minRange }: RerankOptions,
): readonly Hit[] {
  const closer = normalizeScores(scores, minRange)
  const first = normalizeScores(near.map(hit => hit.score))
  return near
    .map((hit, index) => {
      const parts = { search: (1 - weight) * first[index]!, reranker: weight * closer[index]! }
      const reranked = { rank: index + 1, score: scores[index]!, parts }
      return { ...hit, score: parts.reranker + parts.search, reranked }
    })
    .toSorted((a, b) => b.score - a.score)
}

function scaleBelow(ceiling: number, hits: readonly Hit[]): readonly Hit[] {
  const highest = hits[0]?.score ?? 1
  return hits.map(hit => ({
    ...hit,
    score: highest > 0 ? (ceiling * hit.score) / highest : hit.score,
  }))
}

/** Maps to 0 and 1, or less within `leastRange`. */
function normalizeScores(scores: readonly number[], minRange = 0): readonly number[] {
  const lowest = Math.min(...scores)
  const range = Math.max(Math.max(...scores) - lowest, minRange)
  return scores.map(score => (range > 0 ? (score - lowest) / range : 1))
}
