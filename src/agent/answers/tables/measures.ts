import type { MeasureUnit } from '../../language/measure-units.ts'
import type { Amount } from './cell-number.ts'
import type { Column } from './columns.ts'

/** A number of a question, or the least and the most of a range: as it is meant, its scale counted. */
export type AskedAmount = {
  readonly value: number
  readonly upTo?: number | undefined
  /** What its words multiply its digits by: 1 where they do not. */
  readonly scale: number
  readonly unit?: MeasureUnit | undefined
}

/** The numbers of a column, and what they are compared with, in one measure. */
export type Comparable = {
  readonly numbers: readonly (number | undefined)[]
  readonly value: number
  readonly upTo?: number | undefined
}

/** Undefined where column and question are not of one measure, or cannot be told to be. */
export function inOneMeasure(column: Column, asked: AskedAmount): Comparable | undefined {
  const { value, upTo, unit } = asked
  if (column.isYears) return { numbers: column.numbers ?? [], value, upTo }
  if (unit && dimensionsOf(column).length > 0) return inBaseUnits(column, { ...asked, unit })
  const own = column.amounts.flatMap(amount =>
    amount ? [`${amount.written?.scale ?? 1} ${amount.written?.unit?.name}`] : [],
  )
  if (!unit && new Set(own).size > 1) return undefined
  const isScaled = column.amounts.some(amount => amount?.written && amount.written.scale > 1)
  const isWhole = asked.scale > 1 || isScaled || value >= (column.unit?.scale ?? Number.POSITIVE_INFINITY)
  const numbers = column.amounts.map(amount => (isWhole ? scaledValue(amount, column) : amount?.value))
  return { numbers, value, upTo }
}

/** What a column's cells are in: each of the dimensions once. */
export function dimensionsOf({ amounts, unit }: Column): readonly string[] {
  const written = amounts.flatMap(amount => (amount ? [(amount.written?.unit ?? unit?.unit)?.dimension] : []))
  return [...new Set(written)].filter(dimension => dimension !== undefined)
}

/** Its amounts in base units where all of them are of one dimension; else as they are written, where none says more. */
export function comparableAmounts(column: Column): readonly (number | undefined)[] | undefined {
  const [dimension, ...others] = dimensionsOf(column)
  if (others.length > 0) return undefined
  if (dimension === undefined) return column.amounts.map(amount => scaledValue(amount, column))
  return column.amounts.map(amount => baseValue(amount, column))
}

function inBaseUnits(column: Column, { value, upTo, unit }: AskedAmount & { readonly unit: MeasureUnit }) {
  if (dimensionsOf(column).some(dimension => dimension !== unit.dimension)) return undefined
  const numbers = column.amounts.map(amount => baseValue(amount, column))
  return { numbers, value: exact(value * unit.factor), upTo: upTo && exact(upTo * unit.factor) }
}

function baseValue(amount: Amount | undefined, column: Column): number | undefined {
  const unit = amount?.written?.unit ?? column.unit?.unit
  const value = scaledValue(amount, column)
  return value === undefined || !unit ? undefined : exact(value * unit.factor)
}

/** A cell that has a unit or a scale of its own is not in that of its column. */
function scaledValue(amount: Amount | undefined, { unit }: Column): number | undefined {
  return amount && exact(amount.value * (amount.written ?? unit ?? { scale: 1 }).scale)
}

function exact(value: number): number {
  return Number(value.toPrecision(12))
}
