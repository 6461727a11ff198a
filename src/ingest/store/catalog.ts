/** SQL that an owner of tables brings; run once, in order. A statement that begins with INSERT only moves rows that are there. */
export type Schema = readonly string[]

/** What every format of a store adds to the one before, the first one first: their number is the format. */
export type Formats = readonly (readonly Schema[])[]

/** What an owner of tables brings, under the number of the format that came with it. It is in stores by now: only ever add to it. */
export type Tables = Readonly<Record<number, Schema>>

/** The formats of a store of these owners; within a format they bring their tables in this order. */
export function formatsOf(owners: readonly Tables[]): Formats {
  const last = Math.max(...owners.flatMap(tables => Object.keys(tables).map(Number)))
  return Array.from({ length: last }, (_, at) =>
    owners.flatMap(tables => (tables[at + 1] ? [tables[at + 1]!] : [])),
  )
}

/** By the catalog's clock, in unix milliseconds: those of the machines that share it may differ. */
export const CATALOG_NOW = `CAST(unixepoch('subsec') * 1000 AS BIGINT)`

/** What is asked of the truth and told to it, in the SQL that SQLite and PostgreSQL share: each by itself, or several within a transaction. */
export interface Statements {
  /** One row, or undefined. The caller's `Row` must match the columns selected. */
  get<Row>(sql: string, ...values: readonly unknown[]): Promise<Row | undefined>
  all<Row>(sql: string, ...values: readonly unknown[]): Promise<readonly Row[]>
  /** Number of rows changed. */
  run(sql: string, ...values: readonly unknown[]): Promise<number>
  /**
   * All or nothing, with the right to write from the start, so that what was read stays true. The work speaks to `inside` alone
   * and waits for nothing else: whoever else writes waits for it. One within another is part of that.
   */
  transaction<Result>(work: (inside: Statements) => Promise<Result>): Promise<Result>
}

/** The truth about a store. Every method throws `disk_full`, and for a damaged one `corrupt`. */
export interface Catalog extends Statements {
  /** Differs from what it was before when anything was written meanwhile, by this process or another. */
  state(): Promise<string>
  /** What the engine finds wrong with its own files; empty when they are sound. */
  integrityProblems(): Promise<readonly string[]>
  /** Write all of it, as it is at this moment, to a SQLite file that is not there yet; others may go on writing. */
  copyTo(file: string): Promise<void>
  /** Takes out of the engine's log what was deleted; false while others read it, who are not waited for. */
  emptyLog(): Promise<boolean>
  close(): Promise<void>
}
