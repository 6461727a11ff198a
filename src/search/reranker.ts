import type { Hit } from './searcher.ts'

/** Scores hits more closely than the search that found them. */
export interface Reranker {
  /** Scores in order, higher is better; comparable within one call only. */
  scoreHits(query: string, hits: readonly Hit[], signal?: AbortSignal): Promise<readonly number[]>
}

export interface SentenceReader {
  /** Returns, per hit, the best cosine of a sentence without its headings. */
  measureSimilarity(
    query: string,
    hits: readonly Hit[],
    signal?: AbortSignal,
  ): Promise<readonly number[]>
}
