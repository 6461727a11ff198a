import type { DateValue } from '../../../text/dates.ts'
import type { Span } from '../../../text/sentences.ts'
import type { Dimension, Unit } from '../../../text/units.ts'
import type { Box } from '../../block.ts'
import type { TableNotation } from './notation.ts'

/** What a cell says, as its column is read. */
export type CellValue =
  | {
      readonly kind: 'number'
      /** As written, its own scale counted: 5e6 of `5 million`. */
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
  /** As its header says it; of two levels, both. Empty where the table has no header. */
  readonly name: string
  readonly kind: ColumnKind
  /** Of numbers, the unit that header, caption or all cells give them. */
  readonly unit?: Unit
  /** What its cells are multiplied by: 10,000 of `万元`. A cell that has a unit of its own is not. */
  readonly scale?: number
  /** What its numbers measure, also where its cells have several units. */
  readonly measure?: Dimension
  /** Of text: it has numbers that may be read in two ways (`1.234`), and nothing in the document tells in which. */
  readonly isAmbiguous?: true
}

/** A cell of a document's table. */
export type Cell = {
  /** As it is written, white space as one blank. */
  readonly text: string
  /** What it says, where it is of its column's kind. */
  readonly value?: CellValue
  /** The file stores it as a number; its text has a decimal point. */
  readonly isNative?: true
  /** In the parsed text, which has exactly `text` there. */
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
  /** Which column tells its rows apart. */
  readonly key?: number
  /** All of it in the parsed text, header included. */
  readonly span: Span
  readonly page?: number
  /** Rows were left out, since the tables of the document have too many cells. */
  readonly isCut: boolean
}

/** What is worked out over rows. */
export type Aggregate = 'count' | 'sum' | 'average'
