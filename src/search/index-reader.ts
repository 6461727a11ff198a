import type { Language } from '../text/language.ts'

/** A row that a search found, and how well it fits; `candidates` gives the rest of it. */
export type Found = {
  /** Names the row as long as the reader is used. */
  readonly row: bigint
  readonly version: number
  /** BM25, or lift. */
  readonly score: number
}

/** One row of the index with its score. */
export type Candidate = Found & {
  readonly ordinal: number
  readonly chunkId: string
  readonly charStart: number
  readonly charEnd: number
  readonly pages?: readonly [number, number]
  readonly tokens: number
  readonly headings: readonly string[]
  readonly context: string
  /** It only lists what stands elsewhere. */
  readonly isListing?: true
}

/** Which rows may be found; all conditions hold. */
export type Restriction = {
  /** In ascending order. */
  readonly versions?: readonly number[] | undefined
  readonly rows?: readonly bigint[] | undefined
  /** Rows whose terms have each of these in a row. Needs a look at every row. */
  readonly sequences?: readonly (readonly string[])[] | undefined
  /** First and last page, counted from 1: rows that stand on one of them at least in part. */
  readonly pages?: readonly [number, number] | undefined
  /** Only the first chunks of each document. */
  readonly beforeOrdinal?: number | undefined
}

/** A vector, and the similarity to be taken off for each language: what is left of the cosine is the lift. */
export type VectorQuery = {
  readonly vector: Float32Array
  readonly baselines: ReadonlyMap<Language, number>
  /** Where indexes of several models are searched together: what each is asked, by the model's id. */
  readonly byModel?: ReadonlyMap<string, VectorQuery>
}

/** Number of rows, and for each term asked for the number of those that hold it. */
export type TermStatistics = { readonly rows: number; readonly frequencies: readonly number[] }

/** A vector as the embedder made it, and the language of its text. */
export type RowVector = { readonly language: Language; readonly vector: Float32Array }

/** BM25 or lift of rows that were named. */
export type RowScores = ReadonlyMap<bigint, number>

/**
 * Reads the index of a collection as it was when it was opened, or, where an engine has no snapshots, without the rows that were
 * removed since: whoever removed them moved the epoch before. Rows of superseded versions are found too.
 */
export interface IndexReader {
  /** Rows that hold at least one of the terms, by BM25, best first. A term counts as often as it is given. */
  keyword(terms: readonly string[], limit: number, only: Restriction): Promise<readonly Found[]>
  /** Nearest rows by lift, best first. */
  vector(query: VectorQuery, limit: number, only: Restriction): Promise<readonly Found[]>
  /** Rows that hold all of the terms, by BM25, best first. */
  holding(terms: readonly string[], limit: number, only: Restriction): Promise<readonly Found[]>
  /** BM25, as `keyword` has it, of those of the rows that hold at least one of the terms, whatever they are restricted by otherwise. */
  keywordScores(terms: readonly string[], rows: readonly bigint[]): Promise<RowScores>
  /** Lift of those of the rows that have a vector. */
  vectorScores(query: VectorQuery, rows: readonly bigint[]): Promise<RowScores>
  /** Of those of the rows that have one; of a chunk in windows the first. */
  vectors(rows: readonly bigint[]): Promise<ReadonlyMap<bigint, RowVector>>
  statistics(terms: readonly string[]): Promise<TermStatistics>
  /** Rows in the order of version and position, without a score. */
  first(limit: number, only: Restriction): Promise<readonly Candidate[]>
  /** The rest of rows that were found, in their order. */
  candidates<Row extends Found>(found: readonly Row[]): Promise<readonly (Row & Candidate)[]>
}

/** Where the tables of collections are. */
export interface Indexes {
  /** Undefined while nothing was written. What is read ends with the signal, where the engine can leave it. */
  open(tableId: string, signal?: AbortSignal): Promise<IndexReader | undefined>
  /** Forget what is known of a table, for another process may have made it anew. */
  forget(tableId: string): void
}
