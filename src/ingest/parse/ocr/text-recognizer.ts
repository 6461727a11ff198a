import { readFile } from 'node:fs/promises'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import { getFirst, getLast } from '../../../system/items.ts'
import { findPaperShade, type Raster, readShade } from './raster.ts'
import { SESSION_OPTIONS } from './text-detector.ts'
import type { TextRegion } from './text-regions.ts'

type RecognizedText = { readonly text: string; readonly confidence: number }

/** Pixels: the standard input of PP-OCR's recognizers. */
const LINE_HEIGHT = 48
/** 85 times the height; the rest is cut off. Protects the memory of the model. */
const MAX_LINE_WIDTH = 4096
/** Pixels per step of the model. */
const STEP = 8
/** Height over width, so that turned text is read from the bottom up. */
const TALL = 1.5

/** Share of a line's contrast, so that the soft edges of letters do not close gaps. */
const INK = 0.4
/** Share of a line's height, so that a wide letter gap is no space. */
const MIN_GAP = 0.13
const WIDER = 1.8
const SPACED = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}\p{P}\p{S}]/u
const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uffef]/u
const CLOSING = /[.,:;!?)\]}%'’”]/
const OPENING = /[([{'‘“]/

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
    const line = extractPicture(raster, region)
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
    const placed = steps.map(({ character, start, end }) => ({
      character,
      x: (((start + end) / 2) * width) / stepCount,
    }))
    return { text: withInkSpaces(placed, line), confidence }
  }

  close(): Promise<void> {
    return this.#session.release()
  }

  /** Decodes CTC greedily: a repeated class is one character. */
  #decode(probabilities: Float32Array, steps: number, classes: number) {
    const found: { character: string; probability: number; start: number; end: number }[] = []
    let previous = 0
    for (let step = 0; step < steps; step++) {
      const best = findMaximum(probabilities, step * classes, classes)
      const probability = probabilities[step * classes + best] ?? 0
      if (best !== 0 && best === previous) getLast(found).end = step + 1
      else if (best !== 0) {
        found.push({
          character: this.#characters[best] ?? '',
          probability,
          start: step,
          end: step + 1,
        })
      }
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

function extractPicture(raster: Raster, region: TextRegion): Raster {
  const isTall = region.height > region.width * TALL
  const [along, across] = isTall ? [region.height, region.width] : [region.width, region.height]
  const angle = isTall ? region.angle - Math.PI / 2 : region.angle
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

type PlacedCharacter = { readonly character: string; readonly x: number }

/** Adds a space at each wide gap: a model trained on Chinese omits spaces between Latin words. */
function withInkSpaces(characters: readonly PlacedCharacter[], line: Raster): string {
  const gaps = characters.some(({ character }) => /\p{Script=Latin}/u.test(character))
    ? findWideGaps(line)
    : []
  let text = ''
  for (const [index, { character, x }] of characters.entries()) {
    const previous = characters[index - 1]
    const isParted = previous && gaps.some(gap => gap > previous.x && gap < x)
    text += isParted && canSeparate(previous.character, character) ? ` ${character}` : character
  }
  return text
}

function canSeparate(left: string, right: string): boolean {
  if (!SPACED.test(left) || !SPACED.test(right) || WIDE.test(left) || WIDE.test(right)) return false
  return !CLOSING.test(right) && !OPENING.test(left)
}

function findWideGaps(line: Raster): number[] {
  const gaps = findGaps(line)
  const widths = gaps.map(gap => gap.end - gap.start).sort((a, b) => a - b)
  const usual = widths[Math.floor(widths.length / 2)] ?? 0
  const least = Math.max(line.height * MIN_GAP, usual * WIDER)
  return gaps.filter(gap => gap.end - gap.start >= least).map(gap => (gap.start + gap.end) / 2)
}

function findGaps({ width, height, pixels }: Raster): { start: number; end: number }[] {
  const paper = findPaperShade(pixels)
  const contrast = pixels.reduce((most, shade) => Math.max(most, Math.abs(shade - paper)), 0)
  const gaps: { start: number; end: number }[] = []
  let end: number | undefined
  for (let x = 0; x < width; x++) {
    let ink = 0
    for (let y = 0; y < height; y++)
      ink = Math.max(ink, Math.abs((pixels[y * width + x] ?? paper) - paper))
    if (ink < contrast * INK) continue
    if (end !== undefined && x > end) gaps.push({ start: end, end: x })
    end = x + 1
  }
  return gaps
}
