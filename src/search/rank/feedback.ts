import type { HybridWeights } from '../searcher.ts'
import { chooseWeights, computeVectorShare } from './hybrid.ts'
import { compareByScore, type Ranked, type Ranker, type RankQuery } from './ranker.ts'

/**
 * Top hits that are trusted and keep their place. Chosen on half of the queries of seven sets,
 * 2026-11-27.
 */
const TRUSTED = 5
/** Top hits that are compared, so that few vectors are read. */
const LOOKED_AT = 30

export interface Likeness {
  /**
   * Returns 1 per row as similar to the first `trusted` rows as they are to each other, 0 for no
   * more than any text.
   */
  measureSimilarity(
    query: RankQuery,
    rows: readonly bigint[],
    trusted: number,
    signal?: AbortSignal,
  ): Promise<ReadonlyMap<bigint, number>>
}

/**
 * Pseudo-relevance feedback (Rocchio 1971): a hit unlike the best five loses the vector share
 * of its score.
 */
export class FeedbackRanker implements Ranker {
  readonly #ranker: Ranker
  readonly #likeness: Likeness
  readonly #weights: HybridWeights | undefined

  constructor(ranker: Ranker, likeness: Likeness, weights?: HybridWeights) {
    this.#ranker = ranker
    this.#likeness = likeness
    this.#weights = weights
  }

  async rank(query: RankQuery, limit: number, signal?: AbortSignal): Promise<readonly Ranked[]> {
    if (limit <= TRUSTED) return await this.#ranker.rank(query, limit, signal)
    const ranked = await this.#ranker.rank(query, Math.max(limit, LOOKED_AT), signal)
    const near = ranked.slice(0, LOOKED_AT)
    const rows = near.map(({ row }) => row)
    const likeness =
      near.length > TRUSTED
        ? await this.#likeness.measureSimilarity(query, rows, TRUSTED, signal)
        : new Map<bigint, number>()
    if (likeness.size === 0) return ranked
    const usual = computeMean(rows.slice(TRUSTED).flatMap(row => likeness.get(row) ?? []))
    const vectorShare = computeVectorShare(chooseWeights(query, this.#weights))
    const lowerScore = (hit: Ranked, like: number) => scaleScore(hit, 1 - vectorShare * (1 - like))
    const others = near.slice(TRUSTED).map(hit => lowerScore(hit, likeness.get(hit.row) ?? usual))
    const rest = ranked.slice(LOOKED_AT).map(hit => lowerScore(hit, 0))
    return [...near.slice(0, TRUSTED), ...others.toSorted(compareByScore), ...rest]
  }
}

function scaleScore(hit: Ranked, factor: number): Ranked {
  const { score, parts } = hit
  return {
    ...hit,
    score: factor * score,
    ...(parts && { parts: { keyword: factor * parts.keyword, vector: factor * parts.vector } }),
  }
}

function computeMean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
}
