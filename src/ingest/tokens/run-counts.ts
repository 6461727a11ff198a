import { SpanMemory } from '../../text/span-memory.ts'
import type { Vocabulary } from './vocabulary.ts'

const UNITS = 0x10000

/** Learned between two looks at whether others wait. */
const PIECES_AT_ONCE = 1_024

/** Number of tokens of `text.slice(start, end)`. */
type Count = (text: string, start: number, end: number) => number

/**
 * Token counts of a text as the sum over its runs, each counted once while it is remembered. A run ends between two units that
 * stand beside one another in no token, if one of them is a token by itself: no token reaches across, nor does a run of unknown
 * characters, which is one. So the sum is exact.
 */
export class RunCounts {
  readonly #count: Count
  readonly #memory = new SpanMemory()
  /** By UTF-16 unit, 1 where it is a token by itself. */
  readonly #singles = new Uint8Array(UNITS)
  readonly #pairs: PairSet

  /** `count` counts a run. Nothing is known of a vocabulary before it was learned. */
  constructor(count: Count) {
    this.#count = count
    this.#pairs = new PairSet()
  }

  *learn({ units, starts }: Vocabulary): Generator<void, void> {
    for (let id = 0; id + 1 < starts.length; id++) {
      if (id % PIECES_AT_ONCE === 0) yield
      const [start, end] = [starts[id]!, starts[id + 1]!] // there is one more than pieces
      if (end - start === 1) this.#singles[units[start]!] = 1
      for (let at = start + 1; at < end; at++) this.#pairs.add(units[at - 1]!, units[at]!)
    }
  }

  of(text: string): number {
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
