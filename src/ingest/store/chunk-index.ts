import type { Chunk } from '../chunk/chunker.ts'

/** A chunk in the index, under the version that publishes it. */
export type IndexRow = Chunk & {
  readonly version: number
  readonly chunkId: string
  readonly text: string
  /** Base name of the source, which readers may search for. */
  readonly name: string
  /** Absent if only keywords are indexed. */
  readonly vector?: Float32Array
  /** Vectors of the windows after the first, for a chunk that is embedded in windows. The best one counts. */
  readonly windows?: readonly Float32Array[]
}

/** A table of the index by its id. `dimensions` is the length of its vectors, 0 without vectors. */
export type IndexTable = {
  readonly id: string
  readonly dimensions: number
  /** Name of its collection, for messages. */
  readonly collection?: string | undefined
}

/**
 * The index that chunks are published to. It is derived: it can be dropped and rebuilt from what is stored. A table has one
 * writer at a time, the holder of the collection's lease. Readers never wait.
 */
export interface ChunkIndex {
  /** Id of analyzer and row form. A table that was written with another id is rewritten. */
  readonly id: string
  /** Adds rows. Durable when it returns; readers do not see them until the catalog publishes their version. */
  add(table: IndexTable, rows: readonly IndexRow[]): Promise<void>
  remove(table: IndexTable, listVersions: readonly number[]): Promise<void>
  /** Optimizes a table after changes: full-text index, statistics, old files. */
  runUpkeep(table: IndexTable, signal?: AbortSignal): Promise<void>
  /** Returns the number of chunks of each version, for checks. Empty if there is no table. */
  versions(table: IndexTable): Promise<ReadonlyMap<number, number>>
  /** Reads every row and returns why one cannot be read. Undefined if all can, or if there is no table. */
  findDamage(table: IndexTable, signal?: AbortSignal): Promise<string | undefined>
  /** Returns whether rows must be written: there is no table of this `id`, or readers still see one of another `id`. */
  isStale(table: IndexTable): Promise<boolean>
  /** Lets readers see this table, whose rows are complete, and removes those of other ids. */
  activate(table: IndexTable): Promise<void>
  drop(tableId: string): Promise<void>
  /** Returns the ids of all tables. */
  listTables(): Promise<ReadonlySet<string>>
}
