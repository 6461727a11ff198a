import type { Span } from '../../ingest/sentences.ts'
import { type Unit, unitsOf } from '../language/units.ts'
import type { Evidence } from './evidence.ts'

/** A table is quoted whole up to this many characters. */
const MAX_TABLE = 400

/**
 * Where the question names a row of a table, by its first cell or by words that other rows have not, those other rows
 * tell of something else. Several things may each have a word of their own, so a list keeps them.
 */
export function withoutOtherRows(ranking: readonly Evidence[], question: string, isList: boolean): readonly Evidence[] {
  return ranking.filter(one => {
    const rows = rowsBeside(one.unit, ranking)
    const named = rows.filter(({ unit }) => names(question, unit))
    if (named.length > 0) return named.includes(one)
    return isList || rows.every(row => row.told <= one.told)
  })
}

/** The words of the question stand in all rows of its table alike: it asks for what the table says. */
export function asksForNoRow(unit: Unit, ranking: readonly Evidence[]): boolean {
  const rows = rowsBeside(unit, ranking)
  return rows.length > 1 && rows.every(row => row.told === rows[0]?.told)
}

/** The table that a row stands in, as far as its passage goes; undefined when it is long, or has rows that are not to be quoted. */
export function wholeTable({ passage, block }: Unit, allows: (row: Unit) => boolean): Span | undefined {
  const rows = unitsOf(passage).filter(unit => unit.block === block && unit.columns)
  const [start = 0, end = 0] = [rows[0]?.span.start, rows.at(-1)?.span.end]
  return end - start > MAX_TABLE || !rows.every(allows) ? undefined : { start, end }
}

/** Of a row, all rows of its table that were ranked; of anything else, nothing. */
function rowsBeside({ columns, passage, block }: Unit, ranking: readonly Evidence[]): readonly Evidence[] {
  if (!columns) return []
  return ranking.filter(({ unit }) => unit.columns && unit.passage === passage && unit.block === block)
}

/** Whether the question names this row of a table: by what stands in its first cell. */
function names(question: string, { columns, text }: Unit): boolean {
  const name = text.split(' | ')[0]?.trim().toLowerCase() ?? ''
  return columns !== undefined && name !== '' && question.toLowerCase().includes(name)
}
