import { SpanMemory } from '../../../text/span-memory.ts'
import type { TrieTables } from './piece-trie.ts'

const UNITS = 0x10000

/** Counts the tokens of `text.slice(start, end)`. */
type Count = (text: string, start: number, end: number) => number

/**
 * Counts the tokens of a text as the sum over its runs, whose counts are cached. A run ends between two units that are adjacent in no
 * token, if one of them is a token: then neither a token nor a run of unknown characters, which is one token, reaches across. So the
 * sum is exact.
 */
export class RunCounts {
  readonly #count: Count
  readonly #memory = new SpanMemory()
  /** By UTF-16 unit: 1 if it is a token. */
  readonly #singles = new Uint8Array(UNITS)
  readonly #pairs = new PairSet()
  /** Set until something is counted: callers that only split texts do not need it. */
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
    let before = text.charCodeAt(0) // NaN for an empty text
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

  /** Prepares singles and pairs, in some milliseconds for 100,000 pieces. */
  #learn({ units, pieces, children }: TrieTables): void {
    const firstLevel = children[1]!
    for (let node = 1; node < firstLevel; node++)
      if (pieces[node]! > 0) this.#singles[units[node]!] = 1
    for (let node = 1; node + 1 < children.length; node++) {
      for (let child = children[node]!; child < children[node + 1]!; child++)
        this.#pairs.add(units[node]!, units[child]!)
    }
    this.#unlearned = undefined
  }

  #endsBetween(before: number, unit: number): boolean {
    return (
      !this.#pairs.mayHave(before, unit) &&
      (this.#singles[before] === 1 || this.#singles[unit] === 1)
    )
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

/** Bits for pairs of units, so that only every 25th pair of 100,000 pieces collides. */
const PAIR_BITS = 2 ** 22

/** A set of pairs of UTF-16 units, with one bit per pair that others may share. */
class PairSet {
  readonly #bits = new Int32Array(PAIR_BITS / 32)

  add(first: number, second: number): void {
    const bit = bitOf(first, second)
    this.#bits[bit >> 5]! |= 1 << (bit & 31) // within
  }

  /** Returns false only if the pair is missing. */
  mayHave(first: number, second: number): boolean {
    const bit = bitOf(first, second)
    return (this.#bits[bit >> 5]! & (1 << (bit & 31))) !== 0
  }
}

function bitOf(first: number, second: number): number {
  const hash = Math.imul((first << 16) ^ second, 0x9e3779b1)
  return hash >>> 10 // the upper 22 bits
}
