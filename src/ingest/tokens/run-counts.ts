import { SpanMemory } from './span-memory.ts'

const SPACE = 0x20
/** Han marks after which a run may end. */
const HAN_STOPS = '。！？；，、：'

/** Number of tokens of `text.slice(start, end)`. */
type Count = (text: string, start: number, end: number) => number

/**
 * Token counts of a text as the sum over its runs, each counted once while it is remembered. A run ends where no token
 * can reach across: before a space, since a token holds one only as its first character, and after a Han mark whose
 * pair with the next character stands in no token. So the sum is exact.
 */
export class RunCounts {
  readonly #count: Count
  readonly #memory = new SpanMemory()
  /** Marks that are tokens by themselves, and so never part of a run of unknown characters. */
  readonly #stops = new Set<number>()
  /** Mark and next character, as one number, where some token holds both. */
  readonly #joined = new Set<number>()
  readonly #spaceSplits: boolean

  /** `count` counts a run; the pieces are the vocabulary's, with a space for each `▁`. */
  constructor(pieces: readonly string[], count: Count) {
    this.#count = count
    const singles = new Set(pieces.filter(piece => piece.length === 1))
    this.#spaceSplits = singles.has(' ') && !pieces.some(piece => piece.lastIndexOf(' ') > 0)
    for (const mark of HAN_STOPS) {
      if (singles.has(mark)) this.#stops.add(mark.charCodeAt(0))
    }
    for (const piece of pieces) {
      for (let at = 1; at < piece.length; at++) this.#join(piece.charCodeAt(at - 1), piece.charCodeAt(at))
    }
  }

  of(text: string): number {
    let total = 0
    let start = 0
    let before = 0
    let hash = 0
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at)
      if (at > 0 && this.#endsBetween(before, unit)) {
        total += this.#run(text, start, at, hash)
        start = at
        hash = 0
      }
      hash = SpanMemory.hash(hash, unit)
      before = unit
    }
    return start < text.length ? total + this.#run(text, start, text.length, hash) : total
  }

  #join(left: number, right: number): void {
    if (this.#stops.has(left)) this.#joined.add(left * 0x10000 + right)
  }

  #endsBetween(before: number, unit: number): boolean {
    if (unit === SPACE) return this.#spaceSplits
    return before > 0x2fff && this.#stops.has(before) && !this.#joined.has(before * 0x10000 + unit)
  }

  #run(text: string, start: number, end: number, hash: number): number {
    if (end - start > SpanMemory.MAX_LENGTH) return this.#count(text, start, end)
    const known = this.#memory.find(text, start, end, hash)
    if (known > 0) return known
    const count = this.#count(text, start, end)
    if (this.#memory.isFull) this.#memory.clear()
    this.#memory.put(text, start, end, hash, count)
    return count
  }
}
