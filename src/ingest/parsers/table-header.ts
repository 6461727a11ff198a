/** A row of cells, blank ones empty. */
export type Row = readonly string[]

/** Where a table's header stands among its first rows. */
export type HeaderPlace = { readonly start: number; readonly end: number }

const MAX_HEADER_ROWS = 3

/** Rows of several cells above a header; where there are more, they are a narrower table that a wide one stands beside. */
const MAX_NOTES = 3

/** A number, an amount, a share, a date or a time, alone in its cell. */
const MEASURE = /^[^\p{L}\d]{0,3}\d[\d.,:/\s'-]*[^\p{L}\d]{0,2}$/u

/**
 * The header among the first rows of a sheet: the first row that is about as wide as the rows below it. What stands
 * above are titles and notes. Undefined when nothing is two columns wide.
 */
export function findHeader(rows: readonly Row[]): HeaderPlace | undefined {
  const lists = rows.filter(row => distinct(row) > 1)
  const width = Math.max(0, ...lists.map(row => filled(row)))
  const first = rows.findIndex(row => distinct(row) > 1)
  const wide = rows.findIndex(row => distinct(row) > 1 && filled(row) > width / 2)
  if (first < 0) return undefined
  const start = lists.indexOf(rows[wide]!) > MAX_NOTES ? first : wide // there is a widest one
  let end = start + 1
  while (end - start < MAX_HEADER_ROWS && isGroupRow(rows[end - 1]!, rows[end])) end++
  return { start, end }
}

/** Whether rows behind a gap go on with the table before it, rather than begin another. */
export function continues(header: Row, row: Row): boolean {
  const isUnderHeader = row.every((cell, column) => cell === '' || (header[column] ?? '') !== '')
  return (
    isUnderHeader &&
    filled(row) > 1 &&
    row.some((cell, column) => MEASURE.test(cell) && !MEASURE.test(header[column] ?? ''))
  )
}

/** Merged cells, whose text was repeated, above cells with names of their own. */
function isGroupRow(row: Row, below: Row | undefined): boolean {
  if (!below || below.some(cell => MEASURE.test(cell))) return false
  return row.some(
    (cell, column) =>
      cell !== '' && cell === row[column + 1] && below[column] !== below[column + 1] && below[column] !== cell,
  )
}

export function filled(row: Row): number {
  return row.filter(cell => cell !== '').length
}

function distinct(row: Row): number {
  return new Set(row.filter(cell => cell !== '')).size
}
