import { getFirst, getItem, getLast } from '../../../../../system/items.ts'
import { findBoundingBox, type Segment, splitSegments } from '../lines.ts'
import type { PrintedWords } from '../printed-words.ts'
import { findCharts } from './chart-axes.ts'
import type { Enclosures } from './enclosures.ts'
import {
  continuesLabel,
  groupRows,
  isOver,
  LINE_HEIGHT,
  measureGap,
  SAME_PLACE,
  WRAP_GAP,
} from './group-rows.ts'
import {
  chooseRepeated,
  type GridRow,
  isBold,
  joinCellLines,
  MAX_REPEATED,
  makeTable,
  type PdfTable,
  type Span,
} from './table.ts'

type Flow = { readonly rows: readonly Segment[][] } | { readonly table: PdfTable }

/**
 * Em between rows, so that two tables are not joined; the next is for forms, whose cells are at
 * the same places.
 */
const MAX_ROW_GAP = 2.5
const MAX_ALIKE_GAP = 4
/**
 * Points between columns, so that wide spaces part none; the next is for rows split at narrow
 * gaps.
 */
const MIN_COLUMN_GAP = 4
const FINE_COLUMN_GAP = 1.5
/** Share of rows that cross a gap, so that headings may lie over several columns. */
const MAX_CROSSING = 0.15
const MIN_ROWS = 3
/** Maximum rows of a head, so that text above a table stays text. */
const MAX_HEADS = 3
/** Em. */
export const CELL_GAP = 0.35

/** Em from a number or bullet to its item. */
const LABEL_GAP = 3

const LEADERS = /[.·…]{4,}|(?:\. ){4,}/
const TRAILING_LEADERS = /\s*(?:[.·…]{4,}|(?:\. ){4,}\.?)$/
const LABEL = /^(\S{0,4}[.)、）]|[•·●○▪■–—*-]|\d+(\.\d+)*)$/

const MAX_WRAPPED_LINES = 50
/** Characters. */
const MIN_REPEATED = 50
/** Share of a column. */
const COVERED = 0.6

export function findAlignedTables(
  rows: readonly Segment[][],
  words: PrintedWords,
  enclosures: Enclosures,
): Flow[] {
  const flows: Flow[] = []
  let text: Segment[][] = []
  let start = 0
  const charts = findCharts(rows)
  while (start < rows.length) {
    const chart = charts.find(range => range.end > start)
    if (chart && chart.start <= start) {
      text.push(...rows.slice(start, chart.end))
      start = chart.end
      continue
    }
    const end = findRunEnd(rows.slice(0, chart?.start), start, enclosures)
    const table = end - start >= 2 ? buildAlignedTable(rows.slice(start, end), words) : undefined
    if (table) {
      if (text.length > 0) flows.push({ rows: text })
      text = []
      flows.push({ table })
      start = end
    } else text.push(getItem(rows, start++))
  }
  if (text.length > 0) flows.push({ rows: text })
  return flows
}

function findRunEnd(rows: readonly Segment[][], start: number, enclosures: Enclosures): number {
  if (getItem(rows, start).length < 2 || isNoTableRow(getItem(rows, start))) return start
  let end = start + 1
  let lastFull = end
  for (; end < rows.length; end++) {
    const row = getItem(rows, end)
    const maxGap = isAlike(getItem(rows, end - 1), row) ? MAX_ALIKE_GAP : MAX_ROW_GAP
    if (measureGap(getItem(rows, end - 1), row) > maxGap || isNoTableRow(row)) break
    if (row.length > 1 || isBeside(getItem(rows, end - 1), row)) lastFull = end + 1
    else if (!fitsColumn(getFirst(row), rows.slice(start, lastFull)) || end - lastFull >= 3) break
  }
  return findWrappedEnd(rows, [start, lastFull], enclosures)
}

function isAlike(above: readonly Segment[], below: readonly Segment[]): boolean {
  if (above.length < 2 || above.length !== below.length) return false
  const isNear = (a: number, b: number) => Math.abs(a - b) < SAME_PLACE
  return above.every(
    ({ x0, x1 }, index) =>
      isNear(x0, getItem(below, index).x0) || isNear(x1, getItem(below, index).x1),
  )
}

