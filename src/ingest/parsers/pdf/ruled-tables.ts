import type { Box } from '../../block.ts'
import { type Fragment, type Segment, toRows, toSegments } from './lines.ts'
import { partedAt } from './parted-fragments.ts'
import type { PrintedWords } from './printed-words.ts'
import type { Rule } from './rules.ts'
import { cellText, type GridRow, isBold, makeTable, type PdfTable } from './table.ts'

/** Lines this close, in points, are the same or touch. */
const TOLERANCE = 3
/** A grid finer than this is a drawing. */
const MAX_LINES = 300

/** Lines that touch each other, directly or through others. */
type Grid = { readonly xs: readonly number[]; readonly ys: readonly number[]; readonly rules: readonly Rule[] }

/** Tables whose cells are drawn, and the fragments that are in none of them. */
export function ruledTables(
  rules: readonly Rule[],
  fragments: readonly Fragment[],
  words: PrintedWords,
): { tables: readonly PdfTable[]; rest: readonly Fragment[] } {
  const tables: PdfTable[] = []
  let rest = fragments
  for (const grid of grids(rules)) {
    const inside = rest.filter(fragment => isInside(fragment, grid))
    const table = tableOf(grid, inside, words)
    if (!table) continue
    tables.push(table)
    const taken = new Set(inside)
    rest = rest.filter(fragment => !taken.has(fragment))
  }
  return { tables, rest }
}

function grids(rules: readonly Rule[]): Grid[] {
  return connected(merged(rules))
    .map(group => {
      const [flat, upright] = [group.filter(isFlat), group.filter(rule => !isFlat(rule))]
      const xs = distinct([...upright.map(rule => rule.x0), ...flat.flatMap(rule => [rule.x0, rule.x1])])
      const ys = distinct([...flat.map(rule => rule.y0), ...upright.flatMap(rule => [rule.y0, rule.y1])])
      return { xs, ys, rules: group }
    })
    .filter(({ xs, ys }) => xs.length > 2 && ys.length > 2 && xs.length < MAX_LINES && ys.length < MAX_LINES)
    .sort((a, b) => area(a) - area(b))
}

function area({ xs, ys }: Grid): number {
  return (xs.at(-1)! - xs[0]!) * (ys.at(-1)! - ys[0]!)
}

function isFlat(rule: Rule): boolean {
  return rule.y0 === rule.y1
}

/** Lines that continue each other as one: borders are often drawn cell by cell. */
function merged(rules: readonly Rule[]): Rule[] {
  const turn = ({ x0, y0, x1, y1 }: Rule): Rule => ({ x0: y0, y0: x0, x1: y1, y1: x1 })
  const flat = mergedFlat(rules.filter(isFlat))
  const upright = mergedFlat(rules.filter(rule => !isFlat(rule)).map(turn)).map(turn)
  return [...flat, ...upright]
}

function mergedFlat(rules: readonly Rule[]): Rule[] {
  const result: Rule[] = []
  for (const rule of [...rules].sort((a, b) => Math.round(a.y0) - Math.round(b.y0) || a.x0 - b.x0)) {
    const last = result.at(-1)
    const continues = last && Math.abs(last.y0 - rule.y0) < TOLERANCE / 2 && rule.x0 <= last.x1 + TOLERANCE
    if (continues) result[result.length - 1] = { ...last, x1: Math.max(last.x1, rule.x1) }
    else result.push(rule)
  }
  return result
}

/** Groups of lines that touch, by spreading from one to the next. */
function connected(rules: readonly Rule[]): Rule[][] {
  const groups: Rule[][] = []
  let left = rules
  while (left.length > 0) {
    const group = [left[0]!]
    let rest = left.slice(1)
    for (let index = 0; index < group.length; index++) {
      const touching = rest.filter(rule => touch(group[index]!, rule))
      if (touching.length === 0) continue
      group.push(...touching)
      rest = rest.filter(rule => !touching.includes(rule))
    }
    groups.push(group)
    left = rest
  }
  return groups
}

function touch(a: Rule, b: Rule): boolean {
  const isX = a.x0 <= b.x1 + TOLERANCE && b.x0 <= a.x1 + TOLERANCE
  return isX && a.y0 <= b.y1 + TOLERANCE && b.y0 <= a.y1 + TOLERANCE
}

/** Sorted, and those within tolerance as one. */
function distinct(values: readonly number[]): number[] {
  const result: number[] = []
  for (const value of [...values].sort((a, b) => a - b)) {
    if (value - (result.at(-1) ?? -Infinity) > TOLERANCE) result.push(value)
  }
  return result
}

