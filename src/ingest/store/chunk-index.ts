import type { Chunk } from '../chunk/chunker.ts'

export type IndexRow = Chunk & {
  readonly version: number
  readonly chunkId: string
  readonly text: string
  /** Base name of the source, searchable. */
  readonly name: string
  /** Author, subject and keywords, in the first searched chunk only: each document counts once. */
  readonly about?: string
  /** Searchable, never quoted. */
  readonly note?: string
  /** Whether no search may find it. */
  readonly isExcluded?: true
  readonly vector?: Float32Array
  /** Vectors of the windows after the first; the best one counts. */
  readonly windows?: readonly Float32Array[]
}

/** `dimensions` is 0 without vectors. */
export type IndexTable = {
  readonly id: string
  readonly dimensions: number
  readonly collection?: string | undefined
}

/**
 * The index that chunks are published to. A table has one writer, who holds the collection's
 * lease.
 */
export interface ChunkIndex {
  /** Changes with analyzer and row form; tables with another id are rewritten. */
  readonly id: string
  /** Adds rows durably. Readers do not see them until the catalog publishes their version. */
  add(table: IndexTable, rows: readonly IndexRow[]): Promise<void>
  remove(table: IndexTable, versions: readonly number[]): Promise<void>
  /** Optimizes full-text index, statistics and old files. */
  runUpkeep(table: IndexTable, signal?: AbortSignal): Promise<void>
  erase(table: IndexTable, signal?: AbortSignal): Promise<void>
  countVersions(table: IndexTable): Promise<ReadonlyMap<number, number>>
  /** Returns why a row cannot be read. */
  findDamage(table: IndexTable, signal?: AbortSignal): Promise<string | undefined>
  /** Returns true if there is no table of this `id`, or readers still see another. */
  isStale(table: IndexTable): Promise<boolean>
  /** Shows this table to readers; removes those of other ids. */
  activate(table: IndexTable): Promise<void>
  drop(tableId: string): Promise<void>
  listTables(): Promise<ReadonlySet<string>>
}
