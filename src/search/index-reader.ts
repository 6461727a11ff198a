import type { Language } from '../text/language.ts'

/** A found row with its score; `candidates` reads the rest. */
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
  /** True for a passage that only lists other content. */
  readonly isListing?: true
}

/** Conditions on rows; all must hold. */
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

/** Query vector, and per language the similarity to subtract: cosine minus baseline is the lift. */
export type VectorQuery = {
  readonly vector: Float32Array
  readonly baselines: ReadonlyMap<Language, number>
  /** Query per model id, for a search over collections of several models. */
  readonly byModel?: ReadonlyMap<string, VectorQuery>
}

/** Number of rows, and per term the number of rows that contain it. */
export type TermStatistics = { readonly rows: number; readonly frequencies: readonly number[] }

/** Stored vector and the language of its text. */
export type RowVector = { readonly language: Language; readonly vector: Float32Array }

/** BM25 or lift by row. */
export type RowScores = ReadonlyMap<bigint, number>

/**
 * Snapshot of a collection's index (for an engine without snapshots: minus rows removed since,
 * whose removal moved the epoch). Includes rows of superseded versions.
 */
export interface IndexReader {
  /** Rows with any of the terms by BM25, best first. A repeated term counts repeatedly. */
  findByKeyword(
    terms: readonly string[],
    limit: number,
    only: Restriction,
  ): Promise<readonly Found[]>
  /** Nearest rows by lift, best first. */
  findNearest(query: VectorQuery, limit: number, only: Restriction): Promise<readonly Found[]>
  /** Rows with all of the terms by BM25, best first. */
  findWithAllTerms(
    terms: readonly string[],
    limit: number,
    only: Restriction,
  ): Promise<readonly Found[]>
  /** BM25, as in `keyword`, of those of the rows that contain any term. */
  scoreByKeyword(terms: readonly string[], rows: readonly bigint[]): Promise<RowScores>
  /** Lift of the rows that have a vector. */
  scoreByVector(query: VectorQuery, rows: readonly bigint[]): Promise<RowScores>
  /** Vectors of the rows that have one; the first window of a long chunk. */
  readVectors(rows: readonly bigint[]): Promise<ReadonlyMap<bigint, RowVector>>
  readStatistics(terms: readonly string[]): Promise<TermStatistics>
  /** Rows by version and position, without a score. */
  readFirst(limit: number, only: Restriction): Promise<readonly Candidate[]>
  /** Reads the other columns of found rows, in order. */
  readCandidates<Row extends Found>(found: readonly Row[]): Promise<readonly (Row & Candidate)[]>
}

export interface Indexes {
  /** Undefined before the first write. The signal ends reads if the engine supports it. */
  open(tableId: string, signal?: AbortSignal): Promise<IndexReader | undefined>
  /** Drops cached state, because another process may have recreated the table. */
  forget(tableId: string): void
}
