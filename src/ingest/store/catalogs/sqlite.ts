import { existsSync, statfsSync, statSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type Database from 'libsql'
import { localizable } from '../../../errors/localizable.ts'
import { AppError } from '../../../errors.ts'
import { makePrivateFile, readFileSizeLimit } from '../../../system/disk.ts'
import type { Catalog, Formats, Statements } from '../catalog.ts'
import { Line, WRITES } from './line.ts'
import { loadSqliteEngine } from './sqlite-engine.ts'
import { vacuumFile } from './vacuum.ts'

/** Ends a wait, so that a caller gets an answer. */
const BUSY_TIMEOUT_MS = 30_000
/** Growing, so that a short lock costs little and a long one few attempts. */
const RETRY_MS = { first: 1, max: 25 }
/** Room beside the catalog, so that a full disk is reported before SQLite fails. */
const NEEDED_BYTES = 256 * 1024

export const MEMORY = ':memory:'

/**
 * Every write begins a transaction: a blocked single statement would stay open with its snapshot.
 */
export class SqliteCatalog implements Catalog {
  readonly #connection: Database.Database
  readonly #statements = new Map<string, Database.Statement>()
  readonly path: string
  /** All transactions share the one connection. */
  readonly #writers = new Line(BUSY_TIMEOUT_MS)
  #isClosed = false

  private constructor(database: Database.Database, path: string) {
    this.#connection = database
    this.path = path
  }

  /**
   * Creates or migrates the catalog. Throws `store_mismatch` if it is newer; methods may throw
   * `disk_full` and `corrupt`.
   */
  static open(path: string, formats: Formats): SqliteCatalog {
    return translateErrors(path, () => SqliteCatalog.#open(path, formats))
  }

  static #open(path: string, formats: Formats): SqliteCatalog {
    if (path !== MEMORY) makePrivateFile(path)
    const database = new (loadSqliteEngine())(path)
    database.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`)
    requireShared(path, () => database.pragma('journal_mode = WAL'))
    database.pragma('synchronous = FULL')
    database.pragma('foreign_keys = ON')
    database.pragma('secure_delete = ON') // overwrites deleted data
    const catalog = new SqliteCatalog(database, path)
    const format = catalog.#format()
    if (format > formats.length) {
      database.close()
      throw new AppError(
        'store_mismatch',
        localizable`The store ${path} has format ${format}; this program reads up to ${formats.length}. Upgrade passim.`,
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
    return await this.#read(() => this.#get<Row>(sql, values))
  }

  async all<Row>(sql: string, ...values: readonly unknown[]): Promise<readonly Row[]> {
    if (WRITES.test(sql))
      return await this.transaction(async inside => await inside.all<Row>(sql, ...values))
    return await this.#read(() => this.#readAll<Row>(sql, values))
  }

  async run(sql: string, ...values: readonly unknown[]): Promise<number> {
    return await this.transaction(async inside => await inside.run(sql, ...values))
  }

  async transaction<Result>(work: (inside: Statements) => Promise<Result>): Promise<Result> {
    return await this.#writers.enqueue(async () => await this.#runTransaction(work))
  }

  async state(): Promise<string> {
    return await this.#read(() => {
      const others = this.#get<{ data_version: number }>('PRAGMA data_version', [])?.data_version
      return `${others} ${this.#get<{ own: number }>('SELECT total_changes() AS own', [])?.own}`
    })
  }

  async integrityProblems(): Promise<readonly string[]> {
    const rows = await this.all<{ integrity_check: string }>('PRAGMA integrity_check')
    return rows.map(row => row.integrity_check).filter(message => message !== 'ok')
  }

  readSchema(): string {
    return readSchema(this.#database)
  }

  async copyTo(file: string): Promise<void> {
    await this.#read(
      () =>
        void translateErrors(this.path, () => this.#database.prepare('VACUUM INTO ?').run(file)),
    )
  }

  /** Locks the file until it is closed. Returns false if somebody else has it open. */
  async lockExclusively(): Promise<boolean> {
    await this.#writers.waitUntilEmpty()
    const mode = (sql: string) => this.#readAll<{ journal_mode: string }>(sql, [])[0]?.journal_mode
    try {
      if (mode('PRAGMA journal_mode = DELETE') !== 'delete') return false
      this.#execute('BEGIN EXCLUSIVE')
      return mode('PRAGMA journal_mode') === 'delete' // somebody may have opened it in between
    } catch (error) {
      if (isBusy(error)) return false
      throw error
    }
  }

  /** Keeps the order of the columns. Nothing may write meanwhile. */
  *readRows(table: string): Generator<readonly unknown[]> {
    yield* this.#database.prepare(`SELECT * FROM "${table}"`).raw().iterate() as Iterable<unknown[]> // libsql types rows as unknown
  }

  async listTables(): Promise<readonly string[]> {
    const sql = `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name`
    return (await this.all<{ name: string }>(sql)).map(row => row.name)
  }

  /** Call it before the file is moved. */
  emptyLogIntoFile(): void {
    translateErrors(this.path, () => this.#database.pragma('wal_checkpoint(TRUNCATE)'))
  }

  async truncateLog(): Promise<boolean> {
    return await this.#read(() => {
      const [row] = this.#readAll<{ busy: number }>('PRAGMA wal_checkpoint(TRUNCATE)', [])
      return row?.busy === 0
    })
  }

  async erase(signal?: AbortSignal): Promise<boolean> {
    await this.#writers.waitUntilEmpty()
    if (this.path !== MEMORY) await vacuumFile(this.path, signal)
    return await this.#awaitEmptyLog(signal)
  }

  async #awaitEmptyLog(signal: AbortSignal | undefined): Promise<boolean> {
    const until = performance.now() + BUSY_TIMEOUT_MS
    while (!(await this.truncateLog())) {
      if (performance.now() > until) return false
      await sleep(RETRY_MS.max, undefined, { signal })
    }
    return true
  }

  async close(): Promise<void> {
    await this.#writers.waitUntilEmpty()
    if (this.#isClosed) return
    this.#isClosed = true
    this.#statements.clear()
    if (this.#connection.inTransaction) this.#connection.exec('ROLLBACK') // of `lockExclusively`: closing alone ends it late
    this.#connection.close()
  }

  /** Waits for a transaction, which uses the same connection. */
  async #read<Result>(work: () => Result): Promise<Result> {
    if (this.#writers.isEmpty) {
      try {
        return work()
      } catch (error) {
        if (!isBusy(error)) throw error
      }
    }
    return await this.#writers.enqueue(async () => await retryWhileBusy(work))
  }

  async #runTransaction<Result>(work: (inside: Statements) => Promise<Result>): Promise<Result> {
    let isOver = false
    await retryWhileBusy(() => this.#execute('BEGIN IMMEDIATE'))
    try {
      const result = await work(this.#createStatements(() => isOver))
      this.#execute('COMMIT')
      return result
    } catch (error) {
      if (this.#connection.inTransaction) this.#execute('ROLLBACK')
      throw error
    } finally {
      isOver = true
    }
  }

  #createStatements(isOver: () => boolean): Statements {
    const requireOpen = () => {
      if (isOver())
        throw new Error('This transaction has ended: a call that uses it was not awaited.')
    }
    const inside: Statements = {
      get: async (sql, ...values) => {
        requireOpen()
        return this.#get(sql, values)
      },
      all: async (sql, ...values) => {
        requireOpen()
        return this.#readAll(sql, values)
      },
      run: async (sql, ...values) => {
        requireOpen()
        return this.#run(sql, values).changes
      },
      transaction: work => work(inside),
    }
    return inside
  }

  get #database(): Database.Database {
    if (!this.#isClosed) return this.#connection
    const message = localizable`The store of ${this.path} is closed: objects opened from it cannot be used after close(). Open it again.`
    throw new AppError('invalid_input', message, { subject: 'store' })
  }

  #execute(sql: string): void {
    translateErrors(this.path, () => this.#database.exec(sql))
  }

  #get<Row>(sql: string, values: readonly unknown[]): Row | undefined {
    const row = translateErrors(this.path, () => this.#prepareStatement('get', sql).get(...values))
    return (row as Row | null) ?? undefined // libsql types rows as unknown
  }

  #readAll<Row>(sql: string, values: readonly unknown[]): readonly Row[] {
    return translateErrors(this.path, () =>
      this.#prepareStatement('all', sql).all(...values),
    ) as Row[] // libsql types rows as unknown
  }

  #run(sql: string, values: readonly unknown[]): Database.RunResult {
    return translateErrors(this.path, () => this.#prepareStatement('run', sql).run(...values))
  }

  /**
   * Caches one statement per method: libsql 0.5.29 answers a `get` with the row of an earlier
   * `all`.
   */
  #prepareStatement(method: 'get' | 'all' | 'run', sql: string): Database.Statement {
    const key = `${method} ${sql}`
    const cached = this.#statements.get(key)
    if (cached) return cached
    const statement = this.#database.prepare(sql)
    this.#statements.set(key, statement)
    return statement
  }

  #format(): number {
    return this.#get<{ user_version: number }>('PRAGMA user_version', [])?.user_version ?? 0
  }

  /**
   * Locks an old store, so that a second process finds it migrated. libsql's `transaction()` is
   * not used: its failing ROLLBACK hides the first error.
   */
  #migrate(formats: Formats): void {
    translateErrors(this.path, () => {
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

function translateErrors<Result>(path: string, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    throw translateSqliteError(error, path)
  }
}

/** Includes `SQLITE_BUSY_RECOVERY`, during the recovery of a dead process's log. */
function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY')
}

