import { expect, test } from 'vitest'
import { parseQuestion } from '../../../src/answer/question/parse.ts'
import { findRows, toRowQuery } from '../../../src/answer/tables/row-query.ts'
import { formatTableText } from '../../../src/ingest/block.ts'
import { readTables } from '../../../src/ingest/parse/tables/read-tables.ts'
import type { Table } from '../../../src/ingest/parse/tables/table.ts'
import { detectLanguage } from '../../../src/text/language.ts'
import { Terms } from '../../../src/text/terms.ts'

const terms = new Terms()

async function readTable(written: string): Promise<Table> {
  const rows = written
    .trim()
    .split('\n')
    .map(line => line.split('|').map(cell => cell.trim()))
  const text = formatTableText(rows)
  async function* blocks() {
    yield { kind: 'table' as const, text, rows, charStart: 0, charEnd: text.length }
  }
  return (await readTables(blocks()))[0]! // there is one
}

const RATES = await readTable(`
From | To | Rate (USD) | Transit
Busan | Gdansk | 2,360 | 41 days
Gdansk | Busan | 2,100 | 6 weeks
Busan | Valencia | 2,075 | 33 days
Xiamen | Valencia | 2,360 | 35 days
Total | | 8,895 |`)
const STOCK = await readTable(`
仓库 | 名称 | 库存 | 入库日期
北库 | 空气滤芯 | 320 | 2024-03-01
北库 | 机油滤芯 | 85 | 2024-05-12
南库 | 火花塞 | 900 | 2023-11-20
合计 | | 1305 |`)
const AMBIGUOUS = await readTable(`
Place | Visitors | Staff
Kiel | 950 | 4
Bonn | 1.234 | 7
Ulm | 12.500 | 5`)

function check(question: string, table: Table, ...expected: readonly string[]) {
  const query = toRowQuery(parseQuestion(question, detectLanguage(question)), table, terms)
  const rows = query ? findRows(table, query, terms) : []
  expect(rows.map(({ cells }) => cells.map(({ text }) => text).join('|'))).toEqual(expected)
}

test('words that cells state are conditions', () =>
  check(
    'What is the rate to Valencia?',
    RATES,
    'Busan|Valencia|2,075|33 days',
    'Xiamen|Valencia|2,360|35 days',
  ))
test('what is left out is in no row', () =>
  check('除了北库，还有哪些仓库？', STOCK, '南库|火花塞|900|2023-11-20'))
test('a superlative returns the rows with the most, those that are equal among them', () =>
  check(
    'Which rate is the highest?',
    RATES,
    'Busan|Gdansk|2,360|41 days',
    'Xiamen|Valencia|2,360|35 days',
  ))
test('amounts are put in order over the units of a dimension', () =>
  check('Which transit is the shortest?', RATES, 'Busan|Valencia|2,075|33 days'))
test('a row that sums up others is no answer', () =>
  check('哪种库存最多？', STOCK, '南库|火花塞|900|2023-11-20'))
test('numbers that may be read in two ways have no order', () =>
  check('Which place has the most visitors?', AMBIGUOUS))
test('a name that stands nowhere in the table asks nothing of it', () =>
  check('What is the rate from Busan to Rotterdam?', RATES))
test.each(['Which is the second cheapest rate?', 'Which are the three highest rates?'])(
  '%s is no superlative of one row',
  question => expect(parseQuestion(question, 'en').order).toBeUndefined(),
)
test.each([
  'Which tools were lent after 2025?',
  'What was sold between May and August 2024?',
  '2025年以后借出的有哪些？',
])('of a period no date has to be stated: %s', question =>
  expect(parseQuestion(question, detectLanguage(question)).dates).toEqual([]),
)
