import { type Scope, type Superlative, superlativeIn } from '../../language/superlatives.ts'
import { cellDate } from './cell-date.ts'
import type { Column, Mention } from './columns.ts'
import { comparableAmounts, dimensionsOf } from './measures.ts'
import type { Row, Table } from './table.ts'

/** What a question asks for the row with the most or the least of. */
export type Extreme = {
  readonly superlative: Superlative
  readonly column: Column
  /** The question names the column, or the superlative says what is measured. */
  readonly isNamed: boolean
  /** Of each row; undefined where the cell says nothing that compares. */
  readonly values: readonly (number | undefined)[]
}

/** So many of the cells have to say how much. */
const MOST = 0.6

/** Undefined where the question has no superlative, it cannot be told which column that is said of, or rows are not known. */
export function extremeIn(
  text: string,
  table: Table,
  columns: readonly Column[],
  mentions: readonly Mention[],
): Extreme | undefined {
  const superlative = superlativeIn(text)
  if (!superlative || !table.isWhole || table.rows.length < 2) return undefined
  const read = columns.map(column => ({ column, ...valuesOf(table, column) }))
  for (const scope of superlative.scopes) {
    const fitting = read.filter(({ column, isTime, values }) => values && fits(scope, column, isTime))
    const found = meant(fitting, scope, mentions)
    if (found?.values) return { superlative, column: found.column, values: found.values, isNamed: found.isNamed }
  }
  return undefined
}

type Read = {
  readonly column: Column
  readonly isTime: boolean
  readonly values: readonly (number | undefined)[] | undefined
}

/** What its cells are compared by; undefined of texts, of numbers that only count the rows, and where too few say anything. */
function valuesOf({ rows }: Table, column: Column): Omit<Read, 'column'> {
  const dates = rows.map(row => cellDate(row.cells[column.at] ?? ''))
  const isEnough = (values: readonly unknown[] = []) =>
    values.filter(value => value !== undefined).length >= Math.max(2, rows.length * MOST)
  if (isEnough(dates)) return { isTime: true, values: dates }
  if (column.isYears) return { isTime: true, values: column.numbers }
  const amounts = column.at === 0 && column.isKey ? undefined : comparableAmounts(column)
  return { isTime: false, values: column.numbers && isEnough(amounts) ? amounts : undefined }
}

function fits({ dimensions = [], called, isTime = false }: Scope, column: Column, isOfTime: boolean): boolean {
  if (isTime !== isOfTime) return false
  if (dimensions.length === 0 && !called) return true
  const own = dimensionsOf(column)
  return own.length > 0 ? own.some(one => dimensions.includes(one)) : (called?.test(column.name) ?? false)
}

/** Of several the one that the question names, or that is called by what the superlative is said of. */
function meant(fitting: readonly Read[], { dimensions, called, isTime }: Scope, mentions: readonly Mention[]) {
  const held = ({ column }: Read) =>
    mentions.filter(one => one.column === column).reduce((sum, one) => sum + one.held, 0)
  const most = Math.max(0, ...fitting.map(held))
  const named = most > 0 ? fitting.filter(one => held(one) === most) : fitting
  const telling = named.length > 1 ? named.filter(({ column }) => called?.test(column.name)) : named
  const [only, ...more] = telling
  const isNamed = most > 0 || dimensions !== undefined || called !== undefined || isTime === true
  return only && more.length === 0 ? { ...only, isNamed } : undefined
}

/** The rows with the most or the least, all of them where several are alike. */
export function extremeRows({ rows }: Table, among: readonly Row[], { superlative, values }: Extreme): readonly Row[] {
  const known = rows.flatMap((row, at) =>
    among.includes(row) && values[at] !== undefined ? [{ row, value: values[at] }] : [],
  )
  const all = known.map(({ value }) => value)
  const best = superlative.extreme === 'most' ? Math.max(...all) : Math.min(...all)
  return known.filter(({ value }) => value === best).map(({ row }) => row)
}
