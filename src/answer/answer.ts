import type { Document } from '../ingest/catalog/document.ts'
import type { Hit } from '../search/searcher.ts'
import type { Question } from './question/question.ts'

/** A question as it was read, and where its answer may come from. */
export type Asked = {
  readonly question: Question
  readonly collectionIds: readonly string[]
  /** Only these documents, when given. */
  readonly documentIds?: readonly string[] | undefined
  /** The completed documents in scope; asked for only when the question names documents, or is about them as a whole. */
  readonly documents: () => Promise<readonly Document[]>
  /** At most this many hits are looked at. */
  readonly limit?: number | undefined
}

/** What was searched for and found on the way. */
export type RetrievalEvent = { readonly type: 'retrieval'; readonly query: string; readonly hits: readonly Hit[] }
