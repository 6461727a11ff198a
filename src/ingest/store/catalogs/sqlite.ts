import { existsSync, statfsSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type Database from 'libsql'
import { AppError } from '../../../errors.ts'
import { makePrivateFile, readFileSizeLimit } from '../../../system/disk.ts'
import type { Catalog, Formats, Statements } from '../catalog.ts'
import { Line, WRITES } from './line.ts'

/** How long a statement waits for a transaction, of this process or another. */
const BUSY_TIMEOUT_MS = 30_000
/** How long until it is tried again, at first and at most. */
const RETRY_MS = { first: 1, most: 25 }
/** With less than this free SQLite cannot make the files beside the catalog, even to read it: a few pages each. */
const NEEDED_BYTES = 256 * 1024

/** The name of a database that is in memory alone. */
export const MEMORY = ':memory:'

/**
 * A catalog in a SQLite file. Owns the connection, transactions and the format number. Whatever writes begins a transaction first: a
 * statement that finds another process in the way later stays open, and with it what it has seen, which no transaction can begin after.
 */
export class SqliteCatalog implements Catalog {
  readonly #connection: Database.Database
  readonly #statements = new Map<string, Database.Statement>()
  readonly path: string
  /** Transactions: each has the one connection for itself. */
  readonly #writers = new Line(BUSY_TIMEOUT_MS)
  #isClosed = false

  private constructor(database: Database.Database, path: string) {
    this.#connection = database
    this.path = path
  }

  /**
   * Open or make the catalog, an older one brought forward. Throws `store_mismatch` for one newer than this program; like
   * every other method, `disk_full` and, for a damaged one, `corrupt`.
   */
  static open(path: string, formats: Formats): SqliteCatalog {
    return named(path, () => SqliteCatalog.#open(path, formats))
  }

  static #open(path: string, formats: Formats): SqliteCatalog {
    if (path !== MEMORY) makePrivateFile(path) // its log and the like take the mode of it
    const database = new (sqliteEngine())(path)
    database.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`)
    requireShared(path, () => database.pragma('journal_mode = WAL'))
    database.pragma('synchronous = FULL')
    database.pragma('foreign_keys = ON')
    database.pragma('secure_delete = ON') // what is deleted is overwritten: pages that nothing uses would keep it
    const catalog = new SqliteCatalog(database, path)
    const format = catalog.#format()
    if (format > formats.length) {
      database.close()
      throw new AppError(
        'store_mismatch',
        `The store ${path} has format ${format}; this program reads up to ${formats.length}. Upgrade passim.`,
        { subject: 'store' },
      )
    }
    if (format < formats.length) catalog.#migrate(formats)
    database.pragma('busy_timeout = 0')
    return catalog
  }

  async get<Row>(sql: string, ...values: readonly unknown[]): Promise<Row | undefined> {
    if (WRITES.test(sql))
      return await this.transaction(async inside => await inside.get<Row>(sql, ...values))
    return await this.#soon(() => this.#get<Row>(sql, values))
  }

  async all<Row>(sql: string, ...values: readonly unknown[]): Promise<readonly Row[]> {
    if (WRITES.test(sql))
      return await this.transaction(async inside => await inside.all<Row>(sql, ...values))
    return await this.#soon(() => this.#all<Row>(sql, values))
  }

  async run(sql: string, ...values: readonly unknown[]): Promise<number> {
    return await this.transaction(async inside => await inside.run(sql, ...values))
  }

  async transaction<Result>(work: (inside: Statements) => Promise<Result>): Promise<Result> {
    return await this.#writers.next(async () => await this.#within(work))
  }

  async state(): Promise<string> {
    return await this.#soon(() => {
      const others = this.#get<{ data_version: number }>('PRAGMA data_version', [])?.data_version
      return `${others} ${this.#get<{ own: number }>('SELECT total_changes() AS own', [])?.own}`
    })
  }

  async integrityProblems(): Promise<readonly string[]> {
    const rows = await this.all<{ integrity_check: string }>('PRAGMA integrity_check')
    return rows.map(row => row.integrity_check).filter(message => message !== 'ok')
  }

  /** As `schemaOf` gives it. */
  schema(): string {
    return schemaOf(this.#database)
  }

  async copyTo(file: string): Promise<void> {
    await this.#soon(
      () => void named(this.path, () => this.#database.prepare('VACUUM INTO ?').run(file)),
    )
  }

  /**
   * Nobody else has the file open, nor can read or write it before this is closed, and it is one file: only then does SQLite give up
   * its log. False while somebody has it open.
   */
  async keepAlone(): Promise<boolean> {
    await this.#writers.over()
    const mode = (sql: string) => this.#all<{ journal_mode: string }>(sql, [])[0]?.journal_mode
    try {
      if (mode('PRAGMA journal_mode = DELETE') !== 'delete') return false
      this.#exec('BEGIN EXCLUSIVE')
      return mode('PRAGMA journal_mode') === 'delete' // somebody may have opened it between the two
    } catch (error) {
      if (isBusy(error)) return false
      throw error
    }
  }

  /** Values in the order of the columns; nobody writes meanwhile. */
  *rowsOf(table: string): Generator<readonly unknown[]> {
    yield* this.#database.prepare(`SELECT * FROM "${table}"`).raw().iterate() as Iterable<unknown[]> // libsql types rows as unknown
  }

  /** Names of all tables. */
  async tables(): Promise<readonly string[]> {
    const sql = `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name`
    return (await this.all<{ name: string }>(sql)).map(row => row.name)
  }

  /** Everything in the file itself, for one that is taken away alone: closing leaves what was written last in the log beside it. */
  intoOneFile(): void {
    named(this.path, () => this.#database.pragma('wal_checkpoint(TRUNCATE)'))
  }

  /** Of the log beside the file. */
  async emptyLog(): Promise<boolean> {
    return await this.#soon(() => {
      const [row] = this.#all<{ busy: number }>('PRAGMA wal_checkpoint(TRUNCATE)', [])
      return row?.busy === 0
    })
  }

  async close(): Promise<void> {
    await this.#writers.over()
    if (this.#isClosed) return
    this.#isClosed = true
    this.#statements.clear()
    if (this.#connection.inTransaction) this.#connection.exec('ROLLBACK') // of who kept it alone: the engine gives it up late
    this.#connection.close()
  }

  /** Not between the statements of a transaction, which has the same connection: where there is one, this stands in line. */
  async #soon<Result>(work: () => Result): Promise<Result> {
    if (this.#writers.isEmpty) {
      try {
        return work()
      } catch (error) {
        if (!isBusy(error)) throw error
      }
    }
    return await this.#writers.next(async () => await patiently(work))
  }

  /** The write lock is held from the start. */
  async #within<Result>(work: (inside: Statements) => Promise<Result>): Promise<Result> {
    let isOver = false
    await patiently(() => this.#exec('BEGIN IMMEDIATE'))
    try {
      const result = await work(this.#inside(() => isOver))
      this.#exec('COMMIT')
      return result
    } catch (error) {
      if (this.#connection.inTransaction) this.#exec('ROLLBACK')
      throw error
    } finally {
      isOver = true
    }
  }

  #inside(isOver: () => boolean): Statements {
    const requireOpen = () => {
      if (isOver())
        throw new Error('This transaction has ended: whoever speaks to it was not waited for.')
    }
    const inside: Statements = {
      get: async (sql, ...values) => {
        requireOpen()
        return this.#get(sql, values)
      },
      all: async (sql, ...values) => {
        requireOpen()
        return this.#all(sql, values)
      },
      run: async (sql, ...values) => {
        requireOpen()
        return this.#run(sql, values).changes
      },
      transaction: work => work(inside),
    }
    return inside
  }

  /** Throws `invalid_input` after `close`. */
  get #database(): Database.Database {
    if (!this.#isClosed) return this.#connection
    const message = `The store of ${this.path} is closed: what was opened is of no use after close(). Open it again.`
    throw new AppError('invalid_input', message, { subject: 'store' })
  }

  #exec(sql: string): void {
    named(this.path, () => this.#database.exec(sql))
  }

  #get<Row>(sql: string, values: readonly unknown[]): Row | undefined {
    const row = named(this.path, () => this.#statement(sql).get(...values))
    return (row as Row | null) ?? undefined // libsql types rows as unknown
  }

  #all<Row>(sql: string, values: readonly unknown[]): readonly Row[] {
    return named(this.path, () => this.#statement(sql).all(...values)) as Row[] // libsql types rows as unknown
  }

  #run(sql: string, values: readonly unknown[]): Database.RunResult {
    return named(this.path, () => this.#statement(sql).run(...values))
  }

  #statement(sql: string): Database.Statement {
    const known = this.#statements.get(sql)
    if (known) return known
    const statement = this.#database.prepare(sql)
    this.#statements.set(sql, statement)
    return statement
  }

  #format(): number {
    return this.#get<{ user_version: number }>('PRAGMA user_version', [])?.user_version ?? 0
  }

  /**
   * Runs the missing formats in one transaction. Two processes may open an old store at once: the second finds it brought forward.
   * libsql's own `transaction()` is not used: if SQLite has rolled back already, its ROLLBACK fails and hides the first error.
   */
  #migrate(formats: Formats): void {
    named(this.path, () => {
      const database = this.#database
      database.exec('BEGIN IMMEDIATE')
      try {
        for (const sql of formats.slice(this.#format()).flat(2)) database.exec(sql)
        database.exec(`PRAGMA user_version = ${formats.length}`)
        database.exec('COMMIT')
      } catch (error) {
        if (database.inTransaction) database.exec('ROLLBACK')
        throw error
      }
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

/** Also while a process that died is cleaned up after (`SQLITE_BUSY_RECOVERY`). */
function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY')
}

/** Whoever has the file for himself, as `passim migrate` does, may have moved it when he gives it up: what was opened is not the store then. */
function requireShared(path: string, work: () => void): void {
  const held = (cause?: unknown) => {
    const message = `Another process keeps ${path} for itself, as passim migrate does. Wait for its end, and set catalog.url if it took the store over.`
    return new AppError('conflict', message, { cause, subject: 'store' })
  }
  try {
    work()
  } catch (error) {
    throw isBusy(error) ? held(error) : error
  }
  if (path !== MEMORY && !existsSync(path)) throw held()
}

/** Again and again while another connection writes: the engine itself would wait on the main thread. */
async function patiently<Result>(work: () => Result): Promise<Result> {
  const until = performance.now() + BUSY_TIMEOUT_MS
  for (let wait = RETRY_MS.first; ; wait = Math.min(2 * wait, RETRY_MS.most)) {
    try {
      return work()
    } catch (error) {
      if (!isBusy(error) || performance.now() > until) throw error
    }
    await sleep(wait)
  }
}

/**
 * Translates an error of SQLite into one of the store. SQLITE_FULL is `disk_full`, and so is an I/O error on a full disk or at the maximum
 * file size of the system. A file that is no longer a catalog is `corrupt`. Other errors are returned unchanged.
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
  const limitBytes = code.startsWith('SQLITE_IOERR') ? findReachedLimit(file) : undefined
  if (limitBytes !== undefined) {
    const message = `The catalog ${file} cannot grow: the system limits files to ${limitBytes} bytes (ulimit -f). Raise that limit and try again.`
    return new AppError('disk_full', message, about)
  }
  if (!/^SQLITE_(CORRUPT|NOTADB)/.test(code)) return error
  return new AppError(
    'corrupt',
    `The catalog ${file} is damaged (${error.message}). Import a backup into another home, or index the documents again there: --home names it.`,
    about,
  )
}

/** Returns the maximum file size of the system if the catalog or one of its companion files has nearly reached it. */
function findReachedLimit(file: string): number | undefined {
  const limitBytes = readFileSizeLimit()
  if (limitBytes === undefined) return undefined
  const sizes = ['', '-wal', '-shm'].map(
    end => statSync(`${file}${end}`, { throwIfNoEntry: false })?.size ?? 0,
  )
  return Math.max(...sizes) + NEEDED_BYTES > limitBytes ? limitBytes : undefined
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

/** More than any database of ours has, so that a foreign one is not read to its end. */
const MAX_OBJECTS = 1_000

/** Everything that a database declares, as one text: two that say the same have the same tables and indexes and nothing else. */
export function schemaOf(database: Database.Database): string {
  // As bytes: the engine ends the process over text that is not UTF-8.
  const sql = `SELECT CAST(concat_ws(x'00', type, name, tbl_name, sql) AS BLOB) FROM sqlite_schema LIMIT ${MAX_OBJECTS}`
  const rows = database.prepare(sql).raw().all() as [Buffer][] // libsql types rows as unknown
  return rows
    .map(([row]) => row.toString('latin1').replaceAll(/\s+/g, ' '))
    .toSorted()
    .join('\n')
}
