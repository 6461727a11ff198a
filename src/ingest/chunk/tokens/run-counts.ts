import type { TrieTables } from './piece-trie.ts'

const UNITS = 0x10000
/** Cached runs; protects memory. */
const MAX_RUNS = 50_000
/** V8 copies slices up to this length; a longer one would keep its text in memory. */
const MAX_RUN_CHARS = 12

type Count = (text: string, start: number, end: number) => number

export class RunCounts {
  readonly #count: Count
  readonly #counts = new Map<string, number>()
  /** 1 if the UTF-16 unit is a token. */
  readonly #singles = new Uint8Array(UNITS)
  readonly #pairs = new PairSet()
  #unlearned: TrieTables | undefined

  constructor(tables: TrieTables, count: Count) {
    this.#count = count
    this.#unlearned = tables
  }

  countTokens(text: string): number {
    if (this.#unlearned) this.#learn(this.#unlearned)
    let total = 0
    let start = 0
    let before = text.charCodeAt(0) // NaN for an empty text
    for (let index = 1; index < text.length; index++) {
      const unit = text.charCodeAt(index)
      if (this.#endsBetween(before, unit)) {
        total += this.#run(text, start, index)
        start = index
      }
      before = unit
    }
    return start < text.length ? total + this.#run(text, start, text.length) : total
  }

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
      !this.#pairs.mayContain(before, unit) &&
      (this.#singles[before] === 1 || this.#singles[unit] === 1)
    )
  }

  #run(text: string, start: number, end: number): number {
    if (end - start === 1 && this.#singles[text.charCodeAt(start)] === 1) return 1
    if (end - start > MAX_RUN_CHARS) return this.#count(text, start, end)
    const run = text.slice(start, end)
    const cached = this.#counts.get(run)
    if (cached !== undefined) return cached
    const count = this.#count(text, start, end)
    if (this.#counts.size === MAX_RUNS) this.#counts.clear()
    this.#counts.set(run, count)
    return count
  }
}

/** Only every 25th pair of 100,000 pieces collides, so that false matches are rare. */
const PAIR_BITS = 2 ** 22

/** Pairs that collide share a bit. */
class PairSet {
  readonly #bits = new Int32Array(PAIR_BITS / 32)

  add(first: number, second: number): void {
    const bit = findBit(first, second)
    this.#bits[bit >> 5]! |= 1 << (bit & 31)
  }

  mayContain(first: number, second: number): boolean {
    const bit = findBit(first, second)
    return (this.#bits[bit >> 5]! & (1 << (bit & 31))) !== 0
  }
}

function findBit(first: number, second: number): number {
  const hash = Math.imul((first << 16) ^ second, 0x9e3779b1)
  return hash >>> 10
}