function isInside(fragment: Fragment, { xs, ys }: Grid): boolean {
  const [x, y] = centre(fragment)
  return x > xs[0]! && x < xs.at(-1)! && y > ys[0]! && y < ys.at(-1)!
}

function centre({ x0, x1, top, bottom }: Fragment): readonly [number, number] {
  return [(x0 + x1) / 2, (top + bottom) / 2]
}

function tableOf(grid: Grid, fragments: readonly Fragment[], words: PrintedWords): PdfTable | undefined {
  const [columns, height] = [grid.xs.length - 1, grid.ys.length - 1]
  const cellOf = mergedCells(grid)
  const contents = new Map<number, Fragment[]>()
  for (const fragment of fragments.flatMap(one => partedAt(one, linesAcross(grid, one)))) {
    const [x, y] = centre(fragment)
    const cell = cellOf(indexOf(grid.ys, y), indexOf(grid.xs, x))
    contents.set(cell, [...(contents.get(cell) ?? []), fragment])
  }
  if (contents.size < 3) return undefined
  const lines = new Map([...contents].map(([cell, inside]) => [cell, toRows(toSegments(inside)).flat()]))
  const rows = Array.from({ length: height }, (_, row) =>
    unruledRows(
      Array.from({ length: columns }, (_, column) => lines.get(cellOf(row, column)) ?? []),
      { box: rowBox(grid, row), words },
    ),
  )
  const places = grid.xs.slice(1).map((x1, at) => [grid.xs[at]!, x1] as const) // one fewer than lines
  return makeTable(rows.flat(), { columns: places, isDrawn: true })
}

/** Of the lines between columns those that are drawn beside a fragment. */
function linesAcross(grid: Grid, fragment: Fragment): readonly number[] {
  const row = indexOf(grid.ys, centre(fragment)[1])
  return grid.xs.slice(1, -1).filter((_, at) => isDrawn(grid, 'left', row, at + 1))
}

function indexOf(edges: readonly number[], value: number): number {
  return edges.findLastIndex(edge => edge <= value)
}

function rowBox({ xs, ys }: Grid, row: number): Box {
  return [xs[0]!, ys[row]!, xs.at(-1)!, ys[row + 1]!]
}

/**
 * A row as drawn, or, where only the columns are drawn and every cell has the same number of lines on the same
 * baselines, the rows that were meant.
 */
function unruledRows(
  cells: readonly (readonly Segment[])[],
  { box, words }: { readonly box: Box; readonly words: PrintedWords },
): GridRow[] {
  const filled = cells.filter(cell => cell.length > 0)
  const [first] = filled
  const isRagged = !first || filled.some(cell => cell.length !== first.length || !sameBaselines(cell, first))
  if (isRagged || filled.length < 2 || first.length < 3)
    return [{ cells: cells.map(cell => cellText(cell, words)), box, isBold: isBold(cells.flat()) }]
  return first.map((line, index) => ({
    cells: cells.map(cell => cell[index]?.text ?? ''),
    box: [box[0], line.top, box[2], line.bottom],
    isBold: isBold(cells.flatMap(cell => cell[index] ?? [])),
  }))
}

function sameBaselines(a: readonly Segment[], b: readonly Segment[]): boolean {
  return a.every((line, index) => Math.abs(line.baseline - b[index]!.baseline) < TOLERANCE)
}

/** Number of the cell at a row and column; places with no line between them are one cell. */
function mergedCells(grid: Grid): (row: number, column: number) => number {
  const [columns, height] = [grid.xs.length - 1, grid.ys.length - 1]
  const parent = Array.from({ length: columns * height }, (_, index) => index)
  const root = (index: number): number => (parent[index] === index ? index : root(parent[index]!))
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < columns; column++) {
      const here = row * columns + column
      if (column > 0 && !isDrawn(grid, 'left', row, column)) parent[root(here)] = root(here - 1)
      if (row > 0 && !isDrawn(grid, 'top', row, column)) parent[root(here)] = root(here - columns)
    }
  }
  return (row, column) => root(Math.min(row, height - 1) * columns + Math.min(column, columns - 1))
}

/** Whether a line runs along the middle of a side of a place. */
function isDrawn({ xs, ys, rules }: Grid, side: 'left' | 'top', row: number, column: number): boolean {
  const x = side === 'left' ? xs[column]! : (xs[column]! + xs[column + 1]!) / 2
  const y = side === 'top' ? ys[row]! : (ys[row]! + ys[row + 1]!) / 2
  return rules.some(rule => {
    if (isFlat(rule) !== (side === 'top')) return false
    return x >= rule.x0 - TOLERANCE && x <= rule.x1 + TOLERANCE && y >= rule.y0 - TOLERANCE && y <= rule.y1 + TOLERANCE
  })
}
