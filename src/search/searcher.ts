import type { Metadata } from '../ingest/parse/parser.ts'
import type { Attributes } from '../ingest/store/catalog/document.ts'
import type { Correction } from './corrections/corrections.ts'
import type { Filter } from './filter.ts'
import type { Wording } from './rank/wording.ts'
import type { AppliedSynonym } from './synonyms/synonyms.ts'

export const SEARCH_MODES = ['hybrid', 'keyword', 'vector', 'front-page'] as const
export type SearchMode = (typeof SEARCH_MODES)[number]
export const DEFAULT_MODE: SearchMode = 'hybrid'

/** Maximum hits, so that an HTTP response stays below some 10 MB. */
export const MAX_HITS = 1_000

/** Relative weights: 1 and 2 act as 2 and 4. */
export type HybridWeights = { readonly keyword: number; readonly vector: number }

/**
 * Every passage; `distinct` merges equal texts into one hit with `copies`; `varied` also keeps
 * at most two per section.
 */
export type HitSelection = 'every' | 'distinct' | 'varied'

export type Query = {
  readonly text: string
  readonly wording?: Wording | undefined
  readonly collectionIds: readonly string[]
  readonly documentIds?: readonly string[] | undefined
  readonly filter?: Filter | undefined
  /** First to last; a chunk must be on them in part. */
  readonly pages?: readonly [number, number] | undefined
  readonly weights?: HybridWeights | undefined
  readonly mode?: SearchMode | undefined
  /** Reranks the best hits: better, up to a second slower. */
  readonly precise?: boolean | undefined
  readonly explain?: boolean | undefined
  /** Default `every`. */
  readonly selection?: HitSelection | undefined
  readonly limit: number
}

/** Weight is its share of BM25. */
export type MatchedTerm = { readonly term: string; readonly weight: number }

/** Score is BM25 or lift; no rank beyond the rows examined. */
export type LegPlace = { readonly rank?: number; readonly score: number }

export type FusedParts = { readonly keyword: number; readonly vector: number }

export type Reranking = {
  readonly rank: number
  readonly score: number
  readonly parts?: { readonly search: number; readonly reranker: number }
}

export type HitExplanation = {
  readonly terms: readonly MatchedTerm[]
  readonly keyword?: LegPlace | undefined
  readonly vector?: LegPlace | undefined
  /** Parts of the first search's score; absent with one leg. */
  readonly fusion?: FusedParts | undefined
  readonly filter?: Attributes | undefined
}

export type HitCopy = Pick<
  Hit,
  'chunkId' | 'documentId' | 'source' | 'name' | 'pages' | 'charStart' | 'charEnd'
>

export type Hit = {
  /** Comparable within one result only. */
  readonly score: number
  /** True if the chunk is probably about something else. */
  readonly weak: boolean
  /** True for a contents page, index, menu or dump. */
  readonly isListing?: true
  /** Likelihood of an answer, 0 to 1, comparable across results. */
  readonly confidence?: number
  readonly chunkId: string
  readonly documentId: string
  readonly fileId: string
  readonly collectionId: string
  readonly source: string
  readonly name: string
  readonly title: string
  /** First and last page. */
  readonly pages?: readonly [number, number]
  /** Outermost first. */
  readonly headings: readonly string[]
  readonly charStart: number
  readonly charEnd: number
  /** Parsed text `[charStart, charEnd)`. */
  readonly text: string
  /** Text that the index saw before it: title, headings, table header. */
  readonly context: string
  /** Words of a user, searched like the text, never quoted. */
  readonly note?: string
  /** Tokens of the embedder, without context. */
  readonly tokens: number
  readonly attributes: Attributes
  readonly metadata?: Metadata
  /** Why reranking failed. */
  readonly notReranked?: string
  readonly corrected?: readonly Correction[] | undefined
  readonly synonyms?: readonly AppliedSynonym[] | undefined
  /** Numbers and times of the query, and their other forms that were searched, too. */
  readonly forms?: readonly AppliedSynonym[] | undefined
  /** Present with two legs. */
  readonly fused?: FusedParts
  /** Lift of the vector; absent if not compared. */
  readonly lift?: number
  readonly reranked?: Reranking
  readonly copies?: readonly HitCopy[]
  readonly explain?: HitExplanation
}

export function measureLikelihood({
  confidence,
  score,
}: Pick<Hit, 'confidence' | 'score'>): number {
  return confidence ?? Math.min(1, Math.max(0, score))
}

/**
 * Returns whether all hits are weak. False if none has a word of the query, which may be in
 * another language.
 */
export function areAllWeak(hits: readonly Hit[]): boolean {
  return (
    hits.every(hit => hit.weak) && (hits.length === 0 || hits.some(hit => hit.fused?.keyword !== 0))
  )
}

/** Finds chunks, best first; never pads with chunks that do not match. */
export interface Searcher {
  search(query: Query, signal?: AbortSignal): Promise<readonly Hit[]>
}
