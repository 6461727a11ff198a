import {
  byScore,
  type Judged,
  type Leg,
  type Ranked,
  type Ranker,
  type RankQuery,
  type Scored,
  type WordLeg,
} from '../ranker.ts'
import type { FusedParts, HybridWeights } from '../searcher.ts'
import { type Fusion, type Legs, rankFusion, scoreFusion } from './fusion.ts'

/** Candidates of each leg. */
const LEG_CANDIDATES = 100

/** By scores, or by ranks alone (reciprocal rank fusion). */
export type FusionName = 'scores' | 'rrf'

export type HybridOptions = { readonly weights?: HybridWeights | undefined; readonly fusion?: FusionName | undefined }

const EVEN: HybridWeights = { keyword: 1, vector: 1 }
const FUSIONS: Readonly<Record<FusionName, (legs: Legs) => Fusion>> = { scores: scoreFusion, rrf: rankFusion }

/**
 * Keyword and vector search together: the best of each leg, both exact scores for every one of them, normalised and
 * weighted, by default alike. Chunks without vectors have their keyword score alone.
 */
export class HybridRanker implements Ranker {
  readonly #keyword: WordLeg
  readonly #vector: Leg
  readonly #weights: HybridWeights
  readonly #fusion: (legs: Legs) => Fusion

  constructor(keyword: WordLeg, vector: Leg, { weights = EVEN, fusion = 'scores' }: HybridOptions = {}) {
    this.#keyword = keyword
    this.#vector = vector
    this.#weights = weights
    this.#fusion = FUSIONS[fusion]
  }

  async rank(query: RankQuery, limit: number, signal?: AbortSignal): Promise<readonly Ranked[]> {
    const wanted = Math.max(LEG_CANDIDATES, limit)
    const [keyword, vector] = await Promise.all([
      this.#keyword.find(query, wanted, signal),
      this.#vector.find(query, wanted, signal),
    ])
    const found = { keyword: { rows: keyword, wanted }, vector: { rows: vector, wanted } }
    const lifts = await this.#lifts(query, found, signal)
    const fullScore = this.#keyword.fullScore(query)
    const { weights = this.#weights } = query
    const fusion = this.#fusion({ keyword, vector, lifts, fullScore, weights })
    const fused = await this.#fused(query, { found, lifts, fusion, limit }, signal)
    const candidates = await query.index.candidates(best(fused, limit))
    return candidates.toSorted(byScore).slice(0, limit)
  }

  /** What the vector leg says of all candidates. */
  async #lifts(query: RankQuery, { keyword, vector }: FoundByBoth, signal?: AbortSignal): Promise<Judgements> {
    const known = new Map<bigint, Judged>(vector.rows.map(one => [one.row, one]))
    if (isAll(vector)) return known
    const others = keyword.rows.map(({ row }) => row).filter(row => !known.has(row))
    return new Map([...known, ...(await this.#vector.judge(query, others, signal))])
  }

  /** The candidates that can be among the hits. */
  async #fused(query: RankQuery, { found, lifts, fusion, limit }: Fusing, signal?: AbortSignal) {
    const known = new Map<bigint, Judged>(found.keyword.rows.map(one => [one.row, one]))
    const most = isAll(found.keyword) ? 0 : (found.keyword.rows.at(-1)?.score ?? 0)
    const rows = contenders(candidatesOf(found), { known, most, fusion, limit })
    const open = most > 0 ? rows.map(({ row }) => row).filter(row => !known.has(row)) : []
    const words = new Map([...known, ...(await this.#keyword.judge(query, open, signal))])
    const strong = STRONG_KEYWORD_SHARE * (found.keyword.rows[0]?.score ?? 0)
    return rows.map(candidate => {
      const bm25 = words.get(candidate.row)?.score ?? 0
      const parts = fusion.parts(candidate.row, bm25)
      const weak = (lifts.get(candidate.row)?.weak ?? false) && (bm25 === 0 || bm25 < strong)
      return { ...candidate, score: sumOf(parts), parts, weak }
    })
  }
}

/**
 * What words say of a row that they did not find is no more than `most`, what they say of the last that they found: so they are
 * asked of those rows alone that could come first with that much.
 */
function contenders(candidates: readonly Scored[], { known, most, fusion, limit }: Contest): readonly Scored[] {
  const scoreAt = ({ row }: Scored, bm25: number) => sumOf(fusion.parts(row, known.get(row)?.score ?? bm25))
  const least = candidates.map(candidate => scoreAt(candidate, 0))
  const threshold = least.toSorted((a, b) => b - a)[limit - 1] ?? Number.NEGATIVE_INFINITY
  return candidates.filter(candidate => scoreAt(candidate, most) >= threshold)
}

type Contest = {
  readonly known: Judgements
  readonly most: number
  readonly fusion: Fusion
  readonly limit: number
}

function candidatesOf({ keyword, vector }: FoundByBoth): readonly Scored[] {
  return [...new Map([...keyword.rows, ...vector.rows].map(found => [found.row, found])).values()]
}

function sumOf({ keyword, vector }: FusedParts): number {
  return vector + keyword
}

/** A hit is weak when its vector is, and it holds none of the words, or less than this share of the best keyword match. */
const STRONG_KEYWORD_SHARE = 0.5

type Judgements = ReadonlyMap<bigint, Judged>

/** What a leg found of so many that were asked for. */
type FoundRows = { readonly rows: readonly Scored[]; readonly wanted: number }
type FoundByBoth = { readonly keyword: FoundRows; readonly vector: FoundRows }

type Fusing = {
  readonly found: FoundByBoth
  readonly lifts: Judgements
  readonly fusion: Fusion
  readonly limit: number
}

/** The leg has nothing to say of any other row. */
function isAll({ rows, wanted }: FoundRows): boolean {
  return rows.length < wanted
}

/** The best, and all that are as good as the last of them: which of those come first their content decides. */
function best<Row extends Scored>(scored: readonly Row[], limit: number): readonly Row[] {
  const sorted = scored.toSorted((a, b) => b.score - a.score)
  const last = sorted[limit - 1]?.score ?? Number.NEGATIVE_INFINITY
  return sorted.filter(({ score }) => score >= last)
}
