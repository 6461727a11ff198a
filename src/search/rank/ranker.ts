import type { Collection } from '../../ingest/store/catalog/collections.ts'
import type { CorrectedTerms } from '../corrections/corrections.ts'
import type { Candidate, Found, IndexReader, Restriction } from '../index-reader.ts'
import type { FusedParts, HybridWeights } from '../searcher.ts'
import type { SynonymConcept } from '../synonyms/synonyms.ts'
import type { Wording } from './wording.ts'

/** A collection with its table and embedding model. */
export type SearchedCollection = Pick<Collection, 'id' | 'name' | 'tableId' | 'embedderId'>

export type RankQuery = {
  readonly text: string
  readonly wording?: Wording | undefined
  readonly collections: readonly SearchedCollection[]
  /** Snapshot of the index at the beginning of the search. */
  readonly index: IndexReader
  readonly only: Restriction
  readonly weights?: HybridWeights | undefined
  /** Near words for those that no text has. */
  readonly corrections?: CorrectedTerms | undefined
  /** Terms of the query that have synonyms. */
  readonly synonyms?: readonly SynonymConcept[] | undefined
}

export type Scored = Found & { readonly weak: boolean }

export type Judged = Pick<Scored, 'score' | 'weak'>

/** Candidate in its final place. `parts` add up to the score; `lift` is that of its vector. */
export type Ranked = Candidate & Scored & { readonly parts?: FusedParts; readonly lift?: number }

/** One way of finding rows; scores compare within one result only. */
export interface Leg {
  /** Best first; fewer than `limit` if there are no more. */
  find(query: RankQuery, limit: number, signal?: AbortSignal): Promise<readonly Scored[]>
  /** Judges the given rows; rows without a judgement are left out. */
  judge(
    query: RankQuery,
    rows: readonly bigint[],
    signal?: AbortSignal,
  ): Promise<ReadonlyMap<bigint, Judged>>
}

/** A leg with a known maximum score. */
export interface WordLeg extends Leg {
  /** Terms, and the weight of a point of each one's BM25. */
  findTerms(query: RankQuery): Promise<ReadonlyMap<string, number>>
  /** Score of a row that matches completely, if known. */
  computeFullScore(query: RankQuery): Promise<number | undefined>
}

/** One order of chunks; scores compare within one result only. */
export interface Ranker {
  rank(query: RankQuery, limit: number, signal?: AbortSignal): Promise<readonly Ranked[]>
}

/** Returns a ranker that orders chunks by one leg only. */
export function rankByLeg(leg: Leg): Ranker {
  return {
    rank: async (query, limit, signal) => {
      const candidates = await query.index.readCandidates(await leg.find(query, limit, signal))
      return candidates.toSorted(compareByScore)
    },
  }
}

/**
 * Best first; ties by content (title, position, text), then age, so that the order is
 * reproducible.
 */
export function compareByScore(a: Candidate, b: Candidate): number {
  return (
    b.score - a.score ||
    compareText(readTitle(a), readTitle(b)) ||
    a.ordinal - b.ordinal ||
    compareText(a.chunkId, b.chunkId) ||
    a.version - b.version
  )
}

export function readTitle({ context }: Pick<Candidate, 'context'>): string {
  return context.split('\n', 1)[0] ?? ''
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
