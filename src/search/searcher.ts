import type { Attributes } from '../ingest/store/catalog/document.ts'
import type { Filter } from './filter.ts'
import type { Wording } from './rank/wording.ts'

/** Names of the ways to search. */
export const SEARCH_MODES = ['hybrid', 'keyword', 'vector', 'front-page'] as const
export type SearchMode = (typeof SEARCH_MODES)[number]
export const DEFAULT_MODE: SearchMode = 'hybrid'

/** Maximum number of hits of one search, so that an answer over HTTP stays below some 10 MB. */
export const MAX_HITS = 1_000

/** How much each leg of hybrid search says; only their ratio counts. */
export type HybridWeights = { readonly keyword: number; readonly vector: number }

/**
 * Which of the passages that were found become hits: every one; `distinct`: passages with the same text become one hit that names
 * the others; `varied`: in addition, at most two hits of one section of a document.
 */
export type Selection = 'every' | 'distinct' | 'varied'

/** What is looked for, and where. */
export type Query = {
  readonly text: string
  /** What every hit must say, and what none may. */
  readonly wording?: Wording | undefined
  /** Ids of the collections to look in. */
  readonly collectionIds: readonly string[]
  /** Only these documents, when given. */
  readonly documentIds?: readonly string[] | undefined
  /** Only documents whose attributes and facts meet it. */
  readonly filter?: Filter | undefined
  /** Only chunks that stand on one of these pages at least in part: first and last. */
  readonly pages?: readonly [number, number] | undefined
  /** In place of the searcher's own, where it has two legs. */
  readonly weights?: HybridWeights | undefined
  readonly mode?: SearchMode | undefined
  /** Reorders the best hits by a reranker: better, and up to a second slower. */
  readonly precise?: boolean | undefined
  /** Adds to each hit how it came about. */
  readonly explain?: boolean | undefined
  /** Every passage by default. */
  readonly selection?: Selection | undefined
  /** At most this many hits. */
  readonly limit: number
}

/** A term of the query that a chunk holds, and its share of the chunk's BM25. */
export type MatchedTerm = { readonly term: string; readonly weight: number }

/** Where a row stands in one leg: BM25 by keyword, lift by vector. No rank beyond the rows looked at. */
export type LegPlace = { readonly rank?: number; readonly score: number }

/** What each leg adds to a score. */
export type FusedParts = { readonly keyword: number; readonly vector: number }

/** What a reranker did to a hit: from which rank it came, what it was given, and what both searches add to its new score. */
export type Reranking = {
  readonly rank: number
  readonly score: number
  readonly parts?: { readonly search: number; readonly reranker: number }
}

/** How a hit came about: what it holds, where it stands in each leg, how that was put together, why it was allowed. */
export type HitExplanation = {
  readonly terms: readonly MatchedTerm[]
  readonly keyword?: LegPlace | undefined
  readonly vector?: LegPlace | undefined
  /** What each leg adds to the score of the first search; absent where only one was asked. */
  readonly fusion?: FusedParts | undefined
  /** The values of its document that the filter looked at. */
  readonly filter?: Attributes | undefined
}

/** The same passage in another place. */
export type HitCopy = Pick<
  Hit,
  'chunkId' | 'documentId' | 'source' | 'name' | 'pages' | 'charStart' | 'charEnd'
>

/** One chunk that was found. */
export type Hit = {
  /** Comparable within one result only. */
  readonly score: number
  /** It is likely about something else. */
  readonly weak: boolean
  /** It only lists what stands elsewhere: a contents page, an index, a menu, a dump. */
  readonly isListing?: true
  /** How likely it answers, from 0 to 1, in whatever result and collection; absent of hits that were not looked at for that. */
  readonly confidence?: number
  readonly chunkId: string
  readonly documentId: string
  readonly fileId: string
  readonly collectionId: string
  readonly source: string
  /** Base name of the source. */
  readonly name: string
  readonly title: string
  /** First and last page, in formats that have pages. */
  readonly pages?: readonly [number, number]
  /** Heading path, outermost first. */
  readonly headings: readonly string[]
  readonly charStart: number
  readonly charEnd: number
  /** Exactly the parsed text `[charStart, charEnd)`. */
  readonly text: string
  /** What the index saw in front of the text: title, heading path, repeated table header. */
  readonly context: string
  /** In tokens of the embedder, context not counted. */
  readonly tokens: number
  readonly attributes: Attributes
  /** Why the reranker that was asked for has no part in the order. */
  readonly notReranked?: string
  /** Where two legs have a share in its score. */
  readonly fused?: FusedParts
  /** Of its vector over what is usual for its language, where that was compared. */
  readonly lift?: number
  readonly reranked?: Reranking
  /** Where the same text stands as well, among what was found. */
  readonly copies?: readonly HitCopy[]
  /** Where it was asked for. */
  readonly explain?: HitExplanation
}

/**
 * Returns how likely a hit answers the query, from 0 to 1: the value for callers' thresholds. A hit without a confidence has its score,
 * clamped to that range.
 */
export function measureLikelihood({
  confidence,
  score,
}: Pick<Hit, 'confidence' | 'score'>): number {
  return confidence ?? Math.min(1, Math.max(0, score))
}

/**
 * Returns whether hits contain nothing to show: all are weak. Hits of a hybrid search that share no word with the query do not count:
 * the question may be in another language than the documents, whose best passages can be weak, too. Whoever reads them decides.
 */
export function areAllWeak(hits: readonly Hit[]): boolean {
  return (
    hits.every(hit => hit.weak) && (hits.length === 0 || hits.some(hit => hit.fused?.keyword !== 0))
  )
}

/** Finds chunks, best first; never more than asked for, never one that does not match to fill a number. */
export interface Searcher {
  search(query: Query, signal?: AbortSignal): Promise<readonly Hit[]>
}
