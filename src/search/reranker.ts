import type { Hit } from './searcher.ts'

/** Looks closer at hits than the search that found them could. */
export interface Reranker {
  /** How well each hit answers the query, in order: higher is better, comparable within one call only. */
  scores(query: string, hits: readonly Hit[], signal?: AbortSignal): Promise<readonly number[]>
}

/** Looks at the sentences of hits. */
export interface SentenceReader {
  /** How like the query the best sentence of each hit is by itself, without its headings: the cosine of the configured model's vectors. */
  likeness(query: string, hits: readonly Hit[], signal?: AbortSignal): Promise<readonly number[]>
}
