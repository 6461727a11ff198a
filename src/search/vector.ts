import type { Embedder } from '../ingest/embedder.ts'
import { dot } from './dot.ts'
import type { LanguageMeans } from './language-means.ts'
import type { Leg, RankQuery, Scored } from './ranker.ts'

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

  constructor(embedder: Embedder, means: LanguageMeans) {
    this.#embedder = embedder
    this.#means = means
  }

  async find(query: RankQuery, limit: number, signal?: AbortSignal): Promise<readonly Scored[]> {
    const [vector] = await this.#embedder.embed([query.text], 'query', signal)
    if (!vector) return []
    const means = this.#means.of(query.collectionIds)
    const baselines = new Map([...means].map(([language, mean]) => [language, dot(vector, mean)]))
    const found = await query.index.vector({ vector, baselines }, limit, query.only)
    return found.map(row => ({ ...row, weak: row.score < WEAK_LIFT }))
  }
}
