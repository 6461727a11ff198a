import type { Scope } from '../../language/scopes.ts'
import { cellDate } from './cell-date.ts'
import type { Column } from './columns.ts'
import { dimensionsOf } from './measures.ts'
import type { Table } from './table.ts'

/** So many of the cells have to say when. */
const MOST = 0.6

/** The dates or times of day that a column's cells are; undefined of a column of something else. */
export function timesOf({ rows }: Table, { at }: Column): readonly (number | undefined)[] | undefined {
  const dates = rows.map(row => cellDate(row.cells[at] ?? ''))
  return dates.filter(date => date !== undefined).length >= Math.max(1, rows.length * MOST) ? dates : undefined
}

/** Whether a column holds what a scope is said of. */
export function fits(
  { dimensions = [], called, isTime = false, isNot }: Scope,
  column: Column,
  isOfTime: boolean,
): boolean {
  if (isTime !== isOfTime || isNot?.test(column.name)) return false
  if (dimensions.length === 0 && !called) return true
  const own = dimensions.length > 0 ? dimensionsOf(column) : []
  return own.length > 0 ? own.some(one => dimensions.includes(one)) : (called?.test(column.name) ?? false)
}
