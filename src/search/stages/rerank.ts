import { toFailure } from '../../errors.ts'
import { raceAbort } from '../../system/unless-aborted.ts'
import type { Reranker } from '../reranker.ts'
import type { Hit } from '../searcher.ts'
import type { Stage } from '../stage.ts'
import { sortListingsLast } from './put-last.ts'

export type RerankOptions = {
  /** Number of the best hits that are reranked; the others keep their order after them. */
  readonly depth: number
  /** Share of the reranker in the new score, 0 to 1; the search that found the hits has the rest. */
  readonly weight: number
  /** Scores that lie closer together than this say little: they get as much less of the weight. */
  readonly leastRange?: number | undefined
  /** Maximum duration of reranking. If it takes longer or fails, the hits stay in their order and say so. */
  readonly timeMs?: number | undefined
}

/** Reorders the best hits by a reranker. Their scores are from 0 to 1 afterwards. */
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
  { weight, leastRange }: RerankOptions,
): readonly Hit[] {
  const closer = normalizeScores(scores, leastRange)
  const first = normalizeScores(near.map(hit => hit.score))
  return near
    .map((hit, index) => {
      const parts = { search: (1 - weight) * first[index]!, reranker: weight * closer[index]! }
      const reranked = { rank: index + 1, score: scores[index]!, parts }
      return { ...hit, score: parts.reranker + parts.search, reranked }
    })
    .toSorted((a, b) => b.score - a.score)
}

/** Scales the scores of hits that were not reranked to at most `ceiling`; their order stays. */
function scaleBelow(ceiling: number, hits: readonly Hit[]): readonly Hit[] {
  const highest = hits[0]?.score ?? 1
  return hits.map(hit => ({
    ...hit,
    score: highest > 0 ? (ceiling * hit.score) / highest : hit.score,
  }))
}

/** Maps the lowest score to 0 and the highest to 1, or to less if they lie closer together than `leastRange`. */
function normalizeScores(scores: readonly number[], leastRange = 0): readonly number[] {
  const lowest = Math.min(...scores)
  const range = Math.max(Math.max(...scores) - lowest, leastRange)
  return scores.map(score => (range > 0 ? (score - lowest) / range : 1))
}
