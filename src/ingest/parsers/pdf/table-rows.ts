import type { Box } from '../../block.ts'
import type { Segment } from './lines.ts'

/** In em: a line closer than this continues the row above, if it has text in few columns. */
export const WRAP_GAP = 1.4
/** Rows are this much further from each other than the lines of one cell, where cells have several. */
const ROOM_BETWEEN_ROWS = 1.2

/** In em, from baseline to baseline. */
export function gapBetween(above: readonly Segment[], below: readonly Segment[]): number {
  return (below[0]!.baseline - above[0]!.baseline) / below[0]!.size
}

/** Group the lines of rows: by the room between rows where that is wider, else by what lacks the first column. */
export function rowGroups(rows: readonly Segment[][]): Segment[][][] {
  const gaps = rows.slice(1).map((row, index) => gapBetween(rows[index]!, row))
  const least = Math.min(...gaps)
  const grouped: Segment[][][] = []
  for (const [index, row] of rows.entries()) {
    if (index > 0 && gaps[index - 1]! < least * ROOM_BETWEEN_ROWS) grouped.at(-1)!.push(row)
    else grouped.push([row])
  }
  const isMeant = grouped.length > 1 && grouped.every(lines => lines.filter(row => row.length > 1).length <= 1)
  return isMeant && grouped.length < rows.length ? grouped : withWrapped(rows)
}

/** One that lacks the first column and follows closely continues the row above. */
function withWrapped(rows: readonly Segment[][]): Segment[][][] {
  const first = Math.min(...rows.map(row => row[0]!.x0))
  const grouped: Segment[][][] = []
  for (const [index, row] of rows.entries()) {
    const previous = rows[index - 1]
    const isBelow = previous && gapBetween(previous, row) < WRAP_GAP
    const isPartial = row.length === 1 && row[0]!.x0 > first + row[0]!.size
    if (isBelow && isPartial) grouped.at(-1)!.push(row)
    else grouped.push([row])
  }
  return grouped
}

type GridRow = { readonly cells: readonly string[]; readonly box: Box }

/** A head that stands beside its column, as over numbers set to the right, is brought over it. */
export function withoutShiftedHeads(grid: readonly GridRow[]): readonly GridRow[] {
  const [head, ...body] = grid
  if (!head || body.length === 0) return grid
  const isHeadOnly = (column: number) => head.cells[column] !== '' && body.every(row => row.cells[column] === '')
  const isHeadless = (column: number) => head.cells[column] === '' && body.some(row => row.cells[column] !== '')
  const shifted = head.cells.flatMap((_, column) => {
    const beside = [column + 1, column - 1].find(other => isHeadOnly(column) && isHeadless(other))
    return beside === undefined ? [] : [{ column, beside }]
  })
  const taken = new Map(shifted.map(({ column, beside }) => [beside, head.cells[column]!]))
  const gone = new Set(shifted.map(({ column }) => column))
  return [{ ...head, cells: head.cells.map((cell, column) => taken.get(column) ?? cell) }, ...body].map(row => ({
    ...row,
    cells: row.cells.filter((_, column) => !gone.has(column)),
  }))
}
