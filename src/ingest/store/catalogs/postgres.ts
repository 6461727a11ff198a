import type { ClientBase, ClientConfig, Pool, PoolClient, PoolConfig, QueryResult } from 'pg'
import { AppError } from '../../../errors.ts'
import type { Catalog, Formats, Statements } from '../catalog.ts'
import { Line, WRITES } from './line.ts'
import { copyRows, takeRows, WHOLE } from './postgres-copies.ts'
import { FUNCTIONS, quoted, toPostgres, toPostgresSchema } from './postgres-dialect.ts'
import { namedPostgresError } from './postgres-errors.ts'
import { SqliteCatalog } from './sqlite.ts'

/** How long a transaction waits for others of this process, and a statement for one of the connections. */
const BUSY_TIMEOUT_MS = 30_000
/** How long a statement waits for the transaction of another process. */
const LOCK_TIMEOUT_MS = 20_000
/** How long the server waits for what a transaction says next, before others may go on. */
const IDLE_TIMEOUT_MS = 15_000
const CONNECT_TIMEOUT_MS = 10_000
/** Longest that a statement takes: a connection that says nothing for so long is dead, though nobody hung up. */
const STATEMENT_TIMEOUT_MS = 30_000
/** A connection that waits for an answer is asked after so long whether the other side is still there. */
const KEEP_ALIVE_MS = 10_000
/** How many read at once. */
const CONNECTIONS = 6
/**
 * Most that the clock of this machine may be away from the database's. What is kept for a time is kept by the clock of whoever wrote it, and
 * gone by the clock of whoever looks: a machine whose clock is far ahead would remove what others keep.
 */
const MAX_APART_MS = 5 * 60_000
const NOW = 'extract(epoch FROM clock_timestamp())::double precision * 1000 AS now'
/** What others wrote is known after so long at the latest. */
const STATE_MS = 500

/** A store's place in a database. */
export type PostgresPlace = {
  /** As `postgres://passim:secret@10.0.0.5/passim`. */
  readonly url: string
  /** The schema that has the tables. */
  readonly schema: string
}

/**
 * A catalog in a schema of a PostgreSQL database, for several machines. Whoever writes holds the one row of `store_state` to the end of
 * his transaction, as SQLite locks its file: so what a transaction read stays true. The row counts the transactions: readers look there
 * for whether anything was written.
 */
export class PostgresCatalog implements Catalog {
  readonly #pool: Pool
  readonly #place: PostgresPlace
  readonly #formats: Formats
  readonly #writers = new Line(BUSY_TIMEOUT_MS)
  readonly #translated = new Map<string, string>()
  #state: { readonly epoch: Promise<string>; readonly askedAt: number } | undefined
  #isClosed = false
  #isNew = false

  private constructor(pool: Pool, place: PostgresPlace, formats: Formats) {
    this.#pool = pool
    this.#place = place
    this.#formats = formats
  }

  /**
   * Open or make the catalog, an older one brought forward. Throws `store_mismatch` for one newer than this program,
   * `store_unavailable`, and `not_found` for one that must exist and does not.
   */
  static async open(
    place: PostgresPlace,
    formats: Formats,
    { mustExist = false } = {},
  ): Promise<PostgresCatalog> {
    const { default: pg } = await import('pg') // only who keeps a store there loads it
    const pool = new pg.Pool({ ...configOf(place), Client: patientClient(pg.Client) })
    pool.on('error', () => {}) // of a connection that nobody uses now: the next one who needs it opens another
    const catalog = new PostgresCatalog(pool, place, formats)
    try {
      await catalog.#prepare(mustExist)
      return catalog
    } catch (error) {
      await pool.end()
      throw error
    }
  }

  /** There was none. */
  get isNew(): boolean {
    return this.#isNew
  }

