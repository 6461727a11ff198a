export type Schema = readonly string[]

/** Statements of each format of a store. Their number is the current format. */
export type Formats = readonly (readonly Schema[])[]

/** Statements by the format that introduced them. Existing stores contain them: only ever add. */
export type Tables = Readonly<Record<number, Schema>>

export function combineFormats(owners: readonly Tables[]): Formats {
  const last = Math.max(...owners.flatMap(tables => Object.keys(tables).map(Number)))
  return Array.from({ length: last }, (_, index) =>
    owners.map(tables => tables[index + 1] ?? []).filter(schema => schema.length > 0),
  )
}

/** Milliseconds. Clocks of machines that share a catalog may differ. */
export const CATALOG_NOW = `CAST(unixepoch('subsec') * 1000 AS BIGINT)`

export interface Statements {
  /** Returns the first row. `Row` must match the selected columns. */
  get<Row>(sql: string, ...values: readonly unknown[]): Promise<Row | undefined>
  all<Row>(sql: string, ...values: readonly unknown[]): Promise<readonly Row[]>
  run(sql: string, ...values: readonly unknown[]): Promise<number>
  /**
   * Runs the work completely or not at all. It must use only `inside` and wait for nothing else:
   * all other writers wait. A nested transaction joins the outer one.
   */
  transaction<Result>(work: (inside: Statements) => Promise<Result>): Promise<Result>
}

/** Source of truth of a store. Methods throw `disk_full`, or `corrupt` if it is damaged. */
export interface Catalog extends Statements {
  /** Returns a text that changes whenever any process writes. */
  state(): Promise<string>
  integrityProblems(): Promise<readonly string[]>
  /** Copies this moment to a new SQLite file, while others write. */
  copyTo(file: string): Promise<void>
  /** Removes deleted data from the engine's log. Returns false while others read it. */
  truncateLog(): Promise<boolean>
  /** Rewrites files without deleted data. Returns false as `truncateLog` does. */
  erase(signal?: AbortSignal): Promise<boolean>
  close(): Promise<void>
}
