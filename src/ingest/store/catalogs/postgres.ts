import type { Pool, PoolClient, QueryResult } from 'pg'
import { localizable } from '../../../errors/localizable.ts'
import { AppError } from '../../../errors.ts'
import type { Catalog, Formats, Statements } from '../catalog.ts'
import { Line, WRITES } from './line.ts'
import {
  BUSY_TIMEOUT_MS,
  createClientClass,
  type PostgresPlace,
  stripCredentials,
  toPoolConfig,
  translatePostgresError,
} from './postgres-connection.ts'
import { exportRows, importRows, LONG_QUERY } from './postgres-copies.ts'
import {
  FUNCTIONS,
  quoteName,
  replaceNul,
  toPostgres,
  toPostgresSchema,
} from './postgres-dialect.ts'
import { SqliteCatalog } from './sqlite.ts'

/** Protects from a machine far ahead, which would remove what others keep. */
const MAX_APART_MS = 5 * 60_000
const NOW = 'extract(epoch FROM clock_timestamp())::double precision * 1000 AS now'
/** Short, so that a write of another process is soon noticed. */
const STATE_MS = 500

/**
 * A catalog in a PostgreSQL schema, for several machines. A transaction locks the row of
 * `store_state` from its start. The row counts transactions for readers.
 */
export class PostgresCatalog implements Catalog {
  readonly #pool: Pool
  readonly #place: PostgresPlace
  readonly #formats: Formats
  readonly #writers = new Line(BUSY_TIMEOUT_MS)
  readonly #translated = new Map<string, string>()
  #state: { readonly epoch: Promise<string>; readonly readAt: number } | undefined
  #isClosed = false
  #isNew = false

  private constructor(pool: Pool, place: PostgresPlace, formats: Formats) {
    this.#pool = pool
    this.#place = place
    this.#formats = formats
  }

  /**
   * Creates or migrates the catalog. Throws `store_mismatch` if it is newer, `store_unavailable`,
   * or `not_found`.
   */
  static async open(
    place: PostgresPlace,
    formats: Formats,
    { mustExist = false } = {},
  ): Promise<PostgresCatalog> {
    const { default: pg } = await import('pg')
    const pool = new pg.Pool({ ...toPoolConfig(place), Client: createClientClass(pg.Client) })
    pool.on('error', () => {}) // ignored: the next statement opens another
    const catalog = new PostgresCatalog(pool, place, formats)
    try {
      await catalog.#prepare(mustExist)
      return catalog
    } catch (error) {
      await pool.end()
      throw error
    }
  }

  get isNew(): boolean {
    return this.#isNew
  }

  /** Database and schema, without the password. */
  get name(): string {
    return `${stripCredentials(this.#place.url)} (schema ${this.#place.schema})`
  }

  async get<Row>(sql: string, ...values: readonly unknown[]): Promise<Row | undefined> {
    return (await this.all<Row>(sql, ...values))[0]
  }