/**
 * Throws `conflict` if another process has locked the file, as `passim migrate` does, or moved
 * it.
 */
function requireShared(path: string, work: () => void): void {
  const createLockedError = (cause?: unknown) => {
    const message = localizable`Another process has locked ${path}. Wait until it ends.`
    const advice = 'If it is passim migrate, set catalog.url to the database afterwards.'
    return new AppError('conflict', message, { cause, subject: 'store', advice })
  }
  try {
    work()
  } catch (error) {
    throw isBusy(error) ? createLockedError(error) : error
  }
  if (path !== MEMORY && !existsSync(path)) throw createLockedError()
}

/** Retries; SQLite's own busy timeout would block the main thread. */
async function retryWhileBusy<Result>(work: () => Result): Promise<Result> {
  const until = performance.now() + BUSY_TIMEOUT_MS
  for (let wait = RETRY_MS.first; ; wait = Math.min(2 * wait, RETRY_MS.max)) {
    try {
      return work()
    } catch (error) {
      if (!isBusy(error) || performance.now() > until) throw error
    }
    await sleep(wait)
  }
}

/** Returns `disk_full`, or `corrupt` for a file that is no catalog; other errors unchanged. */
function translateSqliteError(error: unknown, file: string): unknown {
  if (error instanceof AppError || !(error instanceof Error)) return error
  const code = (error as Error & { readonly code?: unknown }).code // SQLite's name of the code
  if (typeof code !== 'string' || !code.startsWith('SQLITE_')) return error
  const about = { cause: error, subject: 'store' } as const
  if (code === 'SQLITE_FULL' || (/^SQLITE_(IOERR|CANTOPEN)/.test(code) && isFull(file))) {
    const message = localizable`The disk of ${path.dirname(file)} is full, and the catalog needs some of it even to be read. Free some space and try again.`
    return new AppError('disk_full', message, about)
  }
  const limitBytes = code.startsWith('SQLITE_IOERR') ? findReachedLimit(file) : undefined
  if (limitBytes !== undefined) {
    const message = localizable`The catalog ${file} cannot grow: the system limits files to ${limitBytes} bytes (ulimit -f). Raise that limit and try again.`
    return new AppError('disk_full', message, about)
  }
  if (!/^SQLITE_(CORRUPT|NOTADB)/.test(code)) return error
  return new AppError(
    'corrupt',
    localizable`The catalog ${file} is damaged (${error.message}). Import a backup into another home, or index the documents again there.`,
    about,
  )
}

