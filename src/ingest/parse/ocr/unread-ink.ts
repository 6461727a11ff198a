import type { Box } from '../../block.ts'
import type { OcrLine } from './ocr.ts'
import { type Raster, resizeRaster } from './raster.ts'

/** Long side in pixels, as the detector sees the page. */
const MAX_SIDE = 1_400
/** Pixels to each side, so that uneven light is no ink. */
const AROUND = 16
/** Difference of shade to the mean around. */
const CONTRAST = 32
/** Shade: brighter ground has gaps between dark letters, and no light ones. */
const MAX_DARK = 128
/** Size of letters by the usual size of the lines read; several may touch. */
const LETTER_HEIGHT = [0.35, 1.6] as const
const MAX_LETTER_WIDTH = 6
/** Letters of a row: closer than this by their size, as many, and about as tall. */
const MAX_STEP = 1.5
const MIN_LETTERS = 6
const SAME_HEIGHT = 2.2
/** Sizes of a line by which a letter may lie beside it. */
const ROOM = 0.25

/**
 * Measures rows of letters outside of the lines read, as a share of all (0 to 1), by width: text
 * that the detector missed.
 */
export function measureUnreadInk(raster: Raster, lines: readonly OcrLine[]): number {
  const size = findMedian(lines.map(line => line.size))
  if (size === undefined) return 0
  const scale = Math.min(1, MAX_SIDE / Math.max(raster.width, raster.height))
  const small = resizeRaster(
    raster,
    Math.max(1, Math.round(raster.width * scale)),
    Math.max(1, Math.round(raster.height * scale)),
  )
  const isRead = ([x0, y0, x1, y1]: Box) => {
    const x = (x0 + x1) / 2 / scale
    const y = (y0 + y1) / 2 / scale
    return lines.some(({ box, size: height }) => {
      const room = height * ROOM
      const isAcross = x > box[0] - room && x < box[2] + room
      return isAcross && y > box[1] - room && y < box[3] + room
    })
  }
  let all = 0
  let unread = 0
  const rows = [false, true].flatMap(isLight =>
    findRows(findLetters(small, { size: size * scale, isLight }), size * scale),
  )
  for (const letter of rows.flat()) {
    const width = letter[2] - letter[0]
    all += width
    if (!isRead(letter)) unread += width
  }
  return all === 0 ? 0 : unread / all
}

function findMedian(values: readonly number[]): number | undefined {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]
}

type Letters = { readonly size: number; readonly isLight: boolean }

function findLetters(raster: Raster, { size, isLight }: Letters): Box[] {
  const ink = findInk(raster, isLight)
  const letters: Box[] = []
  for (let start = 0; start < ink.length; start++) {
    if (ink[start] === 0) continue
    const box = takeConnected(ink, start, raster.width)
    const width = box[2] - box[0]
    const height = box[3] - box[1]
    const isLetter = height >= size * LETTER_HEIGHT[0] && height <= size * LETTER_HEIGHT[1]
    if (isLetter && width <= size * MAX_LETTER_WIDTH) letters.push(box)
  }
  return letters
}

function findInk({ width, height, pixels }: Raster, isLight: boolean): Uint8Array {
  const stride = width + 1
  const sums = sumShades({ width, height, pixels })
  const getSum = (index: number) => sums[index] ?? 0
  const ink = new Uint8Array(width * height)
  for (let y = 0; y < height; y++) {
    const top = Math.max(0, y - AROUND) * stride
    const bottom = Math.min(height, y + AROUND + 1) * stride
    for (let x = 0; x < width; x++) {
      const left = Math.max(0, x - AROUND)
      const right = Math.min(width, x + AROUND + 1)
      const sum =
        getSum(bottom + right) - getSum(bottom + left) - getSum(top + right) + getSum(top + left)
      const mean = sum / (((bottom - top) / stride) * (right - left))
      const darkness = mean - (pixels[y * width + x] ?? 0)
      const isInk = isLight ? -darkness > CONTRAST && mean < MAX_DARK : darkness > CONTRAST
      if (isInk) ink[y * width + x] = 1
    }
  }
  return ink
}

/** Sums the shades above and to the left of each corner (Crow 1984). */
function sumShades({ width, height, pixels }: Raster): Float64Array {
  const stride = width + 1
  const sums = new Float64Array(stride * (height + 1))
  for (let y = 0; y < height; y++) {
    let row = 0
    for (let x = 0; x < width; x++) {
      row += pixels[y * width + x] ?? 0
      sums[(y + 1) * stride + x + 1] = (sums[y * stride + x + 1] ?? 0) + row
    }
  }
  return sums
}

function takeConnected(ink: Uint8Array, start: number, width: number): Box {
  const open = [start]
  ink[start] = 0
  let [x0, y0, x1, y1] = [Infinity, Infinity, 0, 0]
  for (let pixel = open.pop(); pixel !== undefined; pixel = open.pop()) {
    const x = pixel % width
    const y = (pixel - x) / width
    x0 = Math.min(x0, x)
    y0 = Math.min(y0, y)
    x1 = Math.max(x1, x + 1)
    y1 = Math.max(y1, y + 1)
    for (const next of [
      x > 0 ? pixel - 1 : pixel,
      x + 1 < width ? pixel + 1 : pixel,
      pixel - width,
      pixel + width,
    ]) {
      if (ink[next] !== 1) continue
      ink[next] = 0
      open.push(next)
    }
  }
  return [x0, y0, x1, y1]
}

function findRows(letters: readonly Box[], size: number): Box[][] {
  const open: Box[][] = []
  const rows: Box[][] = []
  for (const letter of letters.toSorted((a, b) => a[0] - b[0])) {
    const index = open.findIndex(row => continuesRow(row, letter, size))
    const row = open[index]
    if (row) row.push(letter)
    else open.push([letter])
    for (let index = open.length - 1; index >= 0; index--) {
      const other = open[index]
      if (other && letter[0] - (other.at(-1)?.[2] ?? 0) > size * MAX_STEP)
        rows.push(...open.splice(index, 1))
    }
  }
  return [...rows, ...open].filter(row => row.length >= MIN_LETTERS)
}

function continuesRow(row: readonly Box[], letter: Box, size: number): boolean {
  const last = row.at(-1)
  if (!last || letter[0] - last[2] > size * MAX_STEP) return false
  const height = letter[3] - letter[1]
  const lastHeight = last[3] - last[1]
  const isAsTall = height < lastHeight * SAME_HEIGHT && lastHeight < height * SAME_HEIGHT
  return (
    isAsTall &&
    Math.min(letter[3], last[3]) - Math.max(letter[1], last[1]) > Math.min(height, lastHeight) / 2
  )
}
