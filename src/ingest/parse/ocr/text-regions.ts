import { getItem } from '../../../system/items.ts'
export type TextRegion = {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  /** -45 to 45 degrees. */
  readonly angle: number
}

/** Defaults of PP-OCR's post-processing, so that the model is used as it was trained. */
const PIXEL_THRESHOLD = 0.3
const REGION_THRESHOLD = 0.6
const UNCLIP_RATIO = 1.5
const MIN_SIDE = 3
/** Ratio of sides, so that a nearly square region decides no direction. */
const MIN_ELONGATION = 2
const MAX_REGIONS = 3_000

/** Finds regions in a map of text probabilities (Differentiable Binarization, Liao et al. 2020). */
export function findTextRegions(
  probabilities: Float32Array,
  width: number,
  height: number,
): TextRegion[] {
  const seen = new Uint8Array(width * height)
  const regions: TextRegion[] = []
  for (let start = 0; start < seen.length && regions.length < MAX_REGIONS; start++) {
    if (seen[start] || (probabilities[start] ?? 0) < PIXEL_THRESHOLD) continue
    const pixels = collectConnected(start, probabilities, seen, width)
    const sum = pixels.reduce((total, pixel) => total + (probabilities[pixel] ?? 0), 0)
    if (sum / pixels.length < REGION_THRESHOLD) continue
    const region = fitRectangle(pixels, width)
    if (Math.min(region.width, region.height) >= MIN_SIDE) regions.push(expandRegion(region))
  }
  return regions
}

function collectConnected(
  start: number,
  probabilities: Float32Array,
  seen: Uint8Array,
  width: number,
): number[] {
  const pixels = [start]
  seen[start] = 1
  for (let next = 0; next < pixels.length; next++) {
    for (const neighbour of listNeighbours(getItem(pixels, next), width)) {
      if (seen[neighbour] !== 0 || (probabilities[neighbour] ?? 0) < PIXEL_THRESHOLD) continue
      seen[neighbour] = 1
      pixels.push(neighbour)
    }
  }
  return pixels
}

function listNeighbours(pixel: number, width: number): number[] {
  const x = pixel % width
  const columns = [pixel, ...(x > 0 ? [pixel - 1] : []), ...(x < width - 1 ? [pixel + 1] : [])]
  return columns.flatMap(column => [column - width, column, column + width])
}

function fitRectangle(pixels: readonly number[], width: number): TextRegion {
  const points = pixels.map(pixel => [pixel % width, Math.floor(pixel / width)] as const)
  const meanX = points.reduce((sum, [x]) => sum + x, 0) / points.length
  const meanY = points.reduce((sum, [, y]) => sum + y, 0) / points.length
  let xx = 0
  let xy = 0
  let yy = 0
  for (const [x, y] of points) {
    xx += (x - meanX) ** 2
    xy += (x - meanX) * (y - meanY)
    yy += (y - meanY) ** 2
  }
  const direction = Math.atan2(2 * xy, xx - yy) / 2
  const spread = Math.hypot((xx - yy) / 2, xy)
  const elongation = Math.sqrt(((xx + yy) / 2 + spread) / Math.max(1e-6, (xx + yy) / 2 - spread))
  return measureExtent(points, elongation < MIN_ELONGATION ? 0 : toUprightDirection(direction))
}

function toUprightDirection(direction: number): number {
  if (direction > Math.PI / 4) return direction - Math.PI / 2
  return direction <= -Math.PI / 4 ? direction + Math.PI / 2 : direction
}

function measureExtent(points: readonly (readonly [number, number])[], angle: number): TextRegion {
  const sine = Math.sin(angle)
  const cosine = Math.cos(angle)
  let left = Infinity
  let right = -Infinity
  let top = Infinity
  let bottom = -Infinity
  for (const [x, y] of points) {
    const along = x * cosine + y * sine
    const across = y * cosine - x * sine
    left = Math.min(left, along)
    right = Math.max(right, along)
    top = Math.min(top, across)
    bottom = Math.max(bottom, across)
  }
  const along = (left + right + 1) / 2
  const across = (top + bottom + 1) / 2
  return {
    x: along * cosine - across * sine,
    y: along * sine + across * cosine,
    width: right - left + 1,
    height: bottom - top + 1,
    angle,
  }
}

/** The map shows text shrunk, so that lines do not touch. */
function expandRegion(region: TextRegion): TextRegion {
  const { width, height } = region
  const distance = (width * height * UNCLIP_RATIO) / (2 * (width + height))
  return { ...region, width: width + 2 * distance, height: height + 2 * distance }
}
