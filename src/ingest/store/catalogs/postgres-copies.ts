import type { PoolClient } from 'pg'
import { localizable } from '../../../errors/localizable.ts'
import { AppError } from '../../../errors.ts'
import { getFirst } from '../../../system/items.ts'
import type { Statements } from '../catalog.ts'
import { quoteName } from './postgres-dialect.ts'
import type { SqliteCatalog } from './sqlite.ts'

/** Rows and characters per batch, at least one row. Protects memory. */
const COPY_ROWS = 500
const COPY_CHARACTERS = 4 * 1024 * 1024

/** An hour for statements that may read a complete table. pg's types lack this option. */
export const LONG_QUERY = { query_timeout: 60 * 60_000 }

/** Their ids tell that two catalogs are the same one. */
const IDENTITY_TABLES = ['store_identity', 'keys']

/**
 * Copies a store into a database. `isResumed` skips existing copies. Throws `conflict` if there
 * are other rows.
 */
export async function importRows(
  from: SqliteCatalog,
  inside: Statements,
  { isResumed }: { readonly isResumed: boolean },
): Promise<void> {
  const tables = (await from.listTables()).filter(table => table !== 'leases') // leases of another catalog are void
  const identity = tables.find(table => IDENTITY_TABLES.includes(table))
  const listIds = async (statements: Statements) =>
    (await statements.all<{ id: string }>(`SELECT id FROM ${identity} ORDER BY id`)).map(
      ({ id }) => id,
    )
  const ids = await listIds(from)
  const existingIds = await listIds(inside)
  const isSame = existingIds.length > 0 && ids.every(id => existingIds.includes(id))
  if (isResumed && isSame && ids.length > 0) return
  const isFilled =
    identity === 'keys' ? ids.length > 0 && existingIds.length > 0 : await hasRows(inside, tables)
  if (isFilled)
    throw isSame
      ? await describeEarlierImport(from, inside, tables)
      : new AppError(
          'conflict',
          localizable`The schema has another store than ${from.path}. Name another with catalog.schema.`,
        )
  for (const table of tables) await importTable(from, inside, table)
}

async function hasRows(inside: Statements, tables: readonly string[]): Promise<boolean> {
  for (const table of tables)
    if (await inside.get(`SELECT 1 FROM ${quoteName(table)} LIMIT 1`)) return true
  return false
}

async function describeEarlierImport(
  from: SqliteCatalog,
  inside: Statements,
  tables: readonly string[],
): Promise<AppError> {
  const differences: string[] = []
  for (const table of tables) {
    const sql = `SELECT count(*) AS count FROM ${quoteName(table)}`
    const here = await from.get<{ count: number }>(sql)
    const there = await inside.get<{ count: number }>(sql)
    if (here?.count !== there?.count)
      differences.push(`${table} ${here?.count} and ${there?.count}`)
  }
  const counted = differences.length > 0 ? differences.join(', ') : 'the same number in every table'
  return new AppError(
    'conflict',
    localizable`The schema has the store of ${from.path} already, as it was taken over before. Rows in the file and in the database: ${counted}. To go on with what the database has, move the file away; to take the file over instead, name an empty schema with catalog.schema.`,
  )
}

async function importTable(from: SqliteCatalog, inside: Statements, table: string): Promise<void> {
  const columns = await from.all<{ name: string }>('SELECT name FROM pragma_table_info(?)', table)
  const names = columns.map(column => quoteName(column.name)).join(', ')
  const places = `(${columns.map(() => '?').join(', ')})`
  let batch: unknown[][] = []
  let characters = 0
  const put = async () => {
    const sql = `INSERT INTO ${quoteName(table)} (${names}) VALUES ${batch.map(() => places).join(', ')} ON CONFLICT DO NOTHING`
    if (batch.length > 0) await inside.run(sql, ...batch.flat())
    batch = []
    characters = 0
  }
  for (const row of from.readRows(table)) {
    batch.push([...row])
    for (const value of row) characters += typeof value === 'string' ? value.length : 1
    if (batch.length === COPY_ROWS || characters >= COPY_CHARACTERS) await put()
  }
  await put()
  if (table !== 'versions') return
  const last = await from.get<{ seq: number }>(
    'SELECT seq FROM sqlite_sequence WHERE name = ?',
    table,
  )
  if (last)
    await inside.get(`SELECT setval(pg_get_serial_sequence('versions', 'version'), ?)`, last.seq)
}

export async function exportRows(client: PoolClient, copy: SqliteCatalog): Promise<void> {
  const tables = await copy.listTables()
  for (const table of tables) await exportTable(client, copy, table)
  if (!tables.includes('versions')) return
  const sql = `SELECT last_value FROM pg_sequences WHERE schemaname = current_schema() AND sequencename = 'versions_version_seq'`
  const { rows } = await client.query<{ last_value: number | null }>(sql)
  await copy.run('DELETE FROM sqlite_sequence WHERE name = ?', 'versions')
  await copy.run('INSERT INTO sqlite_sequence VALUES (?, ?)', 'versions', rows[0]?.last_value ?? 0) // so that no number is reused
}

async function exportTable(client: PoolClient, copy: SqliteCatalog, name: string): Promise<void> {
  const columns = await copy.all<{ name: string }>('SELECT name FROM pragma_table_info(?)', name)
  const names = columns.map(column => quoteName(column.name)).join(', ')
  const sql = `INSERT INTO ${quoteName(name)} (${names}) VALUES (${columns.map(() => '?').join(', ')})`
  const count = await chooseBatchSize(client, name)
  await client.query(`DECLARE every NO SCROLL CURSOR FOR SELECT ${names} FROM ${quoteName(name)}`)
  for (;;) {
    const { rows } = await client.query<unknown[]>({
      text: `FETCH ${count} FROM every`,
      rowMode: 'array',
    })
    if (rows.length === 0) break
    await copy.transaction(async inside => {
      for (const row of rows) await inside.run(sql, ...row)
    })
  }
  await client.query('CLOSE every')
}

/** Stays below the limit even for the longest rows. */
async function chooseBatchSize(client: PoolClient, table: string): Promise<number> {
  const text = `SELECT coalesce(max(length(CAST(one.* AS text))), 1) AS longest FROM ${quoteName(table)} AS one`
  const { rows } = await client.query<{ longest: number }>({ text, ...LONG_QUERY })
  return Math.min(COPY_ROWS, Math.max(1, Math.floor(COPY_CHARACTERS / getFirst(rows).longest)))
}
