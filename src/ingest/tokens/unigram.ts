import { SpanMemory } from '../../text/span-memory.ts'
import { inTurns } from '../turns.ts'
import { PieceTrie, type TrieTables, trieTables } from './piece-trie.ts'
import type { Vocabulary } from './vocabulary.ts'

/** What an unknown character costs below the worst piece: sentencepiece's constant. */
const UNKNOWN_PENALTY = 10

/** What text is split by. */
export type UnigramTables = TrieTables & Pick<Vocabulary, 'scores'>

/** Those of 100,000 pieces take a tenth of a second to make: in turns. */
export async function unigramTables(vocabulary: Vocabulary): Promise<UnigramTables> {
  return { ...(await inTurns(trieTables(vocabulary))), scores: vocabulary.scores }
}

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

  constructor({ scores, ...tables }: UnigramTables, unknownId: number) {
    this.#trie = new PieceTrie(tables)
    this.#scores = scores.slice()
    this.#unknownId = unknownId
    this.#scores[unknownId] = worst(this.#scores) - UNKNOWN_PENALTY
    this.#window = new Lattice(this.#trie.maxLength + 1)
    this.#runs = new RunCounts(tables, (text, start, end) => this.#search(text, start, end, this.#window))
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

const UNITS = 0x10000

/** Number of tokens of `text.slice(start, end)`. */
type Count = (text: string, start: number, end: number) => number

/**
 * Token counts of a text as the sum over its runs, each counted once while it is remembered. A run ends between two units that
 * stand beside one another in no token, if one of them is a token by itself: no token reaches across, nor does a run of unknown
 * characters, which is one. So the sum is exact.
 */
class RunCounts {
  readonly #count: Count
  readonly #memory = new SpanMemory()
  /** By UTF-16 unit, 1 where it is a token by itself. */
  readonly #singles = new Uint8Array(UNITS)
  readonly #pairs = new PairSet()
  /** Until something is counted: who only splits texts has no use for it. */
  #unlearned: TrieTables | undefined

  /** `count` counts a run. */
  constructor(tables: TrieTables, count: Count) {
    this.#count = count
    this.#unlearned = tables
  }

  of(text: string): number {
    if (this.#unlearned) this.#learn(this.#unlearned)
    let total = 0
    let start = 0
    let before = text.charCodeAt(0) // not a number where there is none
    let hash = SpanMemory.hash(0, before)
    for (let at = 1; at < text.length; at++) {
      const unit = text.charCodeAt(at)
      if (this.#endsBetween(before, unit)) {
        total += this.#run(text, start, at, hash)
        start = at
        hash = 0
      }
      hash = SpanMemory.hash(hash, unit)
      before = unit
    }
    return start < text.length ? total + this.#run(text, start, text.length, hash) : total
  }

  /** Takes some milliseconds for 100,000 pieces. */
  #learn({ units, pieces, children }: TrieTables): void {
    const firstLevel = children[1]!
    for (let node = 1; node < firstLevel; node++) if (pieces[node]! > 0) this.#singles[units[node]!] = 1
    for (let node = 1; node + 1 < children.length; node++) {
      for (let child = children[node]!; child < children[node + 1]!; child++)
        this.#pairs.add(units[node]!, units[child]!)
    }
    this.#unlearned = undefined
  }

  #endsBetween(before: number, unit: number): boolean {
    return !this.#pairs.mayHave(before, unit) && (this.#singles[before] === 1 || this.#singles[unit] === 1)
  }

  #run(text: string, start: number, end: number, hash: number): number {
    if (end - start === 1 && this.#singles[text.charCodeAt(start)] === 1) return 1
    if (end - start > SpanMemory.MAX_LENGTH) return this.#count(text, start, end)
    const known = this.#memory.find(text, start, end, hash)
    if (known > 0) return known
    const count = this.#count(text, start, end)
    if (this.#memory.isFull) this.#memory.clear()
    this.#memory.put(text, start, end, hash, count)
    return count
  }
}

/** Bits for pairs of units: of 100,000 pieces' pairs every 25th stands for another too. */
const PAIR_BITS = 2 ** 22

/** Pairs of UTF-16 units, each by one bit that others share. */
class PairSet {
  readonly #bits = new Int32Array(PAIR_BITS / 32)

  add(first: number, second: number): void {
    const bit = bitOf(first, second)
    this.#bits[bit >> 5]! |= 1 << (bit & 31) // within
  }

  /** False is sure. */
  mayHave(first: number, second: number): boolean {
    const bit = bitOf(first, second)
    return (this.#bits[bit >> 5]! & (1 << (bit & 31))) !== 0
  }
}

function bitOf(first: number, second: number): number {
  const hash = Math.imul((first << 16) ^ second, 0x9e3779b1)
  return hash >>> 10 // the upper bits, as many as there are
}
