import { hasOnlyNumbers } from '../../text/numerals.ts'
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

/** Candidates per leg, so that both exact scores cost milliseconds. */
const LEG_CANDIDATES = 100

/** Best by keyword that are returned beyond the limit, whose texts have the rarest words. */
const WITNESSES = 6

type HybridOptions = {
  readonly weights?: HybridWeights
  readonly fullRange?: number
}

const EVEN: HybridWeights = { keyword: 1, vector: 1 }

/**
 * Share of the best BM25 below which a row with a weak vector is weak, so that one common word
 * does not suffice.
 */
const STRONG_KEYWORD_SHARE = 0.5
/**
 * Minimum range of lifts for full weight of vectors (bench/lift-range.ts: the largest at which
 * no judged set loses .001 of nDCG@10).
 */
const FULL_LIFT_RANGE = 0.13

/**
 * Combines exact scores of the best of each leg. Vectors weigh less if even the nearest is
 * hardly nearer than chance.
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
    const legLimit = Math.max(LEG_CANDIDATES, limit)
    const [keyword, vector] = await Promise.all([
      this.#keyword.find(query, legLimit, signal),
      this.#vector.find(query, legLimit, signal),
    ])
    const found = {
      keyword: { rows: keyword, limit: legLimit },
      vector: { rows: vector, limit: legLimit },
    }
    const lifts = await this.#judgeByVector(query, found, signal)
    const fullScore = await this.#keyword.computeFullScore(query)
    const weights = chooseWeights(query, this.#weights)
    const scoreParts = combineScores({
      keyword,
      lifts,
      fullScore,
      weights,
      fullRange: this.#fullRange,
    })
    const witnesses = new Set(keyword.slice(0, WITNESSES).map(({ row }) => row))
    const fusing = { found, lifts, scoreParts, limit, witnesses }
    const fused = await this.#combine(query, fusing, signal)
    const candidates = await query.index.readCandidates(selectBest(fused, limit, witnesses))
    const sorted = candidates.toSorted(compareByScore)
    return sorted.filter(({ row }, index) => index < limit || witnesses.has(row))
  }

  async #judgeByVector(
    query: RankQuery,
    { keyword, vector }: FoundByBoth,
    signal?: AbortSignal,
  ): Promise<Judgements> {
    const judged = new Map<bigint, Judged>(vector.rows.map(scored => [scored.row, scored]))
    if (isAll(vector)) return judged
    const others = keyword.rows.map(({ row }) => row).filter(row => !judged.has(row))
    for (const [row, other] of await this.#vector.judge(query, others, signal))
      judged.set(row, other)
    return judged
  }

  async #combine(
    query: RankQuery,
    { found, lifts, scoreParts, limit, witnesses }: Fusing,
    signal?: AbortSignal,
  ) {
    const scored = new Map<bigint, Judged>(found.keyword.rows.map(scored => [scored.row, scored]))
    const maxScore = isAll(found.keyword) ? 0 : (found.keyword.rows.at(-1)?.score ?? 0)
    const rows = selectContenders(mergeCandidates(found), {
      scored,
      maxBm25: maxScore,
      scoreParts,
      limit,
      witnesses,
    })
    const open = maxScore > 0 ? rows.map(({ row }) => row).filter(row => !scored.has(row)) : []
    for (const [row, other] of await this.#keyword.judge(query, open, signal))
      scored.set(row, other)
    const strong = STRONG_KEYWORD_SHARE * (found.keyword.rows[0]?.score ?? 0)
    return rows.map(candidate => {
      const bm25 = scored.get(candidate.row)?.score ?? 0
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

function selectContenders(
  candidates: readonly Scored[],
  { scored, maxBm25, scoreParts, limit, witnesses }: Contest,
): readonly Scored[] {
  const readScore = ({ row }: Scored, bm25: number) =>
    sumParts(scoreParts(row, scored.get(row)?.score ?? bm25))
  const minScores = candidates.map(candidate => readScore(candidate, 0))
  const threshold = minScores.toSorted((a, b) => b - a)[limit - 1] ?? Number.NEGATIVE_INFINITY
  return candidates.filter(
    candidate => readScore(candidate, maxBm25) >= threshold || witnesses.has(candidate.row),
  )
}

type Contest = {
  readonly scored: Judgements
  readonly maxBm25: number
  readonly scoreParts: ScoreParts
  readonly limit: number
  readonly witnesses: ReadonlySet<bigint>
}

function mergeCandidates({ keyword, vector }: FoundByBoth): readonly Scored[] {
  return [...new Map([...keyword.rows, ...vector.rows].map(found => [found.row, found])).values()]
}

function sumParts({ keyword, vector }: FusedParts): number {
  return vector + keyword
}

type Judgements = ReadonlyMap<bigint, Judged>

type FoundRows = { readonly rows: readonly Scored[]; readonly limit: number }
type FoundByBoth = { readonly keyword: FoundRows; readonly vector: FoundRows }

type Fusing = {
  readonly found: FoundByBoth
  readonly lifts: Judgements
  readonly scoreParts: ScoreParts
  readonly limit: number
  readonly witnesses: ReadonlySet<bigint>
}

function isAll({ rows, limit }: FoundRows): boolean {
  return rows.length < limit
}

/** Includes all ties with the last; content decides among them. */
function selectBest<Row extends Scored>(
  scored: readonly Row[],
  limit: number,
  witnesses: ReadonlySet<bigint>,
): readonly Row[] {
  const sorted = scored.toSorted((a, b) => b.score - a.score)
  const last = sorted[limit - 1]?.score ?? Number.NEGATIVE_INFINITY
  return sorted.filter(({ score, row }) => score >= last || witnesses.has(row))
}

