import type { HybridWeights } from '../searcher.ts'
import { computeVectorShare } from './hybrid.ts'
import { compareByScore, type Ranked, type Ranker, type RankQuery } from './ranker.ts'

/** So many of the best passages are taken to be about what is asked, and stay where they are. Chosen on one half of the queries of seven sets. */
const TRUSTED = 5
/** So many of the best are looked at, those among them; the rest come after them in their order. Each needs its vector read. */
const LOOKED_AT = 30

/** Says of rows how like the best of them they are. */
export interface Likeness {
  /**
   * `rows` best first. 1 of a row that is as like the first `trusted` of them as these are, 0 of one that is no more so than any text of its
   * language. Rows of which that is not known are left out.
   */
  likeness(
    query: RankQuery,
    rows: readonly bigint[],
    trusted: number,
    signal?: AbortSignal,
  ): Promise<ReadonlyMap<bigint, number>>
}

/**
 * Pseudo-relevance feedback (Rocchio 1971) by vectors: what is like the best five passages comes before what is not, for passages that
 * answer the same question are like each other. One that is no more like them than any text loses as much of its score as vectors weigh,
 * half by default. The five stay as they are: how like each other they are does not say which of them answers.
 */
export class FeedbackRanker implements Ranker {
  readonly #ranker: Ranker
  readonly #likeness: Likeness
  readonly #weights: HybridWeights | undefined

  /** `weights` are those of the ranker. */
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
        ? await this.#likeness.likeness(query, rows, TRUSTED, signal)
        : new Map<bigint, number>()
    if (likeness.size === 0) return ranked.slice(0, limit)
    const usual = computeMean(rows.slice(TRUSTED).flatMap(row => likeness.get(row) ?? []))
    const most = computeVectorShare(query.weights ?? this.#weights)
    const lowered = (one: Ranked, like: number) => scaleScore(one, 1 - most * (1 - like))
    const others = near.slice(TRUSTED).map(one => lowered(one, likeness.get(one.row) ?? usual))
    const rest = ranked.slice(LOOKED_AT).map(one => lowered(one, 0))
    return [...near.slice(0, TRUSTED), ...others.toSorted(compareByScore), ...rest].slice(0, limit)
  }
}

function scaleScore(one: Ranked, factor: number): Ranked {
  const { score, parts } = one
  return {
    ...one,
    score: factor * score,
    ...(parts && { parts: { keyword: factor * parts.keyword, vector: factor * parts.vector } }),
  }
}

function computeMean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
}
