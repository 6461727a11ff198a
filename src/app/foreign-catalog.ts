import { isUtf8 } from 'node:buffer'
import { statSync } from 'node:fs'
import type Database from 'libsql'
import { AppError } from '../errors.ts'
import { schemaOf } from '../ingest/catalog/schema.ts'
import { sqliteEngine } from '../ingest/catalog.ts'
import { emptyCatalog, STORE_FORMAT } from './store.ts'

/** Far more than a store of a million documents has. */
const MAX_BYTES = 16 * 1024 ** 3
const MAX_ROWS = 100_000_000

/** Texts that become names of folders and tables: what `newId` makes, and no more than a name may have. */
const IS_ID = (column: string) => `length(${column}) BETWEEN 1 AND 128 AND ${column} NOT GLOB '*[^A-Za-z0-9_-]*'`
const IS_SHA256 = (column: string) => `length(${column}) = 64 AND ${column} NOT GLOB '*[^0-9a-f]*'`

/** Columns called so name what made something, in words of their own. */
const NO_IDS: ReadonlySet<string> = new Set(['parser_id', 'chunker_id', 'embedder_id', 'before_id', 'boot_id'])

/** What is parsed when it is read, by column, whichever table has it. */
const JSON_COLUMNS: ReadonlySet<string> = new Set(
  'report settings attributes error validators metadata messages input body sums holders fields request events'.split(
    ' ',
  ),
)

/** Facts of single columns that are not told by their names and types. */
const FACTS: Readonly<Record<string, string>> = {
  'documents.status': `status IN ('in_progress', 'completed', 'failed', 'cancelled')`,
  'documents.depth': 'depth BETWEEN 0 AND 1000',
  'versions.state': `state IN ('pending', 'published', 'retired')`,
  'versions.report': `json_type(report, '$.chunks') = 'integer' AND json_type(report, '$.tokens') = 'integer'
    AND json_type(report, '$.characters') = 'integer' AND json_type(report, '$.title') = 'text'
    AND json_type(report, '$.metadata') = 'object' AND json_type(report, '$.warnings') = 'array'`,
  'collections.metadata': `json_type(metadata) = 'object'`,
  'collections.chunk_tokens': 'chunk_tokens BETWEEN 1 AND 1000000',
  'collections.overlap': 'overlap BETWEEN 0 AND 0.5',
  'collections.dimensions': 'dimensions BETWEEN 0 AND 65536',
  'conversations.metadata': `json_type(metadata) = 'object'`,
  'conversation_items.kind': `kind IN ('message', 'reasoning', 'search', 'call', 'result', 'status')`,
  'conversation_items.body': `json_type(body) = 'object'`,
  'runs.status': `status IN ('in_progress', 'completed', 'stopped', 'failed')`,
  'runs.request': `json_type(request) = 'object'`,
  'run_events.events': `json_type(events) = 'array'`,
  'files.bytes': 'bytes >= 0',
  'deletions.kind': `kind IN ('collection', 'document', 'file')`,
  'deleted_rows.fields': `fields ->> 'id' = id AND (kind = 'collections' OR kind = 'files' AND fields ->> 'sha256' = sha256
    OR kind = 'documents' AND fields ->> 'status' IN ('in_progress', 'completed', 'failed', 'cancelled'))`,
}

/** Who follows what is attached to what comes to an end. */
const ENDLESS = `SELECT EXISTS (SELECT 1 FROM documents AS one JOIN documents AS parent ON one.parent_id = parent.id
  WHERE one.depth <> parent.depth + 1)`

type Column = { readonly name: string; readonly type: string }

/**
 * Look at a catalog that may come from anybody before it is used: it has the tables and indexes that this program makes
 * and nothing else (a view or trigger would run in its name), is sound, and every value in it is of its kind. Throws
 * `corrupt` naming the table and column, `store_mismatch` for one of a newer format.
 */
export function requireSoundCatalog(file: string): void {
  let database: Database.Database | undefined
  try {
    if (statSync(file).size > MAX_BYTES) throw damaged(`it is larger than ${MAX_BYTES} bytes`)
    database = new (sqliteEngine())(file)
    database.exec('PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON')
    requireSchema(database)
    requireValues(database)
    if (hasDepth(database) && numberOf(database, ENDLESS) !== 0) throw damaged('attachments hold each other')
  } catch (error) {
    throw error instanceof AppError ? error : damaged('it cannot be read', error)
  } finally {
    database?.close()
  }
}