/** Part of the vectors' weight for numbers alone, so that they order what words leave equal. */
const VECTORS_OF_NUMBERS = 0.1

export function chooseWeights(
  { text, weights }: Pick<RankQuery, 'text' | 'weights'>,
  { keyword, vector }: HybridWeights = EVEN,
): HybridWeights {
  if (weights) return weights
  return { keyword, vector: hasOnlyNumbers(text) ? VECTORS_OF_NUMBERS * vector : vector }
}

export function computeVectorShare({ keyword, vector }: HybridWeights = EVEN): number {
  return vector / (keyword + vector)
}

/** Returns parts of a score, which never falls with `bm25`. */
type ScoreParts = (row: bigint, bm25: number) => FusedParts

type Legs = {
  readonly keyword: readonly Scored[]
  /** Lacks rows without a vector. */
  readonly lifts: ReadonlyMap<bigint, Judged>
  readonly fullScore: number | undefined
  readonly weights: HybridWeights
  readonly fullRange: number
}

/**
 * Fuses scores: BM25 relative to a chunk with all terms, lift to its range, at least
 * `fullRange`. A row without a vector gets a lift by its words.
 */
function combineScores({ keyword, lifts, fullScore = 0, weights, fullRange }: Legs): ScoreParts {
  const ofVector = computeVectorShare(weights)
  const full = keyword.reduce((max, { score }) => Math.max(max, score), fullScore)
  const { lowest, range, best } = measureLifts(lifts, fullRange)
  return (row, bm25) => {
    const words = full > 0 ? bm25 / full : 0
    const lift = lifts.get(row)
    const near = lift ? (lift.score - lowest) / range : best * words
    return { keyword: (1 - ofVector) * words, vector: ofVector * near }
  }
}

type LiftScale = {
  readonly lowest: number
  readonly range: number
  /** Score of the best lift; 1 without vectors. */
  readonly best: number
}

/** Extends a short range down to lift 0 (chance), then upwards. */
function measureLifts(lifts: ReadonlyMap<bigint, Judged>, fullRange: number): LiftScale {
  if (lifts.size === 0) return { lowest: 0, range: 1, best: 1 }
  const scores = [...lifts.values()].map(({ score }) => score)
  const highest = Math.max(...scores)
  const lowest = Math.min(...scores, Math.max(0, highest - fullRange))
  const range = Math.max(highest - lowest, fullRange)
  return { lowest, range, best: (highest - lowest) / range }
}
