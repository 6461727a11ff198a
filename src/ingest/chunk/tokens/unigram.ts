import { runInTimeSlices } from '../../../system/time-slices.ts'
import { buildTrieTables, PieceTrie, type TrieTables } from './piece-trie.ts'
import { RunCounts } from './run-counts.ts'
import type { Vocabulary } from './vocabulary.ts'

/** sentencepiece's penalty for an unknown character, so that splits are equal. */
const UNKNOWN_PENALTY = 10

export type UnigramTables = TrieTables & Pick<Vocabulary, 'scores'>

/** Works in time slices: 100,000 pieces take a tenth of a second. */
export async function buildUnigramTables(vocabulary: Vocabulary): Promise<UnigramTables> {
  return { ...(await runInTimeSlices(buildTrieTables(vocabulary))), scores: vocabulary.scores }
}

/**
 * Splits text into the pieces with the highest sum of scores (Kudo 2018, Viterbi search). In a tie
 * the longest last piece wins.
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
    this.#scores[unknownId] =
      this.#scores.reduce((min, score) => Math.min(min, score)) - UNKNOWN_PENALTY
    this.#window = new Lattice(this.#trie.maxLength + 1)
    this.#runs = new RunCounts(tables, (text, start, end) =>
      this.#search(text, start, end, this.#window),
    )
  }

  count(text: string): number {
    return this.#runs.countTokens(text)
  }

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

  /** Positions in the lattice are relative to `start`. */
  #search(text: string, start: number, end: number, lattice: Lattice): number {
    lattice.start()
    for (let index = start; index < end; ) {
      const width = index + 1 < end ? measureWidth(text, index) : 1
      if (!this.#extend(text, index, start, end, width, lattice)) {
        this.#offer(lattice, index - start, width, this.#unknownId)
      }
      index += width
    }
    return lattice.counts[(end - start) & lattice.mask]!
  }

  #extend(
    text: string,
    index: number,
    start: number,
    end: number,
    width: number,
    lattice: Lattice,
  ): boolean {
    const trie = this.#trie
    let hasSingle = false
    let node = trie.first(text.charCodeAt(index))
    for (let next = index + 1; node > 0; next++) {
      const id = trie.getPiece(node)
      if (id >= 0) {
        this.#offer(lattice, index - start, next - index, id)
        if (next - index === width) hasSingle = true
      }
      if (next >= end) break
      node = trie.next(node, text.charCodeAt(next))
    }
    return hasSingle
  }

  #offer(lattice: Lattice, index: number, length: number, id: number): void {
    const from = index & lattice.mask
    const to = (index + length) & lattice.mask
    const score = lattice.scores[from]! + this.#scores[id]!
    if (!lattice.isBetter(index + length, score)) return
    const joins = id === this.#unknownId && lattice.ids[from] === id
    lattice.scores[to] = score
    lattice.counts[to] = lattice.counts[from]! + (joins ? 0 : 1)
    lattice.ids[to] = id
    lattice.lengths[to] = length
  }
}

/** Best split up to each position; a ring as long as the longest piece. */
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

  isBetter(position: number, score: number): boolean {
    while (this.#reached < position) this.scores[++this.#reached & this.mask] = -Infinity
    return score > this.scores[position & this.mask]!
  }
}

function measureWidth(text: string, index: number): 1 | 2 {
  const isPair =
    isSurrogate(text.charCodeAt(index), 0xd800) && isSurrogate(text.charCodeAt(index + 1), 0xdc00)
  return isPair ? 2 : 1
}

function isSurrogate(unit: number, first: number): boolean {
  return (unit & 0xfc00) === first
}