function requireSchema(database: Database.Database): void {
  const format = numberOf(database, 'SELECT user_version FROM pragma_user_version')
  if (format > STORE_FORMAT) {
    const message = `The backup holds a store of format ${format}; this program reads up to ${STORE_FORMAT}. Upgrade passim.`
    throw new AppError('store_mismatch', message)
  }
  const expected = emptyCatalog(format)
  try {
    if (format < 1 || schemaOf(database) !== expected.schema()) throw damaged('its tables are not those of a store')
  } finally {
    expected.close()
  }
  const [problem] = database.prepare('PRAGMA integrity_check(1)').raw().get() as [string] // one text
  if (problem !== 'ok') throw damaged(problem)
}

function requireValues(database: Database.Database): void {
  let rows = 0
  for (const table of namesOf(database, `SELECT name FROM sqlite_schema WHERE type = 'table'`)) {
    rows += numberOf(database, `SELECT count(*) FROM ${table}`)
    if (rows > MAX_ROWS) throw damaged(`it has more than ${MAX_ROWS} rows`)
    const columns = database.prepare('SELECT name, type FROM pragma_table_info(?)').all(table) as Column[] // as selected
    for (const { name, type } of columns) {
      // One after the other: what is no JSON has no parts, and to ask for them is an error.
      const cases = [...factsOf(table, name, type)].map(fact => `WHEN NOT coalesce((${fact}), 0) THEN 1`)
      const sql = `SELECT EXISTS (SELECT 1 FROM ${table} WHERE ${name} IS NOT NULL AND CASE ${cases.join(' ')} ELSE 0 END)`
      if (numberOf(database, sql) !== 0) throw damaged(`a value of ${name} in ${table} is not of its kind`)
      requireUtf8(database, table, name)
      if (JSON_COLUMNS.has(name)) requireWellFormed(database, table, name)
    }
  }
}

/** Looked at as bytes: the engine ends the process over text that is not UTF-8. */
function requireUtf8(database: Database.Database, table: string, column: string): void {
  const sql = `SELECT CAST(${column} AS BLOB) FROM ${table} WHERE typeof(${column}) = 'text' AND ${column} GLOB '*[^' || char(1) || '-~]*'`
  for (const [bytes] of database.prepare(sql).raw().iterate() as Iterable<[Buffer]>) {
    if (!isUtf8(bytes)) throw damaged(`a text of ${column} in ${table} is not UTF-8`)
  }
}

/** Half of a character, escaped in JSON, is no UTF-8 once the engine takes it out: it would end the process then. */
function requireWellFormed(database: Database.Database, table: string, column: string): void {
  const sql = `SELECT ${column} FROM ${table} WHERE ${column} LIKE '%\\ud%'`
  for (const [json] of database.prepare(sql).raw().iterate() as Iterable<[string]>) {
    JSON.parse(json, (key, value: unknown) => {
      const texts = typeof value === 'string' ? [key, value] : [key]
      if (!texts.some(text => /\p{Surrogate}/u.test(text))) return value
      throw damaged(`a text of ${column} in ${table} is not UTF-8`)
    })
  }
}

/** What holds of every value of a column. Tables and columns are our own: the schema was compared before. */
function* factsOf(table: string, column: string, type: string): Iterable<string> {
  if (type === 'INTEGER') yield `typeof(${column}) = 'integer' AND abs(${column}) <= ${Number.MAX_SAFE_INTEGER}`
  else if (type === 'REAL') yield `typeof(${column}) IN ('real', 'integer')`
  else if (table !== 'sqlite_sequence') yield `typeof(${column}) = 'text'`
  else yield '1'
  if (column === 'sha256') yield IS_SHA256(column)
  else if (/(^|_)id$/.test(column) && type === 'TEXT' && !NO_IDS.has(column)) yield IS_ID(column)
  if (JSON_COLUMNS.has(column) && type === 'TEXT') yield `json_valid(${column})`
  const fact = FACTS[`${table}.${column}`]
  if (fact) yield fact
}

/** Stores of the first formats have no attachments. */
function hasDepth(database: Database.Database): boolean {
  return numberOf(database, `SELECT count(*) FROM pragma_table_info('documents') WHERE name = 'depth'`) === 1
}

function numberOf(database: Database.Database, sql: string): number {
  return (database.prepare(sql).raw().get() as [number])[0] // every caller selects one number
}

function namesOf(database: Database.Database, sql: string): readonly string[] {
  return (database.prepare(sql).raw().all() as [string][]).map(([name]) => name) // one column
}

function damaged(what: string, cause?: unknown): AppError {
  const message = `The catalog in the backup is damaged: ${what}. Take another backup.`
  return new AppError('corrupt', message, { cause })
}
