import type { Language } from '../text/language.ts'

export type Found = {
  /** Valid as long as the reader is. */
  readonly row: bigint
  readonly version: number
  /** BM25 or lift. */
  readonly score: number
}

export type Candidate = Found & {
  readonly ordinal: number
  readonly chunkId: string
  readonly charStart: number
  readonly charEnd: number
  readonly pages?: readonly [number, number]
  readonly tokens: number
  readonly headings: readonly string[]
  readonly context: string
  /** Whether the passage only lists other content. */
  readonly isListing?: true
  readonly note?: string
  readonly isExcluded?: true
}

/** All must hold. */
export type Restriction = {
  /** Ascending. */
  readonly versions?: readonly number[] | undefined
  readonly rows?: readonly bigint[] | undefined
  /** Term sequences; needs a scan. */
  readonly sequences?: readonly (readonly string[])[] | undefined
  /** First and last page, from 1; partial overlap counts. */
  readonly pages?: readonly [number, number] | undefined
  /** Only the first chunks of each document. */
  readonly beforeOrdinal?: number | undefined
}

/** Baseline per language: cosine minus baseline is the lift. */
export type VectorQuery = {
  readonly vector: Float32Array
  readonly baselines: ReadonlyMap<Language, number>
  /** Queries by model id, for collections of several models. */
  readonly byModel?: ReadonlyMap<string, VectorQuery>
  /** Used for many searches, so that its scores are worth caching. */
  readonly isRepeated?: boolean
}

export type TermStatistics = { readonly rows: number; readonly frequencies: readonly number[] }

export type RowVector = { readonly language: Language; readonly vector: Float32Array }

/** BM25 or lift by row. */
export type RowScores = ReadonlyMap<bigint, number>

/**
 * Snapshot of a collection's index, with superseded versions. Without snapshots an engine lacks
 * rows removed since, which moved the epoch.
 */
export interface IndexReader {
  /** Best BM25 first. A repeated term counts repeatedly. */
  findByKeyword(
    terms: readonly string[],
    limit: number,
    only: Restriction,
  ): Promise<readonly Found[]>
  /** Best lift first. */
  findNearest(query: VectorQuery, limit: number, only: Restriction): Promise<readonly Found[]>
  /** Best BM25 first. */
  findWithAllTerms(
    terms: readonly string[],
    limit: number,
    only: Restriction,
  ): Promise<readonly Found[]>
  /** Leaves out rows without any term. */
  scoreByKeyword(terms: readonly string[], rows: readonly bigint[]): Promise<RowScores>
  /** Leaves out rows without a vector. */
  scoreByVector(query: VectorQuery, rows: readonly bigint[]): Promise<RowScores>
  /** Reads the first window of a long chunk. Leaves out rows without vector. */
  readVectors(rows: readonly bigint[]): Promise<ReadonlyMap<bigint, RowVector>>
  readStatistics(terms: readonly string[]): Promise<TermStatistics>
  /** Sorted by version and position, with no score. */
  readFirst(limit: number, only: Restriction): Promise<readonly Candidate[]>
  readCandidates<Row extends Found>(found: readonly Row[]): Promise<readonly (Row & Candidate)[]>
}

export interface Indexes {
  /** Undefined before the first write. The signal ends reads if the engine supports it. */
  open(tableId: string, signal?: AbortSignal): Promise<IndexReader | undefined>
  /** Drops cached state: another process may have recreated the table. */
  forget(tableId: string): void
}