/** Texts may be side by side without a common baseline. */
function isBeside(above: readonly Segment[], below: readonly Segment[]): boolean {
  return (
    measureGap(above, below) < LINE_HEIGHT &&
    !above.some(segment => below.some(other => isOver(segment, other)))
  )
}

function findWrappedEnd(
  rows: readonly Segment[][],
  [start, lastFull]: readonly [number, number],
  enclosures: Enclosures,
): number {
  const body = rows.slice(start, lastFull)
  const last = Math.min(rows.length, lastFull + MAX_WRAPPED_LINES)
  let end = lastFull
  const secondColumn = getItem(getFirst(body), 1).x0
  for (; end < last; end++) {
    const above = getItem(rows, end - 1)
    const row = getItem(rows, end)
    const [only, ...others] = row
    if (!only || others.length > 0) break
    if (measureGap(above, row) >= WRAP_GAP || !fitsColumn(only, body)) break
    const isLabel = only.x0 < secondColumn - 2
    const isOverlapping = measureGap(above, row) < LINE_HEIGHT
    const isContinued = isOverlapping || continuesLabel(getLast(body), row, { maxGap: WRAP_GAP })
    if (isLabel && !isContinued && !enclosures.hasInside(only, rows.slice(start, end))) break
  }
  return end
}

/** Leaders before figures of several columns are in a table. */
function isNoTableRow(row: readonly Segment[]): boolean {
  const leading = row.findIndex(segment => LEADERS.test(segment.text))
  if (leading >= 0) return row.length - leading < 3
  const [label, text, ...others] = row
  if (!label || !text || others.length > 0) return false
  return LABEL.test(label.text) && text.x0 - label.x1 < label.size * LABEL_GAP
}

/** A lone segment must not cross a gap that all rows share. */
function fitsColumn(segment: Segment, rows: readonly Segment[][]): boolean {
  const columns = findColumnSpans(rows)
  const touched = columns.filter(([x0, x1]) => segment.x0 < x1 && segment.x1 > x0)
  return touched.length <= 1
}

/** Heads that lie over several columns join none. */
function findColumnSpans(rows: readonly Segment[][], minGap = MIN_COLUMN_GAP): readonly Span[] {
  return findUncrossedSpans(omitHeads(rows), minGap)
}

function findUncrossedSpans(rows: readonly Segment[][], minGap: number): readonly Span[] {
  const full = rows.filter(row => row.length > 1)
  const allowed = Math.floor(full.length * MAX_CROSSING)
  const edges = full.flatMap(row =>
    row.flatMap(({ x0, x1 }) => [
      { x: x0, step: 1 },
      { x: x1, step: -1 },
    ]),
  )
  edges.sort((a, b) => a.x - b.x || b.step - a.step)
  const columns: Span[] = []
  let depth = 0
  let start: number | undefined
  for (const { x, step } of edges) {
    depth += step
    if (depth > allowed) start ??= x
    else if (start !== undefined) {
      columns.push([start, x])
      start = undefined
    }
  }
  return joinNear(columns, minGap)
}

function omitHeads(rows: readonly Segment[][]): readonly Segment[][] {
  const heads = rows.findIndex(hasFigure)
  const body = rows.slice(heads)
  const isTable =
    heads > 0 && heads <= MAX_HEADS && body.length >= MIN_ROWS && body.every(hasFigure)
  return isTable ? body : rows
}

function hasFigure(row: readonly Segment[]): boolean {
  return row.length > 1 && row.slice(1).some(({ text }) => /\p{N}/u.test(text))
}

function joinNear(columns: readonly Span[], minGap: number): Span[] {
  const joined: Span[] = []
  for (const [x0, x1] of columns) {
    const last = joined.at(-1)
    if (last && x0 - last[1] < minGap) joined[joined.length - 1] = [last[0], x1]
    else joined.push([x0, x1])
  }
  return joined
}

