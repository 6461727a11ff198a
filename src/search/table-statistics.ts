import type { RowVector } from './index-reader.ts'

export type CountedVector = RowVector & { readonly count: number }

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
