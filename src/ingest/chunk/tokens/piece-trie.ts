import type { Vocabulary } from './vocabulary.ts'

/** The root, which is no child, so that 0 also means "no node". */
const NONE = 0
const ROOT = 0

const UNITS = 0x10000
const ID_RANGE = 2 ** 32

const NODES_AT_ONCE = 1_024

export type TrieTables = {
  readonly units: Uint16Array
  /** Id + 1 of the piece that ends at a node; 0 if none does. */
  readonly pieces: Uint32Array
  /** Start of a node's children, which end where the next node's begin. */
  readonly children: Uint32Array
}

/** Prefix tree of a vocabulary, by UTF-16 units. */
export class PieceTrie {
  readonly tables: TrieTables
  /** Longest piece in units. */
  readonly maxLength: number
  /** Children of the root by unit. */
  readonly #first = new Int32Array(UNITS)

  constructor(tables: TrieTables) {
    this.tables = tables
    const { units, children } = tables
    for (let node = children[ROOT]!; node < children[ROOT + 1]!; node++)
      this.#first[units[node]!] = node
    this.maxLength = measureDepth(children)
  }

  first(unit: number): number {
    return this.#first[unit]!
  }

  next(node: number, unit: number): number {
    const { units, children } = this.tables
    let low = children[node]!
    let high = children[node + 1]!
    while (low < high) {
      const middle = (low + high) >> 1
      const found = units[middle]!
      if (found === unit) return middle
      if (found < unit) low = middle + 1
      else high = middle
    }
    return NONE
  }

  /** Negative if no piece ends at the node. */
  getPiece(node: number): number {
    return this.tables.pieces[node]! - 1
  }
}

function measureDepth(children: Uint32Array): number {
  let depth = 0
  for (let level = children[ROOT]!; level + 1 < children.length; level = children[level]!) depth++
  return depth
}

export function buildTrieTables(vocabulary: Vocabulary): Generator<void, TrieTables> {
  return new TrieWriter(vocabulary).tables()
}

class TrieWriter {
  readonly #vocabulary: Vocabulary
  readonly #units: Uint16Array
  readonly #pieces: Uint32Array
  readonly #children: Uint32Array
  /** Ids of the pieces, adjacent per node. */
  readonly #ids: Float64Array
  readonly #from: Uint32Array
  readonly #to: Uint32Array
  readonly #depths: Uint16Array
  #count = 1

  constructor(vocabulary: Vocabulary) {
    const capacity = vocabulary.units.length + 1
    this.#vocabulary = vocabulary
    this.#units = new Uint16Array(capacity)
    this.#pieces = new Uint32Array(capacity)
    this.#children = new Uint32Array(capacity + 1)
    this.#ids = Float64Array.from({ length: vocabulary.scores.length }, (_, id) => id)
    this.#from = new Uint32Array(capacity)
    this.#to = new Uint32Array(capacity)
    this.#depths = new Uint16Array(capacity)
    this.#to[ROOT] = this.#ids.length
  }

  *tables(): Generator<void, TrieTables> {
    for (let node = ROOT; node < this.#count; node++) {
      if (node % NODES_AT_ONCE === 0) yield
      this.#children[node] = this.#count
      this.#divide(node)
    }
    this.#children[this.#count] = this.#count
    return {
      units: this.#units.slice(0, this.#count),
      pieces: this.#pieces.slice(0, this.#count),
      children: this.#children.slice(0, this.#count + 1),
    }
  }

  #divide(node: number): void {
    const from = this.#from[node]!
    const ids = this.#ids.subarray(from, this.#to[node])
    const depth = this.#depths[node]!
    this.#sort(ids, depth)
    for (const [index, key] of ids.entries()) {
      const id = key % ID_RANGE
      ids[index] = id
      if (key < ID_RANGE) this.#pieces[node] = depth > 0 ? id + 1 : 0
      else this.#add(Math.floor(key / ID_RANGE) - 1, { node, at: from + index })
    }
  }

  #sort(ids: Float64Array, depth: number): void {
    const { units, starts } = this.#vocabulary
    for (const [index, id] of ids.entries()) {
      const next = starts[id]! + depth
      ids[index] = (next < starts[id + 1]! ? units[next]! + 1 : 0) * ID_RANGE + id
    }
    if (ids.length > 1) ids.sort()
  }

  #add(unit: number, { node, at }: { readonly node: number; readonly at: number }): void {
    const last = this.#count - 1
    if (last >= this.#children[node]! && this.#units[last] === unit) {
      this.#to[last] = at + 1
      return
    }
    this.#units[this.#count] = unit
    this.#from[this.#count] = at
    this.#to[this.#count] = at + 1
    this.#depths[this.#count++] = this.#depths[node]! + 1
  }
}
