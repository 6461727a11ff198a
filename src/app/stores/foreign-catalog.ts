import { isUtf8 } from 'node:buffer'
import { statSync } from 'node:fs'
import type Database from 'libsql'
import { localizable } from '../../errors/localizable.ts'
import { AppError } from '../../errors.ts'
import { readSchema } from '../../ingest/store/catalogs/sqlite.ts'
import { loadSqliteEngine } from '../../ingest/store/catalogs/sqlite-engine.ts'
import { createEmptyCatalog, STORE_FORMAT } from './store.ts'

/** Size and rows; protects the check from huge catalogs (a million documents need a tenth). */
const MAX_BYTES = 16 * 1024 ** 3
const MAX_ROWS = 100_000_000

/** Limits the characters of ids, which become folder and table names. */
const IS_ID = (column: string) =>
  `length(${column}) BETWEEN 1 AND 128 AND ${column} NOT GLOB '*[^A-Za-z0-9_-]*'`
const IS_SHA256 = (column: string) => `length(${column}) = 64 AND ${column} NOT GLOB '*[^0-9a-f]*'`

/** Columns named like ids that contain names of makers. */
const NO_IDS: ReadonlySet<string> = new Set([
  'parser_id',
  'chunker_id',
  'embedder_id',
  'before_id',
  'boot_id',
])

const JSON_COLUMNS: ReadonlySet<string> = new Set(
  'report settings attributes error validators metadata messages input body sums holders fields request events chunk_edits earlier_facts'.split(
    ' ',
  ),
)

/** Checks that name and type do not imply. */
const FACTS: Readonly<Record<string, string>> = {
  'documents.status': `status IN ('in_progress', 'completed', 'failed', 'cancelled')`,
  'documents.depth': 'depth BETWEEN 0 AND 1000',
  'versions.state': `state IN ('pending', 'published', 'retired')`,
  'versions.report': `json_type(report, '$.chunks') = 'integer' AND json_type(report, '$.tokens') = 'integer'
    AND json_type(report, '$.characters') = 'integer' AND json_type(report, '$.title') = 'text'
    AND json_type(report, '$.metadata') = 'object' AND json_type(report, '$.warnings') = 'array'`,
  'documents.settings': `json_type(settings) = 'object' AND coalesce(json_type(settings, '$.chunking'), 'object') = 'object'
    AND coalesce(settings ->> '$.chunking.maxTokens' BETWEEN 1 AND 1000000, 1)
    AND coalesce(settings ->> '$.chunking.overlap' BETWEEN 0 AND 0.5, 1)`,
  'documents.attributes': `json_type(attributes) = 'object'`,
  'documents.earlier_facts': `json_type(earlier_facts) = 'object'`,
  'documents.chunk_edits': `json_type(chunk_edits) = 'array'
    AND NOT EXISTS (SELECT 1 FROM json_each(chunk_edits) WHERE type <> 'object')`,
  'collections.metadata': `json_type(metadata) = 'object'`,
  'collections.chunk_tokens': 'chunk_tokens BETWEEN 1 AND 1000000',
  'collections.overlap': 'overlap BETWEEN 0 AND 0.5',
  'collections.dimensions': 'dimensions BETWEEN 0 AND 65536',
  'conversations.metadata': `json_type(metadata) = 'object'`,
  'conversation_items.kind': `kind IN ('message', 'reasoning', 'search', 'call', 'result', 'status')`,
  'conversation_items.body': `json_type(body) = 'object'`,
  'runs.status': `status IN ('in_progress', 'completed', 'stopped', 'failed')`,
  'runs.request': `json_type(request) = 'object'`,
  'run_requests.request': `json_type(request) = 'object'`,
  'run_events.events': `json_type(events) = 'array'`,
  'files.bytes': 'bytes >= 0',
  'receipt_keys.seed': IS_SHA256('seed'),
  'deletions.kind': `kind IN ('document', 'file') OR kind = 'collection' AND collection_id IS subject_id`,
  'deleted_rows.fields': `json_type(fields) = 'object' AND fields ->> 'id' = id
    AND (kind IN ('collections', 'documents') OR kind = 'files' AND fields ->> 'sha256' = sha256)`,
}

