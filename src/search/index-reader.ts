import type { Language } from '../ingest/language.ts'

/** One row of the index with its score in one leg. */
export type Candidate = {
  /** Unique in the collection: version and ordinal. */
  readonly key: string
  readonly version: number
  readonly ordinal: number
  readonly chunkId: string
  readonly charStart: number
  readonly charEnd: number
  readonly pages?: readonly [number, number]
  readonly tokens: number
  readonly language: Language
  readonly headings: readonly string[]
  readonly context: string
  /** BM25, or cosine. */
  readonly score: number
}

/** Which rows may be candidates; all conditions hold. */
export type Restriction = {
  /** In ascending order. */
  readonly versions?: readonly number[] | undefined
  readonly keys?: readonly string[] | undefined
  readonly language?: Language | undefined
  /** First and last page, counted from 1: rows that stand on one of them at least in part. */
  readonly pages?: readonly [number, number] | undefined
  /** Only the first chunks of each document. */
  readonly beforeOrdinal?: number | undefined
}

/** Reads an index as it is on disk; rows of superseded versions are among the candidates. */
export interface IndexReader {
  /** Rows that hold at least one of the terms, by BM25. */
  keyword(
    collectionId: string,
    terms: readonly string[],
    limit: number,
    only: Restriction,
  ): Promise<readonly Candidate[]>
  /** Nearest rows by cosine; exact. */
  vector(collectionId: string, vector: Float32Array, limit: number, only: Restriction): Promise<readonly Candidate[]>
  /** Rows in the order of version and position, without a score. */
  first(collectionId: string, limit: number, only: Restriction): Promise<readonly Candidate[]>
}
