import { saysNothing } from '../../ingest/parse/tables/columns.ts'
import type { Aggregate, CellValue, Table, TableRow } from '../../ingest/parse/tables/table.ts'
import { type DateParts, daysOf } from '../../text/dates.ts'
import { exact } from '../../text/numerals.ts'
import { polarityOf } from '../../text/polarity.ts'
import { amountOf, type Comparator, comparable, type Quantity } from '../../text/quantities.ts'
import { isHeld, type Term, type Terms } from '../../text/terms.ts'
import type { Unit } from '../../text/units.ts'
import { onSide } from '../question/numeric-bounds.ts'

/** What a row has to hold to be asked for. Columns are named by their place. */
export type RowCondition =
  /** One of the columns says the term, with `isAffirmed` without denying it, or with `isExcluded` none of them says so. */
  | {
      readonly holds: 'term'
      readonly columns: readonly number[]
      readonly term: Term
      readonly isAffirmed?: true
      readonly isExcluded?: true
    }
  /** The column's cell says all terms of one of them. */
  | { readonly holds: 'any'; readonly column: number; readonly anyOf: readonly (readonly Term[])[] }
  | {
      readonly holds: 'number'
      readonly column: number
      readonly comparator: Comparator
      readonly quantity: Pick<Quantity, 'value' | 'upTo' | 'unit'>
    }
  /** Compared with another column of the row: stock under minimum stock. */
  | {
      readonly holds: 'column'
      readonly column: number
      readonly comparator: Comparator
      readonly other: number
    }
  | { readonly holds: 'flag'; readonly column: number; readonly value: boolean }
  /** The column's cell is empty, or says that there is none; with `isExcluded` it says something. */
  | { readonly holds: 'nothing'; readonly column: number; readonly isExcluded?: true }
  /** All that is said of one of the dates agrees, or the cell lies wholly on that side of it. */
  | {
      readonly holds: 'date'
      readonly column: number
      readonly comparator: Comparator
      readonly anyOf: readonly DateParts[]
    }

/** A condition with the words of the question that set it. */
export type ToldCondition = RowCondition & { readonly text: string }

/** A question put to one table. */
export type TableQuery = {
  /** All of them hold of a row that answers. */
  readonly where: readonly RowCondition[]
  readonly orderBy?: {
    readonly column: number
    readonly direction: 'most' | 'least' /** 1 is the first. */
    readonly rank: number
  }
  /** So many rows, and those that are equal to the last of them. */
  readonly take?: number
  /** Of a column; a count needs none. */
  readonly aggregate?: { readonly of: Aggregate; readonly column?: number }
  /** What is asked of a row; empty for all of it. */
  readonly columns: readonly number[]
}

export type TableAnswer = {
  /** In the order that is asked for, else in that of the table. */
  readonly rows: readonly TableRow[]
  /** So many rows that sum up no others were looked at. */
  readonly among: number
  /** Of an aggregate, with the number of rows that it was worked out of; undefined where nothing was there to work it out of. */
  readonly value?: { readonly value: number; readonly unit?: Unit; readonly rows: number }
  /** Its numbers have no order or sum: they are of several units or currencies, ranges, or near or beyond what they say. */
  readonly isUndecided?: true
}

/**
 * The rows of a table that a query asks for, and what is worked out of them. Rows that sum up others are no answer unless the
 * query names them.
 */
export function runTableQuery(table: Table, query: TableQuery, terms: Terms): TableAnswer {
  const holds = (row: TableRow) =>
    query.where.every(condition => isMet(condition, row, table, terms))
  const found = table.rows.filter(
    row => holds(row) && (!row.isSummary || namesRow(query, row, terms)),
  )
  const rows = query.orderBy ? ordered(found, query, table) : found.slice(0, query.take)
  const among = table.rows.filter(({ isSummary }) => !isSummary).length
  const value = query.aggregate && aggregated(rows, query.aggregate, table)
  const isUndecided = isOrderUndecided(query, found) || isTotalUndecided(query, found, value)
  return { rows, among, ...(value && { value }), ...(isUndecided && { isUndecided }) }
}

