import { joinJustifiedLines } from './layout/justified-lines.ts'
import type { Segment } from './lines.ts'

export type Placed = Pick<Segment, 'x0' | 'x1' | 'top' | 'bottom'>

type Readable = Placed & { readonly text: string; readonly isMono?: boolean }

export type Column<Item> = {
  readonly items: readonly Item[]
  readonly x0: number
  readonly x1: number
}

/** Lines of a column, so that a table's cells are not running text. */
const MIN_LINES = 4
const MIN_FILL = 0.6
/** Share of the region, so that table columns are not running text. */
const MIN_WIDTH = 0.15
const MIN_EM = 8
const GUTTER = 3
const MAX_DEPTH = 4
/** Nested looks for gutters, each of which takes time for every edge: enough for eight columns. */
const MAX_FORESIGHT = 2

/** A heading is taller than text, and this part of a line's height from the text above. */
const TALLER = 1.1
const HEADING_DISTANCE = 0.5

const WIDE = /[\u2e80-\u9fff\uac00-\ud7af\uff00-\uff60]/g

/** Orders full-width parts from top to bottom, and columns between them from left to right. */
export function sortByReadingOrder<Item extends Readable>(
  items: readonly Item[],
  depth = 0,
): Column<Item>[] {
  const sorted = [...items].sort((a, b) => a.top - b.top || a.x0 - b.x0)
  const split = depth < MAX_DEPTH ? findBestGutter(sorted) : undefined
  if (!split) return sorted.length > 0 ? [toColumn(sorted)] : []
  const columns: Column<Item>[] = []
  let unsplit: Item[] = []
  for (const band of detachHeadings(split.bands, split.x)) {
    if (!band.isSplit) unsplit.push(...band.items)
    else {
      if (unsplit.length > 0) columns.push(...sortByReadingOrder(unsplit, depth + 1))
      unsplit = []
      columns.push(...sortByReadingOrder(filterLeft(band.items, split.x), depth + 1))
      columns.push(...sortByReadingOrder(filterRight(band.items, split.x), depth + 1))
    }
  }
  if (unsplit.length > 0) columns.push(...sortByReadingOrder(unsplit, depth + 1))
  return columns
}

type Band<Item> = { readonly items: Item[]; isSplit: boolean }

type Split<Item> = { readonly x: number; readonly bands: Band<Item>[]; readonly lines: number }

function findBestGutter<Item extends Readable>(items: readonly Item[]): Split<Item> | undefined {
  let best: Split<Item> | undefined
  for (const split of listSplits(items)) if (split.lines > (best?.lines ?? 0)) best = split
  return best
}

function* listSplits<Item extends Readable>(
  items: readonly Item[],
  foresight = 0,
): Generator<Split<Item>> {
  if (foresight > MAX_FORESIGHT) return
  const { x0, x1 } = findEdges(items)
  for (const x of findLeftEdges(items, x0)) {
    const bands = cutBands(items, x)
    for (const band of bands) band.isSplit &&= isTwoColumns(band.items, { x, foresight, x0, x1 })
    const lines = bands
      .filter(band => band.isSplit)
      .reduce((sum, band) => sum + band.items.length, 0)
    if (lines > 0) yield { x, bands, lines }
  }
}

function findLeftEdges(items: readonly Placed[], leftmost: number): number[] {
  const counts = new Map<number, number>()
  for (const item of items) {
    const edge = Math.floor(item.x0 / 2) * 2
    counts.set(edge, (counts.get(edge) ?? 0) + 1)
  }
  return [...counts]
    .filter(
      ([edge, count]) =>
        edge > leftmost + 20 && count + (counts.get(edge - 2) ?? 0) >= MIN_LINES - 1,
    )
    .map(([edge]) => edge - 1)
    .sort((a, b) => a - b)
}

function cutBands<Item extends Placed>(items: readonly Item[], x: number): Band<Item>[] {
  const bands: Band<Item>[] = []
  for (const item of items) {
    const isSplit = !(item.x0 < x && item.x1 > x - GUTTER)
    const band = bands.at(-1)
    if (band && band.isSplit === isSplit) band.items.push(item)
    else bands.push({ items: [item], isSplit })
  }
  return bands
}

function detachHeadings<Item extends Placed>(
  bands: readonly Band<Item>[],
  x: number,
): Band<Item>[] {
  return bands.flatMap((band, index) => {
    if (!band.isSplit || bands[index + 1]?.isSplit !== false) return [band]
    const start = findTrailingHeading(band.items, x)
    if (start === undefined) return [band]
    return [
      { items: band.items.slice(0, start), isSplit: true },
      { items: band.items.slice(start), isSplit: false },
    ]
  })
}

