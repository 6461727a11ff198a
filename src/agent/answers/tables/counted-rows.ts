import { isHeld, type Terms } from '../../language/terms.ts'
import type { QuotedParts } from '../selection.ts'
import { columnsOf, EMPTY } from './columns.ts'
import {
  countedColumn,
  countIn,
  IS_PEOPLE,
  IS_ROWS,
  isOfQuantities,
  NAME_COLUMN,
  PEOPLE,
  ROW_NOUNS,
} from './counting.ts'
import { narrowed } from './narrowed-rows.ts'
import { type RowQuestion, rowQuestion, rowsMeeting } from './row-conditions.ts'
import { isSummary } from './summary-rows.ts'
import type { Row, Table } from './table.ts'
import { allPoints, rowWords, type TableWords } from './table-words.ts'

/** The rows of one whole table that a question asks the number of, or one of each value of a column, and what is said of that. */
export type Counted = { readonly rows: readonly Row[]; readonly remark: NonNullable<QuotedParts['remark']> }

/** What is said of things and changes nothing of their number. */
const LIGHT =
  /\b(?:works?|working|lives?|uses?|using|used|holds?|belongs?|runs?|goes|go|located|based|available|offered|sold|costs?|weighs?|priced|exists?|kept|stored|shown|listed)\b/gu

type Known = { readonly table: Table; readonly words: TableWords; readonly terms: Terms }

/** `told` where a column tells how many there are; undefined where no rows are counted, not all of them are known, or a word of the question is said nowhere over them. */
export function countedRows(question: string, known: Known): Counted | 'told' | undefined {
  const { table, words, terms } = known
  if (!table.isWhole || !countIn(question.toLowerCase())) return undefined
  const row = rowQuestion(question, table, terms, { counts: true })
  const thing = thingCounted(row, known)
  if (!thing || thing === 'told') return thing
  const { count, column } = thing
  const { rest, conditions } = row
  const bare = `${rest.slice(0, count.start)} ${rest.slice(count.end)}`.replace(ROW_NOUNS, ' ').replace(LIGHT, ' ')
  const isOfPeople = conditions.length > 0 && table.columns.some(name => NAME_COLUMN.test(name))
  const asked = isOfPeople ? bare.replace(PEOPLE, ' ') : bare
  const said = [words.head, words.title, rowWords(table, terms)]
  if (!allPoints(asked, terms).every(point => said.some(one => isHeld(point, one)))) return undefined
  const met = rowsMeeting(table, conditions).filter(one => !isSummary(table, one))
  const rows = narrowed(met, question, asked, known)
  if (rows.length === 0) return undefined
  if (!column || column.isKey) return { rows, remark: { type: 'rows', count: rows.length } }
  const cellOf = ({ cells }: Row) => (cells[column.at] ?? '').trim().toLowerCase()
  const filled = rows.filter(one => !EMPTY.test(cellOf(one)))
  const values = new Map(filled.toReversed().map(one => [cellOf(one), one]))
  const first = filled.filter(one => values.get(cellOf(one)) === one)
  return { rows: first, remark: { type: 'values', count: first.length, column: column.name } }
}

/** Under years and quarters stand amounts. */
function isPeriod(columnName: string): boolean {
  return /(?:19|20)\d\d|\bq[1-4]\b|第[一二三四]季度/iu.test(columnName)
}

/** What is counted: the values of a column, rows with a cell, or rows or people as such. */
function thingCounted({ text, conditions, mentions = [], extreme }: RowQuestion, { table, terms }: Known) {
  const count = text === undefined || extreme ? undefined : countIn(text)
  if (!count || text === undefined) return undefined
  const column = countedColumn(text, count, mentions)?.column
  if (column) return column.numbers && !column.isKey ? ('told' as const) : { count, column }
  const behind = text.slice(count.end)
  if (IS_ROWS.test(behind) || IS_PEOPLE.test(behind)) return { count }
  const isCell = conditions.some(({ kind, start }) => kind === 'cell' && start >= count.end && start - count.end < 4)
  const isTold =
    isCell && columnsOf(table, terms).some(({ name, numbers }) => numbers && (isOfQuantities(name) || isPeriod(name)))
  return isCell && !isTold ? { count } : undefined
}
