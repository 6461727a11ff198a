import type { DateValue } from '../../../text/dates.ts'
import type { Span } from '../../../text/sentences.ts'
import type { Dimension, Unit } from '../../../text/units.ts'
import type { Box } from '../../block.ts'
import type { TableNotation } from './notation.ts'

/** Value of a cell, read by the kind of its column. */
export type CellValue =
  | {
      readonly kind: 'number'
      /** The number with its scale applied: 5e6 for `5 million`. */
      readonly value: number
      readonly upTo?: number
      /** Whether the value is approximate (`~1,200`) or a bound (`> 300`, `300+`). */
      readonly isInexact?: true
      /** Unit of the cell; default that of the column. */
      readonly unit?: Unit
    }
  | { readonly kind: 'date'; readonly date: Omit<DateValue, 'span'> }
  /** Minutes after midnight. */
  | { readonly kind: 'time'; readonly minutes: number }
  | { readonly kind: 'flag'; readonly value: boolean }

type ColumnKind = 'number' | 'date' | 'time' | 'flag' | 'text'

export type Column = {
  /** Name from the header, both levels joined; empty without a header. */
  readonly name: string
  readonly kind: ColumnKind
  /** Unit of numbers, from the header, the caption or all cells. */
  readonly unit?: Unit
  /** Factor for its cells: 10,000 for `万元`. Ignored by cells with their own unit. */
  readonly scale?: number
  /** Quantity that its numbers measure, even in several units. */
  readonly measure?: Dimension
  /** Whether its numbers have two readings (`1.234`) and nothing decides between them. */
  readonly isAmbiguous?: true
}

export type Cell = {
  readonly text: string
  /** Value, if it is of its column's kind. */
  readonly value?: CellValue
  /** Whether the file stores it as a number, with a decimal point in the text. */
  readonly isNative?: true
  /** Span in the parsed text, which equals `text`. */
  readonly span: Span
  readonly page?: number
  readonly box?: Box
}

export type TableRow = {
  readonly cells: readonly Cell[]
  readonly isSummary: boolean
}

/** A note of a table with its sign. */
export type Note = { readonly mark: string; readonly span: Span }

/** A table of a document, its columns typed. */
export type Table = {
  readonly caption?: string
  /** Short lines right above it, its caption among them; of a sheet, the rows above the header. */
  readonly titles: readonly string[]
  readonly headings: readonly string[]
  readonly columns: readonly Column[]
  readonly rows: readonly TableRow[]
  readonly notes: readonly Note[]
  /** Decimal sign, as far as the table shows it. */
  readonly notation?: TableNotation
  /** Index of the column that identifies the rows. */
  readonly key?: number
  readonly span: Span
  readonly page?: number
  /** Whether rows were left out, because the document has too many cells. */
  readonly isCut: boolean
}
