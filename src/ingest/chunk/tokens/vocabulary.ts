/** Pieces of a unigram model with their log probabilities, packed: as an array for each, 100,000 of them take longer to collect than to use. */
export type Vocabulary = {
  /** The pieces one after another in UTF-16, by id, with a space for each `▁`. */
  readonly units: Uint16Array
  /** Where the piece of an id begins; one more, for the end of the last. */
  readonly starts: Uint32Array
  /** By id. */
  readonly scores: Float64Array
}

/** Stands for a space in a piece: sentencepiece's `▁`. */
const META_SPACE = 0x2581
const SPACE = 0x20

/** Puts pieces together in the order of their ids. */
export class VocabularyWriter {
  readonly #units: Uint16Array
  readonly #starts: Uint32Array
  readonly #scores: Float64Array
  #length = 0
  #size = 0

  /** For at most so many UTF-16 units and pieces; what is not used takes no memory. */
  constructor(maxUnits: number, maxPieces: number) {
    this.#units = new Uint16Array(maxUnits)
    this.#starts = new Uint32Array(maxPieces + 1)
    this.#scores = new Float64Array(maxPieces)
  }

  /** One more unit of the piece. */
  unit(unit: number): void {
    this.#units[this.#length++] = unit === META_SPACE ? SPACE : unit
  }

  text(text: string): void {
    for (let at = 0; at < text.length; at++) this.unit(text.charCodeAt(at))
  }

  /** The piece has no more units. */
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

/** A list as `tokenizer.json` has it. */
export type VocabularyList = readonly (readonly [piece: string, score: number])[]

export function packVocabulary(list: VocabularyList): Vocabulary {
  const units = list.reduce((sum, [piece]) => sum + piece.length, 0)
  const writer = new VocabularyWriter(units, list.length)
  for (const [piece, score] of list) {
    writer.text(piece)
    writer.end(score)
  }
  return writer.vocabulary
}