const RESTORABLE = ['collections', 'documents', 'files'] as const

type Column = {
  readonly name: string
  readonly type: string
  readonly notnull: number
  readonly dflt_value: string | null
}

type Rows = {
  readonly table: string
  readonly called: string
  readonly from: string
  readonly columns: readonly Column[]
}
type NamedColumn = Omit<Rows, 'table' | 'columns'> & { readonly name: string }

/**
 * Allows only our tables and indexes (a view would run code). Throws `corrupt` with table and
 * column, or `store_mismatch` for a newer format.
 */
export async function requireSoundCatalog(file: string): Promise<void> {
  let database: Database.Database | undefined
  try {
    if (statSync(file).size > MAX_BYTES) throw createDamage(`it is larger than ${MAX_BYTES} bytes`)
    database = new (loadSqliteEngine())(file)
    database.exec('PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON')
    await requireSchema(database)
    const tables = requireValues(database)
    const deleted = tables.has('deleted_rows') ? requireRestorable(database) : undefined
    if (hasDepth(database)) requireEnds(database, deleted)
  } catch (error) {
    throw error instanceof AppError ? error : createDamage('it cannot be read', error)
  } finally {
    database?.close()
  }
}

async function requireSchema(database: Database.Database): Promise<void> {
  const format = readNumber(database, 'SELECT user_version FROM pragma_user_version')
  if (format > STORE_FORMAT) {
    const message = localizable`The backup contains a store of format ${format}; this program reads up to ${STORE_FORMAT}. Upgrade passim.`
    throw new AppError('store_mismatch', message)
  }
  const expected = await createEmptyCatalog(format)
  try {
    if (format < 1 || readSchema(database) !== expected.readSchema())
      throw createDamage('its tables are not those of a store')
  } finally {
    await expected.close()
  }
  const [problem] = readFirst<[string]>(database, 'PRAGMA integrity_check(1)')
  if (problem !== 'ok') throw createDamage(problem)
}

function requireValues(database: Database.Database): ReadonlySet<string> {
  const tables = listNames(database, `SELECT name FROM sqlite_schema WHERE type = 'table'`)
  let rows = 0
  for (const table of tables) {
    rows += readNumber(database, `SELECT count(*) FROM ${table}`)
    if (rows > MAX_ROWS) throw createDamage(`it has more than ${MAX_ROWS} rows`)
    requireKinds(database, {
      table,
      called: table,
      from: table,
      columns: listColumns(database, table),
    })
  }
  return new Set(tables)
}

/** Checks deleted rows, which restoring revives. Returns their selection. */
function requireRestorable(database: Database.Database): string {
  for (const table of RESTORABLE) {
    const columns = listColumns(database, table)
    const from = selectDeleted(table, columns)
    requireKinds(database, { table, called: `deleted ${table}`, from, columns })
    const again = `SELECT EXISTS (SELECT 1 FROM ${from} GROUP BY id HAVING count(*) > 1)
      OR EXISTS (SELECT 1 FROM ${from} JOIN ${table} AS live USING (id))`
    // A file may still be there if a process was killed before it removed it.
    if (table !== 'files' && readNumber(database, again) !== 0)
      throw createDamage(`a row of ${table} is there twice`)
  }
  return selectDeleted('documents', listColumns(database, 'documents'))
}

function selectDeleted(table: string, columns: readonly Column[]): string {
  const fields = columns.map(
    ({ name, dflt_value: value }) => `coalesce(fields ->> '${name}', ${value}) AS ${name}`,
  )
  return `(SELECT ${fields} FROM deleted_rows WHERE kind = '${table}')`
}

function requireEnds(database: Database.Database, deleted: string | undefined): void {
  const selectPart = (from: string) => `SELECT id, parent_id, depth FROM ${from}`
  const all = deleted
    ? `${selectPart('documents')} UNION ALL ${selectPart(deleted)}`
    : selectPart('documents')
  const sql = `WITH every AS MATERIALIZED (${all}) SELECT EXISTS (SELECT 1 FROM every AS one
    JOIN every AS parent ON one.parent_id = parent.id WHERE one.depth <> parent.depth + 1)`
  if (readNumber(database, sql) !== 0) throw createDamage('attachments contain each other')
}

