import { createRequire } from 'node:module'
import type Database from 'libsql'

export type SqlValue = string | number | null

/** Each row starts with its number `_row`. */
export type SqlTable = {
  readonly name: string
  readonly columns: readonly { readonly name: string; readonly type: 'REAL' | 'INTEGER' | 'TEXT' }[]
  readonly rows: readonly (readonly SqlValue[])[]
}

export const ROW_COLUMN = '_row'

type RowOrigin = { readonly table: string; readonly row: number }

export type SqlAnswer = {
  readonly columns: readonly string[]
  readonly rows: readonly {
    readonly values: readonly SqlValue[]
    readonly origins: readonly RowOrigin[]
  }[]
  readonly isCut: boolean
}

export type SqlRequest = {
  readonly tables: readonly SqlTable[]
  readonly sql: string
  readonly maxRows: number
  readonly memoryBytes: number
}

export type SqlReply = { readonly answer: SqlAnswer } | { readonly problem: string }

/** Characters of a value, so that results stay readable. */
const MAX_VALUE = 2_000
/** Share of the process's memory for SQLite, so that Node keeps the rest. */
const HEAP_SHARE = 0.5

/** Others read and write files or run text as SQL, and may not be named. */
const FUNCTIONS = `-> ->> abs acos acosh asin asinh atan atan2 atanh atn2 avg ceil ceiling changes char charindex coalesce
concat concat_ws cos cosh cot coth count cume_dist current_date current_time current_timestamp date datetime degrees
dense_rank difference exp first_value floor format glob group_concat hex highlight ifnull iif instr json json_array
json_array_length json_error_position json_extract json_group_array json_group_object json_insert json_object json_patch
json_quote json_remove json_replace json_set json_type json_valid jsonb julianday lag last_value lead leftstr length like
likelihood likely ln log log10 lower lower_quartile ltrim match max median min mod mode nth_value ntile nullif octet_length
offsets optimize padc padl padr percent_rank pi power printf proper quote radians random rank regexp regexpi replace reverse
rightstr round row_number rtrim sign sin sinh snippet soundex sqlite_version sqrt square stdev strfilter strftime string_agg
substr substring sum tan tanh time timediff total trim trunc typeof unhex unicode unixepoch unlikely upper upper_quartile
uuid uuid_str subtype last_insert_rowid total_changes replicate variance vector`
const MODULES = 'json_each json_tree generate_series'
const ALLOWED = new Set(`${FUNCTIONS} ${MODULES}`.split(/\s+/u))

type Column = {
  readonly name: string
  readonly column: string | null
  readonly table: string | null
}

/** Failures carry SQLite's words. */
export function answerSql({ tables, sql, maxRows, memoryBytes }: SqlRequest): SqlReply {
  const database = new (createRequire(import.meta.url)('libsql') as typeof Database)(':memory:')
  const forbidden = listForbiddenNames(database)
  const problem = findProblem(sql, forbidden)
  if (problem !== undefined) return { problem }
  database.exec(
    `PRAGMA temp_store=MEMORY; PRAGMA hard_heap_limit=${Math.floor(memoryBytes * HEAP_SHARE)}`,
  )
  for (const table of tables) fill(database, table)
  database.exec('PRAGMA query_only=ON')
  try {
    return { answer: ask(database, sql, tables, maxRows) }
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) }
  }
}

function listForbiddenNames(database: Database.Database): readonly string[] {
  const lists = ['pragma_function_list', 'pragma_module_list']
  const names = lists.flatMap(
    list => database.prepare(`SELECT DISTINCT name FROM ${list}`).pluck().all() as string[],
  )
  return names.map(name => name.toLowerCase()).filter(name => !ALLOWED.has(name))
}

