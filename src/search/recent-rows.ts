import type { Details } from './row-details.ts'

/**
 * A column of the rows that were read lately, of all readers of a process together: what a question needs of a row, the next ones
 * often need too, and reading one from a table costs as much as comparing a thousand. The oldest are forgotten first, of the reader
 * that has read nothing for longest.
 */
export class RecentRows<Value> {
  readonly limit: number
  /** What a value takes of the limit. */
  readonly sizeOf: (value: Value) => number
  /** By the number of their reader; the one that read last is the last of them. */
  readonly #readers = new Map<number, Map<bigint, Value>>()
  #last: number | undefined
  #size = 0

  /** At most so many rows; with `sizeOf`, values whose sizes are so much together. */
  constructor(limit: number, sizeOf: (value: Value) => number = () => 1) {
    this.limit = limit
    this.sizeOf = sizeOf
  }

  /** `reader` numbers the reader that named the row. */
  get(reader: number, row: bigint): Value | undefined {
    return this.#readers.get(reader)?.get(row)
  }

  add(reader: number, row: bigint, value: Value): void {
    const kept = this.#readers.get(reader) ?? new Map<bigint, Value>()
    if (reader !== this.#last) {
      this.#readers.delete(reader)
      this.#readers.set(reader, kept)
      this.#last = reader
    }
    this.#delete(kept, row)
    kept.set(row, value)
    this.#size += this.sizeOf(value)
    this.#forget()
  }

  #forget(): void {
    for (const [reader, kept] of this.#readers) {
      for (const oldest of kept.keys()) {
        if (this.#size <= this.limit) return
        this.#delete(kept, oldest)
      }
      if (reader !== this.#last) this.#readers.delete(reader)
    }
  }

  #delete(kept: Map<bigint, Value>, row: bigint): void {
    const value = kept.get(row)
    if (value !== undefined) this.#size -= this.sizeOf(value)
    kept.delete(row)
  }
}

/** Bytes of the vectors that are kept at most: reading those of a question's hundred costs a quarter of hybrid search. */
const RECENT_VECTOR_BYTES = 50 * 1024 * 1024

/** Bytes of a row that is kept, about, its vector not counted. */
const ROW_BYTES = 64

/** Rows whose details are kept at most: 25 MiB. */
const RECENT_DETAILS = 16_384

/** What the readers of a store have read lately. */
export class RecentReads {
  /** How many there were so far. */
  readers = 0
  readonly vectors = new RecentRows<Float32Array | null>(
    RECENT_VECTOR_BYTES,
    vector => ROW_BYTES + (vector?.byteLength ?? 0),
  )
  readonly details = new RecentRows<Details>(RECENT_DETAILS)
}
