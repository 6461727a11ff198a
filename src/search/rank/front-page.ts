import type { Ranker } from './ranker.ts'

/** Number of chunks at the beginning of a document that state what it is. */
const FRONT_CHUNKS = 2

/**
 * Returns a ranker of the beginnings of documents: those that match the query first, in the order of `matching`, then the rest in the
 * order in which they were indexed.
 */
export function rankFrontPages(matching: Ranker): Ranker {
  return {
    rank: async (query, limit, signal) => {
      const only = { ...query.only, beforeOrdinal: FRONT_CHUNKS }
      const found = await matching.rank({ ...query, only }, limit, signal)
      if (found.length >= limit) return found
      const foundRows = new Set(found.map(({ row }) => row))
      const first = await query.index.first(limit + foundRows.size, only)
      const rest = first
        .filter(({ row }) => !foundRows.has(row))
        .map(candidate => ({ ...candidate, weak: true }))
      return [...found, ...rest].slice(0, limit)
    },
  }
}
