import { runInTimeSlices } from '../../../system/time-slices.ts'

/** Pieces with log probabilities, packed: 100,000 arrays would take long to collect. */
export type Vocabulary = {
  /** All pieces, ordered by id, with a space for each `▁`. */
  readonly units: Uint16Array
  /** Also the end of the last piece. */
  readonly starts: Uint32Array
  readonly scores: Float64Array
}

/** `▁`, the standard of sentencepiece for a space. */
const META_SPACE = 0x2581
const SPACE = 0x20

class VocabularyWriter {
  readonly #units: Uint16Array
  readonly #starts: Uint32Array
  readonly #scores: Float64Array
  #length = 0
  #size = 0

  /** Reserved room takes no memory until it is used. */
  constructor(maxUnits: number, maxPieces: number) {
    this.#units = new Uint16Array(maxUnits)
    this.#starts = new Uint32Array(maxPieces + 1)
    this.#scores = new Float64Array(maxPieces)
  }

  addUnit(unit: number): void {
    this.#units[this.#length++] = unit === META_SPACE ? SPACE : unit
  }

  addText(text: string): void {
    for (let index = 0; index < text.length; index++) this.addUnit(text.charCodeAt(index))
  }

  end(score: number): void {
    this.#scores[this.#size++] = score
    this.#starts[this.#size] = this.#length
  }

  get vocabulary(): Vocabulary {
    return {
      units: this.#units.slice(0, this.#length),
      starts: this.#starts.slice(0, this.#size + 1),
      scores: this.#scores.slice(0, this.#size),
    }
  }
}

export type VocabularyList = readonly (readonly [piece: string, score: number])[]

export function packVocabulary(list: VocabularyList): Vocabulary {
  const units = list.reduce((sum, [piece]) => sum + piece.length, 0)
  const writer = new VocabularyWriter(units, list.length)
  for (const [piece, score] of list) {
    writer.addText(piece)
    writer.end(score)
  }
  return writer.vocabulary
}

/** Pieces per step, so that other work gets the thread. */
const PIECES_AT_ONCE = 1_024

const KEY = '"vocab":'

const MIN_PIECE_BYTES = 7

const QUOTE = 0x22
const COMMA = 0x2c
const OPEN = 0x5b
const BACKSLASH = 0x5c
const CLOSE = 0x5d

const isBlank = (byte: number | undefined) =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

const MAX_NUMBER = 64
const MINUS = 0x2d
const POINT = 0x2e
const ZERO = 0x30
/** Exact decimal digits of a double, and the largest relative error of a float32 cut off there. */
const EXACT_DIGITS = 15
const FLOAT_TOLERANCE = 1e-14

type CutTokenizer = { readonly vocabulary: Vocabulary; readonly rest: string }

/**
 * Cuts the vocabulary out, at a quarter of the cost of `JSON.parse`. Returns undefined for
 * anything unexpected.
 */
export async function cutVocabulary(json: Buffer): Promise<CutTokenizer | undefined> {
  const key = json.indexOf(KEY) // its quotes would be escaped inside a string
  if (key < 0) return undefined
  const list = new VocabularyText(json, key + KEY.length)
  const vocabulary = await runInTimeSlices(list.read())
  if (!vocabulary) return undefined
  const before = json.toString('utf8', 0, key + KEY.length)
  const after = json.toString('utf8', list.end)
  return { vocabulary, rest: `${before}[]${after}` }
}

/** Reads `[["piece", -3.5], …]`. */
class VocabularyText {
  readonly #json: Buffer
  readonly #writer: VocabularyWriter
  #at: number

  constructor(json: Buffer, start: number) {
    this.#json = json
    this.#at = start
    const length = json.length - start
    this.#writer = new VocabularyWriter(length, Math.ceil(length / MIN_PIECE_BYTES))
  }

  get end(): number {
    return this.#at
  }

  *read(): Generator<void, Vocabulary | undefined> {
    if (!this.#take(OPEN)) return undefined
    let pieces = 0
    do {
      if (pieces++ % PIECES_AT_ONCE === 0) yield
      if (
        !(
          this.#take(OPEN) &&
          this.#readPiece() &&
          this.#take(COMMA) &&
          this.#score() &&
          this.#take(CLOSE)
        )
      )
        return undefined
    } while (this.#take(COMMA))
    return this.#take(CLOSE) ? this.#writer.vocabulary : undefined
  }

  #take(byte: number): boolean {
    while (isBlank(this.#json[this.#at])) this.#at++
    if (this.#json[this.#at] !== byte) return false
    this.#at++
    return true
  }

  #readPiece(): boolean {
    if (!this.#take(QUOTE)) return false
    const json = this.#json
    const start = this.#at
    let end = start
    let isSimple = true
    while (json[end] !== QUOTE) {
      const byte = json[end]
      if (byte === undefined) return false
      if (byte === BACKSLASH) end++ // an escaped quote
      if (byte === BACKSLASH || (byte >= 0xc0 && (byte & 0xf0) !== 0xe0)) isSimple = false
      end++
    }
    this.#at = end + 1
    if (isSimple) this.#writeSimple(start, end)
    else return this.#writeEscaped(`"${json.toString('utf8', start, end)}"`)
    return true
  }

  #writeEscaped(text: string): boolean {
    try {
      this.#writer.addText(JSON.parse(text))
      return true
    } catch {
      return false // `JSON.parse` reports it
    }
  }

  #writeSimple(start: number, end: number): void {
    const json = this.#json
    for (let index = start; index < end; index++) {
      const byte = json[index]!
      if (byte < 0x80) this.#writer.addUnit(byte)
      else
        this.#writer.addUnit(
          ((byte & 0xf) << 12) | ((json[++index]! & 0x3f) << 6) | (json[++index]! & 0x3f),
        )
    }
  }

  #score(): boolean {
    const start = this.#at
    let end = start
    while (end - start < MAX_NUMBER && this.#json[end] !== CLOSE) end++
    this.#at = end
    const score =
      parseFloat32(this.#json, start, end) ?? parseNumber(this.#json.toString('latin1', start, end))
    if (score === undefined) return false
    this.#writer.end(score)
    return true
  }
}

/**
 * Parses a float32 written with all digits of a double in a tenth of the time: 15 identify it.
 * Returns undefined for any other number.
 */
function parseFloat32(json: Buffer, start: number, end: number): number | undefined {
  const isNegative = json[start] === MINUS
  const first = isNegative ? start + 1 : start
  const enough = first + EXACT_DIGITS + 1
  let mantissa = 0
  let scale = 0
  for (let index = first; index < end; index++) {
    const byte = json[index]!
    if (byte === POINT && scale === 0) scale = 1
    else if (byte < ZERO || byte > ZERO + 9) return undefined
    else if (index < enough) {
      mantissa = mantissa * 10 + byte - ZERO
      scale *= 10
    }
  }
  if (scale === 0) return undefined
  const value = (isNegative ? -mantissa : mantissa) / scale
  const float = Math.fround(value)
  return Math.abs(value - float) <= Math.abs(value) * FLOAT_TOLERANCE ? float : undefined
}

function parseNumber(text: string): number | undefined {
  const number = text.trim() === '' ? Number.NaN : Number(text)
  return Number.isFinite(number) ? number : undefined
}
