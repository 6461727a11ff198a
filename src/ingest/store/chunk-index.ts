import type { Chunk } from '../chunk/chunker.ts'

/** One chunk as it goes into the index, under the version that publishes it. */
export type IndexRow = Chunk & {
  readonly version: number
  readonly chunkId: string
  readonly text: string
  /** Base name of the source: a reader may remember a document by it. */
  readonly name: string
  /** Absent where only keywords are indexed. */
  readonly vector?: Float32Array
  /** Of a chunk that is embedded in windows: the vectors of those after the first. It is found by the best of all. */
  readonly windows?: readonly Float32Array[]
}

/** A table by its id, that of its collection in the catalog; `dimensions` of its vectors, 0 where it has none. */
export type IndexTable = {
  readonly id: string
  readonly dimensions: number
  /** What users call its collection, for messages. */
  readonly collection?: string | undefined
}

/**
 * Where chunks are published to. Derived: it can be dropped and built again from what is stored. One writer per table
 * at a time (the collection's lease); readers never wait.
 */
export interface ChunkIndex {
  /** Analyzer and row form: when it differs from what a table was written with, rows are rewritten. */
  readonly id: string
  /** Durable when it returns, and not seen by readers until the catalog publishes the version. */
  add(table: IndexTable, rows: readonly IndexRow[]): Promise<void>
  remove(table: IndexTable, versions: readonly number[]): Promise<void>
  /** Bring the table in order after changes: full-text tail, statistics, old files. */
  upkeep(table: IndexTable, signal?: AbortSignal): Promise<void>
  /** Chunks a version has there; for checking. Empty when there is no table. */
  versions(table: IndexTable): Promise<ReadonlyMap<number, number>>
  /** Why its rows cannot all be read, for checking: it reads every one. Undefined when they can, or there is no table. */
  damage(table: IndexTable, signal?: AbortSignal): Promise<string | undefined>
  /** True when rows must be written: there is no table of this `id`, or one of another `id` still stands for it. */
  isStale(table: IndexTable): Promise<boolean>
  /** All rows are there: from now on readers see this table, and those of other ids are gone. */
  adopt(table: IndexTable): Promise<void>
  drop(tableId: string): Promise<void>
  /** Ids of the tables that there are. */
  tables(): Promise<ReadonlySet<string>>
}