  async all<Row>(sql: string, ...values: readonly unknown[]): Promise<readonly Row[]> {
    if (WRITES.test(sql))
      return await this.transaction(async inside => await inside.all(sql, ...values))
    try {
      return (await this.#ask(this.#open, sql, values)).rows
    } finally {
      this.#state = undefined // may be older than what was read
    }
  }

  async run(sql: string, ...values: readonly unknown[]): Promise<number> {
    return await this.transaction(async inside => await inside.run(sql, ...values))
  }

  async transaction<Result>(work: (inside: Statements) => Promise<Result>): Promise<Result> {
    return await this.#writers.enqueue(async () => await this.#runTransaction(work))
  }

  async state(): Promise<string> {
    const now = performance.now()
    if (!this.#state || now - this.#state.readAt > STATE_MS) {
      const epoch = this.#readEpoch()
      this.#state = { epoch, readAt: now }
      epoch.catch(() => {
        this.#state = undefined
      })
    }
    return await this.#state.epoch
  }

  /** Returns nothing: PostgreSQL checks its own files. */
  async integrityProblems(): Promise<readonly string[]> {
    return []
  }

  async copyTo(file: string): Promise<void> {
    const copy = SqliteCatalog.open(file, this.#formats)
    try {
      await this.#copy(copy)
      copy.emptyLogIntoFile()
    } finally {
      await copy.close()
    }
  }

  /**
   * Copies all rows in one transaction; `last` runs before its commit. `isResumed` accepts
   * existing copies. Throws `conflict` if there are other rows.
   */
  async takeAll(
    from: SqliteCatalog,
    { isResumed = false, last = async () => {} } = {},
  ): Promise<void> {
    await this.transaction(async inside => {
      await importRows(from, inside, { isResumed })
      await last()
    })
  }

  /** Does nothing: the operator configures PostgreSQL's log. */
  async truncateLog(): Promise<boolean> {
    return true
  }

  async erase(signal?: AbortSignal): Promise<boolean> {
    const { rows } = await this.#ask(
      this.#open,
      'SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()',
      [],
    )
    for (const { name } of rows) {
      signal?.throwIfAborted()
      const text = `VACUUM (FULL) ${quoteName(name)}`
      await this.#translateErrors(async () => await this.#open.query({ text, ...LONG_QUERY }))
    }
    return true
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    await this.#writers.waitUntilEmpty()
    this.#isClosed = true
    await this.#pool.end()
  }

  get #open(): Pool {
    if (!this.#isClosed) return this.#pool
    const message = `The store is closed: objects opened from it cannot be used after close(). Open it again.`
    throw new AppError('invalid_input', message, { subject: 'store' })
  }

  async #readEpoch(): Promise<string> {
    const { rows } = await this.#ask(this.#open, 'SELECT epoch, format FROM store_state', [])
    const row: { epoch: number; format: number } | undefined = rows[0]
    if (row?.format === this.#formats.length) return String(row.epoch)
    throw this.#createMismatch(row?.format)
  }

  /** Writes nothing if a newer program has migrated the store. */
  async #runTransaction<Result>(work: (inside: Statements) => Promise<Result>): Promise<Result> {
    let isOver = false
    const begin = `BEGIN; UPDATE store_state SET epoch = epoch + 1 WHERE format = ${this.#formats.length} RETURNING ${NOW}`
    try {
      return await this.#withTransaction(begin, async (client, raised) => {
        if (raised === 0) throw await this.#readMismatch(client)
        try {
          return await work(this.#createStatements(client, () => isOver))
        } finally {
          isOver = true // before a rollback, after which statements would be transactions of their own
        }
      })
    } finally {
      this.#state = undefined
    }
  }

  async #readMismatch(client: PoolClient): Promise<AppError> {
    const { rows } = await this.#ask(client, 'SELECT format FROM store_state', [])
    return this.#createMismatch(rows[0]?.format)
  }

  #createMismatch(format: number | undefined): AppError {
    const message = localizable`The store has format ${format}; this program reads up to ${this.#formats.length}. Upgrade passim.`
    return new AppError('store_mismatch', message)
  }

  /**
   * A lost connection fails the next statement. `work` receives the number of rows that `begin`
   * changed.
   */
  async #withTransaction<Result>(
    begin: string,
    work: (client: PoolClient, changed: number | null) => Promise<Result>,
  ): Promise<Result> {
    const client = await this.#translateErrors(async () => await this.#open.connect())
    let lost: Error | undefined
    const note = (error: Error) => {
      lost = error
    }
    client.on('error', note)
    try {
      const results: QueryResult | readonly QueryResult[] = await this.#translateErrors(
        async () => await client.query(begin),
      )
      const last = [results].flat().at(-1)
      this.#requireClock(last?.rows[0]?.now)
      const result = await work(client, last?.rowCount ?? null)
      const { command } = await this.#translateErrors(async () => await client.query('COMMIT'))
      if (command === 'COMMIT') return result
      throw new Error('A statement of this transaction failed, so nothing was written.')
    } catch (error) {
      if (error instanceof AppError && error.code === 'store_unavailable') lost = error
      else await client.query('ROLLBACK').catch(note)
      throw error
    } finally {
      client.off('error', note)
      client.release(lost)
    }
  }

  #requireClock(now: number | undefined): void {
    const aheadMs = now === undefined ? 0 : Date.now() - now
    if (Math.abs(aheadMs) <= MAX_APART_MS) return
    const apart = `${Math.round(Math.abs(aheadMs) / 60_000)} minutes ${aheadMs < 0 ? 'behind' : 'ahead of'}`
    const message = localizable`The clock of this machine is ${apart} that of the catalog ${this.name}. Correct it, for example with NTP: it decides when stored objects expire.`
    throw new AppError('store_unavailable', message, { subject: 'store' })
  }

  #createStatements(client: PoolClient, isOver: () => boolean): Statements {
    let before: Promise<unknown> = Promise.resolve()
    /** Runs statements one after another, as a connection requires. */
    const ask = async (sql: string, values: readonly unknown[]) => {
      const answer = before.then(async () => {
        if (isOver())
          throw new Error('This transaction has ended: a call that uses it was not awaited.')
        return await this.#ask(client, sql, values)
      })
      before = answer.catch(() => {})
      return await answer
    }
    const inside: Statements = {
      get: async (sql, ...values) => (await ask(sql, values)).rows[0],
      all: async (sql, ...values) => (await ask(sql, values)).rows,
      run: async (sql, ...values) => (await ask(sql, values)).rowCount ?? 0,
      transaction: work => work(inside),
    }
    return inside
  }

  async #ask(
    connection: Pool | PoolClient,
    sql: string,
    values: readonly unknown[],
  ): Promise<QueryResult> {
    const cached = this.#translated.get(sql)
    const text = cached ?? toPostgres(sql, this.#place.schema)
    if (cached === undefined) this.#translated.set(sql, text)
    return await this.#translateErrors(
      async () => await connection.query(text, values.map(replaceNul)),
    )
  }

  /** Locks the store, so that the second of two processes finds it done. */
  async #prepare(mustExist: boolean): Promise<void> {
    const { schema } = this.#place
    this.#isNew = await this.#withTransaction(`BEGIN; SELECT ${NOW}`, async client => {
      await this.#translateErrors(async () => {
        await client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
          `passim ${schema}`,
        ])
        await this.#requireUnicode(client)
        if (mustExist) await this.#requireStore(client)
        await this.#makeSchema(client)
      })
      const { rows } = await client.query<{ format: number }>('SELECT format FROM store_state')
      await this.#translateErrors(async () => await this.#migrate(client, rows[0]?.format))
      return rows.length === 0
    })
  }

  /** Skips an existing schema, which may belong to another user. */
  async #makeSchema(client: PoolClient): Promise<void> {
    const { schema } = this.#place
    const { rows } = await client.query('SELECT FROM pg_namespace WHERE nspname = $1', [schema])
    if (rows.length === 0) await client.query(`CREATE SCHEMA ${quoteName(schema)}`)
    await client.query(
      'CREATE TABLE IF NOT EXISTS store_state (format bigint NOT NULL, epoch bigint NOT NULL)',
    )
  }

  async #requireUnicode(client: PoolClient): Promise<void> {
    const { rows } = await client.query<{ encoding: string }>(
      `SELECT current_setting('server_encoding') AS encoding`,
    )
    const encoding = rows[0]?.encoding
    if (encoding === 'UTF8') return
    throw new AppError(
      'store_mismatch',
      localizable`The database of the catalog ${this.name} stores texts as ${encoding}; it must be UTF8.`,
      {
        subject: 'store',
        advice: `Create one with CREATE DATABASE passim ENCODING 'UTF8' TEMPLATE template0, and name it in catalog.url.`,
      },
    )
  }

  async #requireStore(client: PoolClient): Promise<void> {
    const { rows } = await client.query<{ table: string | null }>(
      `SELECT to_regclass('store_state') AS table`,
    )
    if (rows[0]?.table) return
    const message = localizable`There is no store in ${this.name}.`
    const advice =
      'To create one, run passim index PATH; to use another, change catalog.url or catalog.schema.'
    throw new AppError('not_found', message, { subject: 'store', advice })
  }

  async #migrate(client: PoolClient, format: number | undefined): Promise<void> {
    const formats = this.#formats
    if (format === formats.length) return
    if (format !== undefined && format > formats.length) throw this.#createMismatch(format)
    // Older programs would deadlock with this transaction.
    if (format !== undefined)
      await client.query('UPDATE store_state SET format = $1', [formats.length])
    await client.query(FUNCTIONS)
    for (const sql of formats.slice(format ?? 0).flat(2)) {
      const movesNothing = format === undefined && sql.startsWith('INSERT')
      if (!movesNothing) await client.query({ text: toPostgresSchema(sql), ...LONG_QUERY })
    }
    if (format === undefined)
      await client.query('INSERT INTO store_state VALUES ($1, 0)', [formats.length])
  }

  async #copy(copy: SqliteCatalog): Promise<void> {
    await this.#withTransaction('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', async client => {
      await this.#translateErrors(async () => await exportRows(client, copy))
    })
  }

  async #translateErrors<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work()
    } catch (error) {
      throw translatePostgresError(error, this.name)
    }
  }
}
