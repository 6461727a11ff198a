import { createHash } from 'node:crypto'
import { type DrawnRule, findDrawnRules } from './drawn-rules.ts'
import { fixNumberMarks } from './number-marks.ts'
import type { OcrLine } from './ocr.ts'
import type { PictureBudget } from './picture-budget.ts'
import { PpOcr } from './pp-ocr.ts'
import { findPaperShade, type Raster, rotateRaster, turnRaster } from './raster.ts'
import type { TextRegion } from './text-regions.ts'
import { measureUnreadInk } from './unread-ink.ts'

export type OcrReading = {
  readonly lines: readonly OcrLine[]
  /** Pixels of the upright picture. */
  readonly rules: readonly DrawnRule[]
  readonly width: number
  readonly height: number
  readonly turn: Turn
  readonly confidence: number
  /** Share of the text that gave no characters: found as text, or rows of letters (0 to 1). */
  readonly unreadShare: number
}

/** Difference of shade, so that the grain of paper is no ink. */
const FAINT = 24

/** Few, so that a page is not read four times. */
const UPRIGHT_LINES = 6
/** Tell most pages from others. */
const SAMPLE_LINES = 16
/** Long side of the copy in which lines of a sample are found, in pixels. */
const SAMPLE_SIDE = 960
/** Mean confidence of an upright sample, so that other directions need not be read. */
const UPRIGHT_SURE = 0.93
/** Radians, so that a page that is nearly level is not drawn again. */
const MIN_LEAN = 0.003
const TALL = 1.5
/** Ratio of length to height of a line, so that its angle is reliable. */
const LONG = 8

/** Distinct pictures whose readings are kept, so that pages that repeat one are read once. */
const MAX_READINGS = 256

export class PictureReader {
  readonly #budget: PictureBudget
  readonly #readings = new Map<string, OcrReading>()
  #ppOcr: Promise<PpOcr> | undefined

  constructor(budget: PictureBudget) {
    this.#budget = budget
  }

  get isSpent(): boolean {
    return this.#budget.isSpent
  }

  draw<Picture>(draw: () => Promise<Picture>): Promise<Picture> {
    return this.#budget.spend(draw)
  }

  async read(raster: Raster, signal?: AbortSignal): Promise<OcrReading> {
    return this.#budget.spend(async () => {
      if (isBlank(raster))
        return toReading({ lines: [], unreadShare: 0 }, raster, { quarters: 0, lean: 0 })
      const digest = digestRaster(raster)
      const reading = this.#readings.get(digest) ?? (await this.#readText(raster, signal))
      this.#readings.delete(digest)
      this.#readings.set(digest, reading)
      const [oldest] = this.#readings.keys()
      if (oldest !== undefined && this.#readings.size > MAX_READINGS) this.#readings.delete(oldest)
      return reading
    })
  }

  async #readText(raster: Raster, signal?: AbortSignal): Promise<OcrReading> {
    const engine = await this.#open()
    const found = await engine.detect(raster)
    const upright = await makeUpright(raster, found, engine, signal)
    const read = await engine.readRegions(upright.raster, upright.regions, signal)
    const unreadInk = measureUnreadInk(upright.raster, read.lines)
    const unreadShare = Math.max(read.unreadShare, unreadInk)
    return toReading({ ...read, unreadShare }, upright.raster, upright.turn)
  }

  /** Returns undefined for a picture with few lines. */
  async readSample(raster: Raster, signal?: AbortSignal): Promise<OcrReading | undefined> {
    return this.#budget.spend(async () => {
      if (isBlank(raster)) return undefined
      const engine = await this.#open()
      const found = await engine.detect(raster, SAMPLE_SIDE)
      if (found.length <= SAMPLE_LINES) return undefined
      const upright = await makeUpright(raster, found, engine, signal)
      const sample = pickEvenly(upright.regions, SAMPLE_LINES)
      const { lines } = await engine.readRegions(upright.raster, sample, signal)
      if (lines.length === 0) return undefined
      return toReading({ lines, unreadShare: 0 }, upright.raster, upright.turn)
    })
  }

  #open(): Promise<PpOcr> {
    this.#ppOcr ??= PpOcr.open()
    return this.#ppOcr
  }

  async close(): Promise<void> {
    await (await this.#ppOcr?.catch(() => undefined))?.close()
  }
}

function digestRaster({ width, height, pixels }: Raster): string {
  return `${width}x${height} ${createHash('sha256').update(pixels).digest('base64')}`
}

function toReading(
  { lines, unreadShare }: Pick<OcrReading, 'lines' | 'unreadShare'>,
  raster: Raster,
  turn: Turn,
): OcrReading {
  const { width, height } = raster
  return {
    lines: fixNumberMarks(lines),
    rules: lines.length > 0 ? findDrawnRules(raster) : [],
    width,
    height,
    turn,
    confidence: computeMeanConfidence(lines),
    unreadShare,
  }
}

