import type { DateValue } from '../../../text/dates.ts'
import type { Span } from '../../../text/sentences.ts'
import type { Dimension, Unit } from '../../../text/units.ts'
import type { Box } from '../../block.ts'
import type { TableNotation } from './notation.ts'

/** Read by the kind of its column. */
export type CellValue =
  | {
      readonly kind: 'number'
      /** With its scale: 5e6 for `5 million`. */
      readonly value: number
      readonly upTo?: number
      /** Approximate (`~1,200`) or a bound (`> 300`, `300+`). */
      readonly isInexact?: true
      /** Default: that of the column. */
      readonly unit?: Unit
    }
  | { readonly kind: 'date'; readonly date: Omit<DateValue, 'span'> }
  /** After midnight. */
  | { readonly kind: 'time'; readonly minutes: number }
  | { readonly kind: 'flag'; readonly value: boolean }

type ColumnKind = 'number' | 'date' | 'time' | 'flag' | 'text'

export type Column = {
  /** From the header, both levels joined; empty without a header. */
  readonly name: string
  readonly kind: ColumnKind
  /** From the header, the caption or all cells. */
  readonly unit?: Unit
  /** Factor for cells without their own unit: 10,000 for `万元`. */
  readonly scale?: number
  /** Measured by its numbers, even in several units. */
  readonly measure?: Dimension
  /** Its numbers have two readings (`1.234`) and nothing decides. */
  readonly isAmbiguous?: true
}

export type Cell = {
  readonly text: string
  /** Present if it is of its column's kind. */
  readonly value?: CellValue
  /** The file stores it as a number, with a decimal point in the text. */
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

export type Note = { readonly mark: string; readonly span: Span }

export type Table = {
  readonly caption?: string
  /** Short lines right above it, its caption among them; of a sheet, the rows above the header. */
  readonly titles: readonly string[]
  readonly headings: readonly string[]
  readonly columns: readonly Column[]
  readonly rows: readonly TableRow[]
  readonly notes: readonly Note[]
  readonly notation?: TableNotation
  /** Column that identifies the rows. */
  readonly key?: number
  readonly span: Span
  readonly page?: number
  /** Rows were left out, because the document has too many cells. */
  readonly isCut: boolean
}
