import { getFirst, getItem, getLast } from '../../../../../system/items.ts'
import type { Box } from '../../../../block.ts'
import { type Fragment, findBoundingBox, type Segment } from '../lines.ts'
import type { PrintedWords } from '../printed-words.ts'
import type { Rule } from '../rules.ts'
import { type Cell, type Column, type DrawnCell, findColumns, readCells } from './ruled-cells.ts'
import { findCentre, findGrids, type Grid } from './ruled-grid.ts'
import {
  chooseRepeated,
  type GridRow,
  isBold,
  joinCellLines,
  MAX_REPEATED,
  makeTable,
  measureWords,
  type PdfTable,
} from './table.ts'
import { splitRow } from './unruled-rows.ts'

/** Cells with text, so that a framed line is no table. */
const MIN_CELLS = 3

/** Share of lines with several texts, so that lines that are no column borders do not decide. */
const MAX_SCATTERED = 0.5

/** Share of a box and of boxes, more than cells of different length fill. */
const FRAMED = 0.8

type ReadGrid = { readonly tables: readonly PdfTable[]; readonly rest: readonly Fragment[] }

export function findRuledTables(
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
    const used = new Set(inside)
    rest = [...rest.filter(fragment => !used.has(fragment)), ...read.rest]
  }
  return { tables, rest }
}

function readGrid(grid: Grid, fragments: readonly Fragment[], words: PrintedWords): ReadGrid {
  const { cells: drawn, texts } = readCells(grid, fragments)
  if (isFramedText(grid, drawn)) return { tables: [], rest: fragments }
  const { columns, cells } = findColumns(grid, drawn)
  if (cells.length < MIN_CELLS || isScattered(cells)) return { tables: [], rest: fragments }
  const notes = cells.filter(cell => cell.isWide && cell.lines.length > 1)
  const tables: PdfTable[] = []
  const rest = [...texts, ...notes.flatMap(note => note.lines)]
  const edges = [0, ...notes.flatMap(({ top, bottom }) => [top, bottom]), grid.height].sort(
    (a, b) => a - b,
  )
  for (const [index, top] of edges.slice(0, -1).entries()) {
    const bottom = getItem(edges, index + 1)
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

/** Some programs draw a box around each word. Such boxes fit their words and form no columns. */
function isFramedText(grid: Grid, cells: readonly DrawnCell[]): boolean {
  const fitting = cells.filter(({ left, right, rows }) => {
    const texts = rows.flat()
    const width = Math.max(...texts.map(({ x1 }) => x1)) - Math.min(...texts.map(({ x0 }) => x0))
    return width > (getItem(grid.xs, right) - getItem(grid.xs, left)) * FRAMED
  })
  const columns = new Set(cells.map(({ left }) => left))
  return fitting.length >= cells.length * FRAMED && columns.size > cells.length / 2
}

function isScattered(cells: readonly Cell[]): boolean {
  const lines = cells.reduce((sum, cell) => sum + cell.lines.length, 0)
  return cells.reduce((sum, cell) => sum + cell.scattered, 0) > lines * MAX_SCATTERED
}

/** Drawn rows, so that a table with a line after each row is not split again. */
const MAX_UNRULED_ROWS = 2

type Layout = {
  readonly grid: Grid
  readonly columns: readonly Column[]
  readonly cells: readonly Cell[]
  readonly rows: readonly [number, number]
}

type Row = {
  readonly drawn: number
  readonly box: Box
  readonly cells: string[]
  readonly lines: Segment[]
}

function buildTable(layout: Layout, words: PrintedWords): PdfTable | undefined {
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

function buildRows(
  { grid, columns, cells, rows: [start, end] }: Layout,
  words: PrintedWords,
): Row[] {
  const rows: Row[] = []
  const filled = new Set(cells.map(cell => cell.top))
  const body = filled.size <= MAX_UNRULED_ROWS ? Math.max(...filled) : undefined
  for (let drawn = start; drawn < end; drawn++) {
    const inside = cells.filter(cell => cell.top === drawn && isSingle(cell))
    const open = inside.map(({ lines, right }) => ({
      lines,
      x1: getItem(columns, right - 1).span[1],
    }))
    const groups = splitRow(open, { isBody: drawn === body })
    for (const lines of groups) {
      const members = new Set(lines)
      const texts = columns.map((_, column) => {
        const own = inside.filter(cell => cell.left === column).flatMap(cell => cell.lines)
        return joinCellLines(
          own.filter(line => members.has(line)),
          words,
        )
      })
      rows.push({
        drawn,
        box: groups.length > 1 ? findBoundingBox(lines) : toRowBox(grid, drawn),
        cells: texts,
        lines,
      })
    }
  }
  return rows
}

function toRowBox({ xs, ys }: Grid, row: number): Box {
  return [getFirst(xs), getItem(ys, row), getLast(xs), getItem(ys, row + 1)]
}

function writeMerged(rows: readonly Row[], merged: readonly Cell[], words: PrintedWords): void {
  const labels = merged.map(cell => {
    const all = rows.filter(({ drawn }) => drawn >= cell.top && drawn < cell.bottom)
    const filled = all.filter(({ lines }) => lines.length > 0)
    const covered = filled.length > 0 ? filled : all
    const places = covered.length * (cell.right - cell.left)
    const text = joinCellLines(cell.lines, words)
    return { cell, covered, text, added: measureWords(text) * (places - 1) }
  })
  const written = rows.flatMap(row => row.cells).concat(labels.map(({ text }) => text))
  const narrow = labels.filter(({ cell }) => !cell.isWide)
  const repeated = chooseRepeated(narrow, MAX_REPEATED * measureWords(written.join(' ')))
  for (const label of labels.toSorted((a, b) => a.added - b.added)) {
    const { cell, covered, text } = label
    const isRepeated = repeated.has(label)
    covered[0]?.lines.push(...cell.lines)
    for (const row of isRepeated ? covered : covered.slice(0, 1)) {
      const end = isRepeated ? cell.right : cell.left + 1
      for (let column = cell.left; column < end; column++)
        row.cells[column] = [row.cells[column], text].join(' ').trim()
    }
  }
}
