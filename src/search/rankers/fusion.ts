import type { Judged, Scored } from '../ranker.ts'
import type { FusedParts, HybridWeights } from '../searcher.ts'

/** Turns what both legs say of a row into one score, and says what each of them adds to it. */
export interface Fusion {
  /** `bm25` is 0 of a row that holds no term. Never less for more of it. */
  parts(row: bigint, bm25: number): FusedParts
}

export type Legs = {
  /** What each leg found, best first. */
  readonly keyword: readonly Scored[]
  readonly vector: readonly Scored[]
  /** What the vector leg says of all candidates; those without a vector are left out. */
  readonly lifts: ReadonlyMap<bigint, Judged>
  /** BM25 of a row that holds all that is asked for, where that is known. */
  readonly fullScore: number | undefined
  readonly weights: HybridWeights
}

/**
 * By scores: lift is normalised over the candidates (min-max), BM25 is measured against that of a chunk that holds all
 * the query's terms. Where none comes near, as for a question in a language in which nothing answers it, words have little to say.
 */
export function scoreFusion({ keyword, lifts, fullScore = 0, weights }: Legs): Fusion {
  const ofVector = weights.vector / (weights.keyword + weights.vector)
  const full = keyword.reduce((most, { score }) => Math.max(most, score), fullScore)
  let [lowest, highest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const { score } of lifts.values()) {
    lowest = Math.min(lowest, score)
    highest = Math.max(highest, score)
  }
  const range = highest - lowest
  const share = (lift: Judged | undefined) => (lift ? (range > 0 ? (lift.score - lowest) / range : 1) : 0)
  return {
    parts: (row, bm25) => ({
      keyword: (1 - ofVector) * (full > 0 ? bm25 / full : 0),
      vector: ofVector * share(lifts.get(row)),
    }),
  }
}

/** Rank smoothing from Cormack et al. 2009; 60 is their value. */
const RANK_SMOOTHING = 60

/** By ranks alone (reciprocal rank fusion): the sum over the legs that found it of `weight / (60 + rank)`. */
export function rankFusion({ keyword, vector, weights }: Legs): Fusion {
  const byWords = partsByRank(keyword, weights.keyword)
  const byVector = partsByRank(vector, weights.vector)
  return { parts: row => ({ keyword: byWords.get(row) ?? 0, vector: byVector.get(row) ?? 0 }) }
}

function partsByRank(found: readonly Scored[], weight: number): ReadonlyMap<bigint, number> {
  return new Map(found.map(({ row }, at) => [row, weight / (RANK_SMOOTHING + at + 1)]))
}
