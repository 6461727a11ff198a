import { getFirst, getLast } from '../../../system/items.ts'
import { findPaperShade, type Raster, turnRaster } from './raster.ts'

export type DrawnRule = {
  readonly x0: number
  readonly y0: number
  readonly x1: number
  readonly y1: number
}

const MIN_LENGTH = 0.035
/** Twice the height of a text line, so that no letter is a line. */
const MIN_PIXELS = 60
const MAX_THICKNESS = 0.005
/** Allowed, so that the rest of a page's slant does not break a line. */
const MAX_LEAN = 0.006
/** Allowed, so that a speck of the scanner does not part a line. */
const MAX_BREAK = 3
/** Difference from the paper, so that shading is not ink. */
const INK = 0.35
const MAX_RUNS = 50_000

export function findDrawnRules(raster: Raster): DrawnRule[] {
  const turned = turnRaster(raster, 1)
  const vertical = findHorizontalRules(turned).map(({ x0, x1, y0 }) => {
    const x = y0
    return { x0: x, y0: raster.height - x1, x1: x, y1: raster.height - x0 }
  })
  return [...findHorizontalRules(raster), ...vertical]
}

type Run = { readonly row: number; readonly start: number; readonly end: number }

function findHorizontalRules(raster: Raster): DrawnRule[] {
  const thickness = Math.max(4, Math.max(raster.width, raster.height) * MAX_THICKNESS)
  return groupRuns(findRuns(raster)).flatMap(group => {
    const top = getFirst(group).row
    const bottom = getLast(group).row
    const x0 = Math.min(...group.map(run => run.start))
    const x1 = Math.max(...group.map(run => run.end))
    const y = (top + bottom + 1) / 2
    return bottom - top < thickness + (x1 - x0) * MAX_LEAN ? [{ x0, y0: y, x1, y1: y }] : []
  })
}

function findRuns({ width, height, pixels }: Raster): Run[] {
  const threshold = findPaperShade(pixels) * (1 - INK)
  const minLength = Math.max(MIN_PIXELS, Math.min(width, height) * MIN_LENGTH)
  const found: Run[] = []
  for (let row = 0; row < height && found.length < MAX_RUNS; row++) {
    const shades = pixels.subarray(row * width, (row + 1) * width)
    found.push(
      ...findRowRuns(shades, row, threshold).filter(run => run.end - run.start >= minLength),
    )
  }
  return found
}

function findRowRuns(shades: Uint8Array, row: number, threshold: number): Run[] {
  const found: Run[] = []
  let start = -1
  let end = -1
  for (const [x, shade] of shades.entries()) {
    if (shade >= threshold) continue
    if (x - end > MAX_BREAK) {
      if (start !== -1) found.push({ row, start, end })
      start = x
    }
    end = x + 1
  }
  return start === -1 ? found : [...found, { row, start, end }]
}

/** A thick or leaning line has runs in several rows. */
function groupRuns(found: readonly Run[]): Run[][] {
  const all: Run[][] = []
  let open: Run[][] = []
  for (const run of found) {
    open = open.filter(group => run.row - getLast(group).row <= 1)
    const group = open.find(candidate =>
      candidate.some(
        ({ row, start, end }) => run.row - row <= 1 && start < run.end && run.start < end,
      ),
    )
    if (group) group.push(run)
    else {
      open.push([run])
      all.push(getLast(open))
    }
  }
  return all
}
