import type Database from 'libsql'

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
