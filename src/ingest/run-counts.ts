/** Runs remembered: the words of a language repeat, and every sentence is counted again as part of its chunk. */
const MAX_RUNS = 50_000
/** Longer runs seldom come back. */
const MAX_RUN_LENGTH = 80

const SPACE = 0x20
/** Han marks after which a run may end. */
const HAN_STOPS = '。！？；，、：'

/**
 * Token counts of a text as the sum over its runs, each counted once while it is remembered. A run ends where no token
 * can reach across: before a space, since a token holds one only as its first character, and after a Han mark whose
 * pair with the next character stands in no token. So the sum is exact.
 */
export class RunCounts {
  readonly #count: (run: string) => number
  readonly #counts = new Map<string, number>()
  /** Marks that are tokens by themselves, and so never part of a run of unknown characters. */
  readonly #stops = new Set<number>()
  /** Mark and next character, as one number, where some token holds both. */
  readonly #joined = new Set<number>()
  readonly #spaceSplits: boolean

  /** `count` counts a run; the pieces are the vocabulary's, with a space for each `▁`. */
  constructor(pieces: readonly string[], count: (run: string) => number) {
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
    for (let at = 1; at < text.length; at++) {
      if (!this.#endsBefore(text, at)) continue
      total += this.#run(text.slice(start, at))
      start = at
    }
    return start < text.length ? total + this.#run(text.slice(start)) : total
  }

  #join(left: number, right: number): void {
    if (this.#stops.has(left)) this.#joined.add(left * 0x10000 + right)
  }

  #endsBefore(text: string, at: number): boolean {
    const unit = text.charCodeAt(at)
    if (unit === SPACE) return this.#spaceSplits
    const before = text.charCodeAt(at - 1)
    return before > 0x2fff && this.#stops.has(before) && !this.#joined.has(before * 0x10000 + unit)
  }

  #run(run: string): number {
    if (run.length > MAX_RUN_LENGTH) return this.#count(run)
    const known = this.#counts.get(run)
    if (known !== undefined) return known
    const count = this.#count(run)
    if (this.#counts.size >= MAX_RUNS) this.#counts.clear()
    this.#counts.set(run, count)
    return count
  }
}
