import type { Chunk } from '../chunk/chunker.ts'

/** A chunk in the index, under the version that publishes it. */
export type IndexRow = Chunk & {
  readonly version: number
  readonly chunkId: string
  readonly text: string
  /** Base name of the source, which readers may search for. */
  readonly name: string
  /** Author of the document, in its first chunk only, so that each document counts once. */
  readonly author?: string
  readonly vector?: Float32Array
  /** Vectors of the windows after the first. The best one counts. */
  readonly windows?: readonly Float32Array[]
}

/** A table of the index. `dimensions` is 0 without vectors. */
export type IndexTable = {
  readonly id: string
  readonly dimensions: number
  readonly collection?: string | undefined
}

/**
 * The index that chunks are published to, derived from what is stored. A table has one writer,
 * the holder of the collection's lease. Readers never wait.
 */
export interface ChunkIndex {
  /** Id of analyzer and row form. Tables with another id are rewritten. */
  readonly id: string
  /** Adds rows durably. Readers do not see them until the catalog publishes their version. */
  add(table: IndexTable, rows: readonly IndexRow[]): Promise<void>
  remove(table: IndexTable, listVersions: readonly number[]): Promise<void>
  /** Optimizes a table after changes: full-text index, statistics, old files. */
  runUpkeep(table: IndexTable, signal?: AbortSignal): Promise<void>
  /** Returns the number of chunks per version, for checks. */
  versions(table: IndexTable): Promise<ReadonlyMap<number, number>>
  /** Returns why a row cannot be read; undefined if all can. */
  findDamage(table: IndexTable, signal?: AbortSignal): Promise<string | undefined>
  /**
   * Returns whether rows must be written: there is no table of this `id`, or readers still see
   * another.
   */
  isStale(table: IndexTable): Promise<boolean>
  /** Shows this table to readers and removes those of other ids. */
  activate(table: IndexTable): Promise<void>
  drop(tableId: string): Promise<void>
  listTables(): Promise<ReadonlySet<string>>
}