  /** The database and the schema, without the password. */
  get name(): string {
    return `${databaseIn(this.#place.url)} (schema ${this.#place.schema})`
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
      this.#state = undefined // what was read may be newer: whoever compares states is to notice
    }
  }

  async run(sql: string, ...values: readonly unknown[]): Promise<number> {
    return await this.transaction(async inside => await inside.run(sql, ...values))
  }

  async transaction<Result>(work: (inside: Statements) => Promise<Result>): Promise<Result> {
    return await this.#writers.next(async () => await this.#within(work))
  }

  async state(): Promise<string> {
    const now = performance.now()
    if (!this.#state || now - this.#state.askedAt > STATE_MS) {
      const epoch = this.#epoch()
      this.#state = { epoch, askedAt: now }
      epoch.catch(() => {
        this.#state = undefined
      })
    }
    return await this.#state.epoch
  }

  /** It looks after its files itself. */
  async integrityProblems(): Promise<readonly string[]> {
    return []
  }

  async copyTo(file: string): Promise<void> {
    const copy = SqliteCatalog.open(file, this.#formats)
    try {
      await this.#copy(copy)
      copy.intoOneFile()
    } finally {
      await copy.close()
    }
  }

  /**
   * Take all rows of another catalog over, at once; `last` is done before that is certain. Where this is taken up again (`isResumed`),
   * they may be there already; else whatever is there is a `conflict`.
   */
  async takeAll(
    from: SqliteCatalog,
    { isResumed = false, last = async () => {} } = {},
  ): Promise<void> {
    await this.transaction(async inside => {
      await takeRows(from, inside, { isResumed })
      await last()
    })
  }

  /** How long it keeps its log is for those to say who run it. */
  async emptyLog(): Promise<boolean> {
    return true
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    await this.#writers.over()
    this.#isClosed = true
    await this.#pool.end()
  }

  /** Throws `invalid_input` after `close`. */
  get #open(): Pool {
    if (!this.#isClosed) return this.#pool
    const message = `The store is closed: what was opened is of no use after close(). Open it again.`
    throw new AppError('invalid_input', message, { subject: 'store' })
  }

  async #epoch(): Promise<string> {
    const { rows } = await this.#ask(this.#open, 'SELECT epoch, format FROM store_state', [])
    const row: { epoch: number; format: number } | undefined = rows[0]
    if (row?.format === this.#formats.length) return String(row.epoch)
    throw this.#mismatch(row?.format)
  }

  /** A newer program may have brought the store forward while this one ran: it writes nothing then. */
  async #within<Result>(work: (inside: Statements) => Promise<Result>): Promise<Result> {
    let isOver = false
    const begin = `BEGIN; UPDATE store_state SET epoch = epoch + 1 WHERE format = ${this.#formats.length} RETURNING ${NOW}`
    try {
      return await this.#transacting(begin, async (client, raised) => {
        if (raised === 0) await this.#tellFormat(client)
        return await work(this.#inside(client, () => isOver))
      })
    } finally {
      isOver = true
      this.#state = undefined // others may have written since, and been seen
    }
  }

  /** Throws `store_mismatch`. */
  async #tellFormat(client: PoolClient): Promise<never> {
    const { rows } = await this.#ask(client, 'SELECT format FROM store_state', [])
    throw this.#mismatch(rows[0]?.format)
  }

  #mismatch(format: number | undefined): AppError {
    const message = `The store has format ${format}; this program reads up to ${this.#formats.length}. Upgrade passim.`
    return new AppError('store_mismatch', message)
  }

  /**
   * With a connection of its own. One that is lost is told by the next statement, and not used again. The work is told how many rows
   * the last statement of `begin` changed.
   */
  async #transacting<Result>(
    begin: string,
    work: (client: PoolClient, changed: number | null) => Promise<Result>,
  ): Promise<Result> {
    const client = await this.#named(async () => await this.#open.connect())
    let lost: Error | undefined
    const note = (error: Error) => {
      lost = error
    }
    client.on('error', note) // between two statements nobody else hears of it
    try {
      const begun: QueryResult | readonly QueryResult[] = await this.#named(
        async () => await client.query(begin),
      ) // one for each statement
      const last = [begun].flat().at(-1)
      this.#requireClock(last?.rows[0]?.now)
      const result = await work(client, last?.rowCount ?? null)
      const { command } = await this.#named(async () => await client.query('COMMIT'))
      if (command === 'COMMIT') return result
      throw new Error(
        'A statement of this transaction failed, and it went on: nothing of it was written.',
      )
    } catch (error) {
      if (error instanceof AppError && error.code === 'store_unavailable') lost = error
      else await client.query('ROLLBACK').catch(note)
      throw error
    } finally {
      client.off('error', note)
      client.release(lost)
    }
  }

  /** Throws `store_unavailable` where what began a transaction told a time that is far from this machine's. */
  #requireClock(now: number | undefined): void {
    const aheadMs = now === undefined ? 0 : Date.now() - now
    if (Math.abs(aheadMs) <= MAX_APART_MS) return
    const apart = `${Math.round(Math.abs(aheadMs) / 60_000)} minutes ${aheadMs < 0 ? 'behind' : 'ahead of'}`
    const message = `The clock of this machine is ${apart} that of the catalog ${this.name}. Set it right, as by NTP: it decides how long things are kept.`
    throw new AppError('store_unavailable', message, { subject: 'store' })
  }

  #inside(client: PoolClient, isOver: () => boolean): Statements {
    let before: Promise<unknown> = Promise.resolve()
    /** One after another, as a connection takes them: several may be asked at once. */
    const ask = async (sql: string, values: readonly unknown[]) => {
      if (isOver())
        throw new Error('This transaction has ended: whoever speaks to it was not waited for.')
      const answer = before.then(async () => await this.#ask(client, sql, values))
      before = answer.catch(() => {}) // whoever asked hears of it
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
    asked: Pool | PoolClient,
    sql: string,
    values: readonly unknown[],
  ): Promise<QueryResult> {
    const known = this.#translated.get(sql)
    const text = known ?? toPostgres(sql)
    if (known === undefined) this.#translated.set(sql, text)
    return await this.#named(async () => await asked.query(text, values.map(withoutNul)))
  }

  /** Two processes may open it at once: the second finds it made, or brought forward. */
  async #prepare(mustExist: boolean): Promise<void> {
    const { schema } = this.#place
    this.#isNew = await this.#transacting(`BEGIN; SELECT ${NOW}`, async client => {
      await this.#named(async () => {
        await client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
          `passim ${schema}`,
        ])
        if (mustExist) await this.#requireStore(client)
        await this.#makeSchema(client)
      })
      const { rows } = await client.query<{ format: number }>('SELECT format FROM store_state')
      await this.#named(async () => await this.#bringForward(client, rows[0]?.format))
      return rows.length === 0
    })
  }

  /** One that there is may be somebody else's to make. */
  async #makeSchema(client: PoolClient): Promise<void> {
    const { schema } = this.#place
    const { rows } = await client.query('SELECT FROM pg_namespace WHERE nspname = $1', [schema])
    if (rows.length === 0) await client.query(`CREATE SCHEMA ${quoted(schema)}`)
    await client.query(
      'CREATE TABLE IF NOT EXISTS store_state (format bigint NOT NULL, epoch bigint NOT NULL)',
    )
  }

  async #requireStore(client: PoolClient): Promise<void> {
    const { rows } = await client.query<{ table: string | null }>(
      `SELECT to_regclass('store_state') AS table`,
    )
    if (rows[0]?.table) return
    const message = `There is no store in ${this.name}. passim index PATH makes a new one; catalog.url and catalog.schema name another.`
    throw new AppError('not_found', message, { subject: 'store' })
  }

  async #bringForward(client: PoolClient, format: number | undefined): Promise<void> {
    const formats = this.#formats
    if (format === formats.length) return
    if (format !== undefined && format > formats.length) throw this.#mismatch(format)
    // Whoever writes now ends first, and older programs write no more: they would wait for these tables, and we for them.
    if (format !== undefined)
      await client.query('UPDATE store_state SET format = $1', [formats.length])
    await client.query(FUNCTIONS)
    for (const sql of formats.slice(format ?? 0).flat(2)) {
      const movesNothing = format === undefined && sql.startsWith('INSERT')
      if (!movesNothing) await client.query({ text: toPostgresSchema(sql), ...WHOLE })
    }
    if (format === undefined)
      await client.query('INSERT INTO store_state VALUES ($1, 0)', [formats.length])
  }

  /** As of one moment. */
  async #copy(copy: SqliteCatalog): Promise<void> {
    await this.#transacting('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', async client => {
      await this.#named(async () => await copyRows(client, copy))
    })
  }

  async #named<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work()
    } catch (error) {
      throw namedPostgresError(error, this.name)
    }
  }
}

