import type { Fragment } from '../lines.ts'
import type { PrintedWords } from '../printed-words.ts'
import type { Rule } from '../rules.ts'
import { type Cell, findColumns, readCells } from './ruled-cells.ts'
import { findCentre, findGrids, type Grid } from './ruled-grid.ts'
import { buildTable, type Layout } from './ruled-rows.ts'
import type { PdfTable } from './table.ts'

/** Minimum number of cells with text in a table. */
const MIN_CELLS = 3

/** Maximum share of lines with several separate texts. With more, the drawn lines are not those of the columns. */
const MAX_SCATTERED = 0.5

type ReadGrid = { readonly tables: readonly PdfTable[]; readonly rest: readonly Fragment[] }

/** Tables whose cells are drawn, and the fragments that are in none of them. */
export function ruledTables(
  rules: readonly Rule[],
  fragments: readonly Fragment[],
  words: PrintedWords,
): ReadGrid {
  const tables: PdfTable[] = []
  let rest = fragments
  for (const grid of findGrids(rules)) {
    const inside = rest.filter(fragment => grid.hasPoint(...findCentre(fragment)))
    const read = readGrid(grid, inside, words)
    if (read.tables.length === 0) continue
    tables.push(...read.tables)
    const taken = new Set(inside)
    rest = [...rest.filter(fragment => !taken.has(fragment)), ...read.rest]
  }
  return { tables, rest }
}

/** Reads a grid as the tables above, between and below the texts that lie across it. */
function readGrid(grid: Grid, fragments: readonly Fragment[], words: PrintedWords): ReadGrid {
  const { cells: drawn, texts } = readCells(grid, fragments)
  const { columns, cells } = findColumns(grid, drawn)
  if (cells.length < MIN_CELLS || isScattered(cells)) return { tables: [], rest: fragments }
  const notes = cells.filter(cell => cell.isWide && cell.lines.length > 1)
  const tables: PdfTable[] = []
  const rest = [...texts, ...notes.flatMap(note => note.lines)]
  const edges = [0, ...notes.flatMap(({ top, bottom }) => [top, bottom]), grid.height].sort(
    (a, b) => a - b,
  )
  for (const [index, top] of edges.slice(0, -1).entries()) {
    const bottom = edges[index + 1]!
    const inside = cells.filter(
      cell => !notes.includes(cell) && cell.top >= top && cell.top < bottom,
    )
    const layout: Layout = { grid, columns, cells: inside, rows: [top, bottom] }
    const table = inside.length < MIN_CELLS ? undefined : buildTable(layout, words)
    if (table) tables.push(table)
    else rest.push(...inside.flatMap(cell => cell.lines))
  }
  return { tables, rest: rest.flatMap(line => line.fragments) }
}

function isScattered(cells: readonly Cell[]): boolean {
  const lines = cells.reduce((sum, cell) => sum + cell.lines.length, 0)
  return cells.reduce((sum, cell) => sum + cell.scattered, 0) > lines * MAX_SCATTERED
}
