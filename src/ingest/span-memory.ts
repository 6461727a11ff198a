/** Spans remembered: the words of a language repeat. */
const MAX_SPANS = 50_000
/** Twice as many at least, and a power of two: probes stay short. */
const SLOTS = 2 ** 17
/** UTF-16 units of all spans together. */
const MAX_UNITS = 2 ** 20

/**
 * Remembers a number, from 1 to 65,535, for spans of texts by what they say. A span is looked up where it stands in its
 * text, by a hash that is worked out while its end is looked for: cutting it out for a `Map` costs several times as much.
 */
export class SpanMemory {
  /** Longer spans seldom come back, and cannot be remembered. */
  static readonly MAX_LENGTH = 80

  readonly #numbers = new Uint16Array(SLOTS)
  readonly #hashes = new Int32Array(SLOTS)
  readonly #starts = new Uint32Array(SLOTS)
  readonly #lengths = new Uint8Array(SLOTS)
  readonly #units = new Uint16Array(MAX_UNITS)
  #spans = 0
  #used = 0

  /** Of a span one unit longer; an empty one has 0 (FNV-1a, on UTF-16 units). */
  static hash(hash: number, unit: number): number {
    return Math.imul(hash ^ unit, 0x01000193)
  }

  /** What is remembered for the span `[start, end)`; 0 when nothing is. */
  find(text: string, start: number, end: number, hash: number): number {
    return this.#numbers[this.#slot(text, start, end, hash)]!
  }

  /** To be cleared before anything is put: simpler than evicting, and words that matter come back at once. */
  get isFull(): boolean {
    return this.#spans >= MAX_SPANS || this.#used + SpanMemory.MAX_LENGTH > MAX_UNITS
  }

  clear(): void {
    this.#numbers.fill(0)
    this.#spans = 0
    this.#used = 0
  }

  /** Remember a span that is not remembered yet. */
  put(text: string, start: number, end: number, hash: number, number: number): void {
    const slot = this.#slot(text, start, end, hash)
    this.#numbers[slot] = number
    this.#hashes[slot] = hash
    this.#starts[slot] = this.#used
    this.#lengths[slot] = end - start
    for (let at = start; at < end; at++) this.#units[this.#used++] = text.charCodeAt(at)
    this.#spans++
  }

  #slot(text: string, start: number, end: number, hash: number): number {
    let slot = (hash ^ (hash >>> 15)) & (SLOTS - 1)
    while (this.#numbers[slot] !== 0 && !this.#holds(slot, text, start, end, hash)) slot = (slot + 1) & (SLOTS - 1)
    return slot
  }

  #holds(slot: number, text: string, start: number, end: number, hash: number): boolean {
    if (this.#hashes[slot] !== hash || this.#lengths[slot] !== end - start) return false
    const first = this.#starts[slot]! - start
    for (let at = start; at < end; at++) if (this.#units[first + at] !== text.charCodeAt(at)) return false
    return true
  }
}
