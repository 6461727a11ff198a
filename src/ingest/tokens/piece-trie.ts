/** What a slot without a node holds as its parent. */
const FREE = -1

/** Prefix tree of a vocabulary in one open-addressed table: a node is the slot its (parent, unit) pair lies in. */
export class PieceTrie {
  /** Longest piece, in UTF-16 units. */
  readonly maxLength: number
  /** Where every piece starts: no slot, so that it cannot be mistaken for one. */
  readonly #root: number
  /** The root's children by unit: every walk begins there. */
  readonly #first = new Int32Array(0x10000).fill(-1)
  readonly #mask: number
  readonly #parents: Int32Array
  readonly #units: Uint16Array
  readonly #pieces: Int32Array

  /** A piece's place in the list is its id. */
  constructor(pieces: readonly string[]) {
    const units = pieces.reduce((sum, piece) => sum + piece.length, 0)
    const size = 2 ** Math.ceil(Math.log2(units + 1))
    this.#root = size
    this.#mask = size - 1
    this.#parents = new Int32Array(size).fill(FREE)
    this.#units = new Uint16Array(size)
    this.#pieces = new Int32Array(size).fill(-1)
    this.maxLength = pieces.reduce((longest, piece) => Math.max(longest, piece.length), 0)
    for (const [id, piece] of pieces.entries()) this.#insert(piece, id)
  }

  /** The node of a piece's first unit; negative when no piece starts with it. */
  first(unit: number): number {
    return this.#first[unit]!
  }

  /** The child of a node under a unit; negative when there is none. */
  next(node: number, unit: number): number {
    const slot = this.#slot(node, unit)
    return this.#parents[slot] === FREE ? -1 : slot
  }

  /** Id of the piece that ends at a node; negative when none does. */
  pieceAt(node: number): number {
    return this.#pieces[node]!
  }

  #insert(piece: string, id: number): void {
    let node = this.#root
    for (let at = 0; at < piece.length; at++) {
      const unit = piece.charCodeAt(at)
      const slot = at > 0 || this.#first[unit] === -1 ? this.#slot(node, unit) : this.#first[unit]!
      this.#parents[slot] = node
      this.#units[slot] = unit
      if (at === 0) this.#first[unit] = slot
      node = slot
    }
    this.#pieces[node] = id
  }

  /** Where the pair lies, or the free slot where it would. */
  #slot(node: number, unit: number): number {
    let slot = mix(node, unit) & this.#mask
    while (this.#parents[slot] !== FREE && (this.#parents[slot] !== node || this.#units[slot] !== unit)) {
      slot = (slot + 1) & this.#mask
    }
    return slot
  }
}

function mix(node: number, unit: number): number {
  const hash = Math.imul(node, 0x9e3779b1) ^ Math.imul(unit, 0x85ebca6b)
  return hash ^ (hash >>> 15)
}
