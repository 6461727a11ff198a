import type { Hit } from './searcher.ts'

/** Looks closer at hits than the search that found them could. */
export interface Reranker {
  /** How well each hit answers the query, in order: higher is better, comparable within one call only. */
  scores(query: string, hits: readonly Hit[], signal?: AbortSignal): Promise<readonly number[]>
}
