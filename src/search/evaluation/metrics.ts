/** Relevance by document id; above 0 is relevant. */
export type Judgements = ReadonlyMap<string, number>

/** Means over queries with 95 % bootstrap intervals. */
export type Metrics = {
  readonly ndcg10: number
  readonly recall10: number
  readonly mrr10: number
  readonly ci95: Readonly<Record<'ndcg10' | 'recall10' | 'mrr10', readonly [number, number]>>
}

export type QueryMetrics = {
  readonly ndcg10: number
  readonly recall10: number
  readonly mrr10: number
}

const DEPTH = 10
const RESAMPLES = 1_000

/** Follows trec_eval, with linear gain. */
export function queryMetrics(ranking: readonly string[], judgements: Judgements): QueryMetrics {
  const gains = ranking.slice(0, DEPTH).map(id => Math.max(judgements.get(id) ?? 0, 0))
  const relevant = [...judgements.values()].filter(gain => gain > 0).toSorted((a, b) => b - a)
  const first = gains.findIndex(gain => gain > 0)
  return {
    ndcg10: computeGain(gains) / computeGain(relevant.slice(0, DEPTH)),
    recall10: gains.filter(gain => gain > 0).length / relevant.length,
    mrr10: first >= 0 ? 1 / (first + 1) : 0,
  }
}

export function averageMetrics(queries: readonly QueryMetrics[]): Metrics {
  const getColumn = (name: keyof QueryMetrics) => queries.map(query => query[name])
  return {
    ndcg10: computeMean(getColumn('ndcg10')),
    recall10: computeMean(getColumn('recall10')),
    mrr10: computeMean(getColumn('mrr10')),
    ci95: {
      ndcg10: bootstrapMean(getColumn('ndcg10')),
      recall10: bootstrapMean(getColumn('recall10')),
      mrr10: bootstrapMean(getColumn('mrr10')),
    },
  }
}

/** Returns the value below which a share `p` of the values lies. */
export function computePercentile(values: readonly number[], p: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(p * sorted.length))] ?? 0
}

function computeGain(gains: readonly number[]): number {
  return gains.reduce((sum, gain, index) => sum + gain / Math.log2(index + 2), 0)
}

export function computeMean(values: readonly number[]): number {
  return values.length > 0 ? values.reduce((sum, value) => sum + value, 0) / values.length : 0
}

/** Percentile bootstrap of the mean (Efron 1979); deterministic. */
function bootstrapMean(values: readonly number[]): readonly [number, number] {
  const random = createPseudoRandom(values.length)
  const means = Array.from({ length: RESAMPLES }, () =>
    computeMean(values.map(() => values[Math.floor(random() * values.length)] ?? 0)),
  )
  return [computePercentile(means, 0.025), computePercentile(means, 0.975)]
}

/** Mulberry32: numbers from 0 to 1. */
export function createPseudoRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
