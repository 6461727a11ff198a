import { SpanMemory } from './span-memory.ts'
import type { Vocabulary } from './vocabulary.ts'

const SPACE = 0x20
/** After which a run may end: a space before Chinese is mostly a token by itself. */
const STOPS = [...' 。！？；，、：']
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

  /** `count` counts a run. */
  constructor(vocabulary: Vocabulary, count: Count) {
    this.#count = count
    const { singles, hasInnerSpace } = shapeOf(vocabulary)
    this.#spaceSplits = singles[SPACE] === 1 && !hasInnerSpace
    for (const [index, stop] of STOPS.entries()) {
      const unit = stop.charCodeAt(0)
      if (singles[unit] === 1) this.#stops[unit] = index + 1
    }
    this.#joinAll(vocabulary)
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

  #joinAll({ units, starts }: Vocabulary): void {
    for (let id = 0; id + 1 < starts.length; id++) {
      const end = starts[id + 1]!
      for (let at = starts[id]! + 1; at < end; at++) {
        const stop = this.#stops[units[at - 1]!]! // all within
        if (stop > 0) this.#joined[stop * UNITS + units[at]!] = 1
      }
    }
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

/** 1 for each unit that is a piece by itself, and whether a space stands in a piece but as its first unit. */
function shapeOf({ units, starts }: Vocabulary): { readonly singles: Uint8Array; readonly hasInnerSpace: boolean } {
  const singles = new Uint8Array(UNITS)
  let hasInnerSpace = false
  for (let id = 0; id + 1 < starts.length; id++) {
    const [start, end] = [starts[id]!, starts[id + 1]!] // there is one more than pieces
    if (end - start === 1) singles[units[start]!] = 1
    for (let at = start + 1; at < end; at++) if (units[at] === SPACE) hasInnerSpace = true
  }
  return { singles, hasInnerSpace }
}
