import type { IndexReader } from './index-reader.ts'
import type { Ranked, Ranker, RankQuery } from './ranker.ts'

/** The first chunks of a document that say what it is. */
const FRONT_CHUNKS = 2

/** The beginnings of documents: those that match the query first, then the rest in the order they were indexed. */
export class FrontPageRanker implements Ranker {
  readonly #reader: IndexReader
  readonly #matching: Ranker

  /** `matching` orders the front pages; hybrid, as a rule. */
  constructor(reader: IndexReader, matching: Ranker) {
    this.#reader = reader
    this.#matching = matching
  }

  async rank(query: RankQuery, limit: number, signal?: AbortSignal): Promise<readonly Ranked[]> {
    const only = { ...query.only, beforeOrdinal: FRONT_CHUNKS }
    const matching = await this.#matching.rank({ ...query, only }, limit, signal)
    if (matching.length >= limit) return matching
    const known = new Set(matching.map(candidate => candidate.key))
    const others = await this.#reader.first(query.collectionId, limit + known.size, only)
    const rest = others.filter(candidate => !known.has(candidate.key)).map(candidate => ({ ...candidate, weak: true }))
    return [...matching, ...rest].slice(0, limit)
  }
}