/** Returns the system's maximum file size if a file has nearly reached it. */
function findReachedLimit(file: string): number | undefined {
  const limitBytes = readFileSizeLimit()
  if (limitBytes === undefined) return undefined
  const sizes = ['', '-wal', '-shm'].map(
    end => statSync(`${file}${end}`, { throwIfNoEntry: false })?.size ?? 0,
  )
  return Math.max(...sizes) + NEEDED_BYTES > limitBytes ? limitBytes : undefined
}

/** Returns false for a disk that does not answer: SQLite's own error says more. */
function isFull(file: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(path.dirname(file))
    return bavail * bsize < NEEDED_BYTES
  } catch {
    return false
  }
}

/** More than any store has, so that a foreign database is not read completely. */
const MAX_OBJECTS = 1_000

export function readSchema(database: Database.Database): string {
  // As bytes: text that is not UTF-8 ends the process.
  const sql = `SELECT CAST(concat_ws(x'00', type, name, tbl_name, sql) AS BLOB) FROM sqlite_schema LIMIT ${MAX_OBJECTS}`
  const rows = database.prepare(sql).raw().all() as [Buffer][]
  return rows
    .map(([row]) => row.toString('latin1').replaceAll(/\s+/g, ' '))
    .toSorted()
    .join('\n')
}
