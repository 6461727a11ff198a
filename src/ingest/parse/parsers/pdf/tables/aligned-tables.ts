import { boxAround, isIdeograph, type Segment, splitSegments } from '../lines.ts'
import type { PrintedWords } from '../printed-words.ts'
import type { Enclosures } from './enclosures.ts'
import { cellText, type GridRow, isBold, makeTable, type PdfTable, type Span } from './table.ts'

/** Rows of a column, in order: text to read on, or tables found by their alignment. */
type Flow = { readonly rows: readonly Segment[][] } | { readonly table: PdfTable }

/** In em: wider than this between rows, and the table has ended; between rows whose cells stand at the same places, as in forms, than that. */
const MAX_ROW_GAP = 2.5
const MAX_ALIKE_GAP = 4
/** In points: edges so near to each other are at the same place. */
const SAME_PLACE = 2
/** In points: columns nearer than this are one. */
const MIN_COLUMN_GAP = 4
const FINE_COLUMN_GAP = 1.5
/** Share of the rows that may cross a gap between two columns: headings over several of them. */
const MAX_CROSSING = 0.15
const MIN_ROWS = 3
/** In em: nearer than this is a space between words. */
export const CELL_GAP = 0.35

/** In em: text that begins further off is not what a number or a bullet stands before. */
const LABEL_GAP = 3

const LEADERS = /[.·…]{4,}|(?:\. ){4,}/
const TRAILING_LEADERS = /\s*(?:[.·…]{4,}|(?:\. ){4,}\.?)$/
const LABEL = /^(\S{0,4}[.)、）]|[•·●○▪■–—*-]|\d+(\.\d+)*)$/

/** In em: a line closer than this continues the row above, if it has text in few columns. */
const WRAP_GAP = 1.4
/** Rows are this much further from each other than the lines of one cell, where cells have several. */
const ROOM_BETWEEN_ROWS = 1.2

/** Maximum number of printed lines from a line of a cell to the next. */
const MAX_LINES_BACK = 10
/** Maximum number of lines that continue the last row of a table. */
const MAX_WRAPPED_LINES = 50
/** In em: lines closer than this overlap, so they are in one row. */
const LINE_HEIGHT = 0.75

/** Find tables that have no lines, by columns of white space through rows that follow each other. */
export function alignedTables(
  rows: readonly Segment[][],
  words: PrintedWords,
  enclosures: Enclosures,
): Flow[] {
  const flows: Flow[] = []
  let text: Segment[][] = []
  let start = 0
  while (start < rows.length) {
    const end = runEnd(rows, start, enclosures)
    const table = end - start >= 2 ? tableOf(rows.slice(start, end), words) : undefined
    if (table) {
      if (text.length > 0) flows.push({ rows: text })
      text = []
      flows.push({ table })
      start = end
    } else text.push(rows[start++]!)
  }
  if (text.length > 0) flows.push({ rows: text })
  return flows
}

/** Where the rows end that may belong to a table which begins here: rows of several segments, and short ones between. */
function runEnd(rows: readonly Segment[][], start: number, enclosures: Enclosures): number {
  if (rows[start]!.length < 2 || isNoTableRow(rows[start]!)) return start
  let end = start + 1
  let lastFull = end
  for (; end < rows.length; end++) {
    const row = rows[end]!
    const most = isAlike(rows[end - 1]!, row) ? MAX_ALIKE_GAP : MAX_ROW_GAP
    if (gapBetween(rows[end - 1]!, row) > most || isNoTableRow(row)) break
    if (row.length > 1 || isBeside(rows[end - 1]!, row)) lastFull = end + 1
    else if (!fitsColumn(row[0]!, rows.slice(start, lastFull)) || end - lastFull >= 3) break
  }
  return findWrappedEnd(rows, [start, lastFull], enclosures)
}

function isAlike(above: readonly Segment[], below: readonly Segment[]): boolean {
  if (above.length < 2 || above.length !== below.length) return false
  const isNear = (a: number, b: number) => Math.abs(a - b) < SAME_PLACE
  return above.every(
    ({ x0, x1 }, index) => isNear(x0, below[index]!.x0) || isNear(x1, below[index]!.x1),
  ) // of one length
}

/** Returns whether texts are side by side, though not on one baseline. */
function isBeside(above: readonly Segment[], below: readonly Segment[]): boolean {
  return (
    gapBetween(above, below) < LINE_HEIGHT &&
    !above.some(one => below.some(other => isOver(one, other)))
  )
}

