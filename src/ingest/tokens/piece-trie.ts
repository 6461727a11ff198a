import type { Vocabulary } from './vocabulary.ts'

/** A slot: the node above, the unit that leads here, the piece that ends here; beside one another, for each is a walk to memory. */
const WIDTH = 4
const UNIT = 1
/** By its id and 1; 0 where none ends. */
const PIECE = 2

/** Stands for no node; a slot that is free holds it as its node above, as memory comes. */
const NONE = 0

/** Prefix tree of a vocabulary in one open-addressed table: a node is the slot its (parent, unit) pair lies in, from 1 on. */
export class PieceTrie {
  /** Longest piece, in UTF-16 units. */
  readonly maxLength: number
  /** Where every piece starts: no slot, so that it cannot be mistaken for one. */
  readonly #root: number
  /** The root's children by unit: every walk begins there. */
  readonly #first = new Int32Array(0x10000)
  readonly #mask: number
  readonly #slots: Int32Array

  constructor({ units, starts }: Vocabulary) {
    const size = 2 ** Math.ceil(Math.log2(units.length + 1))
    this.#root = size + 1
    this.#mask = size - 1
    this.#slots = new Int32Array(size * WIDTH)
    let longest = 0
    for (let id = 0; id + 1 < starts.length; id++) {
      const [start, end] = [starts[id]!, starts[id + 1]!] // there is one more than pieces
      longest = Math.max(longest, end - start)
      this.#insert(units, start, end, id)
    }
    this.maxLength = longest
  }

  /** The node of a piece's first unit; 0 when no piece starts with it. */
  first(unit: number): number {
    return this.#first[unit]!
  }

  /** The child of a node under a unit; 0 when there is none. */
  next(node: number, unit: number): number {
    const slot = this.#slot(node, unit)
    return this.#slots[slot * WIDTH] === NONE ? NONE : slot + 1
  }

  /** Id of the piece that ends at a node; negative when none does. */
  pieceAt(node: number): number {
    return this.#slots[(node - 1) * WIDTH + PIECE]! - 1
  }

  #insert(units: Uint16Array, start: number, end: number, id: number): void {
    let node = this.#root
    for (let at = start; at < end; at++) {
      const unit = units[at]!
      const known = at > start ? NONE : this.#first[unit]!
      const slot = known === NONE ? this.#slot(node, unit) : known - 1
      this.#slots[slot * WIDTH] = node
      this.#slots[slot * WIDTH + UNIT] = unit
      if (at === start) this.#first[unit] = slot + 1
      node = slot + 1
    }
    if (end > start) this.#slots[(node - 1) * WIDTH + PIECE] = id + 1
  }

  /** Where the pair lies, or the free slot where it would. */
  #slot(node: number, unit: number): number {
    const slots = this.#slots
    let slot = mix(node, unit) & this.#mask
    for (let at = slot * WIDTH; slots[at] !== NONE; at = slot * WIDTH) {
      if (slots[at] === node && slots[at + UNIT] === unit) break
      slot = (slot + 1) & this.#mask
    }
    return slot
  }
}

function mix(node: number, unit: number): number {
  const hash = Math.imul(node, 0x9e3779b1) ^ Math.imul(unit, 0x85ebca6b)
  return hash ^ (hash >>> 15)
}
