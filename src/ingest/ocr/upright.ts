import { meanConfidence, type OcrEngine, type OcrLine } from './ocr.ts'
import type { PpOcr } from './pp-ocr.ts'
import { levelRaster, type Raster, turnRaster } from './raster.ts'
import type { TextRegion } from './text-regions.ts'

/** How a picture was turned to be read: by quarters clockwise, then back by how much its lines leaned (radians). */
export type Turn = { readonly quarters: number; readonly lean: number }

/** A picture that stands upright, and where its text is. */
export type Upright = { readonly raster: Raster; readonly turn: Turn; readonly regions: readonly TextRegion[] }

/** Lines read to see which way is up: the longest say most. */
const SAMPLE_LINES = 6
/** As sure as this of a sample, and nobody needs to look at it from the other side. */
const SURE = 0.93
/** Leaning less than this, in radians, hurts nobody. */
const MIN_LEAN = 0.003
const TALL = 1.5
/** So many times as long as high, and the ends of a line tell how it leans. */
const LONG = 8

/** Turn a picture so that its text is upright and level, found out by reading the longest lines. */
export async function makeUpright(raster: Raster, engine: PpOcr, signal?: AbortSignal): Promise<Upright> {
  const regions = await engine.detect(raster)
  const isSideways = share(regions, region => region.height > region.width * TALL) > 0.5
  const candidates = isSideways ? [1, 3, 0] : [0, 2]
  let best = { quarters: 0, confidence: -1 }
  for (const quarters of candidates) {
    const turned = turnRaster(raster, quarters)
    const sample = longest(regions.map(region => turnRegion(region, quarters, raster)))
    const confidence = await readable(engine, turned, sample, signal)
    if (confidence > best.confidence) best = { quarters, confidence }
    if (confidence >= SURE) break
  }
  const turned = regions.map(region => turnRegion(region, best.quarters, raster))
  return level(turnRaster(raster, best.quarters), turned, best.quarters)
}

/** For an engine that only reads: which way up it is surest of what it reads. */
export async function readUpright(raster: Raster, engine: OcrEngine, signal?: AbortSignal) {
  let best: { lines: readonly OcrLine[]; raster: Raster; turn: Turn } | undefined
  for (const quarters of [0, 2, 1, 3]) {
    const turned = turnRaster(raster, quarters)
    const lines = await engine.read(turned, signal)
    if (!best || weight(lines) > weight(best.lines)) best = { lines, raster: turned, turn: { quarters, lean: 0 } }
    if (meanConfidence(lines) >= 0.7) break
  }
  return best!
}

/** Much text, surely read. */
function weight(lines: readonly OcrLine[]): number {
  return meanConfidence(lines) ** 2 * lines.reduce((sum, { text }) => sum + text.length, 0)
}

function level(raster: Raster, regions: readonly TextRegion[], quarters: number): Upright {
  const lean = medianLean(regions)
  if (Math.abs(lean) < MIN_LEAN) return { raster, regions, turn: { quarters, lean: 0 } }
  const [sine, cosine] = [Math.sin(lean), Math.cos(lean)]
  const [middleX, middleY] = [raster.width / 2, raster.height / 2]
  const levelled = regions.map(region => {
    const [dx, dy] = [region.x - middleX, region.y - middleY]
    const [x, y] = [middleX + dx * cosine + dy * sine, middleY + dy * cosine - dx * sine]
    return { ...region, x, y, angle: isLong(region) ? region.angle - lean : region.angle }
  })
  return { raster: levelRaster(raster, lean), regions: levelled, turn: { quarters, lean } }
}

function medianLean(regions: readonly TextRegion[]): number {
  const leans = regions.filter(isLong).map(region => region.angle)
  return leans.sort((a, b) => a - b)[Math.floor(leans.length / 2)] ?? 0
}

function isLong({ width, height }: TextRegion): boolean {
  return width > height * LONG
}

function longest(regions: readonly TextRegion[]): TextRegion[] {
  return [...regions].sort((a, b) => b.width - a.width).slice(0, SAMPLE_LINES)
}

async function readable(engine: PpOcr, raster: Raster, sample: readonly TextRegion[], signal?: AbortSignal) {
  return sample.length === 0 ? 1 : meanConfidence(await engine.readRegions(raster, sample, signal))
}

/** Share of the regions, each as long as it is. */
function share(regions: readonly TextRegion[], isSo: (region: TextRegion) => boolean): number {
  const length = ({ width, height }: TextRegion) => Math.max(width, height)
  const all = regions.reduce((sum, region) => sum + length(region), 0)
  return regions.filter(isSo).reduce((sum, region) => sum + length(region), 0) / Math.max(1, all)
}

function turnRegion(region: TextRegion, quarters: number, { width, height }: Raster): TextRegion {
  if (quarters === 0) return region
  if (quarters === 2) return { ...region, x: width - region.x, y: height - region.y }
  const [x, y] = quarters === 1 ? [height - region.y, region.x] : [region.y, width - region.x]
  return { x, y, width: region.height, height: region.width, angle: region.angle }
}