/** Finds the end of the lines that continue the last row of a table. */
function findWrappedEnd(
  rows: readonly Segment[][],
  [start, lastFull]: readonly [number, number],
  enclosures: Enclosures,
): number {
  const body = rows.slice(start, lastFull)
  const last = Math.min(rows.length, lastFull + MAX_WRAPPED_LINES)
  let end = lastFull
  for (; end < last && rows[end]!.length === 1; end++) {
    const [above, row] = [rows[end - 1]!, rows[end]!]
    const [only] = row
    if (gapBetween(above, row) >= WRAP_GAP || !fitsColumn(only!, body)) break
    const isLabel = only!.x0 < body[0]![1]!.x0 - 2
    const isOverlapping = gapBetween(above, row) < LINE_HEIGHT
    const isContinued = isOverlapping || goesOn(body.at(-1)!, row, { maxGap: WRAP_GAP })
    if (isLabel && !isContinued && !enclosures.hasInside(only!, rows.slice(start, end))) break
  }
  return end
}

/** Entries of a table of contents and numbered items have gaps, but are no rows; after the leaders of a row stand figures of several columns. */
function isNoTableRow(row: readonly Segment[]): boolean {
  const leading = row.findIndex(segment => LEADERS.test(segment.text))
  if (leading >= 0) return row.length - leading < 3
  const [label, text] = row
  return (
    row.length === 2 && LABEL.test(label!.text) && text!.x0 - label!.x1 < label!.size * LABEL_GAP
  )
}

/** A lone segment may stand in a column, but not lie across the gaps that all rows share. */
function fitsColumn(segment: Segment, rows: readonly Segment[][]): boolean {
  const columns = columnsOf(rows)
  const touched = columns.filter(([x0, x1]) => segment.x0 < x1 && segment.x1 > x0)
  return touched.length <= 1
}