function findTrailingHeading<Item extends Placed>(
  items: readonly Item[],
  x: number,
): number | undefined {
  const heights = items.map(({ top, bottom }) => bottom - top).sort((a, b) => a - b)
  const height = heights[Math.floor(heights.length / 2)] ?? 0
  const isTall = ({ top, bottom, x0 }: Item) => bottom - top > height * TALLER && x0 < x
  const start = items.findLastIndex(item => !isTall(item)) + 1
  const heading = items[start]
  if (!heading || start === 0) return undefined
  const end = Math.max(...items.slice(0, start).map(({ bottom }) => bottom))
  return heading.top - end > height * HEADING_DISTANCE ? start : undefined
}

function filterLeft<Item extends Placed>(items: readonly Item[], x: number): Item[] {
  return items.filter(item => item.x0 < x)
}

function filterRight<Item extends Placed>(items: readonly Item[], x: number): Item[] {
  return items.filter(item => item.x0 >= x)
}

type Gutter = Edges & { readonly x: number; readonly foresight: number }

/** Looks at what costs least first. */
function isTwoColumns<Item extends Readable>(items: readonly Item[], gutter: Gutter): boolean {
  const sides = [filterLeft(items, gutter.x), filterRight(items, gutter.x)]
  const top = Math.max(...sides.map(side => Math.min(...side.map(item => item.top))))
  const bottom = Math.min(...sides.map(side => Math.max(...side.map(item => item.bottom))))
  if (bottom <= top) return false
  const isText = sides.map(side => isRunningText(side, gutter))
  return sides.every(
    (side, index) =>
      isText[index] ||
      (isText[1 - index] && flowsBeside(sides[1 - index] ?? [], side)) ||
      hasColumns(side, gutter),
  )
}

function hasColumns(side: readonly Readable[], { foresight }: Gutter): boolean {
  return side.length >= 2 * MIN_LINES && !listSplits(side, foresight + 1).next().done
}

function flowsBeside(text: readonly Readable[], rows: readonly Readable[]): boolean {
  const lines = text.toSorted((a, b) => a.top - b.top)
  const { x0 } = findEdges(rows)
  const starts = rows.filter(row => row.x0 < x0 + (row.bottom - row.top))
  const beside = lines.flatMap((line, index) => {
    const above = lines[index - 1]
    const isBeside = starts.some(({ top, bottom }) => top < line.bottom && bottom > line.top)
    return above && isBeside ? [{ line, above }] : []
  })
  const flowing = beside.filter(({ line, above }) => continuesSentence(above.text, line.text))
  return beside.length >= MIN_LINES - 1 && flowing.length >= beside.length / 2
}

function continuesSentence(above: string, below: string): boolean {
  if (/[.:;!?。：；！？]$/.test(above)) return false
  return /^[\p{Ll}\p{Script=Han}]/u.test(below)
}

type Edges = { readonly x0: number; readonly x1: number }

/** Lines of prose reach from edge to edge; cells do not. */
function isRunningText(side: readonly Readable[], region: Edges): boolean {
  if (side.length < MIN_LINES) return false
  const { x0, x1 } = findEdges(side)
  if (x1 - x0 < (region.x1 - region.x0) * MIN_WIDTH) return false
  const lines = side.every(isSegment) ? joinJustifiedLines(side) : side
  const isFull = (item: Readable) =>
    item.x1 - item.x0 > (x1 - x0) * MIN_FILL && estimateWidth(item.text) >= MIN_EM
  const full = lines.filter(item => !item.isMono && isFull(item))
  return full.length >= MIN_LINES - 1 && countCharacters(full) >= countCharacters(side) * 0.5
}

function isSegment(item: Readable): item is Segment {
  return 'fragments' in item
}

/** An ideograph is one em wide, a letter or digit about half. */
function estimateWidth(text: string): number {
  return text.length / 2 + (text.match(WIDE)?.length ?? 0) / 2
}

function countCharacters(items: readonly { readonly text: string }[]): number {
  return items.reduce((sum, item) => sum + item.text.length, 0)
}

function toColumn<Item extends Placed>(items: readonly Item[]): Column<Item> {
  return { items, ...findEdges(items) }
}

function findEdges(items: readonly Placed[]): Edges {
  let x0 = Infinity
  let x1 = -Infinity
  for (const item of items) {
    x0 = Math.min(x0, item.x0)
    x1 = Math.max(x1, item.x1)
  }
  return { x0, x1 }
}
