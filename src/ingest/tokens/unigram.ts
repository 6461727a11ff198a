import { inTurns } from '../turns.ts'
import { RunCounts } from './run-counts.ts'
import type { Vocabulary } from './vocabulary.ts'

/** What an unknown character costs below the worst piece: sentencepiece's constant. */
const UNKNOWN_PENALTY = 10

/** A slot: the node above, the unit that leads here, the piece that ends here; beside one another, for each is a walk to memory. */
const WIDTH = 4
const UNIT = 1
/** By its id and 1; 0 where none ends. */
const PIECE = 2
/** Stands for no node; a slot that is free holds it as its node above, as memory comes. */
const NONE = 0

/** Inserted between two looks at whether others wait. */
const PIECES_AT_ONCE = 1_024

/**
 * Splits text into the pieces whose scores add up highest (Kudo 2018, Viterbi search), a run of unknown characters being one token.
 * Works on UTF-16 units in one pass over typed arrays. Scores are float32 values added in float64, so every sum is exact and
 * the same split wins as in any other implementation, ties included: the longest last piece.
 */
export class Unigram {
  readonly #trie: PieceTrie
  readonly #scores: Float64Array
  readonly #unknownId: number
  readonly #window: Lattice
  readonly #runs: RunCounts

  /** The tables of 100,000 pieces take a tenth of a second to make: in turns. */
  static async of(vocabulary: Vocabulary, unknownId: number): Promise<Unigram> {
    const unigram = new Unigram(vocabulary, unknownId)
    await inTurns(unigram.#trie.insert(vocabulary))
    await inTurns(unigram.#runs.learn(vocabulary))
    return unigram
  }

  private constructor(vocabulary: Vocabulary, unknownId: number) {
    this.#trie = new PieceTrie(vocabulary)
    this.#scores = vocabulary.scores.slice()
    this.#unknownId = unknownId
    this.#scores[unknownId] = worst(this.#scores) - UNKNOWN_PENALTY
    this.#window = new Lattice(this.#trie.maxLength + 1)
    this.#runs = new RunCounts((text, start, end) => this.#search(text, start, end, this.#window))
  }

  /** Number of tokens; needs no memory that grows with the text. */
  count(text: string): number {
    return this.#runs.of(text)
  }

  /** Ids of the tokens in order. */
  encode(text: string): readonly number[] {
    const lattice = new Lattice(text.length + 1)
    const ids: number[] = new Array(this.#search(text, 0, text.length, lattice))
    let token = ids.length
    for (let end = text.length; end > 0; end -= lattice.lengths[end]!) {
      const id = lattice.ids[end]!
      if (id !== this.#unknownId || ids[token] !== id) ids[--token] = id
    }
    return ids
  }

  /** Number of tokens of `text.slice(start, end)`; positions in the lattice are counted from its start. */
  #search(text: string, start: number, end: number, lattice: Lattice): number {
    lattice.start()
    for (let at = start; at < end; ) {
      const width = at + 1 < end ? widthAt(text, at) : 1
      if (!this.#extend(text, at, start, end, width, lattice)) {
        this.#offer(lattice, at - start, width, this.#unknownId)
      }
      at += width
    }
    return lattice.counts[(end - start) & lattice.mask]!
  }

  /** Offer every piece that starts here; whether one of them is the single character. */
  #extend(text: string, at: number, start: number, end: number, width: number, lattice: Lattice): boolean {
    const trie = this.#trie
    let hasSingle = false
    let node = trie.first(text.charCodeAt(at))
    for (let next = at + 1; node > 0; next++) {
      const id = trie.pieceAt(node)
      if (id >= 0) {
        this.#offer(lattice, at - start, next - at, id)
        if (next - at === width) hasSingle = true
      }
      if (next >= end) break
      node = trie.next(node, text.charCodeAt(next))
    }
    return hasSingle
  }

  #offer(lattice: Lattice, at: number, length: number, id: number): void {
    const from = at & lattice.mask
    const to = (at + length) & lattice.mask
    const score = lattice.scores[from]! + this.#scores[id]!
    if (!lattice.isBetter(at + length, score)) return
    const joins = id === this.#unknownId && lattice.ids[from] === id
    lattice.scores[to] = score
    lattice.counts[to] = lattice.counts[from]! + (joins ? 0 : 1)
    lattice.ids[to] = id
    lattice.lengths[to] = length
  }
}

/** The best way found to every position. A ring: counting needs only as many positions as the longest piece is long. */
class Lattice {
  readonly mask: number
  readonly scores: Float64Array
  readonly counts: Int32Array
  readonly ids: Int32Array
  readonly lengths: Int32Array
  #reached = 0

