import type { Collection } from '../../ingest/store/catalog/collections.ts'
import type { Candidate, Found, IndexReader, Restriction } from '../index-reader.ts'
import type { FusedParts, HybridWeights } from '../searcher.ts'
import type { Wording } from './wording.ts'

/** A collection as a search sees it: its table, and the model of its vectors. */
export type SearchedCollection = Pick<Collection, 'id' | 'name' | 'tableId' | 'embedderId'>

/** What is looked for. */
export type RankQuery = {
  readonly text: string
  readonly wording?: Wording | undefined
  readonly collections: readonly SearchedCollection[]
  /** The index of these collections as it was when the search began. */
  readonly index: IndexReader
  readonly only: Restriction
  readonly weights?: HybridWeights | undefined
}

/** Found, and whether it is trusted. */
export type Scored = Found & { readonly weak: boolean }

/** What a leg says of a row. */
export type Judged = Pick<Scored, 'score' | 'weak'>

/** A candidate in its final place. `parts` add up to the score, where two legs have a share in it; `lift` is that of a vector that was compared. */
export type Ranked = Candidate & Scored & { readonly parts?: FusedParts; readonly lift?: number }

/** One way of finding rows; its scores compare within one result only. */
export interface Leg {
  /** Best first; fewer than asked for when it has nothing to say of any other. */
  find(query: RankQuery, limit: number, signal?: AbortSignal): Promise<readonly Scored[]>
  /** The same of rows that the query allows; those that it has nothing to say of are left out. */
  judge(
    query: RankQuery,
    rows: readonly bigint[],
    signal?: AbortSignal,
  ): Promise<ReadonlyMap<bigint, Judged>>
}

/** A leg whose scores can be measured against what a row could get. */
export interface WordLeg extends Leg {
  /** What the query is looked for by, and how much a point of its BM25 counts. */
  terms(query: RankQuery): Promise<ReadonlyMap<string, number>>
  /** The score of a row that holds all that is asked for; undefined where that is not known. */
  fullScore(query: RankQuery): Promise<number | undefined>
}

/** One way of ordering chunks. Its scores compare within one result only. */
export interface Ranker {
  rank(query: RankQuery, limit: number, signal?: AbortSignal): Promise<readonly Ranked[]>
}

/** Returns a ranker that orders chunks by one leg only. */
export function rankByLeg(leg: Leg): Ranker {
  return {
    rank: async (query, limit, signal) => {
      const candidates = await query.index.candidates(await leg.find(query, limit, signal))
      return candidates.toSorted(compareByScore)
    },
  }
}

/** Best first; equal scores in an order that depends on the content alone: title, position, content; then age. */
export function compareByScore(a: Candidate, b: Candidate): number {
  return (
    b.score - a.score ||
    compareText(readTitle(a), readTitle(b)) ||
    a.ordinal - b.ordinal ||
    compareText(a.chunkId, b.chunkId) ||
    a.version - b.version
  )
}

/** Of its document. */
export function readTitle({ context }: Pick<Candidate, 'context'>): string {
  return context.split('\n', 1)[0] ?? ''
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