/** Stretches of the width that text occupies in rows, parted where nearly no row has any. */
function columnsOf(rows: readonly Segment[][], minGap = MIN_COLUMN_GAP): Span[] {
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
  let begin: number | undefined
  for (const { x, step } of edges) {
    depth += step
    if (depth > allowed) begin ??= x
    else if (begin !== undefined) {
      columns.push([begin, x])
      begin = undefined
    }
  }
  return joinNear(columns, minGap)
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

function tableOf(coarse: readonly Segment[][], words: PrintedWords): PdfTable | undefined {
  const rows = splitRows(coarse)
  const found = findTextColumns(rows, rows === coarse ? MIN_COLUMN_GAP : FINE_COLUMN_GAP)
  if (!found) return undefined
  const { columns, full } = found
  if (full.length < rows.length * 0.3 || isProse(rows)) return undefined
  const grid = groupRows(rows).map(lines => {
    return {
      cells: cellsOf(lines, columns, words),
      box: boxAround(lines.flat()),
      isBold: isBold(lines.flat()),
    }
  })
  return makeTable(withShiftedHeads(grid), { columns, isDrawn: false })
}

/** Columns that white space separates, and the rows with several parts (`full`). */
export type TextColumns = { readonly columns: readonly Span[]; readonly full: readonly Segment[][] }

/** Finds the columns of rows. Returns undefined if there are too few columns or rows. */
export function findTextColumns(
  rows: readonly Segment[][],
  minGap = MIN_COLUMN_GAP,
): TextColumns | undefined {
  const columns = columnsOf(rows, minGap)
  const full = rows.filter(row => row.length > 1)
  if (columns.length < 2 || full.length < (columns.length > 2 ? MIN_ROWS - 1 : MIN_ROWS))
    return undefined
  return { columns, full }
}

/** Rows with cells apart that stand nearly as close as words, if every row leaves the space between them free. */
export function splitRows(rows: readonly Segment[][]): readonly Segment[][] {
  const fine = rows.map(row => splitSegments(row, CELL_GAP))
  const [before, after] = [columnsOf(rows), columnsOf(fine, FINE_COLUMN_GAP)]
  const crosses = ([x0, x1]: Span) => fine.flat().some(part => part.x0 < x0 && part.x1 > x1)
  const gaps = after.slice(1).map(([x0], index): Span => [after[index]![1], x0])
  return after.length > before.length && !gaps.some(crosses) ? fine : rows
}

/** Long lines side by side are text in columns. */
function isProse(rows: readonly Segment[][]): boolean {
  const isLong = ({ text, x0, x1, size }: Segment) => x1 - x0 > size * 25 && !LEADERS.test(text)
  const long = rows.filter(row => row.some(isLong))
  return long.length > rows.length * 0.5
}

/** The text of each column; what lies over several is repeated in them. */
function cellsOf(
  lines: readonly Segment[][],
  columns: readonly Span[],
  words: PrintedWords,
): string[] {
  const cells: Segment[][] = columns.map(() => [])
  for (const segment of lines.flat()) {
    const shares = columns.map(
      ([x0, x1]) => (Math.min(segment.x1, x1) - Math.max(segment.x0, x0)) / (x1 - x0),
    )
    const best = shares.indexOf(Math.max(...shares))
    for (const [column, share] of shares.entries())
      if (column === best || share > 0.6) cells[column]!.push(segment)
  }
  return cells.map(cell => cellText(cell, words).replace(TRAILING_LEADERS, ''))
}

/** In em, from baseline to baseline. */
function gapBetween(above: readonly Segment[], below: readonly Segment[]): number {
  return (below[0]!.baseline - above[0]!.baseline) / below[0]!.size
}

/** Rule for lines that continue the row above. */
type Wrapping = {
  /** Maximum distance of baselines, in em. */
  readonly maxGap: number
  /** Right edge of labels. A label in ideographs, which have no small letters, continues a line that reaches it. */
  readonly rightEdge?: number
}

/** Group the lines of rows; the head, where it lacks the first column, is set apart by no rule of the rows. */
function groupRows(
  rows: readonly Segment[][],
  wrapping: Wrapping = { maxGap: WRAP_GAP },
): Segment[][][] {
  const spaced = groupByColumnGaps(rows)
  if (spaced) return spaced
  const [head, ...body] = rows
  const isHead =
    head !== undefined &&
    head.length > 1 &&
    body.length > 1 &&
    head[0]!.x0 > leftOf(body) + head[0]!.size
  return isHead ? [[head], ...groupsOf(body, wrapping)] : groupsOf(rows, wrapping)
}

/** Groups the rows between two drawn lines. They may be no further apart than the lines of one cell. */
export function groupDrawnRows(rows: readonly Segment[][]): Segment[][][] {
  const gaps = rows.slice(1).map((row, index) => gapBetween(rows[index]!, row))
  const first = leftOf(rows)
  const labels = rows.map(row => row[0]!).filter(label => label.x0 < first + label.size)
  const maxGap = Math.max(WRAP_GAP, Math.min(...gaps) * ROOM_BETWEEN_ROWS)
  return groupRows(rows, {
    maxGap,
    rightEdge: Math.max(...labels.map(({ x1, size }) => x1 - size / 2)),
  })
}

/** By the room between rows where that is wider, else by what lacks the first column or goes on in it. */
function groupsOf(rows: readonly Segment[][], wrapping: Wrapping): Segment[][][] {
  return groupByColumnGaps(rows) ?? groupByRowGaps(rows) ?? withWrapped(rows, wrapping)
}

function groupByRowGaps(rows: readonly Segment[][]): Segment[][][] | undefined {
  const gaps = rows.slice(1).map((row, index) => gapBetween(rows[index]!, row))
  const least = Math.min(...gaps)
  const grouped: Segment[][][] = []
  for (const [index, row] of rows.entries()) {
    if (index > 0 && gaps[index - 1]! < least * ROOM_BETWEEN_ROWS) grouped.at(-1)!.push(row)
    else grouped.push([row])
  }
  return grouped.every(isOneRow) && grouped.length > 1 && grouped.length < rows.length
    ? grouped
    : undefined
}

/**
 * Groups rows by the distances of lines within their columns. A cell on several lines and its neighbours, which may stand at its
 * middle, are one row. Returns undefined if rows are no further apart than the lines of a cell.
 */
export function groupByColumnGaps(rows: readonly Segment[][]): Segment[][][] | undefined {
  const steps = findColumnSteps(rows)
  const least = steps.reduce((smallest, { gap }) => Math.min(smallest, gap), Infinity)
  const wrapped = steps.filter(({ gap }) => gap < least * ROOM_BETWEEN_ROWS)
  const joined = new Set(
    wrapped.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, step) => to - step)),
  )
  const isInside = (index: number) =>
    joined.has(index) || gapBetween(rows[index - 1]!, rows[index]!) < LINE_HEIGHT
  const grouped: Segment[][][] = []
  for (const [index, row] of rows.entries()) {
    if (index > 0 && isInside(index)) grouped.at(-1)!.push(row)
    else grouped.push([row])
  }
  const isHead = (index: number) => index === 0 && grouped.length >= MIN_ROWS
  const left = leftOf(rows)
  const isRow = (lines: readonly Segment[][]) => isOneRow(lines) || isWrappedRow(lines, left)
  const isMeant = grouped.every(
    (lines, index) => isRow(lines) || (isHead(index) && isStackedHead(lines)),
  )
  return isMeant && grouped.length > 1 && grouped.length < rows.length ? grouped : undefined
}

