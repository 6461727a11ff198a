import type { FusedParts, HybridWeights } from '../searcher.ts'
import {
  compareByScore,
  type Judged,
  type Leg,
  type Ranked,
  type Ranker,
  type RankQuery,
  type Scored,
  type WordLeg,
} from './ranker.ts'

/** Candidates of each leg. */
const LEG_CANDIDATES = 100

type HybridOptions = {
  readonly weights?: HybridWeights | undefined
  /** Replaces FULL_LIFT_RANGE. */
  readonly fullRange?: number | undefined
}

const EVEN: HybridWeights = { keyword: 1, vector: 1 }

/** A hit is weak when its vector is, and it holds none of the words, or less than this share of the best keyword match. */
const STRONG_KEYWORD_SHARE = 0.5
/**
 * Minimum range of lifts that gives vectors their full weight. Fitted by bench/lift-range.ts on four judged sets: the largest value at
 * which none of them loses .001 of nDCG@10. In each, at least 97 % of the literals that keyword search ranks first stay first.
 */
const FULL_LIFT_RANGE = 0.13

/**
 * Keyword and vector search together: the best of each leg, both exact scores for every one of them, normalised and
 * weighted, by default equally. Vectors weigh less if even the nearest is little nearer than chance. Chunks without a vector are judged
 * by their words instead.
 */
export class HybridRanker implements Ranker {
  readonly #keyword: WordLeg
  readonly #vector: Leg
  readonly #weights: HybridWeights
  readonly #fullRange: number

  constructor(keyword: WordLeg, vector: Leg, options: HybridOptions = {}) {
    const { weights = EVEN, fullRange = FULL_LIFT_RANGE } = options
    this.#keyword = keyword
    this.#vector = vector
    this.#weights = weights
    this.#fullRange = fullRange
  }

