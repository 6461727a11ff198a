import { getItem, getLast } from '../../../../../system/items.ts'
import {
  type Fragment,
  joinSegments,
  type Segment,
  splitSegments,
  toRows,
  toSegments,
} from '../lines.ts'
import { CELL_GAP } from './aligned-tables.ts'
import { splitAtLines } from './parted-fragments.ts'
import { type Area, findCentre, findInterval, type Grid, type Region } from './ruled-grid.ts'
import type { Span } from './table.ts'
import { findInnerColumns, isBrokenByWidth, isValue } from './unruled-rows.ts'

/** Points that text may reach over a line, so that it does not count as crossing. */
const OVERHANG = 2
const SAME_BASELINE = 2
/** Lines of a framed text, so that a cell over several rows and columns is none. */
const MIN_TEXT_LINES = 4

export type DrawnCell = Area & { readonly rows: readonly (readonly Segment[])[] }

export type Column = { readonly span: Span; readonly isDrawn: boolean }

export type Cell = Area & {
  readonly lines: readonly Segment[]
  readonly scattered: number
  readonly isWide: boolean
}

type Part = Area & { readonly segments: readonly Segment[] }

export function readCells(
  grid: Grid,
  fragments: readonly Fragment[],
): { cells: readonly DrawnCell[]; texts: readonly Segment[] } {
  const regions = fillRegions(grid, fragments)
  const baselines = new Baselines(regions)
  const cells: DrawnCell[] = []
  const texts: Segment[] = []
  for (const region of regions) {
    const parts = splitRegion(grid, region, baselines)
    if (parts)
      cells.push(...parts.map(({ segments, ...area }) => ({ ...area, rows: toRows(segments) })))
    else texts.push(...region.segments)
  }
  return { cells, texts }
}

function fillRegions(grid: Grid, fragments: readonly Fragment[]): (Region & Part)[] {
  const regions = grid.findRegions()
  const contents = new Map<Region, Fragment[]>()
  for (const piece of fragments.flatMap(fragment => splitFragment(grid, fragment))) {
    const region = getItem(regions, grid.toIndex(grid.findPlace(...findCentre(piece))))
    const inside = contents.get(region)
    if (inside) inside.push(piece)
    else contents.set(region, [piece])
  }
  return [...contents].map(([region, inside]) => ({ ...region, segments: toSegments(inside) }))
}

function splitFragment(grid: Grid, fragment: Fragment): readonly Fragment[] {
  return splitAtLines(fragment, grid.findUprightLines(grid.findPlace(...findCentre(fragment)).row))
}

/** Returns undefined for a framed text or the space between boxes. */
function splitRegion(
  grid: Grid,
  region: Region & Part,
  baselines: Baselines,
): readonly Part[] | undefined {
  const isColumns = isInColumns(grid, region)
  const columns = isColumns ? splitPart(grid, region, 'column') : [region]
  const rows = toRows(region.segments)
  if (!region.isRectangle) {
    if (isColumns || rows.length === 1) return splitPart(grid, region, 'place')
    return undefined
  }
  const isText =
    region.right - region.left > 1 &&
    region.bottom - region.top > 1 &&
    rows.length >= MIN_TEXT_LINES
  if (isText && !isColumns) return undefined
  return columns.flatMap(part =>
    isInRows(grid, part, baselines) ? splitPart(grid, part, 'row') : [part],
  )
}

/** No segment may cross a line, and most rows need several segments. */
function isInColumns(grid: Grid, { left, right, segments }: Part): boolean {
  const lines = grid.xs.slice(left + 1, right)
  if (lines.length === 0 || segments.some(({ x0, x1 }) => isCrossing(lines, x0, x1))) return false
  const rows = toRows(segments)
  const findColumn = ({ x0, x1 }: Segment) => findInterval(grid.xs, (x0 + x1) / 2)
  return rows.filter(row => new Set(row.map(findColumn)).size > 1).length * 2 >= rows.length
}

/** Each row needs a line on its baseline; wrapped text has none. */
function isInRows(grid: Grid, part: Part, baselines: Baselines): boolean {
  const { top, bottom, right, segments } = part
  const edges = grid.ys.slice(top + 1, bottom)
  if (
    edges.length === 0 ||
    segments.some(segment => isCrossing(edges, segment.top, segment.bottom))
  )
    return false
  if (!segments.every(segment => baselines.hasNeighbour(segment, part))) return false
  const filled = new Set(
    segments.map(segment => findInterval(grid.ys, (segment.top + segment.bottom) / 2)),
  )
  if (filled.size < bottom - top) return false
  const rows = toRows(segments)
  const lines = rows.map(joinSegments)
  const isTable = rows.filter(row => row.length > 1).length * 2 >= rows.length
  return isTable || lines.every(isValue) || !isBrokenByWidth({ lines, x1: getItem(grid.xs, right) })
}