/** Searches the complete text, strings included, so that nothing can be hidden. */
function findProblem(sql: string, forbidden: readonly string[]): string | undefined {
  const words = new Set(sql.toLowerCase().match(/[\p{L}\p{N}_$]+/gu) ?? [])
  const named =
    forbidden.find(name => words.has(name)) ?? [...words].find(word => word.startsWith('pragma_'))
  if (named !== undefined) return `${named} may not be used here, not even as a word in a text.`
  if (
    !/^\s*(?:select|with|values)\b/iu.test(
      sql.replace(/^(?:\s+|--[^\n]*\n|\/\*[\s\S]*?\*\/)+/u, ''),
    )
  )
    return 'the query has to be one SELECT; nothing can be changed.'
  return undefined
}

function fill(database: Database.Database, { name, columns, rows }: SqlTable): void {
  const definitions = [
    `"${ROW_COLUMN}" INTEGER`,
    ...columns.map(column => `${quoteName(column.name)} ${column.type}`),
  ]
  database.exec(`CREATE TABLE ${quoteName(name)} (${definitions.join(', ')})`)
  const places = definitions.map(() => '?').join(', ')
  const insert = database.prepare(`INSERT INTO ${quoteName(name)} VALUES (${places})`)
  database.exec('BEGIN')
  for (const row of rows) insert.run(...row)
  database.exec('COMMIT')
}

function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

function ask(
  database: Database.Database,
  sql: string,
  tables: readonly SqlTable[],
  maxRows: number,
): SqlAnswer {
  const statement = database.prepare(sql)
  if (!statement.reader) throw new Error('the query has to be one SELECT; nothing can be changed.')
  const columns: readonly Column[] = statement.columns() // with origins that the types omit
  const origins = new Origins(columns, tables)
  const rows: SqlAnswer['rows'][number][] = []
  for (const row of statement.raw().iterate()) {
    if (rows.length === maxRows)
      return { columns: columns.map(({ name }) => name), rows, isCut: true }
    const values = (row as readonly unknown[]).map(toSqlValue)
    rows.push({ values: values.map(shortenValue), origins: origins.find(values) })
  }
  return { columns: columns.map(({ name }) => name), rows, isCut: false }
}

function toSqlValue(value: unknown): SqlValue {
  if (value === null || typeof value === 'number' || typeof value === 'string') return value
  return typeof value === 'bigint' ? Number(value) : '[bytes]'
}

function shortenValue(value: SqlValue): SqlValue {
  return typeof value === 'string' && value.length > MAX_VALUE
    ? `${value.slice(0, MAX_VALUE)}…`
    : value
}

type OriginTable = {
  readonly name: string
  readonly at: readonly number[]
  readonly rows: ReadonlyMap<string, number>
}

/** Marks rows that the selected columns do not distinguish. */
const AMBIGUOUS = -1

class Origins {
  readonly #tables: readonly OriginTable[]

  constructor(columns: readonly Column[], tables: readonly SqlTable[]) {
    this.#tables = tables.flatMap(table => {
      const indexes = columns.flatMap((column, index) =>
        column.table === table.name ? [index] : [],
      )
      return indexes.length > 0
        ? [
            {
              name: table.name,
              at: indexes,
              rows: indexRows(
                table,
                indexes.map(index => columns[index]!.column!),
              ),
            },
          ]
        : []
    })
  }

  find(values: readonly SqlValue[]): readonly RowOrigin[] {
    return this.#tables.flatMap(({ name, at, rows }) => {
      const row = rows.get(JSON.stringify(at.map(index => values[index])))
      return row === undefined || row === AMBIGUOUS ? [] : [{ table: name, row }]
    })
  }
}

function indexRows(
  { columns, rows }: SqlTable,
  names: readonly string[],
): ReadonlyMap<string, number> {
  const indexes = names.map(name =>
    name === ROW_COLUMN ? 0 : columns.findIndex(column => column.name === name) + 1,
  )
  const numbers = new Map<string, number>()
  for (const row of rows) {
    const key = JSON.stringify(indexes.map(index => row[index]))
    numbers.set(key, numbers.has(key) ? AMBIGUOUS : Number(row[0]))
  }
  return numbers
}
