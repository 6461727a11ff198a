import type { Box } from '../../../../block.ts'
import { boxAround, type Segment } from '../lines.ts'
import type { PrintedWords } from '../printed-words.ts'
import type { Cell, Column } from './ruled-cells.ts'
import type { Grid } from './ruled-grid.ts'
import { cellText, type GridRow, isBold, makeTable, type PdfTable } from './table.ts'
import { splitRow } from './unruled-rows.ts'

/** Maximum growth of a table's text by repeated merged cells, as a share. */
const MAX_REPEATED = 0.5

/** Maximum number of drawn rows in a table of a head and a body without lines between its rows. */
const MAX_UNRULED_ROWS = 2

/** Cells in a range of drawn rows; the end is exclusive. */
export type Layout = {
  readonly grid: Grid
  readonly columns: readonly Column[]
  readonly cells: readonly Cell[]
  readonly rows: readonly [number, number]
}

/** Row of a table, and the drawn row that contains it. */
type Row = {
  readonly drawn: number
  readonly box: Box
  readonly cells: string[]
  readonly lines: Segment[]
}

/** Builds a table. Returns undefined if its cells contain too little. */
export function buildTable(layout: Layout, words: PrintedWords): PdfTable | undefined {
  const merged = layout.cells.filter(cell => !isSingle(cell))
  const rows = buildRows(layout, words)
  writeMerged(rows, merged, words)
  const grid = rows.map(({ cells, box, lines }): GridRow => ({ cells, box, isBold: isBold(lines) }))
  const isDrawn = layout.columns.every(column => column.isDrawn)
  return makeTable(grid, { columns: layout.columns.map(({ span }) => span), isDrawn })
}

function isSingle({ top, bottom, left, right }: Cell): boolean {
  return bottom - top === 1 && right - left === 1
}

/** Builds rows from the cells that cover one row and column. */
function buildRows(
  { grid, columns, cells, rows: [start, end] }: Layout,
  words: PrintedWords,
): Row[] {
  const rows: Row[] = []
  const filled = new Set(cells.map(cell => cell.top))
  const body = filled.size <= MAX_UNRULED_ROWS ? Math.max(...filled) : undefined
  for (let drawn = start; drawn < end; drawn++) {
    const inside = cells.filter(cell => cell.top === drawn && isSingle(cell))
    const open = inside.map(({ lines, right }) => ({ lines, x1: columns[right - 1]!.span[1] }))
    const groups = splitRow(open, { isBody: drawn === body })
    for (const lines of groups) {
      const members = new Set(lines)
      const texts = columns.map((_, column) => {
        const own = inside.filter(cell => cell.left === column).flatMap(cell => cell.lines)
        return cellText(
          own.filter(line => members.has(line)),
          words,
        )
      })
      rows.push({
        drawn,
        box: groups.length > 1 ? boxAround(lines) : toRowBox(grid, drawn),
        cells: texts,
        lines,
      })
    }
  }
  return rows
}

function toRowBox({ xs, ys }: Grid, row: number): Box {
  return [xs[0]!, ys[row]!, xs.at(-1)!, ys[row + 1]!]
}

/** Writes each merged cell into its first place, and into its other places while the growth stays below the maximum, shortest first. */
function writeMerged(rows: readonly Row[], merged: readonly Cell[], words: PrintedWords): void {
  const labels = merged.map(cell => {
    const all = rows.filter(({ drawn }) => drawn >= cell.top && drawn < cell.bottom)
    const filled = all.filter(({ lines }) => lines.length > 0)
    const covered = filled.length > 0 ? filled : all
    const places = covered.length * (cell.right - cell.left)
    const text = cellText(cell.lines, words)
    return { cell, covered, text, added: text.length * (places - 1) }
  })
  const written = rows.flatMap(row => row.cells).concat(labels.map(({ text }) => text))
  let left = MAX_REPEATED * written.reduce((sum, text) => sum + text.length, 0)
  for (const { cell, covered, text, added } of labels.toSorted((a, b) => a.added - b.added)) {
    const isRepeated = !cell.isWide && added <= left
    if (isRepeated) left -= added
    covered[0]?.lines.push(...cell.lines)
    for (const row of isRepeated ? covered : covered.slice(0, 1)) {
      const end = isRepeated ? cell.right : cell.left + 1
      for (let column = cell.left; column < end; column++)
        row.cells[column] = [row.cells[column], text].join(' ').trim()
    }
  }
}
