import type { DateValue } from '../../../text/dates.ts'
import type { Span } from '../../../text/sentences.ts'
import type { Dimension, Unit } from '../../../text/units.ts'
import type { Box } from '../../block.ts'
import type { TableNotation } from './notation.ts'

/** Value of a cell, read by the kind of its column. */
export type CellValue =
  | {
      readonly kind: 'number'
      /** Number in the cell with its own scale applied: 5e6 for `5 million`. */
      readonly value: number
      readonly upTo?: number
      /** It is near the value (`~1,200`), or on one side of it (`> 300`, `300+`). */
      readonly isInexact?: true
      /** Its own unit; where it has none, its column's counts. */
      readonly unit?: Unit
    }
  | { readonly kind: 'date'; readonly date: Omit<DateValue, 'span'> }
  /** Minutes after midnight. */
  | { readonly kind: 'time'; readonly minutes: number }
  | { readonly kind: 'flag'; readonly value: boolean }

type ColumnKind = 'number' | 'date' | 'time' | 'flag' | 'text'

export type Column = {
  /** Name from the header; both levels of a header with two. Empty if the table has no header. */
  readonly name: string
  readonly kind: ColumnKind
  /** Unit of numbers, from the header, the caption or all cells. */
  readonly unit?: Unit
  /** Factor for its cells: 10,000 for `万元`. Does not apply to a cell with a unit of its own. */
  readonly scale?: number
  /** Quantity that its numbers measure, also if its cells have several units. */
  readonly measure?: Dimension
  /** Text column with numbers that have two readings (`1.234`), between which nothing in the document decides. */
  readonly isAmbiguous?: true
}

/** A cell of a document's table. */
export type Cell = {
  /** Text as written, white space as one blank. */
  readonly text: string
  /** Value, if it is of its column's kind. */
  readonly value?: CellValue
  /** The file stores it as a number; its text has a decimal point. */
  readonly isNative?: true
  /** Span in the parsed text, which is exactly `text` there. */
  readonly span: Span
  readonly page?: number
  readonly box?: Box
}

export type TableRow = {
  /** One for each column. */
  readonly cells: readonly Cell[]
  /** It sums up the others: `Total`, `合计`. */
  readonly isSummary: boolean
}

/** A note of a table: the sign that leads to it, and where it stands, sign included. */
export type Note = { readonly mark: string; readonly span: Span }

/** A table of a document, its columns typed. */
export type Table = {
  /** Its caption, or the line that introduces it. */
  readonly caption?: string
  /** Short lines right above it that end no sentence, its caption among them: of a sheet the rows over the header. */
  readonly titles: readonly string[]
  /** The headings that it stands under, outermost first. */
  readonly headings: readonly string[]
  readonly columns: readonly Column[]
  /** Without those of its header. */
  readonly rows: readonly TableRow[]
  readonly notes: readonly Note[]
  /** The sign before the decimals of its numbers, as far as it is known of a whole table. */
  readonly notation?: TableNotation
  /** Index of the column that identifies the rows. */
  readonly key?: number
  /** All of it in the parsed text, header included. */
  readonly span: Span
  readonly page?: number
  /** Rows were left out, since the tables of the document have too many cells. */
  readonly isCut: boolean
}
