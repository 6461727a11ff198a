import { isHeld, type Terms } from '../../language/terms.ts'
import { type RowQuestion, rowsMeeting } from './row-conditions.ts'
import type { Row, Table } from './table.ts'
import { askedPoints, rowsHolding, type TableWords } from './table-words.ts'

/** The rows that a question names and asks something of that a column of theirs tells. */
export type RecordRows = {
  readonly rows: readonly Row[]
  /** By a cell that no other row has. */
  readonly isNamed: boolean
}

/** More rows than this are not one record. */
export const MAX_RECORD_ROWS = 6

/**
 * Undefined where the question asks for nothing that a column tells, or where any of its words is said neither by the row nor by what
 * stands over its table.
 */
export function recordRows(
  { conditions, unasked }: RowQuestion,
  { table, words, terms }: { readonly table: Table; readonly words: TableWords; readonly terms: Terms },
): RecordRows | undefined {
  if (unasked === undefined || table.columns.length < 2) return undefined
  const own = askedPoints(unasked, terms).filter(point => !isHeld(point, words.head) && !isHeld(point, words.title))
  const cells = conditions.filter(({ kind }) => kind === 'cell')
  if (own.length + cells.length === 0) return undefined
  const rows = rowsHolding(rowsMeeting(table, conditions), own, terms)
  if (rows.length === 0 || rows.length > MAX_RECORD_ROWS) return undefined
  return { rows, isNamed: cells.some(({ column }) => column.isKey) }
}
