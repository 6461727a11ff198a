import { SpanMemory } from './span-memory.ts'

const SPACE = 0x20
/** After which a run may end: a space before Chinese is mostly a token by itself. */
const STOPS = [...' 。！？；，、：']
const HAS_STOP = new RegExp(`[${STOPS.join('')}].`, 's')
const UNITS = 0x10000

/** Number of tokens of `text.slice(start, end)`. */
type Count = (text: string, start: number, end: number) => number

/**
 * Token counts of a text as the sum over its runs, each counted once while it is remembered. A run ends where no token
 * can reach across: before a space, since a token holds one only as its first character, and after a space or a Han mark
 * whose pair with the next character stands in no token. So the sum is exact.
 */
export class RunCounts {
  readonly #count: Count
  readonly #memory = new SpanMemory()
  /** By UTF-16 unit, numbers of the stops that are tokens by themselves, and so never part of a run of unknown characters. */
  readonly #stops = new Uint8Array(UNITS)
  /** 1 where some token holds both a stop, by its number, and the next unit. */
  readonly #joined = new Uint8Array((STOPS.length + 1) * UNITS)
  readonly #spaceSplits: boolean

  /** `count` counts a run; the pieces are the vocabulary's, with a space for each `▁`. */
  constructor(pieces: readonly string[], count: Count) {
    this.#count = count
    const singles = new Set(pieces.filter(piece => piece.length === 1))
    this.#spaceSplits = singles.has(' ') && !pieces.some(piece => piece.lastIndexOf(' ') > 0)
    for (const [index, stop] of STOPS.entries()) {
      if (singles.has(stop)) this.#stops[stop.charCodeAt(0)] = index + 1
    }
    for (const piece of pieces.filter(piece => HAS_STOP.test(piece))) {
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
    this.#joined[this.#stops[left]! * UNITS + right] = 1 // what is no stop has 0, which is not asked for
  }

  #endsBetween(before: number, unit: number): boolean {
    if (unit === SPACE) return this.#spaceSplits
    const stop = this.#stops[before]!
    return stop > 0 && this.#joined[stop * UNITS + unit] === 0
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
