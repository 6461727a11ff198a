import type { Embedder } from '../ingest/embedder.ts'
import type { Language } from '../ingest/language.ts'
import { dot } from './dot.ts'
import type { Candidate, IndexReader } from './index-reader.ts'
import type { LanguageMeans } from './language-means.ts'
import { byScore, type Ranked, type Ranker, type RankQuery } from './ranker.ts'

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
export class VectorRanker implements Ranker {
  readonly #reader: IndexReader
  readonly #embedder: Embedder
  readonly #means: LanguageMeans

  constructor(reader: IndexReader, embedder: Embedder, means: LanguageMeans) {
    this.#reader = reader
    this.#embedder = embedder
    this.#means = means
  }

  async rank(query: RankQuery, limit: number, signal?: AbortSignal): Promise<readonly Ranked[]> {
    const [vector] = await this.#embedder.embed([query.text], 'query', signal)
    if (!vector) return []
    const means = this.#means.of(query.collectionId)
    const found = await this.#nearest(query, vector, [...means.keys()], limit)
    return found
      .map(candidate => {
        const score = candidate.score - similarity(vector, means.get(candidate.language))
        return { ...candidate, score, weak: score < WEAK_LIFT }
      })
      .toSorted(byScore)
      .slice(0, limit)
  }

  /** Each language is asked for its own nearest, for the lift orders them only within a language as cosine does. */
  async #nearest(
    { collectionId, only }: RankQuery,
    vector: Float32Array,
    languages: readonly Language[],
    limit: number,
  ): Promise<readonly Candidate[]> {
    if (languages.length < 2 || only.keys) return await this.#reader.vector(collectionId, vector, limit, only)
    const found = await Promise.all(
      languages.map(language => this.#reader.vector(collectionId, vector, limit, { ...only, language })),
    )
    return found.flat()
  }
}

/** Nothing to compare with: no similarity. */
function similarity(vector: Float32Array, mean: Float32Array | undefined): number {
  return mean ? dot(vector, mean) : 0
}
