import type { OcrOptions } from '../parser.ts'
import { type DrawnRule, findDrawnRules } from './drawn-rules.ts'
import { fixNumberMarks } from './number-marks.ts'
import type { OcrEngine, OcrLine } from './ocr.ts'
import { findOcrPackages } from './ocr-packages.ts'
import { PpOcr } from './pp-ocr.ts'
import { findPaperShade, type Raster, rotateRaster, turnRaster } from './raster.ts'
import { openTesseract } from './tesseract.ts'
import type { TextRegion } from './text-regions.ts'

export type OcrReading = {
  readonly engine: OcrEngine['name']
  readonly lines: readonly OcrLine[]
  /** Pixels of the upright picture. */
  readonly rules: readonly DrawnRule[]
  readonly width: number
  readonly height: number
  readonly turn: Turn
  readonly confidence: number
}

/**
 * From here Tesseract's text is used. Set on pages of data/samples at 150 and 200 dpi: 91 to 95
 * % if read well, under 60 % for Chinese with English data.
 */
const SURE = 0.85
const DOUBTFUL_LINE = 0.7
const MAX_DOUBTFUL = 0.05
/** Lines each way make a table, so that it is read by cell: Tesseract reads lines as letters. */
const TABLE_RULES = 3

/** Difference of shade, so that the grain of paper is no ink. */
const FAINT = 24

/** Few, so that a page is not read four times. */
const SAMPLE_LINES = 6
/** Mean confidence of an upright sample, so that other directions need not be read. */
const UPRIGHT_SURE = 0.93
/** Radians, so that a page that is nearly level is not drawn again. */
const MIN_LEAN = 0.003
const TALL = 1.5
/** Ratio of length to height of a line, so that its angle is reliable. */
const LONG = 8

/** Check `findOcrProblem` before. */
export class PictureReader {
  readonly #options: OcrOptions
  readonly #packages = findOcrPackages()
  #tesseract: Promise<OcrEngine> | undefined
  #ppOcr: Promise<PpOcr> | undefined
  /** The next picture may be like the previous one. */
  #isChinese = false

  constructor(options: OcrOptions) {
    this.#options = options
  }

  async read(raster: Raster, signal?: AbortSignal): Promise<OcrReading> {
    const { engine } = this.#options
    if (isBlank(raster)) return toReading('tesseract', [], raster, { quarters: 0, lean: 0 }, [])
    if (engine === 'tesseract') return await this.#readWithTesseract(raster, signal)
    if (engine === 'pp-ocr' || !this.#packages.tesseract)
      return await this.#readWithPpOcr(raster, signal)
    return await this.#readWithBoth(raster, signal)
  }

  async close(): Promise<void> {
    await Promise.all(
      [this.#tesseract, this.#ppOcr].map(async engine => (await engine?.catch(() => {}))?.close()),
    )
  }

  /**
   * Tesseract takes half the time for Latin letters; PP-OCR knows Chinese, tables and
   * photographs.
   */
  async #readWithBoth(raster: Raster, signal?: AbortSignal): Promise<OcrReading> {
    const languages = this.#options.languages.filter(language => !language.startsWith('chi_'))
    const rules = findDrawnRules(raster)
    if (this.#isChinese || languages.length === 0 || isGrid(rules))
      return await this.#readWithPpOcr(raster, signal)
    this.#tesseract ??= openTesseract(languages)
    const lines = await (await this.#tesseract).read(raster, signal)
    const quick = toReading('tesseract', lines, raster, { quarters: 0, lean: 0 }, rules)
    if (isSure(quick)) return quick
    const careful = await this.#readWithPpOcr(raster, signal)
    return careful.confidence >= quick.confidence ? careful : quick
  }

  async #readWithTesseract(raster: Raster, signal?: AbortSignal): Promise<OcrReading> {
    this.#tesseract ??= openTesseract(this.#options.languages)
    const { lines, raster: turned, turn } = await readUpright(raster, await this.#tesseract, signal)
    return toReading('tesseract', lines, turned, turn, findDrawnRules(turned))
  }

  async #readWithPpOcr(raster: Raster, signal?: AbortSignal): Promise<OcrReading> {
    this.#ppOcr ??= PpOcr.open()
    const engine = await this.#ppOcr
    const upright = await makeUpright(raster, engine, signal)
    const lines = await engine.readRegions(upright.raster, upright.regions, signal)
    this.#isChinese = lines.some(({ text }) => /\p{Script=Han}{2}/u.test(text))
    return toReading('pp-ocr', lines, upright.raster, upright.turn, findDrawnRules(upright.raster))
  }
}

function toReading(
  engine: OcrEngine['name'],
  lines: readonly OcrLine[],
  { width, height }: Raster,
  turn: Turn,
  rules: readonly DrawnRule[],
): OcrReading {
  return {
    engine,
    lines: fixNumberMarks(lines),
    rules,
    width,
    height,
    turn,
    confidence: computeMeanConfidence(lines),
  }
}

function isBlank({ pixels }: Raster): boolean {
  const paper = findPaperShade(pixels)
  return pixels.every(shade => Math.abs(shade - paper) < FAINT)
}

function isGrid(rules: readonly DrawnRule[]): boolean {
  const level = rules.filter(rule => rule.y0 === rule.y1).length
  return level >= TABLE_RULES && rules.length - level >= TABLE_RULES
}

function isSure({ lines, confidence }: OcrReading): boolean {
  const countCharacters = (some: readonly OcrLine[]) =>
    some.reduce((sum, { text }) => sum + text.length, 0)
  const doubtful = lines.filter(line => line.confidence < DOUBTFUL_LINE)
  return confidence >= SURE && countCharacters(doubtful) <= MAX_DOUBTFUL * countCharacters(lines)
}

/** Quarter turns clockwise, then back by the lean of the lines (radians). */
type Turn = { readonly quarters: number; readonly lean: number }

type Upright = {
  readonly raster: Raster
  readonly turn: Turn
  readonly regions: readonly TextRegion[]
}

async function makeUpright(raster: Raster, engine: PpOcr, signal?: AbortSignal): Promise<Upright> {
  const regions = await engine.detect(raster)
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

async function readUpright(raster: Raster, engine: OcrEngine, signal?: AbortSignal) {
  let best: { lines: readonly OcrLine[]; raster: Raster; turn: Turn } | undefined
  for (const quarters of [0, 2, 1, 3]) {
    const turned = turnRaster(raster, quarters)
    const lines = await engine.read(turned, signal)
    if (!best || weighLines(lines) > weighLines(best.lines))
      best = { lines, raster: turned, turn: { quarters, lean: 0 } }
    if (computeMeanConfidence(lines) >= 0.7) break
  }
  return best!
}

function weighLines(lines: readonly OcrLine[]): number {
  return computeMeanConfidence(lines) ** 2 * lines.reduce((sum, { text }) => sum + text.length, 0)
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
  return [...regions].sort((a, b) => b.width - a.width).slice(0, SAMPLE_LINES)
}

async function readSample(
  engine: PpOcr,
  raster: Raster,
  sample: readonly TextRegion[],
  signal?: AbortSignal,
) {
  return sample.length === 0
    ? 1
    : computeMeanConfidence(await engine.readRegions(raster, sample, signal))
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
