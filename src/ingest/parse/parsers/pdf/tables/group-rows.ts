import { getFirst, getItem } from '../../../../../system/items.ts'
import { isIdeograph, type Segment } from '../lines.ts'

export const SAME_PLACE = 2

/** Em to a line that continues the row above, so that wrapped cells stay whole. */
export const WRAP_GAP = 1.4
/** Distance of rows per distance of lines, so that wrapped cells are told from rows. */
const ROOM_BETWEEN_ROWS = 1.2

const MAX_LINES_BACK = 10
/** Groups, so that of two rows none is a head. */
const MIN_GROUPS_WITH_HEAD = 3

/** Em below which lines overlap, so that they are one row. */
export const LINE_HEIGHT = 0.75

type Wrapping = {
  /** Em between baselines. */
  readonly maxGap: number
  /**
   * Edge of labels. A label in ideographs, which have no lower case, continues a line that reaches
   * it.
   */
  readonly rightEdge?: number
}

export function groupRows(
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
    getFirst(head).x0 > findLeftEdge(body) + getFirst(head).size
  return isHead ? [[head], ...groupBody(body, wrapping)] : groupBody(rows, wrapping)
}

export function groupDrawnRows(rows: readonly Segment[][]): Segment[][][] {
  const gaps = rows.slice(1).map((row, index) => measureGap(getItem(rows, index), row))
  const first = findLeftEdge(rows)
  const labels = rows.map(row => getFirst(row)).filter(label => label.x0 < first + label.size)
  const maxGap = Math.max(WRAP_GAP, Math.min(...gaps) * ROOM_BETWEEN_ROWS)
  return groupRows(rows, {
    maxGap,
    rightEdge: Math.max(...labels.map(({ x1, size }) => x1 - size / 2)),
  })
}

function groupBody(rows: readonly Segment[][], wrapping: Wrapping): Segment[][][] {
  return groupByColumnGaps(rows) ?? groupByRowGaps(rows) ?? joinWrappedRows(rows, wrapping)
}

function groupByRowGaps(rows: readonly Segment[][]): Segment[][][] | undefined {
  const gaps = rows.slice(1).map((row, index) => measureGap(getItem(rows, index), row))
  const minGap = Math.min(...gaps)
  const grouped = groupWhere(
    rows,
    (row, above) => measureGap(above, row) < minGap * ROOM_BETWEEN_ROWS,
  )
  return grouped.every(isOneRow) && grouped.length > 1 && grouped.length < rows.length
    ? grouped
    : undefined
}

/**
 * Groups by gaps between the lines of columns, so that wrapped cells are one row. Returns
 * undefined if rows are no further apart than lines.
 */
export function groupByColumnGaps(rows: readonly Segment[][]): Segment[][][] | undefined {
  const steps = findColumnSteps(rows)
  const minGap = steps.reduce((smallest, { gap }) => Math.min(smallest, gap), Infinity)
  const wrapped = steps.filter(({ gap }) => gap < minGap * ROOM_BETWEEN_ROWS)
  const joined = new Set(
    wrapped.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, step) => to - step)),
  )
  const grouped = groupWhere(
    rows,
    (row, above, index) => joined.has(index) || measureGap(above, row) < LINE_HEIGHT,
  )
  const isHead = (index: number) => index === 0 && grouped.length >= MIN_GROUPS_WITH_HEAD
  const left = findLeftEdge(rows)
  const isRow = (lines: readonly Segment[][]) => isOneRow(lines) || isWrappedRow(lines, left)
  const isMeant = grouped.every(
    (lines, index) => isRow(lines) || (isHead(index) && isStackedHead(lines)),
  )
  return isMeant && grouped.length > 1 && grouped.length < rows.length ? grouped : undefined
}

type ColumnStep = { readonly from: number; readonly to: number; readonly gap: number }

function findColumnSteps(rows: readonly Segment[][]): ColumnStep[] {
  return rows.flatMap((row, to) =>
    row.flatMap((line): ColumnStep[] => {
      const first = Math.max(0, to - MAX_LINES_BACK)
      const found = rows
        .slice(first, to)
        .findLastIndex(above => above.some(other => isOver(other, line)))
      const from = first + found
      return found < 0 ? [] : [{ from, to, gap: measureGap(getItem(rows, from), [line]) }]
    }),
  )
}

export function isOver(above: Segment, below: Segment): boolean {
  return above.x0 < below.x1 && above.x1 > below.x0
}

export function isOneRow(lines: readonly Segment[][]): boolean {
  return lines.filter(row => row.length > 1).length <= 1
}

/** Requires one label, whose lines continue each other. */
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

function isStackedHead(rows: readonly Segment[][]): boolean {
  const isNear = (a: number, b: number) => Math.abs(a - b) < SAME_PLACE
  return rows.slice(1).every((row, index) => {
    const upper = getItem(rows, index)
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

function joinWrappedRows(rows: readonly Segment[][], wrapping: Wrapping): Segment[][][] {
  const first = findLeftEdge(rows)
  return groupWhere(rows, (row, above) => {
    if (measureGap(above, row) >= wrapping.maxGap) return false
    const isPartial = row.length === 1 && getFirst(row).x0 > first + getFirst(row).size
    return isPartial || continuesLabel(above, row, wrapping)
  })
}

function groupWhere(
  rows: readonly Segment[][],
  isJoined: (row: Segment[], above: Segment[], index: number) => boolean,
): Segment[][][] {
  const groups: Segment[][][] = []
  for (const [index, row] of rows.entries()) {
    const above = rows[index - 1]
    if (above && isJoined(row, above, index)) groups.at(-1)?.push(row)
    else groups.push([row])
  }
  return groups
}

export function continuesLabel(
  above: readonly Segment[],
  below: readonly Segment[],
  { rightEdge }: Wrapping,
): boolean {
  if ((above.length === 1) === (below.length === 1)) return false
  const start = getFirst(above)
  const next = getFirst(below)
  if (Math.abs(start.x0 - next.x0) >= SAME_PLACE || /[:：.]$/.test(start.text)) return false
  if (/^\p{Ll}/u.test(next.text)) return true
  const isFull = rightEdge !== undefined && start.x1 > rightEdge
  return isFull && isIdeograph(next.text[0]) && !/[:：]$/.test(next.text)
}

export function findLeftEdge(rows: readonly Segment[][]): number {
  return Math.min(...rows.map(row => getFirst(row).x0))
}

export function measureGap(above: readonly Segment[], below: readonly Segment[]): number {
  return (getFirst(below).baseline - getFirst(above).baseline) / getFirst(below).size
}
