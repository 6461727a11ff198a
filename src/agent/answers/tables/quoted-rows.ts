import type { Quote, QuotedParts } from '../selection.ts'
import type { Row } from './table.ts'

/** So many characters of rows are quoted. */
const MAX_CHARACTERS = 4_000

/** As many rows as an answer holds. */
export function quotedRows(rows: readonly Row[]): QuotedParts {
  let length = 0
  const end = rows.findIndex(({ unit }, at) => {
    length += unit.text.length
    return at > 0 && length > MAX_CHARACTERS
  })
  const shown = end < 0 ? rows : rows.slice(0, end)
  return { quotes: runsOf(shown), more: rows.length - shown.length }
}

/** Rows that stand one after the other as one quotation. */
function runsOf(rows: readonly Row[]): readonly Quote[] {
  const quotes: Quote[] = []
  for (const { unit } of rows) {
    const last = quotes.at(-1)
    const follows = last?.passage === unit.passage && unit.span.start - last.span.end <= 1
    if (last && follows)
      quotes[quotes.length - 1] = { passage: unit.passage, span: { start: last.span.start, end: unit.span.end } }
    else quotes.push({ passage: unit.passage, span: unit.span })
  }
  return quotes
}
