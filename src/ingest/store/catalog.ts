export type Schema = readonly string[]

/** Statements that each format of a store adds to the one before. Their number is the current format. */
export type Formats = readonly (readonly Schema[])[]

/**
 * Statements of one owner, by the format that introduced them. Stores contain them: only ever
 * add to it.
 */
export type Tables = Readonly<Record<number, Schema>>

export function combineFormats(owners: readonly Tables[]): Formats {
  const last = Math.max(...owners.flatMap(tables => Object.keys(tables).map(Number)))
  return Array.from({ length: last }, (_, index) =>
    owners.map(tables => tables[index + 1] ?? []).filter(schema => schema.length > 0),
  )
}

/** SQL for the catalog's clock in unix milliseconds: the clocks of machines that share it may differ. */
export const CATALOG_NOW = `CAST(unixepoch('subsec') * 1000 AS BIGINT)`

/** Runs statements in the SQL that SQLite and PostgreSQL share. */
export interface Statements {
  /** Returns the first row, or undefined. The caller's `Row` must match the selected columns. */
  get<Row>(sql: string, ...values: readonly unknown[]): Promise<Row | undefined>
  all<Row>(sql: string, ...values: readonly unknown[]): Promise<readonly Row[]>
  run(sql: string, ...values: readonly unknown[]): Promise<number>
  /**
   * Runs the work completely or not at all, with the write lock from its start. The work must
   * use `inside` only and wait for nothing else, since all other writers wait. A nested
   * transaction joins the outer one.
   */
  transaction<Result>(work: (inside: Statements) => Promise<Result>): Promise<Result>
}

/** Source of truth of a store. Every method throws `disk_full`, and `corrupt` if it is damaged. */
export interface Catalog extends Statements {
  /** Returns a text that changes whenever any process has written. */
  state(): Promise<string>
  /** Returns the problems that the engine finds in its files. */
  integrityProblems(): Promise<readonly string[]>
  /** Copies the catalog as of this moment to a new SQLite file, while others write. */
  copyTo(file: string): Promise<void>
  /** Removes deleted data from the engine's log. Returns false while others read the log. */
  emptyLog(): Promise<boolean>
  close(): Promise<void>
}