  constructor(positions: number) {
    const size = 2 ** Math.ceil(Math.log2(positions))
    this.mask = size - 1
    this.scores = new Float64Array(size)
    this.counts = new Int32Array(size)
    this.ids = new Int32Array(size)
    this.lengths = new Int32Array(size)
  }

  start(): void {
    this.#reached = 0
    this.scores[0] = 0
    this.counts[0] = 0
    this.ids[0] = -1
  }

  /** Positions not reached so far hold what an earlier turn of the ring left. */
  isBetter(position: number, score: number): boolean {
    while (this.#reached < position) this.scores[++this.#reached & this.mask] = -Infinity
    return score > this.scores[position & this.mask]!
  }
}

/** Units of the character here: two for a surrogate pair, one for anything else. */
function widthAt(text: string, at: number): 1 | 2 {
  const isPair = isSurrogate(text.charCodeAt(at), 0xd800) && isSurrogate(text.charCodeAt(at + 1), 0xdc00)
  return isPair ? 2 : 1
}

function isSurrogate(unit: number, first: number): boolean {
  return (unit & 0xfc00) === first
}

function worst(scores: Float64Array): number {
  return scores.reduce((least, score) => Math.min(least, score))
}

/** Prefix tree of a vocabulary in one open-addressed table: a node is the slot its (parent, unit) pair lies in, from 1 on. */
class PieceTrie {
  /** Longest piece, in UTF-16 units. */
  readonly maxLength: number
  /** Where every piece starts: no slot, so that it cannot be mistaken for one. */
  readonly #root: number
  /** The root's children by unit: every walk begins there. */
  readonly #first = new Int32Array(0x10000)
  readonly #mask: number
  readonly #slots: Int32Array

  /** With room for the vocabulary, which is to be inserted. */
  constructor({ units, starts }: Vocabulary) {
    const size = 2 ** Math.ceil(Math.log2(units.length + 1))
    this.#root = size + 1
    this.#mask = size - 1
    this.#slots = new Int32Array(size * WIDTH)
    this.maxLength = starts.reduce((longest, start, id) => Math.max(longest, start - (starts[id - 1] ?? 0)), 0)
  }

  *insert({ units, starts }: Vocabulary): Generator<void, void> {
    for (let id = 0; id + 1 < starts.length; id++) {
      if (id % PIECES_AT_ONCE === 0) yield
      this.#insert(units, starts[id]!, starts[id + 1]!, id) // there is one more than pieces
    }
  }

  /** The node of a piece's first unit; 0 when no piece starts with it. */
  first(unit: number): number {
    return this.#first[unit]!
  }

  /** The child of a node under a unit; 0 when there is none. */
  next(node: number, unit: number): number {
    const slot = this.#slot(node, unit)
    return this.#slots[slot * WIDTH] === NONE ? NONE : slot + 1
  }

  /** Id of the piece that ends at a node; negative when none does. */
  pieceAt(node: number): number {
    return this.#slots[(node - 1) * WIDTH + PIECE]! - 1
  }

  #insert(units: Uint16Array, start: number, end: number, id: number): void {
    let node = this.#root
    for (let at = start; at < end; at++) {
      const unit = units[at]!
      const known = at > start ? NONE : this.#first[unit]!
      const slot = known === NONE ? this.#slot(node, unit) : known - 1
      this.#slots[slot * WIDTH] = node
      this.#slots[slot * WIDTH + UNIT] = unit
      if (at === start) this.#first[unit] = slot + 1
      node = slot + 1
    }
    if (end > start) this.#slots[(node - 1) * WIDTH + PIECE] = id + 1
  }

  /** Where the pair lies, or the free slot where it would. */
  #slot(node: number, unit: number): number {
    const slots = this.#slots
    let slot = mix(node, unit) & this.#mask
    for (let at = slot * WIDTH; slots[at] !== NONE; at = slot * WIDTH) {
      if (slots[at] === node && slots[at + UNIT] === unit) break
      slot = (slot + 1) & this.#mask
    }
    return slot
  }
}

function mix(node: number, unit: number): number {
  const hash = Math.imul(node, 0x9e3779b1) ^ Math.imul(unit, 0x85ebca6b)
  return hash ^ (hash >>> 15)
}
