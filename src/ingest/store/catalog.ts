/** SQL statements of a table's owner, run once and in order. A statement that begins with INSERT only moves existing rows. */
export type Schema = readonly string[]

/** Statements that each format of a store adds to the one before. Their number is the current format. */
export type Formats = readonly (readonly Schema[])[]

/** Statements of one owner, by the number of the format that introduced them. Stores contain them: only ever add to it. */
export type Tables = Readonly<Record<number, Schema>>

/** Combines the tables of all owners into formats, in this order within a format. */
export function combineFormats(owners: readonly Tables[]): Formats {
  const last = Math.max(...owners.flatMap(tables => Object.keys(tables).map(Number)))
  return Array.from({ length: last }, (_, index) =>
    owners.map(tables => tables[index + 1] ?? []).filter(schema => schema.length > 0),
  )
}

/** SQL for the catalog's clock in unix milliseconds: the clocks of machines that share it may differ. */
export const CATALOG_NOW = `CAST(unixepoch('subsec') * 1000 AS BIGINT)`

/** Runs statements in the SQL that SQLite and PostgreSQL share, separately or within a transaction. */
export interface Statements {
  /** Returns the first row, or undefined. The caller's `Row` must match the selected columns. */
  get<Row>(sql: string, ...values: readonly unknown[]): Promise<Row | undefined>
  all<Row>(sql: string, ...values: readonly unknown[]): Promise<readonly Row[]>
  /** Returns the number of changed rows. */
  run(sql: string, ...values: readonly unknown[]): Promise<number>
  /**
   * Runs the work as a whole or not at all. It has the write lock from the start, so that what it read stays true. The work must
   * use `inside` only and wait for nothing else: all other writers wait for it. A nested transaction is part of the outer one.
   */
  transaction<Result>(work: (inside: Statements) => Promise<Result>): Promise<Result>
}

/** The catalog of a store, its source of truth. Every method throws `disk_full`, and `corrupt` if it is damaged. */
export interface Catalog extends Statements {
  /** Returns a text that changes whenever this process or another has written something. */
  state(): Promise<string>
  /** Returns the problems that the engine finds in its own files. */
  integrityProblems(): Promise<readonly string[]>
  /** Copies the catalog, as of this moment, to a new SQLite file; others may continue writing. */
  copyTo(file: string): Promise<void>
  /** Removes deleted data from the engine's log. Returns false if others read the log now. */
  emptyLog(): Promise<boolean>
  close(): Promise<void>
}
