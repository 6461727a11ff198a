import { existsSync } from 'node:fs'
import Database from 'libsql'
import { AppError } from '../errors.ts'

/** SQL that an owner of tables brings; run once, in order, when a store is made. */
export type Schema = readonly string[]

/** Number of the store's format. A newer store is refused, an older one is migrated by `MIGRATIONS`. */
export const STORE_FORMAT = 1

/** How long a statement waits for another process's transaction. */
const BUSY_TIMEOUT_MS = 30_000

/** The SQLite database that is the truth about a store. Owns the connection, transactions and the format number. */
export class Catalog {
  readonly #database: Database.Database
  readonly #statements = new Map<string, Database.Statement>()

  private constructor(database: Database.Database) {
    this.#database = database
  }

  /** Open or make the catalog. Throws `store_mismatch` for a store that is newer than this program. */
  static open(path: string, schemas: readonly Schema[]): Catalog {
    const isNew = !existsSync(path)
    const database = new Database(path)
    database.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`)
    database.pragma('journal_mode = WAL')
    database.pragma('synchronous = FULL')
    database.pragma('foreign_keys = ON')
    const catalog = new Catalog(database)
    const format = catalog.#format()
    if (format > STORE_FORMAT) {
      catalog.close()
      throw new AppError(
        'store_mismatch',
        `The store ${path} has format ${format}; this program reads up to ${STORE_FORMAT}. Upgrade passim.`,
      )
    }
    if (isNew || format < STORE_FORMAT) catalog.#create(schemas)
    return catalog
  }

  /** One row, or undefined. The caller's `Row` must match the columns selected. */
  get<Row>(sql: string, ...values: readonly unknown[]): Row | undefined {
    return (this.#statement(sql).get(...values) as Row | null) ?? undefined // libsql types rows as unknown
  }

  all<Row>(sql: string, ...values: readonly unknown[]): readonly Row[] {
    return this.#statement(sql).all(...values) as Row[] // libsql types rows as unknown
  }

  /** Number of rows changed. */
  run(sql: string, ...values: readonly unknown[]): number {
    return this.#statement(sql).run(...values).changes
  }

  /** Insert and give the new rowid. */
  insert(sql: string, ...values: readonly unknown[]): number {
    return Number(this.#statement(sql).run(...values).lastInsertRowid)
  }

  /** All or nothing, with the write lock held from the start, so that what was read stays true. Not nestable. */
  transaction<Result>(work: () => Result): Result {
    return this.#database.transaction(work).immediate() as Result // libsql types the result as unknown
  }

  /** SQLite's own check of the file; empty when it is sound. */
  integrityProblems(): readonly string[] {
    const rows = this.all<{ integrity_check: string }>('PRAGMA integrity_check')
    return rows.map(row => row.integrity_check).filter(message => message !== 'ok')
  }

  close(): void {
    this.#statements.clear()
    this.#database.close()
  }

  #statement(sql: string): Database.Statement {
    const known = this.#statements.get(sql)
    if (known) return known
    const statement = this.#database.prepare(sql)
    this.#statements.set(sql, statement)
    return statement
  }

  #format(): number {
    return this.get<{ user_version: number }>('PRAGMA user_version')?.user_version ?? 0
  }

  /** Two processes may open a new store at once: the second finds the format already written. */
  #create(schemas: readonly Schema[]): void {
    this.transaction(() => {
      if (this.#format() === STORE_FORMAT) return
      for (const sql of schemas.flat()) this.#database.exec(sql)
      this.#database.exec(`PRAGMA user_version = ${STORE_FORMAT}`)
    })
  }
}
