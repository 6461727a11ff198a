import { existsSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callTool } from '../../src/agent/tool.ts'
import { querySqlTables } from '../../src/agent/tools/table-database.ts'
import { answerSql } from '../../src/agent/tools/table-query.ts'
import type { Passim } from '../../src/app/passim.ts'
import { toolCall } from '../fakes/scripted-chat-model.ts'
import { Sandbox } from '../fakes/store.ts'

const PRICES =
  'Item,Unit price (EUR),Since\nPump,"1,200.50",2021-03-05\nHose,35,2022-01-01\nValve,n/a,2023-07-09\nTotal,1235.5,\n'
const REPORT =
  '# Staff\n\n| Item | Stock |\n|---|---|\n| Pump | 4 |\n| Hose | 120 |\n\n# Order\n\nDeliveries in 2024\n\n| Order | Open |\n|---|---|\n| A1 | yes |\n| A2 | no |\n'
const TOWNS = '# Towns\n\n| Town | Visitors |\n|---|---|\n| Kiel | 950 |\n| Bonn | 1.234 |\n'

let sandbox: Sandbox
let passim: Passim
beforeAll(async () => {
  sandbox = await Sandbox.make()
  passim = await sandbox.open()
  const folder = await sandbox.write({
    'prices.csv': PRICES,
    'report.md': REPORT,
    'letter.txt': 'No tables here.',
    'towns.md': TOWNS,
  })
  await passim.index([folder])
})
afterAll(() => sandbox.remove())

const answer = (args: object, spec: object = {}) => {
  const tools = passim.tools({ tools: [{ name: 'query_tables', ...spec }] })
  return callTool(tools, toolCall('query_tables', JSON.stringify(args)))
}
const query = async (sql: string) => JSON.parse(await answer({ sql }))

test('without a query the model sees names, typed columns and three rows of each table', async () => {
  const { tables } = JSON.parse(await answer({}))
  expect(tables).toMatchObject([
    {
      name: 'prices',
      document: 'prices.csv',
      row_count: 3,
      columns: [
        { name: 'item', type: 'text' },
        {
          name: 'unit_price_eur',
          type: 'number, in full; null for a range or an approximation',
          unit: 'EUR',
          header: 'Unit price (EUR)',
        },
        { name: 'since', type: 'text YYYY-MM-DD' },
      ],
      first_rows: [
        ['Pump', '1,200.50', '2021-03-05'],
        ['Hose', '35', '2022-01-01'],
        ['Valve', 'n/a', '2023-07-09'],
      ],
      left_out_summaries: [['Total', '1235.5', '']],
    },
    { name: 'report_staff', document: 'report.md' },
    {
      name: 'report_deliveries_in_2024',
      columns: [{ name: '"order"' }, { name: 'open', type: '1 or 0' }],
    },
    {
      name: 'towns',
      columns: [
        { name: 'town' },
        { name: 'visitors', type: expect.stringMatching(/^not available/) },
      ],
    },
  ])
})

test('a row of an answer names the document, the table and the row that it is of, in its words', async () => {
  const { columns, rows, sources } = await query(
    'SELECT item, unit_price_eur FROM prices WHERE unit_price_eur > 100',
  )
  expect([columns, rows]).toEqual([
    ['item', 'unit_price_eur'],
    [{ values: ['Pump', 1200.5], from: ['prices:1'] }],
  ])
  expect(sources['prices:1']).toMatchObject({
    document: 'prices.csv',
    table: 'prices',
    row: 1,
    text: 'Pump | 1,200.50 | 2021-03-05',
  })
  const { document_id: id, char_start: start, char_end: end } = sources['prices:1']
  expect(await passim.library.read(id, start, end)).toBe('Pump | 1,200.50 | 2021-03-05')
})

test('numbers that may be read in two ways are not added up', async () => {
  const { rows } = await query('SELECT SUM(visitors) FROM towns')
  expect(rows).toEqual([{ values: [null] }])
})

test('tables of several documents are joined, and each row says so', async () => {
  const { rows } = await query(
    'SELECT p.item, stock * unit_price_eur AS worth, s.stock FROM prices p JOIN report_staff s USING (item) ORDER BY worth DESC',
  )
  expect(rows).toEqual([
    { values: ['Pump', 4802, 4], from: ['prices:1', 'report_staff:1'] },
    { values: ['Hose', 4200, 120], from: ['prices:2', 'report_staff:2'] },
  ])
})

test('a sum counts no row twice, and is of no single row', async () =>
  expect((await query('SELECT sum(unit_price_eur), count(*) FROM prices')).rows).toEqual([
    { values: [1235.5, 3] },
  ]))

