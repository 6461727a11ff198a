import { readFile } from 'node:fs/promises'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import { getFirst } from '../../../system/items.ts'
import { findPaperShade, type Raster, readShade } from './raster.ts'
import { SESSION_OPTIONS } from './text-detector.ts'
import type { TextRegion } from './text-regions.ts'

type RecognizedText = {
  readonly text: string
  readonly confidence: number
  /** Share of the columns with ink that are near no character (0 to 1). */
  readonly unreadShare: number
}

/** Pixels: the standard input of PP-OCR's recognizers. */
const LINE_HEIGHT = 48
/** 85 times the height; the rest is cut off. Protects the memory of the model. */
const MAX_LINE_WIDTH = 4096
/** Pixels per step of the model. */
const STEP = 8
/** Height over width, so that turned text is read from the bottom up. */
const TALL = 1.5
/** Height over width up to which a tall region may be one upright character, such as a 1. */
const ONE_CHARACTER = 3
/** Confidence of an upright character, because a 7 on its side is a good L. */
const SURE = 0.8
/** Share of a line's contrast, so that the grain of paper is no ink. */
const INK = 0.4
/** Pixels beside the middle of a character, so that a wide one is read from edge to edge. */
const REACH = LINE_HEIGHT

export class TextRecognizer {
  readonly #session: InferenceSession
  readonly #characters: readonly string[]

  private constructor(session: InferenceSession, characters: readonly string[]) {
    this.#session = session
    this.#characters = characters
  }

  static async open(modelPath: string, dictionaryPath: string): Promise<TextRecognizer> {
    const dictionary = (await readFile(dictionaryPath, 'utf8')).replace(/\n$/, '').split('\n')
    const session = await InferenceSession.create(modelPath, SESSION_OPTIONS)
    return new TextRecognizer(session, ['', ...dictionary, ' ']) // the model's first class is no character, its last a space
  }

  async recognize(raster: Raster, region: TextRegion): Promise<RecognizedText> {
    if (region.height <= region.width * TALL)
      return await this.#readLine(extractLine(raster, region))
    const lying = extractLine(raster, toLying(region))
    if (region.height > region.width * ONE_CHARACTER) return await this.#readLine(lying)
    const upright = await this.#readLine(extractLine(raster, region))
    if (upright.confidence >= SURE) return upright
    const turned = await this.#readLine(lying)
    return upright.confidence >= turned.confidence ? upright : turned
  }

  async #readLine(line: Raster): Promise<RecognizedText> {
    const width = Math.max(LINE_HEIGHT, Math.ceil(line.width / STEP) * STEP)
    const plane = LINE_HEIGHT * width
    const input = new Float32Array(3 * plane)
    for (let y = 0; y < LINE_HEIGHT; y++) {
      for (let x = 0; x < line.width; x++) {
        input[y * width + x] = ((line.pixels[y * line.width + x] ?? 0) / 255 - 0.5) / 0.5
      }
    }
    input.copyWithin(plane, 0, plane)
    input.copyWithin(2 * plane, 0, plane)
    const outputs = await this.#session.run({
      [getFirst(this.#session.inputNames)]: new Tensor('float32', input, [
        1,
        3,
        LINE_HEIGHT,
        width,
      ]),
    })
    const { data, dims } = getFirst(Object.values(outputs))
    const [, stepCount = 0, classes = 0] = dims
    const steps = this.#decode(data as Float32Array, stepCount, classes) // of a float32 model
    const confidence =
      steps.reduce((sum, step) => sum + step.probability, 0) / Math.max(1, steps.length)
    const middles = steps
      .filter(({ character }) => character !== ' ')
      .map(({ step }) => ((step + 0.5) * width) / stepCount)
    const text = steps.map(({ character }) => character).join('')
    return { text, confidence, unreadShare: measureUnreadShare(line, middles) }
  }

  close(): Promise<void> {
    return this.#session.release()
  }

  /** Decodes CTC greedily: a repeated class is one character. */
  #decode(probabilities: Float32Array, steps: number, classes: number) {
    const found: { character: string; probability: number; step: number }[] = []
    let previous = 0
    for (let step = 0; step < steps; step++) {
      const best = findMaximum(probabilities, step * classes, classes)
      const probability = probabilities[step * classes + best] ?? 0
      if (best !== 0 && best !== previous)
        found.push({ character: this.#characters[best] ?? '', probability, step })
      previous = best
    }
    return found
  }
}

function findMaximum(values: Float32Array, start: number, count: number): number {
  let best = 0
  for (let index = 1; index < count; index++)
    if ((values[start + index] ?? 0) > (values[start + best] ?? 0)) best = index
  return best
}

function toLying({ width, height, angle, ...centre }: TextRegion): TextRegion {
  return { ...centre, width: height, height: width, angle: angle - Math.PI / 2 }
}

function extractLine(raster: Raster, region: TextRegion): Raster {
  const { width: along, height: across, angle } = region
  const scale = across / LINE_HEIGHT
  const width = Math.min(MAX_LINE_WIDTH, Math.max(1, Math.round(along / scale)))
  const samples = Math.min(4, Math.max(1, Math.round(scale)))
  const sine = Math.sin(angle)
  const cosine = Math.cos(angle)
  const pixels = new Uint8Array(width * LINE_HEIGHT)
  for (let y = 0; y < LINE_HEIGHT; y++) {
    for (let x = 0; x < width; x++) {
      let sum = 0
      for (let sample = 0; sample < samples * samples; sample++) {
        const dx = (x + ((sample % samples) + 0.5) / samples) * scale - along / 2
        const dy = (y + (Math.floor(sample / samples) + 0.5) / samples) * scale - across / 2
        sum += readShade(
          raster,
          region.x + dx * cosine - dy * sine - 0.5,
          region.y + dx * sine + dy * cosine - 0.5,
        )
      }
      pixels[y * width + x] = sum / (samples * samples)
    }
  }
  return { width, height: LINE_HEIGHT, pixels }
}

function measureUnreadShare(line: Raster, middles: readonly number[]): number {
  const columns = findInkColumns(line)
  const unread = columns.filter(column => !middles.some(x => Math.abs(x - column) < REACH))
  return unread.length / Math.max(1, columns.length)
}

function findInkColumns({ width, height, pixels }: Raster): number[] {
  const paper = findPaperShade(pixels)
  const contrast = pixels.reduce((max, shade) => Math.max(max, Math.abs(shade - paper)), 0)
  const columns: number[] = []
  for (let x = 0; x < width; x++) {
    let ink = 0
    for (let y = 0; y < height; y++)
      ink = Math.max(ink, Math.abs((pixels[y * width + x] ?? paper) - paper))
    if (ink >= contrast * INK) columns.push(x)
  }
  return columns
}
