import type { Candidate, Restriction } from './index-reader.ts'

/** What is looked for in one collection. */
export type RankQuery = { readonly text: string; readonly collectionId: string; readonly only: Restriction }

/** A candidate in its final place. */
export type Ranked = Candidate & { readonly weak: boolean }

/** One way of ordering the chunks of a collection. Its scores compare within one result only. */
export interface Ranker {
  rank(query: RankQuery, limit: number, signal?: AbortSignal): Promise<readonly Ranked[]>
}

/** Best first; equal scores in an order that depends on the content alone. */
export function byScore(a: Candidate, b: Candidate): number {
  return b.score - a.score || (a.chunkId < b.chunkId ? -1 : a.chunkId > b.chunkId ? 1 : a.version - b.version)
}
