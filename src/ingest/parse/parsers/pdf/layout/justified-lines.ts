import { getFirst, getItem, getLast } from '../../../../../system/items.ts'
import { joinSegments, type Segment, toRows } from '../lines.ts'

/** Points. */
const SAME_EDGE = 1.5
const MIN_FULL_LINES = 2
/** Em. */
const MAX_INDENT = 3
/** Widest space by the narrowest: sentences have more. */
const MAX_UNEVENNESS = 1.5
/** Em. */
const MIN_SPACE = 0.2
/** Em that lines are left short. */
const MAX_LOOSENESS = 1
/** Em. */
const MAX_LEADING = 1.7

type Edges = { readonly x0: number; readonly x1: number }

/** Joins words that justification sets far apart, beside undivided lines. */
export function joinJustifiedLines(segments: readonly Segment[]): readonly Segment[] {
  const rows = toRows(segments)
  if (rows.length === segments.length) return segments
  const edges = findEdges(rows)
  if (!edges) return segments
  const isFull = rows.map(row => row.length === 1 && isFullWidth(row, edges))
  const isBroken = rows.map((row, index) => isBrokenByWidth(row, rows[index + 1], edges))
  for (const index of [...rows.keys(), ...[...rows.keys()].reverse()]) {
    const isBelow = isFull[index - 1] && isNextLine(rows, index)
    const isAbove = isFull[index + 1] && isNextLine(rows, index + 1)
    if (isBroken[index] && (isBelow || isAbove)) isFull[index] = true
  }
  return rows.flatMap((row, index) => (isFull[index] ? [joinSegments(row)] : row))
}

function findEdges(rows: readonly Segment[][]): Edges | undefined {
  const counts = new Map<string, { count: number; edges: Edges }>()
  for (const [line, ...others] of rows) {
    if (!line || others.length > 0) continue
    const key = `${Math.round(line.x0)} ${Math.round(line.x1)}`
    const found = counts.get(key) ?? { count: 0, edges: line }
    found.count++
    counts.set(key, found)
  }
  const best = [...counts.values()].sort((a, b) => b.count - a.count)[0]
  return best && best.count >= MIN_FULL_LINES ? best.edges : undefined
}

function isFullWidth(row: readonly Segment[], { x0, x1 }: Edges): boolean {
  const start = getFirst(row)
  return (
    start.x0 > x0 - SAME_EDGE &&
    start.x0 < x0 + start.size * MAX_INDENT &&
    Math.abs(getLast(row).x1 - x1) < SAME_EDGE
  )
}

/** The first word of the next line has no room. */
function isBrokenByWidth(
  row: readonly Segment[],
  next: readonly Segment[] | undefined,
  edges: Edges,
): boolean {
  if (!next || !row.some(isWord)) return false
  const [start, ...others] = [getFirst(row), ...row.slice(1)] as const
  const gaps = others.map((segment, index) => segment.x0 - getItem(row, index).x1)
  const isEven = Math.max(...gaps) < Math.min(...gaps) * MAX_UNEVENNESS
  const isFull = gaps.length > 0 ? isFullWidth(row, edges) && isEven : isOneWord(start, edges)
  const space = start.size * MIN_SPACE
  const room = gaps.reduce((sum, gap) => sum + gap - space, edges.x1 - getLast(row).x1)
  return isFull && measureFirstWord(getFirst(next)) + space > room - start.size * MAX_LOOSENESS
}

function isOneWord({ text, x0 }: Segment, edges: Edges): boolean {
  return Math.abs(x0 - edges.x0) < SAME_EDGE && !text.includes(' ')
}

function isWord({ text }: Segment): boolean {
  return /\p{L}{2}/u.test(text)
}

function measureFirstWord({ text, x0, x1 }: Segment): number {
  return ((x1 - x0) * (/^\S+/.exec(text)?.[0].length ?? 0)) / Math.max(1, text.length)
}

function isNextLine(rows: readonly Segment[][], index: number): boolean {
  const above = getFirst(getItem(rows, index - 1))
  const below = getFirst(getItem(rows, index))
  return below.baseline - above.baseline < below.size * MAX_LEADING
}
