import type { Scope } from '../../language/scopes.ts'
import { type Superlative, superlativeIn } from '../../language/superlatives.ts'
import { type Column, EMPTY, type Mention } from './columns.ts'
import { comparableAmounts } from './measures.ts'
import { fits, timesOf } from './scoped-columns.ts'
import { isSummary } from './summary-rows.ts'
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
const REVERSED = { most: 'least', least: 'most' } as const
/** What costs nothing. */
const FREE = /^(?:free(?: of charge)?|免费)$/iu

/** Undefined where the question has no superlative, it cannot be told which column that is said of, or rows are not known. */
export function extremeIn(
  text: string,
  table: Table,
  columns: readonly Column[],
  mentions: readonly Mention[],
): Extreme | undefined {
  const superlative = superlativeIn(withoutNames(text, mentions))
  if (!superlative || !table.isWhole || table.rows.length < 2) return undefined
  const read = columns.map(column => ({ column, ...valuesOf(table, column) }))
  for (const scope of superlative.scopes) {
    const fitting = read.filter(({ column, isTime, values }) => values && fits(scope, column, isTime))
    const found = meant(fitting, scope, mentions)
    if (!found?.values) continue
    const { column, values, isNamed } = found
    const extreme = scope.isReversed ? REVERSED[superlative.extreme] : superlative.extreme
    return { superlative: { ...superlative, extreme }, column, values, isNamed }
  }
  return undefined
}

/** `最低库存` is the name of a column, and asks for no least. */
function withoutNames(text: string, mentions: readonly Mention[]): string {
  return mentions.reduce((left, { column, start, end }) => {
    const said = text.slice(start, end)
    const isWhole = column.name.toLowerCase().startsWith(said)
    return isWhole && superlativeIn(said) ? left.slice(0, start) + ' '.repeat(end - start) + left.slice(end) : left
  }, text)
}

type Read = {
  readonly column: Column
  readonly isTime: boolean
  readonly values: readonly (number | undefined)[] | undefined
}

/** What its cells are compared by; undefined of texts, of numbers that only count the rows, and where too few say anything. */
function valuesOf(table: Table, column: Column): Omit<Read, 'column'> {
  const times = timesOf(table, column)
  if (times) return { isTime: true, values: times }
  if (column.isYears) return { isTime: true, values: column.numbers }
  const amounts = column.at === 0 && column.isKey ? undefined : comparableAmounts(column)
  const values = amounts?.map(
    (amount, at) => amount ?? (FREE.test(table.rows[at]?.cells[column.at] ?? '') ? 0 : undefined),
  )
  const known = values?.filter(value => value !== undefined).length ?? 0
  const isEnough = column.numbers && known >= Math.max(2, table.rows.length * MOST)
  return { isTime: false, values: isEnough ? values : undefined }
}

/** Of several the one that the question names, or that is called by what the superlative is said of. */
function meant(
  fitting: readonly Read[],
  { dimensions, called, isTime, prefers = called }: Scope,
  mentions: readonly Mention[],
) {
  const held = ({ column }: Read) =>
    mentions.filter(one => one.column === column).reduce((sum, one) => sum + one.held, 0)
  const most = Math.max(0, ...fitting.map(held))
  const named = most > 0 ? fitting.filter(one => held(one) === most) : fitting
  const telling = named.length > 1 ? named.filter(({ column }) => prefers?.test(column.name)) : named
  const [only, ...more] = telling
  const isNamed = most > 0 || dimensions !== undefined || called !== undefined || isTime === true
  return only && more.length === 0 ? { ...only, isNamed } : undefined
}

/** The rows with the most or the least, or at the place that is asked for, all of them where several are alike; no sums. */
export function extremeRows(table: Table, among: readonly Row[], { superlative, values }: Extreme): readonly Row[] {
  const { extreme, place, count } = superlative
  const met = new Set(among)
  const known = table.rows.flatMap((row, at) => {
    const value = values[at]
    return value !== undefined && met.has(row) && !isSummary(table, row) ? [{ row, value }] : []
  })
  const sorted = known.map(({ value }) => value).toSorted((a, b) => (extreme === 'most' ? b - a : a - b))
  const [first, last] = [sorted[place - 1], sorted[place + count - 2] ?? sorted.at(-1)]
  if (first === undefined || last === undefined || (place > 1 && sorted[place - 2] === first)) return []
  const [low, high] = [Math.min(first, last), Math.max(first, last)]
  return known.filter(({ value }) => low <= value && value <= high).map(({ row }) => row)
}

/** Of the rows that are compared, how many say something there that cannot be. */
export function unreadRows(table: Table, among: readonly Row[], { column, values }: Extreme): number {
  const met = new Set(among)
  const isUnread = (row: Row, at: number) => values[at] === undefined && !EMPTY.test(row.cells[column.at] ?? '')
  return table.rows.filter((row, at) => met.has(row) && !isSummary(table, row) && isUnread(row, at)).length
}
