import { statfsSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import type Database from 'libsql'
import { AppError } from '../errors.ts'
import { schemaOf } from './catalog/schema.ts'
import { makePrivateFile } from './disk.ts'

/** SQL that an owner of tables brings; run once, in order. */
export type Schema = readonly string[]

/** What every format of a store adds to the one before, the first one first: their number is the format. */
export type Formats = readonly (readonly Schema[])[]

/** How long a statement waits for another process's transaction. */
const BUSY_TIMEOUT_MS = 30_000
/** With less than this free SQLite cannot make the files beside the catalog, even to read it: a few pages each. */
const NEEDED_BYTES = 256 * 1024

/** The name of a database that is in memory alone. */
export const MEMORY = ':memory:'

/** The SQLite database that is the truth about a store. Owns the connection, transactions and the format number. */
export class Catalog {
  readonly #connection: Database.Database
  readonly #statements = new Map<string, Database.Statement>()
  readonly #path: string
  #isClosed = false

  private constructor(database: Database.Database, path: string) {
    this.#connection = database
    this.#path = path
  }

  /**
   * Open or make the catalog, an older one brought forward. Throws `store_mismatch` for one newer than this program; like
   * every other method, `disk_full` and, for a damaged one, `corrupt`.
   */
  static open(path: string, formats: Formats): Catalog {
    return named(path, () => Catalog.#open(path, formats))
  }

  static #open(path: string, formats: Formats): Catalog {
    if (path !== MEMORY) makePrivateFile(path) // its log and the like take the mode of it
    const database = new (sqliteEngine())(path)
    database.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`)
    database.pragma('journal_mode = WAL')
    database.pragma('synchronous = FULL')
    database.pragma('foreign_keys = ON')
    database.pragma('secure_delete = ON') // what is deleted is overwritten: pages that nothing uses would keep it
    const catalog = new Catalog(database, path)
    const format = catalog.#format()
    if (format > formats.length) {
      catalog.close()
      throw new AppError(
        'store_mismatch',
        `The store ${path} has format ${format}; this program reads up to ${formats.length}. Upgrade passim.`,
      )
    }
    if (format < formats.length) catalog.#migrate(formats)
    return catalog
  }

  /** One row, or undefined. The caller's `Row` must match the columns selected. */
  get<Row>(sql: string, ...values: readonly unknown[]): Row | undefined {
    const row = named(this.#path, () => this.#statement(sql).get(...values))
    return (row as Row | null) ?? undefined // libsql types rows as unknown
  }

  all<Row>(sql: string, ...values: readonly unknown[]): readonly Row[] {
    return named(this.#path, () => this.#statement(sql).all(...values)) as Row[] // libsql types rows as unknown
  }

  /** Number of rows changed. */
  run(sql: string, ...values: readonly unknown[]): number {
    return this.#run(sql, values).changes
  }

  /** Insert and give the new rowid. */
  insert(sql: string, ...values: readonly unknown[]): number {
    return Number(this.#run(sql, values).lastInsertRowid)
  }

  /** All or nothing, with the write lock held from the start, so that what was read stays true. Not nestable. */
  transaction<Result>(work: () => Result): Result {
    return named(this.#path, () => this.#database.transaction(work).immediate()) as Result // libsql types it as unknown
  }

  /** Differs from what it was before when anything was written meanwhile, by this process or another. */
  state(): string {
    const others = this.get<{ data_version: number }>('PRAGMA data_version')?.data_version
    return `${others} ${this.get<{ own: number }>('SELECT total_changes() AS own')?.own}`
  }

  /** SQLite's own check of the file; empty when it is sound. */
  integrityProblems(): readonly string[] {
    const rows = this.all<{ integrity_check: string }>('PRAGMA integrity_check')
    return rows.map(row => row.integrity_check).filter(message => message !== 'ok')
  }

  /** As `schemaOf` gives it. */
  schema(): string {
    return schemaOf(this.#database)
  }

  /** Write all of it, as it is at this moment, to a file that is not there yet; others may go on writing. */
  copyTo(file: string): void {
    named(this.#path, () => this.#database.prepare('VACUUM INTO ?').run(file))
  }

  /** Everything in the file itself, for one that is taken away alone: closing leaves what was written last in the log beside it. */
  intoOneFile(): void {
    named(this.#path, () => this.#database.pragma('wal_checkpoint(TRUNCATE)'))
  }

  /** Takes out of the log beside the file what is in the file by now, or deleted from it; false while others read it, who are not waited for. */
  emptyLog(): boolean {
    return named(this.#path, () => {
      this.#database.pragma('busy_timeout = 0')
      try {
        const [row] = this.all<{ busy: number }>('PRAGMA wal_checkpoint(TRUNCATE)')
        return row?.busy === 0
      } finally {
        this.#database.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`)
      }
    })
  }

  close(): void {
    this.#isClosed = true
    this.#statements.clear()
    this.#connection.close()
  }

  /** Throws `invalid_input` after `close`. */
  get #database(): Database.Database {
    if (!this.#isClosed) return this.#connection
    const message = `The store of ${this.#path} is closed: what was opened is of no use after close(). Open it again.`
    throw new AppError('invalid_input', message, { subject: 'store' })
  }

  #run(sql: string, values: readonly unknown[]): Database.RunResult {
    return named(this.#path, () => this.#statement(sql).run(...values))
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

  /** In one step. Two processes may open an old store at once: the second finds it brought forward. */
  #migrate(formats: Formats): void {
    this.transaction(() => {
      for (const sql of formats.slice(this.#format()).flat(2)) this.#database.exec(sql)
      this.#database.exec(`PRAGMA user_version = ${formats.length}`)
    })
  }
}

/** Loaded when a store is opened: what needs none works where the engine has no binary. */
export function sqliteEngine(): typeof Database {
  return createRequire(import.meta.url)('libsql') as typeof Database // CommonJS, whose exports are the class
}

function named<Result>(path: string, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    throw namedSqliteError(error, path)
  }
}

/**
 * What SQLite says of its file, in terms of the store: SQLITE_FULL, and an I/O error on a full disk, are `disk_full`; a file that
 * is no catalog any more is `corrupt`. Everything else stays what it is.
 */
function namedSqliteError(error: unknown, file: string): unknown {
  if (error instanceof AppError || !(error instanceof Error)) return error
  const code = (error as Error & { readonly code?: unknown }).code // libsql marks its errors with SQLite's name of the code
  if (typeof code !== 'string' || !code.startsWith('SQLITE_')) return error
  const about = { cause: error, subject: 'store' } as const
  if (code === 'SQLITE_FULL' || (/^SQLITE_(IOERR|CANTOPEN)/.test(code) && isFull(file))) {
    const message = `The disk of ${path.dirname(file)} is full, and the catalog needs some of it even to be read. Free some space and try again.`
    return new AppError('disk_full', message, about)
  }
  if (!/^SQLITE_(CORRUPT|NOTADB)/.test(code)) return error
  return new AppError(
    'corrupt',
    `The catalog ${file} is damaged (${error.message}). Import a backup into another home, or index the documents again there: --home names it.`,
    about,
  )
}

/** Not known of a disk that is gone or does not answer: then SQLite's own error says more. */
function isFull(file: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(path.dirname(file))
    return bavail * bsize < NEEDED_BYTES
  } catch {
    return false
  }
}