  async rank(query: RankQuery, limit: number, signal?: AbortSignal): Promise<readonly Ranked[]> {
    const wanted = Math.max(LEG_CANDIDATES, limit)
    const [keyword, vector] = await Promise.all([
      this.#keyword.find(query, wanted, signal),
      this.#vector.find(query, wanted, signal),
    ])
    const found = { keyword: { rows: keyword, wanted }, vector: { rows: vector, wanted } }
    const lifts = await this.#judgeByVector(query, found, signal)
    const fullScore = await this.#keyword.fullScore(query)
    const { weights = this.#weights } = query
    const scoreParts = fuseScores({
      keyword,
      lifts,
      fullScore,
      weights,
      fullRange: this.#fullRange,
    })
    const fused = await this.#fuse(query, { found, lifts, scoreParts, limit }, signal)
    const candidates = await query.index.candidates(selectBest(fused, limit))
    return candidates.toSorted(compareByScore).slice(0, limit)
  }

  /** What the vector leg says of all candidates. */
  async #judgeByVector(
    query: RankQuery,
    { keyword, vector }: FoundByBoth,
    signal?: AbortSignal,
  ): Promise<Judgements> {
    const known = new Map<bigint, Judged>(vector.rows.map(one => [one.row, one]))
    if (isAll(vector)) return known
    const others = keyword.rows.map(({ row }) => row).filter(row => !known.has(row))
    return new Map([...known, ...(await this.#vector.judge(query, others, signal))])
  }

  /** The candidates that can be among the hits. */
  async #fuse(query: RankQuery, { found, lifts, scoreParts, limit }: Fusing, signal?: AbortSignal) {
    const known = new Map<bigint, Judged>(found.keyword.rows.map(one => [one.row, one]))
    const most = isAll(found.keyword) ? 0 : (found.keyword.rows.at(-1)?.score ?? 0)
    const rows = selectContenders(mergeCandidates(found), { known, most, scoreParts, limit })
    const open = most > 0 ? rows.map(({ row }) => row).filter(row => !known.has(row)) : []
    const words = new Map([...known, ...(await this.#keyword.judge(query, open, signal))])
    const strong = STRONG_KEYWORD_SHARE * (found.keyword.rows[0]?.score ?? 0)
    return rows.map(candidate => {
      const bm25 = words.get(candidate.row)?.score ?? 0
      const parts = scoreParts(candidate.row, bm25)
      const judged = lifts.get(candidate.row)
      const weak = (judged?.weak ?? false) && (bm25 === 0 || bm25 < strong)
      return {
        ...candidate,
        score: sumParts(parts),
        parts,
        weak,
        ...(judged && { lift: judged.score }),
      }
    })
  }
}

/**
 * What words say of a row that they did not find is no more than `most`, what they say of the last that they found: so they are
 * asked of those rows alone that could come first with that much.
 */
function selectContenders(
  candidates: readonly Scored[],
  { known, most, scoreParts, limit }: Contest,
): readonly Scored[] {
  const scoreAt = ({ row }: Scored, bm25: number) =>
    sumParts(scoreParts(row, known.get(row)?.score ?? bm25))
  const least = candidates.map(candidate => scoreAt(candidate, 0))
  const threshold = least.toSorted((a, b) => b - a)[limit - 1] ?? Number.NEGATIVE_INFINITY
  return candidates.filter(candidate => scoreAt(candidate, most) >= threshold)
}

type Contest = {
  readonly known: Judgements
  readonly most: number
  readonly scoreParts: ScoreParts
  readonly limit: number
}

function mergeCandidates({ keyword, vector }: FoundByBoth): readonly Scored[] {
  return [...new Map([...keyword.rows, ...vector.rows].map(found => [found.row, found])).values()]
}

function sumParts({ keyword, vector }: FusedParts): number {
  return vector + keyword
}

type Judgements = ReadonlyMap<bigint, Judged>

/** What a leg found of so many that were asked for. */
type FoundRows = { readonly rows: readonly Scored[]; readonly wanted: number }
type FoundByBoth = { readonly keyword: FoundRows; readonly vector: FoundRows }

type Fusing = {
  readonly found: FoundByBoth
  readonly lifts: Judgements
  readonly scoreParts: ScoreParts
  readonly limit: number
}

/** The leg has nothing to say of any other row. */
function isAll({ rows, wanted }: FoundRows): boolean {
  return rows.length < wanted
}

/** The best, and all that are as good as the last of them: which of those come first their content decides. */
function selectBest<Row extends Scored>(scored: readonly Row[], limit: number): readonly Row[] {
  const sorted = scored.toSorted((a, b) => b.score - a.score)
  const last = sorted[limit - 1]?.score ?? Number.NEGATIVE_INFINITY
  return sorted.filter(({ score }) => score >= last)
}

/** What vectors add to a score at most; words add the rest to 1. */
export function computeVectorShare({ keyword, vector }: HybridWeights = EVEN): number {
  return vector / (keyword + vector)
}

/**
 * Returns what each leg adds to the score of a row. `bm25` is 0 for a row that holds no term; a higher one never gives a lower
 * score.
 */
type ScoreParts = (row: bigint, bm25: number) => FusedParts

type Legs = {
  /** Rows that the keyword leg found, best first. */
  readonly keyword: readonly Scored[]
  /** What the vector leg says of all candidates; those without a vector are left out. */
  readonly lifts: ReadonlyMap<bigint, Judged>
  /** BM25 of a row that holds all that is asked for, where that is known. */
  readonly fullScore: number | undefined
  readonly weights: HybridWeights
  readonly fullRange: number
}

/**
 * Adds up scores. BM25 is measured against that of a chunk that holds all the query's terms: where none comes near, as for a question in a
 * language in which nothing answers it, words have little to say. Lift is measured over its range among the candidates, but at
 * least over `fullRange`, so that vectors have little weight if no text is near the query. The lift of a row without a vector is
 * estimated from its words; with 0 instead, it would rank after all rows that have one.
 */
function fuseScores({ keyword, lifts, fullScore = 0, weights, fullRange }: Legs): ScoreParts {
  const ofVector = computeVectorShare(weights)
  const full = keyword.reduce((most, { score }) => Math.max(most, score), fullScore)
  const { lowest, range, best } = measureLifts(lifts, fullRange)
  return (row, bm25) => {
    const words = full > 0 ? bm25 / full : 0
    const lift = lifts.get(row)
    const near = lift ? (lift.score - lowest) / range : best * words
    return { keyword: (1 - ofVector) * words, vector: ofVector * near }
  }
}

type LiftScale = {
  /** Lift that scores 0. */
  readonly lowest: number
  /** Distance from there to the lift that scores 1. */
  readonly range: number
  /** Score of the best lift; 1 if no row has a vector. */
  readonly best: number
}

/** Measures the scale of lifts. A range below `fullRange` is extended down to chance, which is lift 0, and then upwards. */
function measureLifts(lifts: ReadonlyMap<bigint, Judged>, fullRange: number): LiftScale {
  if (lifts.size === 0) return { lowest: 0, range: 1, best: 1 }
  const scores = [...lifts.values()].map(({ score }) => score)
  const highest = Math.max(...scores)
  const lowest = Math.min(...scores, Math.max(0, highest - fullRange))
  const range = Math.max(highest - lowest, fullRange)
  return { lowest, range, best: (highest - lowest) / range }
}