function listColumns(database: Database.Database, table: string): readonly Column[] {
  return database
    .prepare('SELECT name, type, "notnull", dflt_value FROM pragma_table_info(?)')
    .all(table) as Column[]
}

function requireKinds(database: Database.Database, { table, called, from, columns }: Rows): void {
  for (const { name, type, notnull } of columns) {
    // One check after the other: reading parts of invalid JSON is an error.
    const cases = [...listChecks(table, name, type)].map(
      fact => `WHEN NOT coalesce((${fact}), 0) THEN 1`,
    )
    const none = `WHEN ${name} IS NULL THEN ${notnull}`
    const sql = `SELECT EXISTS (SELECT 1 FROM ${from} WHERE CASE ${none} ${cases.join(' ')} ELSE 0 END)`
    if (readNumber(database, sql) !== 0)
      throw createDamage(`a value of ${name} in ${called} has the wrong type`)
    requireUtf8(database, { name, called, from })
    if (JSON_COLUMNS.has(name)) requireWellFormed(database, { name, called, from })
  }
}

/** Compares bytes, because the engine ends the process on invalid UTF-8. */
function requireUtf8(database: Database.Database, { name, called, from }: NamedColumn): void {
  const sql = `SELECT CAST(${name} AS BLOB) FROM ${from} WHERE typeof(${name}) = 'text' AND ${name} GLOB '*[^' || char(1) || '-~]*'`
  for (const [bytes] of iterate<[Buffer]>(database, sql)) {
    if (!isUtf8(bytes)) throw createDamage(`a text of ${name} in ${called} is not UTF-8`)
  }
}

/** Rejects escaped lone surrogates, which would end the process once extracted. */
function requireWellFormed(database: Database.Database, { name, called, from }: NamedColumn): void {
  const sql = `SELECT ${name} FROM ${from} WHERE ${name} LIKE '%\\ud%'`
  for (const [json] of iterate<[string]>(database, sql)) {
    JSON.parse(json, (key, value: unknown) => {
      const texts = typeof value === 'string' ? [key, value] : [key]
      if (!texts.some(text => /\p{Surrogate}/u.test(text))) return value
      throw createDamage(`a text of ${name} in ${called} is not UTF-8`)
    })
  }
}

/** Uses our own names, because the schema was compared before. */
function* listChecks(table: string, column: string, type: string): Iterable<string> {
  if (type === 'INTEGER')
    yield `typeof(${column}) = 'integer' AND abs(${column}) <= ${Number.MAX_SAFE_INTEGER}`
  else if (type === 'REAL') yield `typeof(${column}) IN ('real', 'integer')`
  else if (table !== 'sqlite_sequence') yield `typeof(${column}) = 'text'`
  else yield '1'
  if (column === 'sha256') yield IS_SHA256(column)
  else if (/(^|_)id$/.test(column) && type === 'TEXT' && !NO_IDS.has(column)) yield IS_ID(column)
  if (JSON_COLUMNS.has(column) && type === 'TEXT') yield `json_valid(${column})`
  const fact = FACTS[`${table}.${column}`]
  if (fact) yield fact
}

/** The first formats have no attachments. */
function hasDepth(database: Database.Database): boolean {
  return (
    readNumber(
      database,
      `SELECT count(*) FROM pragma_table_info('documents') WHERE name = 'depth'`,
    ) === 1
  )
}

function readNumber(database: Database.Database, sql: string): number {
  return readFirst<[number]>(database, sql)[0]
}

function listNames(database: Database.Database, sql: string): readonly string[] {
  return Array.from(iterate<[string]>(database, sql), ([name]) => name)
}

function readFirst<Row extends readonly unknown[]>(database: Database.Database, sql: string): Row {
  return database.prepare(sql).raw().get() as Row
}

function iterate<Row extends readonly unknown[]>(
  database: Database.Database,
  sql: string,
): Iterable<Row> {
  return database.prepare(sql).raw().iterate() as Iterable<Row>
}

function createDamage(what: string, cause?: unknown): AppError {
  const message = localizable`The catalog in the backup is damaged: ${what}. Use another backup.`
  return new AppError('corrupt', message, { cause })
}
