import type { Embedder } from '../../ingest/embed/embedder.ts'
import { dot } from '../../ingest/embed/vector.ts'
import type { Language } from '../../text/language.ts'
import type { RowScores, RowVector, VectorQuery } from '../index-reader.ts'
import type { LanguageMeans, MeanPriors } from '../language-means.ts'
import { centerQuery, computeMeanGain, removeQueryMean, selectMean } from './centered-query.ts'
import type { Likeness } from './feedback.ts'
import type { Judged, Leg, RankQuery, Scored, SearchedCollection } from './ranker.ts'

/**
 * Lift near to chance (bench/weak-margin.ts: 37 of 44 answerable questions lie above, 4 of 15
 * others).
 */
const WEAK_LIFT = 0.035

/** Minimum rows compared with the mean, so that the best by lift are among them. */
const MIN_COMPARED = 100

export type VectorModel = {
  readonly embedder: Embedder
  readonly priors: MeanPriors
  readonly queryMeans?: MeanPriors
}

/** Returns undefined without vectors. Throws `store_mismatch` for an unknown model. */
export type VectorModelOf = (
  collection: Pick<SearchedCollection, 'name' | 'embedderId'>,
  signal?: AbortSignal,
) => Promise<VectorModel | undefined>

type SpreadQuery = VectorQuery & {
  /** Distance of a model's vectors from their mean: 1 minus its squared length. */
  readonly spread: number
}

type ModelQuery = SpreadQuery & {
  readonly means: ReadonlyMap<Language, Float32Array>
  readonly mean?: SpreadQuery
}

/** Nearest by lift: cosine minus the query's similarity to the mean of the chunk's language. */
export class VectorLeg implements Leg, Likeness {
  readonly #findModel: VectorModelOf
  readonly #means: LanguageMeans
  readonly #modelQueries = new WeakMap<RankQuery, Promise<ModelQuery | undefined>>()
  /** Keyed by the vector of the mean. */
  readonly #meanQueries = new WeakMap<Float32Array, ModelQuery>()

  constructor(findModel: VectorModelOf, means: LanguageMeans) {
    this.#findModel = findModel
    this.#means = means
  }

  async find(query: RankQuery, limit: number, signal?: AbortSignal): Promise<readonly Scored[]> {
    const modelQuery = await this.#getQuery(query, signal)
    if (!modelQuery) return []
    const candidateLimit = modelQuery.mean ? Math.max(limit, MIN_COMPARED) : limit
    const found = await query.index.findNearest(modelQuery, candidateLimit, query.only)
    const nearness = await readNearness(
      query,
      modelQuery,
      found.map(({ row }) => row),
    )
    const scored = found.map(({ row, version, score: lift }) => {
      const score = addGain(lift, nearness.get(row))
      return { row, version, score, lift: score, weak: score < WEAK_LIFT }
    })
    return scored.toSorted((a, b) => b.score - a.score).slice(0, limit)
  }

  async judge(
    query: RankQuery,
    rows: readonly bigint[],
    signal?: AbortSignal,
  ): Promise<ReadonlyMap<bigint, Judged>> {
    const modelQuery = await this.#getQuery(query, signal)
    if (!modelQuery) return new Map()
    const scores = await query.index.scoreByVector(modelQuery, rows)
    const nearness = await readNearness(query, modelQuery, rows)
    return new Map(
      [...scores].map(([row, lift]) => {
        const score = addGain(lift, nearness.get(row))
        return [row, { score, weak: score < WEAK_LIFT }]
      }),
    )
  }

  /**
   * Returns lift over the sum of trusted vectors, weighted by reciprocal rank; none across
   * models.
   */
  async measureSimilarity(
    query: RankQuery,
    rows: readonly bigint[],
    trusted: number,
    signal?: AbortSignal,
  ) {
    const modelQuery = await this.#getQuery(query, signal)
    const vectors = modelQuery ? await query.index.readVectors(rows) : new Map<bigint, RowVector>()
    const first = rows.slice(0, trusted).flatMap((row, index) => {
      const own = vectors.get(row)
      return own ? [{ ...own, weight: 1 / (index + 1) }] : []
    })
    if (!modelQuery || first.length === 0) return new Map<bigint, number>()
    const { vector, baselines } = toModelQuery(sumWeighted(first), modelQuery.means)
    const computeLift = (rowVector: RowVector) =>
      dot(rowVector.vector, vector) - (baselines.get(rowVector.language) ?? 0)
    const own = first.reduce((sum, rowVector) => sum + rowVector.weight * computeLift(rowVector), 0)
    const full = own / first.reduce((sum, { weight }) => sum + weight, 0)
    if (full <= 0) return new Map<bigint, number>()
    return new Map(
      [...vectors].map(([row, rowVector]) => [
        row,
        Math.min(1, Math.max(0, computeLift(rowVector) / full)),
      ]),
    )
  }

