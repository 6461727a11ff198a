import type { RowVector } from './index-reader.ts'

/** A vector and the number that it represents. */
export type CountedVector = RowVector & { readonly count: number }

/** Number of chunks, and a sample's terms, separated by one space. */
export type TermSample = {
  readonly chunks: number
  readonly sampled: number
  readonly texts: AsyncIterable<readonly string[]>
}

export interface StatisticRows {
  getRevision(): Promise<string>
  /** Yields all vectors, or a sample per language of a large table. */
  readVectors(signal?: AbortSignal): AsyncIterable<readonly CountedVector[]>
  /** Uses the chunks with the lowest ids. */
  readTerms(size: number, signal?: AbortSignal): Promise<TermSample>
}

export interface TableStatistics {
  rebuild(tableId: string, rows: StatisticRows, signal?: AbortSignal): Promise<void>
  forget(tableId: string): Promise<void>
}