function isCrossing(lines: readonly number[], from: number, to: number): boolean {
  return lines.some(line => from + OVERHANG < line && line < to - OVERHANG)
}

function splitPart(grid: Grid, part: Part, by: 'column' | 'row' | 'place'): Part[] {
  const parts = new Map<number, { area: Area; segments: Segment[] }>()
  for (const segment of part.segments) {
    const place = grid.findPlace(...findCentre(segment))
    const { top, bottom, left, right } = part
    const rows = by === 'column' ? { top, bottom } : { top: place.row, bottom: place.row + 1 }
    const columns = by === 'row' ? { left, right } : { left: place.column, right: place.column + 1 }
    const key = grid.toIndex({ row: rows.top, column: columns.left })
    const found = parts.get(key)
    if (found) found.segments.push(segment)
    else parts.set(key, { area: { ...rows, ...columns }, segments: [segment] })
  }
  return [...parts.values()].map(({ area, segments }) => ({ ...area, segments }))
}

class Baselines {
  readonly #columns = new Map<number, Set<number>>()

  constructor(parts: readonly Part[]) {
    for (const { left, segments } of parts) {
      for (const { baseline } of segments) {
        const columns = this.#columns.get(Math.round(baseline / SAME_BASELINE)) ?? new Set()
        this.#columns.set(Math.round(baseline / SAME_BASELINE), columns.add(left))
      }
    }
  }

  hasNeighbour({ baseline }: Segment, { left, right }: Area): boolean {
    const nearest = Math.round(baseline / SAME_BASELINE)
    const columns = [-1, 0, 1].flatMap(step => [...(this.#columns.get(nearest + step) ?? [])])
    return columns.some(column => column < left || column >= right)
  }
}

export function findColumns(
  grid: Grid,
  drawn: readonly DrawnCell[],
): { columns: readonly Column[]; cells: readonly Cell[] } {
  const starts: number[] = []
  const columns: Column[] = []
  for (let column = 0; column < grid.width; column++) {
    starts.push(columns.length)
    columns.push(...divideColumn(grid, column, drawn))
  }
  starts.push(columns.length)
  const measureWidth = (cell: Area) => cell.right - cell.left
  const widest = Math.max(...drawn.map(measureWidth))
  const others = drawn.filter(cell => measureWidth(cell) < widest)
  const first = Math.min(...others.map(({ left }) => left))
  const end = Math.max(...others.map(({ right }) => right))
  const isWide = (cell: Area) => measureWidth(cell) > 1 && cell.left <= first && cell.right >= end
  const leftmost = Math.min(...drawn.filter(cell => !isWide(cell)).map(({ left }) => left))
  const cells = drawn.flatMap((cell): Cell[] => {
    const area = { ...cell, left: getItem(starts, cell.left), right: getItem(starts, cell.right) }
    if (measureWidth(cell) === 1) return divideCell(area, columns)
    const left = isWide(cell) ? (starts[leftmost] ?? area.left) : area.left
    return [toCell({ ...area, left }, isWide(cell))]
  })
  return { columns, cells }
}

function divideColumn(grid: Grid, column: number, drawn: readonly DrawnCell[]): Column[] {
  const x0 = getItem(grid.xs, column)
  const x1 = getItem(grid.xs, column + 1)
  const rows = drawn.flatMap(cell =>
    cell.left === column && cell.right === column + 1 ? cell.rows : [],
  )
  const spans = findInnerColumns(rows)
  if (spans.length < 2) return [{ span: [x0, x1], isDrawn: true }]
  const edges = [
    x0,
    ...spans.slice(1).map(([start], index) => (start + getItem(spans, index)[1]) / 2),
    x1,
  ]
  return spans.map((_, index) => ({
    span: [getItem(edges, index), getItem(edges, index + 1)],
    isDrawn: false,
  }))
}

function divideCell({ rows, ...area }: DrawnCell, columns: readonly Column[]): Cell[] {
  const inner = columns.slice(area.left, area.right)
  if (inner.length === 1) return [toCell({ ...area, rows }, false)]
  const edges = [...inner.map(({ span: [x0] }) => x0), getLast(inner).span[1]]
  const parts = rows.map(row => splitSegments(row, CELL_GAP))
  return inner.flatMap((_, index): Cell[] => {
    const isInside = (segment: Segment) => findInterval(edges, findCentre(segment)[0]) === index
    const lines = parts.map(row => row.filter(isInside)).filter(row => row.length > 0)
    const left = area.left + index
    if (lines.length === 0) return []
    return [
      {
        ...area,
        left,
        right: left + 1,
        lines: lines.map(joinSegments),
        scattered: 0,
        isWide: false,
      },
    ]
  })
}

function toCell({ rows, ...area }: DrawnCell, isWide: boolean): Cell {
  const scattered = rows.filter(
    row => row.filter(({ text }) => /[\p{L}\p{N}]/u.test(text)).length > 1,
  ).length
  return { ...area, lines: rows.map(joinSegments), scattered, isWide }
}
