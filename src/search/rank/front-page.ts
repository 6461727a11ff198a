import type { Ranked, Ranker, RankQuery } from './ranker.ts'

/** The first chunks of a document that say what it is. */
const FRONT_CHUNKS = 2

/** The beginnings of documents: those that match the query first, then the rest in the order they were indexed. */
export class FrontPageRanker implements Ranker {
  readonly #matching: Ranker

  /** `matching` orders the front pages; hybrid, as a rule. */
  constructor(matching: Ranker) {
    this.#matching = matching
  }

  async rank(query: RankQuery, limit: number, signal?: AbortSignal): Promise<readonly Ranked[]> {
    const only = { ...query.only, beforeOrdinal: FRONT_CHUNKS }
    const matching = await this.#matching.rank({ ...query, only }, limit, signal)
    if (matching.length >= limit) return matching
    const known = new Set(matching.map(candidate => candidate.row))
    const others = await query.index.first(limit + known.size, only)
    const rest = others
      .filter(candidate => !known.has(candidate.row))
      .map(candidate => ({ ...candidate, weak: true }))
    return [...matching, ...rest].slice(0, limit)
  }
}
