import type { Candidate } from './index-reader.ts'
import { byScore, type Ranked, type Ranker, type RankQuery } from './ranker.ts'

/** Candidates of each leg. */
const LEG_CANDIDATES = 100

/** Weight of the vector leg; the keyword leg has the rest. Measured in the retrieval recipe this project started from. */
const VECTOR_WEIGHT = 0.6

/**
 * Keyword and vector search together: the best of each leg, both exact scores for every one of them, each leg
 * normalised over these candidates (min-max), then weighted. Chunks without vectors have their keyword score alone.
 */
export class HybridRanker implements Ranker {
  readonly #keyword: Ranker
  readonly #vector: Ranker

  constructor(keyword: Ranker, vector: Ranker) {
    this.#keyword = keyword
    this.#vector = vector
  }

  async rank(query: RankQuery, limit: number, signal?: AbortSignal): Promise<readonly Ranked[]> {
    const wanted = Math.max(LEG_CANDIDATES, limit)
    const [keyword, vector] = await Promise.all([
      this.#keyword.rank(query, wanted, signal),
      this.#vector.rank(query, wanted, signal),
    ])
    const [keywordScores, vectorScores] = await Promise.all([
      this.#complete(this.#keyword, query, { found: keyword, others: vector }, signal),
      this.#complete(this.#vector, query, { found: vector, others: keyword }, signal),
    ])
    const candidates = new Map([...keyword, ...vector].map(candidate => [candidate.key, candidate]))
    const fused = fuse([...candidates.values()], keywordScores, vectorScores)
    return fused.toSorted(byScore).slice(0, limit)
  }

  /** A leg's results for all candidates: those it found itself, and those that only the other leg found. */
  async #complete(
    leg: Ranker,
    query: RankQuery,
    legs: Legs,
    signal?: AbortSignal,
  ): Promise<ReadonlyMap<string, Ranked>> {
    const known = new Map(legs.found.map(candidate => [candidate.key, candidate]))
    const keys = legs.others.map(candidate => candidate.key).filter(key => !known.has(key))
    if (keys.length === 0) return known
    const missing = await leg.rank({ ...query, only: { keys } }, keys.length, signal) // they were allowed when found
    return new Map([...known, ...missing.map(candidate => [candidate.key, candidate] as const)])
  }
}

type Legs = { readonly found: readonly Ranked[]; readonly others: readonly Ranked[] }

/** A hit is weak when its vector is, and it holds less than the best keyword match by far. */
function fuse(
  candidates: readonly Candidate[],
  keyword: ReadonlyMap<string, Ranked>,
  vector: ReadonlyMap<string, Ranked>,
): readonly Ranked[] {
  const keywordShare = normalised(candidates, keyword, 0)
  const vectorShare = normalised(candidates, vector, undefined)
  return candidates.map(candidate => {
    const score = VECTOR_WEIGHT * vectorShare(candidate) + (1 - VECTOR_WEIGHT) * keywordShare(candidate)
    const weak = (vector.get(candidate.key)?.weak ?? false) && keywordShare(candidate) < STRONG_KEYWORD_SHARE
    return { ...candidate, score, weak }
  })
}

/** Share of the best keyword score from which a match by words counts as evidence of its own. */
const STRONG_KEYWORD_SHARE = 0.5

/** 0 to 1 between the lowest and the highest score of the candidates; `floor` is the lowest there can be, if known. */
function normalised(
  candidates: readonly Candidate[],
  scores: ReadonlyMap<string, Candidate>,
  floor: number | undefined,
): (candidate: Candidate) => number {
  const found = candidates.map(candidate => scores.get(candidate.key)?.score).filter(score => score !== undefined)
  const lowest = floor ?? Math.min(...found)
  const range = Math.max(...found, lowest) - lowest
  return candidate => {
    const score = scores.get(candidate.key)?.score
    if (score === undefined) return 0
    return range > 0 ? (score - lowest) / range : 1
  }
}
