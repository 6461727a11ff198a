import type { RowVector } from './index-reader.ts'

/** A vector, and how many of the table's it stands for: itself alone where all are read. */
export type CountedVector = RowVector & { readonly count: number }

/** The number of chunks in a table, and the terms of some of them, one blank between two. */
export type TermSample = {
  readonly chunks: number
  readonly sampled: number
  readonly texts: AsyncIterable<readonly string[]>
}

/** The rows of a table, as its statistics are worked out from them. */
export interface StatisticRows {
  /** Names the state of the table. */
  revision(): Promise<string>
  /** All vectors, or, of more than are worth reading, some of each language. A few at a time. */
  vectors(signal?: AbortSignal): AsyncIterable<readonly CountedVector[]>
  /** Of the chunks with the lowest ids, so many at most. */
  terms(size: number, signal?: AbortSignal): Promise<TermSample>
}

/** What is worked out from all rows of a table, to search it by. */
export interface TableStatistics {
  recompute(tableId: string, rows: StatisticRows, signal?: AbortSignal): Promise<void>
  forget(tableId: string): Promise<void>
}
