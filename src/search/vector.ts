import type { Embedder } from '../ingest/embedder.ts'
import { dot } from './dot.ts'
import type { RowScores, VectorQuery } from './index-reader.ts'
import type { LanguageMeans } from './language-means.ts'
import type { Judged, Leg, RankQuery, Scored } from './ranker.ts'

/**
 * Below this lift over the mean of its language a neighbour is too near to chance to be trusted. Set on the shipped
 * samples by bench/weak-margin.ts, to doubt no true neighbour: the nearest of all 15 questions that they answer lie above,
 * those of 4 of the 9 others below.
 */
const WEAK_LIFT = 0.05

/**
 * Nearest neighbours by lift: cosine less the query's similarity to the mean of the chunk's language in the collection.
 * Within one language that is the order of cosine.
 */
export class VectorLeg implements Leg {
  readonly #embedder: Embedder
  readonly #means: LanguageMeans
  /** What is asked of the index for each question that is being answered. */
  readonly #asked = new WeakMap<RankQuery, Promise<VectorQuery | undefined>>()

  constructor(embedder: Embedder, means: LanguageMeans) {
    this.#embedder = embedder
    this.#means = means
  }

  async find(query: RankQuery, limit: number, signal?: AbortSignal): Promise<readonly Scored[]> {
    const asked = await this.#ask(query, signal)
    if (!asked) return []
    const found = await query.index.vector(asked, limit, query.only)
    return found.map(row => ({ ...row, weak: row.score < WEAK_LIFT }))
  }

  async judge(query: RankQuery, rows: readonly bigint[], signal?: AbortSignal): Promise<ReadonlyMap<bigint, Judged>> {
    const asked = await this.#ask(query, signal)
    const scores: RowScores = asked ? await query.index.vectorScores(asked, rows) : new Map()
    return new Map([...scores].map(([row, score]) => [row, { score, weak: score < WEAK_LIFT }]))
  }

  #ask(query: RankQuery, signal?: AbortSignal): Promise<VectorQuery | undefined> {
    const asked = this.#asked.get(query) ?? this.#embedded(query, signal)
    this.#asked.set(query, asked)
    return asked
  }

  async #embedded({ text, collectionIds }: RankQuery, signal?: AbortSignal): Promise<VectorQuery | undefined> {
    const [vector] = await this.#embedder.embed([text], 'query', signal)
    if (!vector) return undefined
    const means = this.#means.of(collectionIds)
    return { vector, baselines: new Map([...means].map(([language, mean]) => [language, dot(vector, mean)])) }
  }
}