test('dates are compared, flags counted, names with blanks of SQL quoted', async () => {
  expect((await query("SELECT item FROM prices WHERE since >= '2022'")).rows).toHaveLength(2)
  const { rows } = await query('SELECT "order" FROM report_deliveries_in_2024 WHERE open')
  expect(rows).toEqual([{ values: ['A1'], from: ['report_deliveries_in_2024:1'] }])
})

test('only the tables of the documents that are named are asked', async () => {
  expect(JSON.parse(await answer({ documents: ['report.md'] })).tables).toHaveLength(2)
  const { tables, failed } = JSON.parse(await answer({ documents: ['letter.txt', 'gone.csv'] }))
  expect([tables, failed]).toMatchObject([[], [{ file: 'gone.csv' }]])
})

test('a wrong name is answered with those that there are', async () =>
  expect(await answer({ sql: 'SELECT price FROM prices' })).toMatch(
    /no such column: price.*prices\(item, unit_price_eur, since\)/s,
  ))

test('an answer has so many rows, and says that there are more', async () => {
  const { rows, truncated } = JSON.parse(
    await answer({ sql: 'SELECT item FROM prices' }, { maxRows: 2 }),
  )
  expect([rows.length, truncated]).toEqual([
    2,
    'Shown are 2 of more than 2 rows. Ask for fewer, or count them.',
  ])
})

const place = '/tmp/passim-query-tables-escape'

describe('a query reads its tables and nothing else', () => {
  const tables = [
    { name: 'prices', columns: [{ name: 'item', type: 'TEXT' as const }], rows: [[1, 'Pump']] },
  ]
  const ask = (sql: string) => answerSql({ tables, sql, maxRows: 10, memoryBytes: 2 ** 28 })
  const refused = [
    ...[
      "SELECT readfile('/etc/hostname')",
      'SELECT "readfile"(\'/etc/hostname\')',
      "SELECT [ReadFile]('/etc/hostname')",
    ],
    ...[
      `SELECT writefile('${place}', 'x')`,
      "SELECT name FROM fsdir('/etc')",
      "SELECT name FROM 'fsdir' WHERE path = '/etc'",
    ],
    ...[
      `ATTACH '${place}' AS x`,
      `VACUUM INTO '${place}'`,
      'PRAGMA query_only = OFF',
      'SELECT * FROM pragma_database_list',
    ],
    ...[
      "SELECT load_extension('x')",
      "SELECT sha3_query('SELECT 1')",
      'SELECT * FROM sqlite_dbpage',
      '/* x */ PRAGMA user_version = 1',
    ],
    ...[
      'DELETE FROM prices',
      'WITH a AS (SELECT 1) DELETE FROM prices RETURNING *',
      "INSERT INTO prices VALUES (1, 'x')",
    ],
    ...[
      'CREATE TABLE x (a)',
      'DROP TABLE prices',
      'EXPLAIN SELECT 1',
      ';',
      'SELECT lsmode(1)',
      '-- x\nATTACH 1 AS a',
    ],
  ]
  test.each(refused)('%s', sql => {
    expect(ask(sql)).toEqual({ problem: expect.any(String) })
    expect(existsSync(place)).toBe(false)
  })

  test('what follows a query is not run', () => {
    expect(ask(`SELECT 1; ATTACH '${place}' AS x`)).toMatchObject({
      answer: { rows: [{ values: [1] }] },
    })
    expect(existsSync(place)).toBe(false)
  })

  test('a query that wants more memory than it may have fails', () =>
    expect(ask("SELECT length(printf('%900000000d', 1))")).toEqual({ problem: 'out of memory' }))

  test('what a query may do is done', () => {
    const values = (sql: string) => ask(`-- why\n ${sql}`)
    expect(
      values("SELECT upper(item), round(2.5), json_extract('[7]', '$[0]') FROM prices"),
    ).toMatchObject({
      answer: { rows: [{ values: ['PUMP', 3, 7] }] },
    })
    expect(
      values('WITH a(n) AS (VALUES (1), (2)) SELECT sum(n) OVER (ORDER BY n) FROM a'),
    ).toMatchObject({
      answer: { rows: [{ values: [1] }, { values: [3] }] },
    })
  })
})

test('a query that does not end is stopped, by its time or by who asked', async () => {
  const tables = [{ name: 'prices', columns: [], rows: [] }]
  const endless =
    'WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT count(*) FROM c'
  const limits = { maxRows: 10, timeMs: 1_000, memoryBytes: 2 ** 28 }
  await expect(querySqlTables(tables, endless, limits)).rejects.toThrow(/took longer than 1 s/)
  const controller = new AbortController()
  const query = querySqlTables(tables, endless, { ...limits, timeMs: 60_000 }, controller.signal)
  controller.abort()
  await expect(query).rejects.toThrow(/abort/i)
})
