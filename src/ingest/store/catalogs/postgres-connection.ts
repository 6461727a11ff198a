import type { ClientBase, ClientConfig, PoolConfig } from 'pg'
import { localizable } from '../../../errors/localizable.ts'
import { AppError } from '../../../errors.ts'
import { chooseTypeParser, quoteName } from './postgres-dialect.ts'

/** Waits of transactions and for connections end, so that callers get an answer. */
export const BUSY_TIMEOUT_MS = 30_000
/** Ends a wait for another process's transaction, so that `BUSY_TIMEOUT_MS` is not reached. */
const LOCK_TIMEOUT_MS = 20_000
/** Ends a pause within a transaction, so that a stopped process does not block the others. */
const IDLE_TIMEOUT_MS = 15_000
const CONNECT_TIMEOUT_MS = 10_000
/** Ends a statement, so that a dead connection is noticed. */
const STATEMENT_TIMEOUT_MS = 30_000
/** TCP checks an idle connection, so that a vanished server is noticed. */
const KEEP_ALIVE_MS = 10_000
/** Sixteen processes stay below PostgreSQL's default of 100. */
const CONNECTIONS = 6
export type PostgresPlace = {
  /** For example `postgres://passim:secret@10.0.0.5/passim`. */
  readonly url: string
  readonly schema: string
}

export function stripCredentials(url: string): string {
  const { host, pathname } = new URL(url)
  return `postgres://${host}${pathname}`
}

/** Throws `store_unavailable`. */
export async function listSchemas(url: string, prefix: string): Promise<readonly string[]> {
  const { default: pg } = await import('pg')
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: STATEMENT_TIMEOUT_MS,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    const sql =
      'SELECT nspname AS name FROM pg_namespace WHERE starts_with(nspname, $1) ORDER BY nspname'
    const { rows } = await client.query<{ name: string }>(sql, [prefix])
    return rows.map(({ name }) => name)
  } catch (error) {
    throw translatePostgresError(error, stripCredentials(url))
  } finally {
    await client.end()
  }
}

export function toPoolConfig({ url, schema }: PostgresPlace): PoolConfig {
  return {
    connectionString: url,
    options: `-c search_path=${quoteName(schema)} -c lock_timeout=${LOCK_TIMEOUT_MS} -c idle_in_transaction_session_timeout=${IDLE_TIMEOUT_MS}`,
    application_name: 'passim',
    max: CONNECTIONS,
    connectionTimeoutMillis: BUSY_TIMEOUT_MS, // wait for a free connection
    query_timeout: STATEMENT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    types: { getTypeParser: chooseTypeParser },
  }
}

/** Gives clients their own connection timeout: the pool would pass on its own. */
export function createClientClass(
  Client: new (config?: ClientConfig) => ClientBase,
): new () => ClientBase {
  return class extends Client {
    constructor(config?: ClientConfig) {
      super({ ...config, connectionTimeoutMillis: CONNECT_TIMEOUT_MS })
    }
  }
}

const POOL_IS_BUSY = 'timeout exceeded when trying to connect'

/**
 * Leaves errors in statements unchanged. Only `store_unavailable` names the place: others may
 * be shown to anybody.
 */
export function translatePostgresError(error: unknown, name: string): unknown {
  if (!(error instanceof Error) || error instanceof AppError || error instanceof TypeError)
    return error
  const { code = '', severity } = error as Error & {
    readonly code?: string
    readonly severity?: string
  }
  const about = { cause: error, subject: 'store' } as const
  const reason = error.message || code // without a message if several addresses refuse
  const createUnavailableError = (advice: string) =>
    new AppError(
      'store_unavailable',
      localizable`The catalog ${name} cannot be queried (${reason}). ${advice}`,
      about,
    )
  if (error.message === POOL_IS_BUSY)
    return createUnavailableError(
      'All its connections are in use: the database may be slow, or this store sent too many queries at once.',
    )
  const isOfServer = severity !== undefined
  if (!isOfServer)
    return createUnavailableError('Check that it runs, and that catalog.url is right.')
  if (code === '53100')
    return new AppError(
      'disk_full',
      'The disk of the database that has the catalog is full. Free some space there.',
      about,
    )
  if (code === '54000')
    return new AppError(
      'invalid_input',
      localizable`A name is too long for the catalog (${reason}). Shorten it.`,
      about,
    )
  if (code.startsWith('XX'))
    return new AppError(
      'corrupt',
      localizable`The catalog is damaged, according to its database (${reason}).`,
      about,
    )
  if (code === '42501' || code === '3F000')
    return createUnavailableError(
      'Its user needs a schema of its own there, or the right to create one: GRANT CREATE ON DATABASE.',
    )
  if (/^53/.test(code))
    return createUnavailableError(
      'It accepts no more connections: raise its max_connections, or lower server.maxOpenStores.',
    )
  if (/^(08|57P|28|3D)/.test(code))
    return createUnavailableError('Check that it runs, and that catalog.url is right.')
  if (code === '55P03' || code === '25P03')
    return createUnavailableError('Another writer took too long. Try again.')
  return error
}
