import type { Attributes } from '../ingest/store/catalog/document.ts'
import type { Correction } from './corrections/corrections.ts'
import type { Filter } from './filter.ts'
import type { Wording } from './rank/wording.ts'
import type { AppliedSynonym } from './synonyms/synonyms.ts'

export const SEARCH_MODES = ['hybrid', 'keyword', 'vector', 'front-page'] as const
export type SearchMode = (typeof SEARCH_MODES)[number]
export const DEFAULT_MODE: SearchMode = 'hybrid'

/** Maximum hits of one search, so that an HTTP response stays below some 10 MB. */
export const MAX_HITS = 1_000

/** Weights of the legs of hybrid search; only their ratio counts. */
export type HybridWeights = { readonly keyword: number; readonly vector: number }

/**
 * Selection of hits: every passage; `distinct` merges equal texts into one hit with `copies`;
 * `varied` also keeps at most two hits per section.
 */
export type Selection = 'every' | 'distinct' | 'varied'

export type Query = {
  readonly text: string
  /** Phrases that hits must and must not contain. */
  readonly wording?: Wording | undefined
  readonly collectionIds: readonly string[]
  /** Restricts to these documents. */
  readonly documentIds?: readonly string[] | undefined
  /** Restricts to documents whose attributes and facts match. */
  readonly filter?: Filter | undefined
  /** Restricts to chunks on these pages, first to last, at least in part. */
  readonly pages?: readonly [number, number] | undefined
  /** Replaces the searcher's weights. */
  readonly weights?: HybridWeights | undefined
  readonly mode?: SearchMode | undefined
  /** Reranks the best hits: better, up to a second slower. */
  readonly precise?: boolean | undefined
  /** Explains each hit. */
  readonly explain?: boolean | undefined
  /** Default `every`. */
  readonly selection?: Selection | undefined
  /** Maximum number of hits. */
  readonly limit: number
}

/** A matched query term and its share of BM25. */
export type MatchedTerm = { readonly term: string; readonly weight: number }

/** Rank and score (BM25 or lift) in one leg; no rank beyond the rows examined. */
export type LegPlace = { readonly rank?: number; readonly score: number }

/** Part of each leg in a score. */
export type FusedParts = { readonly keyword: number; readonly vector: number }

/** A reranker's effect: previous rank, its score, and the parts of the new score. */
export type Reranking = {
  readonly rank: number
  readonly score: number
  readonly parts?: { readonly search: number; readonly reranker: number }
}

/** Explanation of a hit. */
export type HitExplanation = {
  readonly terms: readonly MatchedTerm[]
  readonly keyword?: LegPlace | undefined
  readonly vector?: LegPlace | undefined
  /** Parts of the first search's score; absent with one leg. */
  readonly fusion?: FusedParts | undefined
  /** Values of the document that the filter compared. */
  readonly filter?: Attributes | undefined
}

/** The same passage elsewhere. */
export type HitCopy = Pick<
  Hit,
  'chunkId' | 'documentId' | 'source' | 'name' | 'pages' | 'charStart' | 'charEnd'
>

/** A found chunk. */
export type Hit = {
  /** Comparable within one result only. */
  readonly score: number
  /** True if the chunk is probably about something else. */
  readonly weak: boolean
  /** True for a contents page, index, menu or dump. */
  readonly isListing?: true
  /** Likelihood of an answer, 0 to 1, comparable across results; absent if not judged. */
  readonly confidence?: number
  readonly chunkId: string
  readonly documentId: string
  readonly fileId: string
  readonly collectionId: string
  readonly source: string
  readonly name: string
  readonly title: string
  /** First and last page, if the format has pages. */
  readonly pages?: readonly [number, number]
  /** Outermost first. */
  readonly headings: readonly string[]
  readonly charStart: number
  readonly charEnd: number
  /** The parsed text `[charStart, charEnd)`. */
  readonly text: string
  /** Text that the index saw before the chunk: title, headings, table header. */
  readonly context: string
  /** Tokens of the embedder, without context. */
  readonly tokens: number
  readonly attributes: Attributes
  /** Why the requested reranker was not applied. */
  readonly notReranked?: string
  /** Words of the query that no text has, and the terms that were searched instead. */
  readonly corrected?: readonly Correction[] | undefined
  /** Terms of the query, and their synonyms that were searched, too. */
  readonly synonyms?: readonly AppliedSynonym[] | undefined
  /** Present with two legs. */
  readonly fused?: FusedParts
  /** Lift of its vector, if compared. */
  readonly lift?: number
  readonly reranked?: Reranking
  /** Other places of the same text. */
  readonly copies?: readonly HitCopy[]
  readonly explain?: HitExplanation
}

/**
 * Returns the likelihood of an answer, 0 to 1, for callers' thresholds: the confidence, or else
 * the clamped score.
 */
export function measureLikelihood({
  confidence,
  score,
}: Pick<Hit, 'confidence' | 'score'>): number {
  return confidence ?? Math.min(1, Math.max(0, score))
}

/**
 * Returns whether all hits are weak. Hits of hybrid search that share no word with the query do
 * not count, because the question may be in another language; the reader decides.
 */
export function areAllWeak(hits: readonly Hit[]): boolean {
  return (
    hits.every(hit => hit.weak) && (hits.length === 0 || hits.some(hit => hit.fused?.keyword !== 0))
  )
}

/** Finds chunks, best first; never pads the result with chunks that do not match. */
export interface Searcher {
  search(query: Query, signal?: AbortSignal): Promise<readonly Hit[]>
}
