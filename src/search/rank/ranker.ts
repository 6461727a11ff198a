import type { Collection } from '../../ingest/store/catalog/collections.ts'
import type { CorrectedTerms } from '../corrections/corrections.ts'
import { compareText } from '../filter.ts'
import type { Candidate, Found, IndexReader, Restriction } from '../index-reader.ts'
import type { FusedParts, HybridWeights } from '../searcher.ts'
import type { SynonymConcept } from '../synonyms/synonyms.ts'
import type { CountedTerms } from '../term-rarity.ts'
import type { Wording } from './wording.ts'

export type SearchedCollection = Pick<Collection, 'id' | 'name' | 'tableId' | 'embedderId'>

export type RankQuery = {
  readonly text: string
  readonly wording?: Wording | undefined
  readonly collections: readonly SearchedCollection[]
  readonly index: IndexReader
  readonly only: Restriction
  readonly weights?: HybridWeights | undefined
  /** Undefined before the first upkeep, and for a search by vector. */
  readonly counts?: CountedTerms | undefined
  readonly corrections?: CorrectedTerms | undefined
  readonly synonyms?: readonly SynonymConcept[] | undefined
  /** Numbers and times of the query that texts have in other forms. */
  readonly forms?: readonly SynonymConcept[] | undefined
}

export type Scored = Found & { readonly weak: boolean }

export type Judged = Pick<Scored, 'score' | 'weak'>

export type Ranked = Candidate & Scored & { readonly parts?: FusedParts; readonly lift?: number }

export interface Leg {
  /** Best first; fewer than `limit` if there are no more. */
  find(query: RankQuery, limit: number, signal?: AbortSignal): Promise<readonly Scored[]>
  /** Leaves out rows without a judgement. */
  judge(
    query: RankQuery,
    rows: readonly bigint[],
    signal?: AbortSignal,
  ): Promise<ReadonlyMap<bigint, Judged>>
}

export interface WordLeg extends Leg {
  /** Returns terms and the weight of a point of each one's BM25. */
  findTerms(query: RankQuery): Promise<ReadonlyMap<string, number>>
  computeFullScore(query: RankQuery): Promise<number | undefined>
}

/** Scores compare within one result only. */
export interface Ranker {
  /** May return more than `limit`, such as the best by keyword. */
  rank(query: RankQuery, limit: number, signal?: AbortSignal): Promise<readonly Ranked[]>
}

export function rankByLeg(leg: Leg): Ranker {
  return {
    rank: async (query, limit, signal) => {
      const candidates = await query.index.readCandidates(await leg.find(query, limit, signal))
      return candidates.toSorted(compareByScore)
    },
  }
}

/** Breaks ties by content, then age, so that the order is reproducible. */
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