function isBlank({ pixels }: Raster): boolean {
  const paper = findPaperShade(pixels)
  return pixels.every(shade => Math.abs(shade - paper) < FAINT)
}

/** Quarter turns clockwise, then back by the lean of the lines (radians). */
type Turn = { readonly quarters: number; readonly lean: number }

type Upright = {
  readonly raster: Raster
  readonly turn: Turn
  readonly regions: readonly TextRegion[]
}

async function makeUpright(
  raster: Raster,
  regions: readonly TextRegion[],
  engine: PpOcr,
  signal?: AbortSignal,
): Promise<Upright> {
  const isSideways = share(regions, region => region.height > region.width * TALL) > 0.5
  const candidates = isSideways ? [1, 3, 0] : [0, 2]
  let best = { quarters: 0, confidence: -1 }
  for (const quarters of candidates) {
    const turned = turnRaster(raster, quarters)
    const sample = pickLongest(regions.map(region => turnRegion(region, quarters, raster)))
    const confidence = await readSample(engine, turned, sample, signal)
    if (confidence > best.confidence) best = { quarters, confidence }
    if (confidence >= UPRIGHT_SURE) break
  }
  const turned = regions.map(region => turnRegion(region, best.quarters, raster))
  return rotateUpright(turnRaster(raster, best.quarters), turned, best.quarters)
}

function rotateUpright(raster: Raster, regions: readonly TextRegion[], quarters: number): Upright {
  const lean = measureMedianLean(regions)
  if (Math.abs(lean) < MIN_LEAN) return { raster, regions, turn: { quarters, lean: 0 } }
  const sine = Math.sin(lean)
  const cosine = Math.cos(lean)
  const middleX = raster.width / 2
  const middleY = raster.height / 2
  const levelled = regions.map(region => {
    const dx = region.x - middleX
    const dy = region.y - middleY
    const x = middleX + dx * cosine + dy * sine
    const y = middleY + dy * cosine - dx * sine
    return { ...region, x, y, angle: isLong(region) ? region.angle - lean : region.angle }
  })
  return { raster: rotateRaster(raster, lean), regions: levelled, turn: { quarters, lean } }
}

function measureMedianLean(regions: readonly TextRegion[]): number {
  const leans = regions.filter(isLong).map(region => region.angle)
  return leans.sort((a, b) => a - b)[Math.floor(leans.length / 2)] ?? 0
}

function isLong({ width, height }: TextRegion): boolean {
  return width > height * LONG
}

function pickLongest(regions: readonly TextRegion[]): TextRegion[] {
  return [...regions].sort((a, b) => b.width - a.width).slice(0, UPRIGHT_LINES)
}

/** Picks long lines more often, so that the sample has as much of each part as the page (Madow 1949). */
function pickEvenly(regions: readonly TextRegion[], count: number): readonly TextRegion[] {
  const step = regions.reduce((sum, { width }) => sum + width, 0) / count
  let passed = 0
  return regions.filter(({ width }) => {
    const before = Math.floor(passed / step)
    passed += width
    return Math.floor(passed / step) > before
  })
}

async function readSample(
  engine: PpOcr,
  raster: Raster,
  sample: readonly TextRegion[],
  signal?: AbortSignal,
) {
  return sample.length === 0
    ? 1
    : computeMeanConfidence((await engine.readRegions(raster, sample, signal)).lines)
}

function share(regions: readonly TextRegion[], isSo: (region: TextRegion) => boolean): number {
  const measureLength = ({ width, height }: TextRegion) => Math.max(width, height)
  const all = regions.reduce((sum, region) => sum + measureLength(region), 0)
  return (
    regions.filter(isSo).reduce((sum, region) => sum + measureLength(region), 0) / Math.max(1, all)
  )
}

function turnRegion(region: TextRegion, quarters: number, { width, height }: Raster): TextRegion {
  if (quarters === 0) return region
  if (quarters === 2) return { ...region, x: width - region.x, y: height - region.y }
  const [x, y] = quarters === 1 ? [height - region.y, region.x] : [region.y, width - region.x]
  return { x, y, width: region.height, height: region.width, angle: region.angle }
}

function computeMeanConfidence(lines: readonly Pick<OcrLine, 'text' | 'confidence'>[]): number {
  const characters = lines.reduce((sum, { text }) => sum + text.length, 0)
  const sum = lines.reduce((sum, { text, confidence }) => sum + text.length * confidence, 0)
  return characters === 0 ? 0 : sum / characters
}
