import { overlap, type Span } from '../../../ingest/sentences.ts'
import { ASKED_MEASURES } from '../../language/asked-measures.ts'
import type { Column, Mention } from './columns.ts'
import { fits, timesOf } from './scoped-columns.ts'
import type { Table } from './table.ts'

/** What a question says of its table's columns. */
type Said = {
  readonly columns: readonly Column[]
  readonly mentions: readonly Mention[]
  /** Where the question names cells. */
  readonly cells: readonly Span[]
}

/**
 * The words by which a question asks for what a column tells: its name, or a measure that the column is of (`how much is` where there
 * are prices). Undefined where no column tells what is asked for, or it does not show.
 */
export function askedColumn(
  text: string,
  table: Table,
  { columns, mentions, cells }: Said,
): readonly Span[] | undefined {
  const asked = ASKED_MEASURES.flatMap(({ asks, scopes }) =>
    [...text.matchAll(asks)].map(({ 0: { length }, index }) => ({
      ...{ start: index, end: index + length },
      isTold: columns.some(column => scopes.some(scope => fits(scope, column, timesOf(table, column) !== undefined))),
    })),
  ).filter(span => !cells.some(cell => overlap(cell, span)))
  const named = mentions.filter(({ column, ...span }) => !column.isKey && !cells.some(cell => overlap(cell, span)))
  const told = asked.filter(({ isTold }) => isTold)
  return told.length + named.length > 0 ? [...told, ...named] : undefined
}
