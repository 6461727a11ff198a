/** Cached spans; protects memory. */
const MAX_SPANS = 50_000
/** UTF-16 units of all spans; protects memory. */
const MAX_UNITS = 2 ** 20
/** Initial slots (a power of two), so that a single lookup stays cheap. */
const FIRST_SLOTS = 2 ** 10
const UNITS_PER_SLOT = 8

/** Open addressing with at most half of the slots used; number 0 is free. */
class Slots {
  readonly numbers: Uint16Array
  readonly hashes: Int32Array
  readonly starts: Uint32Array
  readonly lengths: Uint8Array
  readonly mask: number

  constructor(count: number) {
    this.numbers = new Uint16Array(count)
    this.hashes = new Int32Array(count)
    this.starts = new Uint32Array(count)
    this.lengths = new Uint8Array(count)
    this.mask = count - 1
  }

  growDouble(): Slots {
    const larger = new Slots(2 * this.numbers.length)
    for (const [slot, number] of this.numbers.entries()) {
      if (number === 0) continue
      let target = larger.getFirstSlot(this.hashes[slot]!)
      while (larger.numbers[target] !== 0) target = (target + 1) & larger.mask
      larger.set(target, number, this.hashes[slot]!, this.starts[slot]!, this.lengths[slot]!)
    }
    return larger
  }

  getFirstSlot(hash: number): number {
    return (hash ^ (hash >>> 15)) & this.mask
  }

  set(slot: number, number: number, hash: number, start: number, length: number): void {
    this.numbers[slot] = number
    this.hashes[slot] = hash
    this.starts[slot] = start
    this.lengths[slot] = length
  }
}

/** Caches a number (1 to 65,535) by span, several times as fast as slicing for a `Map`. */
export class SpanMemory {
  /** Longer spans seldom repeat. */
  static readonly MAX_LENGTH = 80

  #slots = new Slots(FIRST_SLOTS)
  #units = new Uint16Array(FIRST_SLOTS * UNITS_PER_SLOT)
  #spans = 0
  #used = 0

  /** Extends an FNV-1a hash by a UTF-16 unit; an empty span has 0. */
  static hash(hash: number, unit: number): number {
    return Math.imul(hash ^ unit, 0x01000193)
  }

  find(text: string, start: number, end: number, hash: number): number {
    return this.#slots.numbers[this.#findSlot(text, start, end, hash)]!
  }

  /** Callers clear a full memory before `put`, because common words return at once. */
  get isFull(): boolean {
    return this.#spans >= MAX_SPANS || this.#used + SpanMemory.MAX_LENGTH > MAX_UNITS
  }

  clear(): void {
    this.#slots.numbers.fill(0)
    this.#spans = 0
    this.#used = 0
  }

  /** Expects a span that is not cached. */
  put(text: string, start: number, end: number, hash: number, number: number): void {
    this.#makeRoom()
    this.#slots.set(this.#findSlot(text, start, end, hash), number, hash, this.#used, end - start)
    for (let index = start; index < end; index++) this.#units[this.#used++] = text.charCodeAt(index)
    this.#spans++
  }

  #makeRoom(): void {
    if (2 * this.#spans >= this.#slots.numbers.length) this.#slots = this.#slots.growDouble()
    if (this.#used + SpanMemory.MAX_LENGTH <= this.#units.length) return
    const larger = new Uint16Array(2 * this.#units.length)
    larger.set(this.#units)
    this.#units = larger
  }

  #findSlot(text: string, start: number, end: number, hash: number): number {
    const slots = this.#slots
    let slot = slots.getFirstSlot(hash)
    while (slots.numbers[slot] !== 0 && !this.#hasSpan(slot, text, start, end, hash))
      slot = (slot + 1) & slots.mask
    return slot
  }

  #hasSpan(slot: number, text: string, start: number, end: number, hash: number): boolean {
    const { hashes, lengths, starts } = this.#slots
    if (hashes[slot] !== hash || lengths[slot] !== end - start) return false
    const first = starts[slot]! - start
    for (let index = start; index < end; index++)
      if (this.#units[first + index] !== text.charCodeAt(index)) return false
    return true
  }
}
