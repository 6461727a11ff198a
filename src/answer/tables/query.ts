import type { TableRow } from '../../ingest/tables/table.ts'
import type { DateValue } from '../../text/dates.ts'
import type { Quantity } from '../../text/quantities.ts'
import type { Term } from '../../text/terms.ts'
import type { Unit } from '../../text/units.ts'
import type { Aggregate, Comparator } from '../question/question.ts'

/** What a row has to hold to be asked for. Columns are named by their place. */
export type RowCondition =
  /** One of the columns says the term, or with `isExcluded` none of them does. */
  | { readonly holds: 'term'; readonly columns: readonly number[]; readonly term: Term; readonly isExcluded?: true }
  | {
      readonly holds: 'number'
      readonly column: number
      readonly comparator: Comparator
      readonly quantity: Pick<Quantity, 'value' | 'upTo' | 'unit'>
    }
  /** Compared with another column of the row: stock under minimum stock. */
  | { readonly holds: 'column'; readonly column: number; readonly comparator: Comparator; readonly other: number }
  /** All that is said of the date agrees. */
  | { readonly holds: 'date'; readonly column: number; readonly date: Omit<DateValue, 'span'> }

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
  /** Of an aggregate; undefined where nothing was there to work it out of. */
  readonly value?: { readonly value: number; readonly unit?: Unit }
}