function isOrderUndecided({ orderBy }: TableQuery, rows: readonly TableRow[]): boolean {
  return orderBy !== undefined && !areExact(valuesOf(rows, orderBy.column))
}

function isTotalUndecided(
  { aggregate }: TableQuery,
  rows: readonly TableRow[],
  value: TableAnswer['value'],
): boolean {
  return aggregate?.column !== undefined && !value && valuesOf(rows, aggregate.column).length > 0
}

function valuesOf(rows: readonly TableRow[], column: number): readonly CellValue[] {
  return rows.flatMap(({ cells }) => cells[column]?.value ?? [])
}

/** Whether they are points on one scale: no ranges, none near or beyond a number, and numbers of one measure or currency. */
function areExact(values: readonly CellValue[]): boolean {
  const [first] = values
  return values.every(value => {
    if (value.kind !== 'number' || first?.kind !== 'number') return true
    return (
      isExact(value) &&
      value.unit?.dimension === first.unit?.dimension &&
      comparable(value.unit, first.unit)
    )
  })
}

/** A term of the query is what the row is called: `Total`. */
function namesRow(
  { where, aggregate, orderBy }: TableQuery,
  { cells }: TableRow,
  terms: Terms,
): boolean {
  if (aggregate || orderBy) return false
  const name = terms.of(cells[0]?.text ?? '')
  return where.some(
    condition =>
      condition.holds === 'term' && !condition.isExcluded && isHeld(condition.term, name),
  )
}

function isMet(condition: RowCondition, { cells }: TableRow, table: Table, terms: Terms): boolean {
  const said = (at: number) => terms.ofCell(cells[at]?.text ?? '', table.columns[at]?.name ?? '')
  if (condition.holds === 'term') {
    const { columns, term, isAffirmed, isExcluded = false } = condition
    const mayBeDenied = !isAffirmed && !isExcluded
    const isSaid = columns.some(
      at => isHeld(term, said(at)) && (mayBeDenied || !isDenied(cells[at]?.text ?? '')),
    )
    return isSaid !== isExcluded
  }
  if (condition.holds === 'any') {
    const there = said(condition.column)
    return condition.anyOf.some(all => all.every(term => isHeld(term, there)))
  }
  if (condition.holds === 'nothing')
    return saysNothing(cells[condition.column]?.text ?? '') !== (condition.isExcluded === true)
  const value = cells[condition.column]?.value
  if (value === undefined) return false
  if (condition.holds === 'flag') return value.kind === 'flag' && value.value === condition.value
  if (condition.holds === 'date') {
    return (
      value.kind === 'date' &&
      condition.anyOf.some(date => isOnSide(value.date, condition.comparator, date))
    )
  }
  if (condition.holds === 'column')
    return comparesWith(value, condition.comparator, cells[condition.other]?.value)
  return value.kind === 'number' && comparesTo(value, condition, table)
}

/** `not paid` says that it is not. */
function isDenied(text: string): boolean {
  return polarityOf(text).negations % 2 === 1
}

/** Of a date that tells no year, every year is one that is meant; a cell without one that is asked for meets nothing. */
function isOnSide(said: DateParts, comparator: Comparator, asked: DateParts): boolean {
  if (asked.year !== undefined && said.year === undefined) return false
  const cell = daysOf(asked.year === undefined ? { ...said, year: undefined } : said)
  const side = onSide(comparator, daysOf(asked))
  return side.first <= cell.first && cell.last <= side.last
}

function comparesWith(
  value: CellValue,
  comparator: Comparator,
  other: CellValue | undefined,
): boolean {
  if (!other || other.kind !== value.kind) return false
  if (value.kind === 'number' && other.kind === 'number' && !comparable(value.unit, other.unit))
    return false
  return compares(rankOf(value), comparator, rankOf(other))
}

type NumberValue = Extract<CellValue, { kind: 'number' }>
type NumberCondition = Extract<RowCondition, { holds: 'number' }>

