import type { PoolClient } from 'pg'
import { AppError } from '../../../errors.ts'
import type { Statements } from '../catalog.ts'
import { quoted } from './postgres-dialect.ts'
import type { SqliteCatalog } from './sqlite.ts'

/** Rows that are copied at a time, and characters of them, unless one alone has more. */
const COPY_ROWS = 500
const COPY_CHARACTERS = 4 * 1024 * 1024

/** For statements that may look through all there is, as to make an index: an hour. It is what pg reads, if not what its types have. */
export const WHOLE = { query_timeout: 60 * 60_000 }

/** Rows by which two catalogs are known to be the same one. */
const IDENTITIES = ['store_identity', 'keys']

/**
 * All rows of a store, unless `isResumed` and they are there: they go all at once. Throws `conflict` where there are others. Keys are no
 * others where one of the two has none: what was answered is kept of both then.
 */
export async function takeRows(
  from: SqliteCatalog,
  inside: Statements,
  { isResumed }: { readonly isResumed: boolean },
): Promise<void> {
  const tables = (await from.tables()).filter(table => table !== 'leases') // who holds one there holds nothing here
  const identity = tables.find(table => IDENTITIES.includes(table))
  const idsIn = async (statements: Statements) =>
    (await statements.all<{ id: string }>(`SELECT id FROM ${identity} ORDER BY id`)).map(
      ({ id }) => id,
    )
  const [ids, there] = [await idsIn(from), await idsIn(inside)]
  const isSame = there.length > 0 && ids.every(id => there.includes(id))
  if (isResumed && isSame && ids.length > 0) return
  const isFilled =
    identity === 'keys' ? ids.length > 0 && there.length > 0 : await hasRows(inside, tables)
  if (isFilled) throw isSame ? await takenBefore(from, inside, tables) : another(from)
  for (const table of tables) await takeTable(from, inside, table)
}

async function hasRows(inside: Statements, tables: readonly string[]): Promise<boolean> {
  for (const table of tables)
    if (await inside.get(`SELECT 1 FROM ${quoted(table)} LIMIT 1`)) return true
  return false
}

function another({ path }: SqliteCatalog): AppError {
  return new AppError(
    'conflict',
    `The schema has another store than ${path}. Name another with catalog.schema.`,
  )
}

/** Somebody put the file back. Both may have been written to since, and which of the two is meant is not for us to say. */
async function takenBefore(
  from: SqliteCatalog,
  inside: Statements,
  tables: readonly string[],
): Promise<AppError> {
  const differences: string[] = []
  for (const table of tables) {
    const sql = `SELECT count(*) AS count FROM ${quoted(table)}`
    const [here, there] = [
      await from.get<{ count: number }>(sql),
      await inside.get<{ count: number }>(sql),
    ]
    if (here?.count !== there?.count)
      differences.push(`${table} ${here?.count} and ${there?.count}`)
  }
  const counted = differences.length > 0 ? differences.join(', ') : 'the same number in every table'
  return new AppError(
    'conflict',
    `The schema has the store of ${from.path} already, as it was taken over before. Rows in the file and in the database: ${counted}. To go on with what the database has, move the file away; to take the file over instead, name an empty schema with catalog.schema.`,
  )
}

async function takeTable(from: SqliteCatalog, inside: Statements, table: string): Promise<void> {
  const columns = await from.all<{ name: string }>('SELECT name FROM pragma_table_info(?)', table)
  const names = columns.map(column => quoted(column.name)).join(', ')
  const places = `(${columns.map(() => '?').join(', ')})`
  let batch: unknown[][] = []
  let characters = 0
  const put = async () => {
    const sql = `INSERT INTO ${quoted(table)} (${names}) VALUES ${batch.map(() => places).join(', ')} ON CONFLICT DO NOTHING`
    if (batch.length > 0) await inside.run(sql, ...batch.flat())
    batch = []
    characters = 0
  }
  for (const row of from.rowsOf(table)) {
    batch.push([...row])
    for (const value of row) characters += typeof value === 'string' ? value.length : 1
    if (batch.length === COPY_ROWS || characters >= COPY_CHARACTERS) await put()
  }
  await put()
  if (table !== 'versions') return
  const last = await from.get<{ seq: number }>(
    'SELECT seq FROM sqlite_sequence WHERE name = ?',
    table,
  ) // forgotten ones count
  if (last)
    await inside.get(`SELECT setval(pg_get_serial_sequence('versions', 'version'), ?)`, last.seq)
}

/** The way back. */
export async function copyRows(client: PoolClient, copy: SqliteCatalog): Promise<void> {
  const tables = await copy.tables()
  for (const table of tables) await copyTable(client, copy, table)
  if (!tables.includes('versions')) return
  const sql = `SELECT last_value FROM pg_sequences WHERE schemaname = current_schema() AND sequencename = 'versions_version_seq'`
  const { rows } = await client.query<{ last_value: number | null }>(sql)
  await copy.run('DELETE FROM sqlite_sequence WHERE name = ?', 'versions')
  await copy.run('INSERT INTO sqlite_sequence VALUES (?, ?)', 'versions', rows[0]?.last_value ?? 0) // forgotten ones count
}

async function copyTable(client: PoolClient, copy: SqliteCatalog, name: string): Promise<void> {
  const columns = await copy.all<{ name: string }>('SELECT name FROM pragma_table_info(?)', name)
  const names = columns.map(column => quoted(column.name)).join(', ')
  const sql = `INSERT INTO ${quoted(name)} (${names}) VALUES (${columns.map(() => '?').join(', ')})`
  const count = await rowsAtOnce(client, name)
  await client.query(`DECLARE every NO SCROLL CURSOR FOR SELECT ${names} FROM ${quoted(name)}`)
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

/** So few that no batch is too large, however the rows come. */
async function rowsAtOnce(client: PoolClient, table: string): Promise<number> {
  const text = `SELECT coalesce(max(length(CAST(one.* AS text))), 1) AS longest FROM ${quoted(table)} AS one`
  const { rows } = await client.query<{ longest: number }>({ text, ...WHOLE })
  return Math.min(COPY_ROWS, Math.max(1, Math.floor(COPY_CHARACTERS / rows[0]!.longest))) // an aggregate gives a row
}
