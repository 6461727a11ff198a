import type { Details } from './row-details.ts'

export class RecentRows<Value> {
  readonly limit: number
  readonly sizeOf: (value: Value) => number
  readonly #readers = new Map<number, Map<bigint, Value>>()
  #last: number | undefined
  #size = 0

  constructor(limit: number, sizeOf: (value: Value) => number = () => 1) {
    this.limit = limit
    this.sizeOf = sizeOf
  }

  get(reader: number, row: bigint): Value | undefined {
    return this.#readers.get(reader)?.get(row)
  }

  add(reader: number, row: bigint, value: Value): void {
    const rows = this.#readers.get(reader) ?? new Map<bigint, Value>()
    if (reader !== this.#last) {
      this.#readers.delete(reader)
      this.#readers.set(reader, rows)
      this.#last = reader
    }
    this.#delete(rows, row)
    rows.set(row, value)
    this.#size += this.sizeOf(value)
    this.#forget()
  }

  #forget(): void {
    for (const [reader, rows] of this.#readers) {
      for (const oldest of rows.keys()) {
        if (this.#size <= this.limit) return
        this.#delete(rows, oldest)
      }
      if (reader !== this.#last) this.#readers.delete(reader)
    }
  }

  #delete(rows: Map<bigint, Value>, row: bigint): void {
    const value = rows.get(row)
    if (value !== undefined) this.#size -= this.sizeOf(value)
    rows.delete(row)
  }
}

/** Protects memory. Reading a hundred vectors costs a quarter of hybrid search. */
const RECENT_VECTOR_BYTES = 50 * 1024 * 1024

/** Bytes of a cached row besides its vector; protects the limit. */
const ROW_BYTES = 64

/** Bounds memory to 25 MiB, so that a service stays small. */
const RECENT_DETAILS = 16_384

export class RecentReads {
  readers = 0
  readonly vectors = new RecentRows<Float32Array | null>(
    RECENT_VECTOR_BYTES,
    vector => ROW_BYTES + (vector?.byteLength ?? 0),
  )
  readonly details = new RecentRows<Details>(RECENT_DETAILS)
}
