import type { Column } from './columns.ts'
import type { Bound } from './comparison.ts'
import type { Row } from './table.ts'

/** What a question asks of a row: words of it, and what the row's cell in a column has to be. */
export type Condition = {
  readonly column: Column
  /** In the normalised question. */
  readonly start: number
  readonly end: number
  /** The question names the column, not only what stands in it. */
  readonly isNamed: boolean
  /** The text of a cell, one that no cell has, or a number. */
  readonly kind: 'cell' | 'missing' | 'number'
  /** Of a cell: its text in lower case, and whether it has a number. */
  readonly value?: string
  readonly isNumbered?: boolean
  /** The question leaves the cell out: rows that have it do not meet it. */
  readonly isExcluded?: boolean
  /** Of a number. */
  readonly bound?: Bound
  readonly holds: (row: Row, at: number) => boolean
}
