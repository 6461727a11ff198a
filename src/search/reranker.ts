import type { Hit } from './searcher.ts'

export interface Reranker {
  /** Returns scores in order, higher is better, comparable within one call only. */
  scoreHits(query: string, hits: readonly Hit[], signal?: AbortSignal): Promise<readonly number[]>
}

export interface SentenceReader {
  /** Returns per hit the best cosine of a sentence without its headings. */
  measureSimilarity(
    query: string,
    hits: readonly Hit[],
    signal?: AbortSignal,
  ): Promise<readonly number[]>
}