/** A number without a unit is meant as the cells are written: of a column in millions, in millions, unless it is itself as large. */
function comparesTo(
  value: NumberValue,
  { comparator, quantity, column }: NumberCondition,
  { columns }: Table,
): boolean {
  const isMeasured = quantity.unit !== undefined && value.unit !== undefined // else of whatever the other is
  if (isMeasured && !comparable(value.unit, quantity.unit)) return false
  const scale = columns[column]?.scale ?? 1
  const written = quantity.unit || quantity.value >= scale ? 1 : scale
  const of = (number: number) =>
    isMeasured ? amountOf({ ...value, value: number }) : number / written
  const asked = (number: number) => (isMeasured ? amountOf({ ...quantity, value: number }) : number)
  const [low, high] = [of(value.value), of(value.upTo ?? value.value)]
  if (comparator !== 'equal')
    return compares(
      comparator === 'over' || comparator === 'at-least' ? low : high,
      comparator,
      asked(quantity.value),
    )
  return low <= asked(quantity.upTo ?? quantity.value) && asked(quantity.value) <= high
}

function compares(one: number, comparator: Comparator, other: number): boolean {
  if (comparator === 'equal') return one === other
  if (comparator === 'over') return one > other
  if (comparator === 'under') return one < other
  return comparator === 'at-least' ? one >= other : one <= other
}

/** An average is no more exact. */
const AVERAGE_DIGITS = 6

/** Rows whose cell has no value are not compared. */
function ordered(
  rows: readonly TableRow[],
  { orderBy, take = 1 }: TableQuery,
  table: Table,
): readonly TableRow[] {
  const { column, direction, rank } = orderBy! // the caller's
  if (!areExact(valuesOf(rows, column))) return []
  const ranked = rows.flatMap(row => {
    const value = row.cells[column]?.value
    return value ? [{ row, rank: rankOf(value, table.columns[column]?.unit) }] : []
  })
  const sign = direction === 'most' ? -1 : 1
  const sorted = ranked.toSorted((a, b) => sign * (a.rank - b.rank))
  const levels = [...new Set(sorted.map(one => one.rank))]
  const first = levels[rank - 1]
  if (first === undefined) return []
  const start = sorted.findIndex(one => one.rank === first)
  const last = sorted[Math.min(sorted.length, start + take) - 1]?.rank
  return sorted
    .slice(start)
    .filter((one, at) => at < take || one.rank === last)
    .map(({ row }) => row)
}

/** By which values of one kind are put in order: amounts in the first unit of what they measure, dates by the calendar. */
function rankOf(value: CellValue, columnUnit?: Unit): number {
  if (value.kind === 'flag') return Number(value.value)
  if (value.kind === 'time') return value.minutes
  if (value.kind === 'date') return daysOf(value.date).first
  const unit = value.unit ?? columnUnit
  return amountOf({ value: value.value, ...(unit && { unit }) })
}

function isExact({ upTo, isInexact }: NumberValue): boolean {
  return upTo === undefined && !isInexact
}

function aggregated(
  rows: readonly TableRow[],
  { of, column }: NonNullable<TableQuery['aggregate']>,
  table: Table,
) {
  if (of === 'count') return { value: rows.length, rows: rows.length }
  const all = column === undefined ? [] : valuesOf(rows, column)
  const values = all.flatMap(value => (value.kind === 'number' ? [value] : []))
  const unit = values[0]?.unit ?? (column === undefined ? undefined : table.columns[column]?.unit)
  if (values.length === 0 || !values.every(value => isExact(value) && comparable(value.unit, unit)))
    return undefined
  const amounts = values.map(value => amountOf(value))
  const total = amounts.reduce((sum, amount) => sum + amount, 0)
  const amount = of === 'sum' ? total : total / amounts.length
  const value = exact((amount - (unit?.zero ?? 0)) / (unit?.factor ?? 1))
  const shown = of === 'average' ? Number(value.toPrecision(AVERAGE_DIGITS)) : value
  return { value: shown, rows: values.length, ...(unit && { unit }) }
}