function buildAlignedTable(
  coarse: readonly Segment[][],
  words: PrintedWords,
): PdfTable | undefined {
  const rows = splitRows(coarse)
  const found = findTextColumns(rows, rows === coarse ? MIN_COLUMN_GAP : FINE_COLUMN_GAP)
  if (!found) return undefined
  const { columns, full } = found
  if (full.length < rows.length * 0.3 || isProse(rows)) return undefined
  const places = new Map(rows.flat().map(segment => [segment, placeSegment(segment, columns)]))
  const characters = rows.flat().reduce((sum, { text }) => sum + text.length, 0)
  const maxAdded = Math.max(MIN_REPEATED, MAX_REPEATED * characters)
  const repeated = chooseRepeated([...places.values()], maxAdded)
  const grid = groupRows(rows).map(lines => {
    const isWithin = (segment: Segment, column: number) => {
      const place = places.get(segment)
      return place?.column === column || (place && repeated.has(place) && place.covered.has(column))
    }
    const cells = columns.map((_, column) =>
      joinCellLines(
        lines.flat().filter(segment => isWithin(segment, column)),
        words,
      ).replace(TRAILING_LEADERS, ''),
    )
    return { cells, box: findBoundingBox(lines.flat()), isBold: isBold(lines.flat()) }
  })
  return makeTable(alignShiftedHead(grid), { columns, isDrawn: false })
}

/** `full`: rows with several parts. */
export type TextColumns = { readonly columns: readonly Span[]; readonly full: readonly Segment[][] }

export function findTextColumns(
  rows: readonly Segment[][],
  minGap = MIN_COLUMN_GAP,
): TextColumns | undefined {
  const columns = findColumnSpans(rows, minGap)
  const full = rows.filter(row => row.length > 1)
  if (columns.length < 2 || full.length < (columns.length > 2 ? MIN_ROWS - 1 : MIN_ROWS))
    return undefined
  return { columns, full }
}

/** Splits cells nearly as close as words, if every row leaves the space between them free. */
export function splitRows(rows: readonly Segment[][]): readonly Segment[][] {
  const fine = rows.map(row => splitSegments(row, CELL_GAP))
  const before = findColumnSpans(rows)
  const after = findColumnSpans(fine, FINE_COLUMN_GAP)
  const body = omitHeads(fine).flat()
  const isCrossed = ([x0, x1]: Span) => body.some(part => part.x0 < x0 && part.x1 > x1)
  const gaps = after.slice(1).map(([x0], index): Span => [getItem(after, index)[1], x0])
  return after.length > before.length && !gaps.some(isCrossed) ? fine : rows
}

function isProse(rows: readonly Segment[][]): boolean {
  const isLong = ({ text, x0, x1, size }: Segment) => x1 - x0 > size * 25 && !LEADERS.test(text)
  const long = rows.filter(row => row.some(isLong))
  return long.length > rows.length * 0.5
}

type Place = {
  readonly column: number
  readonly covered: ReadonlySet<number>
  /** Characters, if it is repeated in all columns that it covers. */
  readonly added: number
}

function placeSegment(segment: Segment, columns: readonly Span[]): Place {
  const overlaps = columns.map(([x0, x1]) => Math.min(segment.x1, x1) - Math.max(segment.x0, x0))
  const shares = columns.map(([x0, x1], column) => getItem(overlaps, column) / (x1 - x0))
  const isBetween = overlaps.every(overlap => overlap <= 0)
  const best = isBetween
    ? overlaps.indexOf(Math.max(...overlaps))
    : shares.indexOf(Math.max(...shares))
  const covered = new Set([...columns.keys()].filter(column => getItem(shares, column) > COVERED))
  return {
    column: best,
    covered,
    added: segment.text.length * (new Set([...covered, best]).size - 1),
  }
}

/** Moves a head beside its column, as over right-aligned numbers, into it. */
function alignShiftedHead(grid: readonly GridRow[]): readonly GridRow[] {
  const [head, ...body] = grid
  if (!head || body.length === 0) return grid
  const isHeadOnly = (column: number) =>
    head.cells[column] !== '' && body.every(row => row.cells[column] === '')
  const isHeadless = (column: number) =>
    head.cells[column] === '' && body.some(row => row.cells[column] !== '')
  const shifted = head.cells.flatMap((_, column) => {
    const beside = [column + 1, column - 1].find(other => isHeadOnly(column) && isHeadless(other))
    return beside === undefined ? [] : [{ column, beside }]
  })
  const movedCells = new Map(
    shifted.map(({ column, beside }) => [beside, getItem(head.cells, column)]),
  )
  const emptied = new Set(shifted.map(({ column }) => column))
  const cells = head.cells.map(
    (cell, column) => movedCells.get(column) ?? (emptied.has(column) ? '' : cell),
  )
  return [{ ...head, cells }, ...body]
}
