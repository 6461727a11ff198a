import { byScore, type Leg, type Ranked, type Ranker, type RankQuery, type Scored, type WordLeg } from './ranker.ts'
import type { HybridWeights } from './searcher.ts'

/** Candidates of each leg. */
const LEG_CANDIDATES = 100

/** By scores, or by ranks alone (reciprocal rank fusion). */
export type Fusion = 'scores' | 'rrf'

export type HybridOptions = { readonly weights?: HybridWeights | undefined; readonly fusion?: Fusion | undefined }

const EVEN: HybridWeights = { keyword: 1, vector: 1 }

/** Rank smoothing from Cormack et al. 2009; 60 is their value. */
const RANK_SMOOTHING = 60

/**
 * Keyword and vector search together: the best of each leg, both exact scores for every one of them, normalised and
 * weighted, by default alike. Lift is normalised over these candidates (min-max). BM25 is measured against that of a chunk that
 * holds all the query's terms: where none comes near, as for a question in a language in which nothing answers it, words
 * have little to say. Chunks without vectors have their keyword score alone.
 */
export class HybridRanker implements Ranker {
  readonly #keyword: WordLeg
  readonly #vector: Leg
  readonly #weights: HybridWeights
  readonly #fusion: Fusion

  constructor(keyword: WordLeg, vector: Leg, { weights = EVEN, fusion = 'scores' }: HybridOptions = {}) {
    this.#keyword = keyword
    this.#vector = vector
    this.#weights = weights
    this.#fusion = fusion
  }

  async rank(query: RankQuery, limit: number, signal?: AbortSignal): Promise<readonly Ranked[]> {
    const wanted = Math.max(LEG_CANDIDATES, limit)
    const [keyword, vector] = await Promise.all([
      this.#keyword.find(query, wanted, signal),
      this.#vector.find(query, wanted, signal),
    ])
    const [keywordScores, vectorScores] = await Promise.all([
      complete(this.#keyword, query, { found: keyword, others: vector }, signal),
      complete(this.#vector, query, { found: vector, others: keyword }, signal),
    ])
    const rows = new Map([...keyword, ...vector].map(found => [found.row, found]))
    const fullScore = this.#keyword.fullScore(query) ?? 0
    const { weights = this.#weights } = query
    const scores = { keyword: keywordScores, vector: vectorScores, fullScore, weights }
    const fused = fuse([...rows.values()], scores)
    const scored = this.#fusion === 'rrf' ? byRanks(fused, { keyword, vector, weights }) : fused
    const candidates = await query.index.candidates(finalists(scored, limit))
    return candidates.toSorted(byScore).slice(0, limit)
  }
}

/** The best, and all that are as good as the last of them: which of those come first their content decides. */
function finalists(scored: readonly Scored[], limit: number): readonly Scored[] {
  const sorted = scored.toSorted((a, b) => b.score - a.score)
  const last = sorted[limit - 1]?.score ?? Number.NEGATIVE_INFINITY
  return sorted.filter(({ score }) => score >= last)
}

type Legs = { readonly found: readonly Scored[]; readonly others: readonly Scored[] }

/** A leg's results for all candidates: those it found itself, and those that only the other leg found. */
async function complete(
  leg: Leg,
  query: RankQuery,
  { found, others }: Legs,
  signal?: AbortSignal,
): Promise<ReadonlyMap<bigint, Scored>> {
  const known = new Map(found.map(one => [one.row, one]))
  const rows = others.map(one => one.row).filter(row => !known.has(row))
  if (rows.length === 0) return known
  const missing = await leg.find({ ...query, only: { rows } }, rows.length, signal) // they were allowed when found
  return new Map([...known, ...missing.map(one => [one.row, one] as const)])
}

/** A hit is weak when its vector is, and it holds less than the best keyword match by far. */
function fuse(candidates: readonly Scored[], { keyword, vector, fullScore, weights }: Scores): readonly Scored[] {
  const ofVector = weights.vector / (weights.keyword + weights.vector)
  const best = candidates.reduce((most, { row }) => Math.max(most, keyword.get(row)?.score ?? 0), 0)
  const full = Math.max(fullScore, best)
  const vectorShare = normalised(candidates, vector)
  return candidates.map(candidate => {
    const words = keyword.get(candidate.row)?.score ?? 0
    const score = ofVector * vectorShare(candidate) + (1 - ofVector) * (full > 0 ? words / full : 0)
    const weak = (vector.get(candidate.row)?.weak ?? false) && words < STRONG_KEYWORD_SHARE * best
    return { ...candidate, score, weak }
  })
}

type Scores = {
  readonly keyword: ReadonlyMap<bigint, Scored>
  readonly vector: ReadonlyMap<bigint, Scored>
  readonly fullScore: number
  readonly weights: HybridWeights
}

type Rankings = {
  readonly keyword: readonly Scored[]
  readonly vector: readonly Scored[]
  readonly weights: HybridWeights
}

/** The same candidates, each with the sum over the legs that found it of `weight / (60 + rank)`. */
function byRanks(candidates: readonly Scored[], { keyword, vector, weights }: Rankings): readonly Scored[] {
  const scores = new Map<bigint, number>()
  const add = (found: readonly Scored[], weight: number) => {
    for (const [at, { row }] of found.entries()) {
      scores.set(row, (scores.get(row) ?? 0) + weight / (RANK_SMOOTHING + at + 1))
    }
  }
  add(keyword, weights.keyword)
  add(vector, weights.vector)
  return candidates.map(candidate => ({ ...candidate, score: scores.get(candidate.row) ?? 0 }))
}

/** Share of the best keyword score from which a match by words counts as evidence of its own. */
const STRONG_KEYWORD_SHARE = 0.5

/** 0 to 1 between the lowest and the highest score of the candidates. */
function normalised(candidates: readonly Scored[], scores: ReadonlyMap<bigint, Scored>): (candidate: Scored) => number {
  const found = candidates.map(candidate => scores.get(candidate.row)?.score).filter(score => score !== undefined)
  const lowest = Math.min(...found)
  const range = Math.max(...found) - lowest
  return candidate => {
    const score = scores.get(candidate.row)?.score
    if (score === undefined) return 0
    return range > 0 ? (score - lowest) / range : 1
  }
}