/** Step from a line to the next one in its column: the numbers of their rows, and the distance in em. */
type ColumnStep = { readonly from: number; readonly to: number; readonly gap: number }

function findColumnSteps(rows: readonly Segment[][]): ColumnStep[] {
  return rows.flatMap((row, to) =>
    row.flatMap((line): ColumnStep[] => {
      const first = Math.max(0, to - MAX_LINES_BACK)
      const found = rows
        .slice(first, to)
        .findLastIndex(above => above.some(other => isOver(other, line)))
      const from = first + found
      return found < 0 ? [] : [{ from, to, gap: gapBetween(rows[from]!, [line]) }]
    }),
  )
}

function isOver(above: Segment, below: Segment): boolean {
  return above.x0 < below.x1 && above.x1 > below.x0
}

/** Returns whether at most one of the lines has text in several columns. */
export function isOneRow(lines: readonly Segment[][]): boolean {
  return lines.filter(row => row.length > 1).length <= 1
}

/**
 * Returns whether lines are one row in which several cells are wrapped: they have one label, and each line below another continues
 * it. A line that begins with a capital or a digit may be a cell of its own.
 */
export function isWrappedRow(lines: readonly Segment[][], left: number): boolean {
  const labels = lines.flat().filter(({ x0, size }) => x0 < left + size)
  if (labels.length !== 1) return false
  return lines.every((row, index) => {
    const above = lines.slice(0, index).flat()
    return row.every(
      line => !above.some(other => isOver(other, line)) || !/^[\p{Lu}\p{N}]/u.test(line.text),
    )
  })
}

/**
 * Returns whether rows are a head with wrapped cells: some cells have fewer lines than others, and each text is over one text only,
 * at the same edge or middle. A text over several columns is not.
 */
function isStackedHead(rows: readonly Segment[][]): boolean {
  const isNear = (a: number, b: number) => Math.abs(a - b) < SAME_PLACE
  return rows.slice(1).every((row, index) => {
    const upper = rows[index]!
    if (upper.length === row.length || row.some(({ text }) => /\p{N}/u.test(text))) return false
    return upper.every(above => {
      const [below, ...others] = row.filter(line => isOver(above, line))
      if (!below || others.length > 0) return false
      return (
        isNear(above.x0, below.x0) ||
        isNear(above.x1, below.x1) ||
        isNear(above.x0 + above.x1, below.x0 + below.x1)
      )
    })
  })
}

/** One that lacks the first column and follows closely continues the row above, and so does a label that goes on in it. */
function withWrapped(rows: readonly Segment[][], wrapping: Wrapping): Segment[][][] {
  const first = leftOf(rows)
  const grouped: Segment[][][] = []
  for (const [index, row] of rows.entries()) {
    const previous = rows[index - 1]
    const isBelow = previous && gapBetween(previous, row) < wrapping.maxGap
    const isPartial = row.length === 1 && row[0]!.x0 > first + row[0]!.size
    if (isBelow && (isPartial || goesOn(previous, row, wrapping))) grouped.at(-1)!.push(row)
    else grouped.push([row])
  }
  return grouped
}

/** A label on two lines, of which one has the figures: the second begins where the first does, and in small letters. */
function goesOn(
  above: readonly Segment[],
  below: readonly Segment[],
  { rightEdge }: Wrapping,
): boolean {
  if ((above.length === 1) === (below.length === 1)) return false
  const [start, next] = [above[0]!, below[0]!]
  if (Math.abs(start.x0 - next.x0) >= SAME_PLACE || /[:：.]$/.test(start.text)) return false
  if (/^\p{Ll}/u.test(next.text)) return true
  const isFull = rightEdge !== undefined && start.x1 > rightEdge
  return isFull && isIdeograph(next.text[0]) && !/[:：]$/.test(next.text)
}

export function leftOf(rows: readonly Segment[][]): number {
  return Math.min(...rows.map(row => row[0]!.x0))
}

/** A head that stands beside its column, as over numbers set to the right, is brought over it; where it stood nothing is left. */
function withShiftedHeads(grid: readonly GridRow[]): readonly GridRow[] {
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
  const taken = new Map(shifted.map(({ column, beside }) => [beside, head.cells[column]!]))
  const gone = new Set(shifted.map(({ column }) => column))
  const cells = head.cells.map(
    (cell, column) => taken.get(column) ?? (gone.has(column) ? '' : cell),
  )
  return [{ ...head, cells }, ...body]
}