  #getQuery(query: RankQuery, signal?: AbortSignal): Promise<ModelQuery | undefined> {
    const modelQuery = this.#modelQueries.get(query) ?? this.#embedQuery(query, signal)
    this.#modelQueries.set(query, modelQuery)
    return modelQuery
  }

  async #embedQuery(
    { text, collections }: RankQuery,
    signal?: AbortSignal,
  ): Promise<ModelQuery | undefined> {
    const ids = new Set(collections.map(({ embedderId }) => embedderId))
    const embedding = [...ids].map(async id => {
      const own = collections.filter(({ embedderId }) => embedderId === id)
      return [id, await this.#embedForModel(own, text, signal)] as const
    })
    const byModel = new Map<string, ModelQuery>()
    for (const [id, query] of await Promise.all(embedding)) if (query) byModel.set(id, query)
    const [first] = byModel.values()
    if (!first || ids.size === 1) return first
    const minSpread = Math.min(...[...byModel.values()].map(({ spread }) => spread))
    const means = [...byModel].flatMap(([id, { mean }]) => (mean ? [[id, mean] as const] : []))
    const [, mean] = means[0] ?? []
    return {
      ...first,
      byModel: scaleToSpread(minSpread, byModel),
      mean: mean && { ...mean, byModel: scaleToSpread(minSpread, means) },
    }
  }

  async #embedForModel(
    collections: readonly SearchedCollection[],
    text: string,
    signal?: AbortSignal,
  ) {
    const [first] = collections
    const model = first && (await this.#findModel(first, signal))
    const [vector] = (await model?.embedder.embed([text], 'query', signal)) ?? []
    if (!vector || !model) return undefined
    const tables = collections.map(({ tableId }) => tableId)
    const means = await this.#means.getMeans(tables, model.priors)
    const mean = selectMean(text, means)
    return {
      ...toModelQuery(
        centerQuery(removeQueryMean(vector, text, model.queryMeans), text, means),
        means,
      ),
      mean: mean && this.#getMeanQuery(mean, means),
    }
  }

  #getMeanQuery(mean: Float32Array, means: ReadonlyMap<Language, Float32Array>): ModelQuery {
    const cached = this.#meanQueries.get(mean)
    if (cached) return cached
    const query = { ...toModelQuery(mean, means), isRepeated: true }
    this.#meanQueries.set(mean, query)
    return query
  }
}

function toModelQuery(
  vector: Float32Array,
  means: ReadonlyMap<Language, Float32Array>,
): ModelQuery {
  const baselines = new Map([...means].map(([language, mean]) => [language, dot(vector, mean)]))
  const lengths = [...means.values()].map(mean => dot(mean, mean))
  const spread = 1 - lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length)
  return { vector, baselines, spread, means }
}

/** Scales lifts to the smallest spread, so that they compare across models. */
function scaleToSpread(
  minSpread: number,
  byModel: Iterable<readonly [string, SpreadQuery]>,
): ReadonlyMap<string, VectorQuery> {
  const scaled = [...byModel].map(([id, { vector, baselines, spread }]) => {
    const by = spread > 0 ? minSpread / spread : 1
    const scaledBaselines = new Map(
      [...baselines].map(([language, value]) => [language, value * by]),
    )
    return [id, { vector: vector.map(value => value * by), baselines: scaledBaselines }] as const
  })
  return new Map(scaled)
}

async function readNearness(
  { index }: RankQuery,
  { mean }: ModelQuery,
  rows: readonly bigint[],
): Promise<RowScores> {
  return mean ? await index.scoreByVector(mean, rows) : new Map()
}

function addGain(lift: number, nearness: number | undefined): number {
  return nearness === undefined ? lift : lift + computeMeanGain(nearness)
}

type Weighted = { readonly vector: Float32Array; readonly weight: number }

function sumWeighted(some: readonly Weighted[]): Float32Array {
  const sum = new Float32Array(some[0]?.vector.length ?? 0)
  for (const { vector, weight } of some)
    for (let index = 0; index < sum.length; index++)
      sum[index] = (sum[index] ?? 0) + weight * (vector[index] ?? 0)
  return sum
}
