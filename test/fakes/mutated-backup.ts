import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type Database from 'libsql'
import { loadSqliteEngine } from '../../src/ingest/store/catalogs/sqlite-engine.ts'

/** Gives numbers from 0 to below 1, the same for the same seed (mulberry32). */
type Random = () => number

function randomOf(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const pick = <Item>(random: Random, items: readonly Item[]): Item =>
  items[Math.floor(random() * items.length)]!

/** Change what a backup holds as its catalog. */
export function changeCatalog(backup: string, change: (catalog: Database.Database) => void): void {
  const file = `${backup}.inner`
  const outer = new (loadSqliteEngine())(backup)
  const pieces = outer
    .prepare(`SELECT bytes FROM passim_backup WHERE name = 'catalog.db' ORDER BY start`)
    .raw()
    .all()
  writeFileSync(file, Buffer.concat((pieces as [Buffer][]).map(([bytes]) => bytes)))
  const inner = new (loadSqliteEngine())(file)
  inner.exec('PRAGMA journal_mode = DELETE')
  change(inner)
  inner.close()
  outer.exec(`DELETE FROM passim_backup WHERE name = 'catalog.db'`)
  const insert = outer.prepare(`INSERT INTO passim_backup VALUES ('catalog.db', ?, ?)`)
  const bytes = readFileSync(file)
  for (let start = 0; start < bytes.length; start += 2 ** 20)
    insert.run(start, bytes.subarray(start, start + 2 ** 20))
  outer.close()
  rmSync(file)
}

export function changeBackup(backup: string, change: (database: Database.Database) => void): void {
  const database = new (loadSqliteEngine())(backup)
  change(database)
  database.close()
}

/** A query that never ends. */
export const ENDLESS =
  'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n'

const HOSTILE: readonly unknown[] = [
  ...[
    '../victim',
    '../../victim',
    '/etc',
    '..',
    '',
    '.',
    'a/b',
    '\u0000',
    '{',
    '[]',
    'null',
    '"x"',
    'x'.repeat(300),
  ],
  ...[
    -1,
    0,
    1.5,
    2 ** 53,
    -(2 ** 63),
    1e308,
    null,
    Buffer.from('../victim'),
    '0'.repeat(64),
    '{"chunks":"x"}',
  ],
]

function changeValue(random: Random, catalog: Database.Database): void {
  const tables = catalog
    .prepare(`SELECT name FROM sqlite_schema WHERE type = 'table'`)
    .raw()
    .all() as [string][]
  const filled = tables
    .map(([name]) => name)
    .filter(name => catalog.prepare(`SELECT 1 FROM ${name}`).get())
  const table = pick(random, filled)
  const columns = catalog.prepare('SELECT name FROM pragma_table_info(?)').raw().all(table) as [
    string,
  ][]
  const [column] = pick(random, columns)
  catalog.exec('PRAGMA ignore_check_constraints = ON')
  try {
    catalog.prepare(`UPDATE OR IGNORE ${table} SET ${column} = ?`).run([pick(random, HOSTILE)])
  } catch (error) {
    const isRefused =
      error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_')
    if (!isRefused) throw error // the key of a table takes numbers alone: then the backup stays as it is
  }
}

/** One field of what was deleted, which is brought back as it is. */
function changeDeleted(random: Random, catalog: Database.Database): void {
  const fields = catalog
    .prepare(
      'SELECT deletion_id AS deletion, kind, deleted_rows.id, key FROM deleted_rows, json_each(fields)',
    )
    .all() as { deletion: number; kind: string; id: string; key: string }[]
  const { deletion, kind, id, key } = pick(random, fields)
  const value = pick(random, HOSTILE)
  catalog
    .prepare(
      `UPDATE deleted_rows SET fields = json_set(fields, '$.' || ?, ?) WHERE (deletion_id, kind, id) = (?, ?, ?)`,
    )
    .run(key, Buffer.isBuffer(value) ? value.toString() : value, deletion, kind, id)
}

const SCHEMA_CHANGES: readonly string[] = [
  `DROP TABLE files; CREATE VIEW files AS ${ENDLESS}`,
  `CREATE VIEW more AS ${ENDLESS}`,
  `CREATE TRIGGER t AFTER UPDATE ON versions BEGIN DELETE FROM files; END`,
  `CREATE INDEX i ON files (hex(name))`,
  'CREATE TABLE others (x)',
  'DROP TABLE versions',
  'PRAGMA user_version = 999',
  'PRAGMA user_version = 0',
  'PRAGMA user_version = 3',
]

const NAMES: readonly string[] = [
  ...[
    '../victim/x',
    '/tmp/x',
    'content/../../victim/x',
    'server.db',
    'config.yaml',
    'content',
    'content/aa',
    '',
  ],
  ...[
    `content/aa/${'a'.repeat(64)}/../../../../victim/x`,
    `content/aa/${'b'.repeat(64)}/original`,
    'catalog.db/x',
  ],
]

const REPORT = JSON.stringify({
  parserId: 'eml@1',
  attachments: [{ name: 'x', file: '../../../../../victim/kept' }],
})

/** The ways in which a backup is changed, each by chance; the name says which one it was. */
const MUTATIONS: Readonly<Record<string, (random: Random, backup: string) => void>> = {
  value: (random, backup) => changeCatalog(backup, catalog => changeValue(random, catalog)),
  values: (random, backup) =>
    changeCatalog(backup, catalog => {
      for (let left = 3; left > 0; left--) changeValue(random, catalog)
    }),
  retired: (random, backup) =>
    changeCatalog(backup, catalog => {
      catalog
        .prepare(`UPDATE versions SET state = 'retired', sha256 = ?`)
        .run([pick(random, HOSTILE) ?? '../victim'])
    }),
  deleted: (random, backup) => changeCatalog(backup, catalog => changeDeleted(random, catalog)),
  schema: (random, backup) =>
    changeCatalog(backup, catalog => catalog.exec(pick(random, SCHEMA_CHANGES))),
  bytes: (random, backup) => {
    const bytes = readFileSync(backup)
    for (let left = 1 + random() * 20; left > 0; left--) {
      bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256)
    }
    writeFileSync(backup, bytes)
  },
  cut: (random, backup) => {
    const bytes = readFileSync(backup)
    writeFileSync(backup, bytes.subarray(0, Math.floor(random() * bytes.length)))
  },
  view: (_random, backup) =>
    changeBackup(backup, database =>
      database.exec(
        `DROP TABLE passim_backup; CREATE VIEW passim_backup AS SELECT i AS name, 0 AS start, i AS bytes FROM (${ENDLESS})`,
      ),
    ),
  name: (random, backup) =>
    changeBackup(backup, database => {
      const sql =
        'UPDATE passim_backup SET name = ? WHERE rowid = (SELECT rowid FROM passim_backup ORDER BY random() LIMIT 1)'
      database
        .prepare(sql.replace('random()', `rowid % ${1 + Math.floor(random() * 9)}`))
        .run([pick(random, NAMES)])
    }),
  piece: (random, backup) =>
    changeBackup(backup, database => {
      const { n } = database.prepare('SELECT max(rowid) AS n FROM passim_backup').get() as {
        n: number
      }
      const id = 1 + Math.floor(random() * n)
      const values = [null, -1, 7, 'text', Buffer.alloc(2 ** 21)]
      if (random() < 0.3) database.prepare('DELETE FROM passim_backup WHERE rowid = ?').run(id)
      else {
        const column = pick(random, ['start', 'bytes'])
        database
          .prepare(`UPDATE OR IGNORE passim_backup SET ${column} = ? WHERE rowid = ?`)
          .run(pick(random, values.slice(1)), id)
      }
    }),
  attachment: (_random, backup) =>
    changeBackup(backup, database => {
      database
        .prepare(`UPDATE passim_backup SET bytes = ? WHERE name LIKE '%report.json'`)
        .run([Buffer.from(REPORT)])
    }),
}

/** Write a copy of a backup with one change, chosen by the seed. Gives what it was. */
export function mutate(backup: string, target: string, seed: number): string {
  const random = randomOf(seed)
  copyFileSync(backup, target)
  const kind = pick(random, Object.keys(MUTATIONS))
  MUTATIONS[kind]!(random, target)
  return kind
}
