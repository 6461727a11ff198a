import type { Ranker } from './ranker.ts'

/** Chunks that usually state what a document is, so that its body is not searched. */
const FRONT_CHUNKS = 2

export function rankFrontPages(matching: Ranker): Ranker {
  return {
    rank: async (query, limit, signal) => {
      const only = { ...query.only, beforeOrdinal: FRONT_CHUNKS }
      const found = await matching.rank({ ...query, only }, limit, signal)
      if (found.length >= limit) return found
      const foundRows = new Set(found.map(({ row }) => row))
      const first = await query.index.readFirst(limit + foundRows.size, only)
      const rest = first
        .filter(({ row }) => !foundRows.has(row))
        .map(candidate => ({ ...candidate, weak: true }))
      return [...found, ...rest].slice(0, limit)
    },
  }
}