/** The database of a URL, without what lets somebody in. */
export function databaseIn(url: string): string {
  const { host, pathname } = new URL(url)
  return `postgres://${host}${pathname}`
}

/** Schemas of a database whose names begin so. Throws `store_unavailable`. */
export async function schemasIn(url: string, prefix: string): Promise<readonly string[]> {
  const { default: pg } = await import('pg')
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: STATEMENT_TIMEOUT_MS,
  })
  client.on('error', () => {}) // the statement tells it
  try {
    await client.connect()
    const sql =
      'SELECT nspname AS name FROM pg_namespace WHERE starts_with(nspname, $1) ORDER BY nspname'
    const { rows } = await client.query<{ name: string }>(sql, [prefix])
    return rows.map(({ name }) => name)
  } catch (error) {
    throw namedPostgresError(error, databaseIn(url))
  } finally {
    await client.end()
  }
}

function configOf({ url, schema }: PostgresPlace): PoolConfig {
  return {
    connectionString: url,
    options: `-c search_path=${quoted(schema)} -c lock_timeout=${LOCK_TIMEOUT_MS} -c idle_in_transaction_session_timeout=${IDLE_TIMEOUT_MS}`,
    application_name: 'passim',
    max: CONNECTIONS,
    connectionTimeoutMillis: BUSY_TIMEOUT_MS, // the pool's: how long a statement waits for one that is in use
    query_timeout: STATEMENT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    types: { getTypeParser: readerOf },
  }
}

/** The pool tells its clients how long they may take to connect by the option that says how long it waits for a free one. */
function patientClient(Client: new (config?: ClientConfig) => ClientBase): new () => ClientBase {
  return class extends Client {
    constructor(config?: ClientConfig) {
      super({ ...config, connectionTimeoutMillis: CONNECT_TIMEOUT_MS })
    }
  }
}

/** No text of PostgreSQL has this character. It is in no id, and in JSON it is written as an escape. */
function withoutNul(value: unknown): unknown {
  return typeof value === 'string' && value.includes('\0')
    ? value.replaceAll('\0', '\uFFFD')
    : value
}

const NUMBERS: ReadonlySet<number> = new Set([20, 21, 23, 700, 701, 1700]) // int8, int2, int4, float4, float8, numeric
const BOOLEAN = 16

/** Values as SQLite gives them: numbers of every size, and truth as 1 or 0. */
function readerOf(type: number): (text: string) => unknown {
  if (NUMBERS.has(type)) return Number
  if (type === BOOLEAN) return text => (text === 't' ? 1 : 0)
  return text => text
}
