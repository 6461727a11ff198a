import type { Details } from './rows.ts'

/** Bits of a row's name. */
const ROW_BITS = 64n

/**
 * A column of the rows that were read lately, of all readers of a process together: what a question needs of a row, the next ones
 * often need too, and reading one from a table costs as much as comparing a thousand. The oldest are forgotten first.
 */
export class RecentRows<Value> {
  readonly limit: number
  readonly #values = new Map<bigint, Value>()

  /** At most so many rows. */
  constructor(limit: number) {
    this.limit = limit
  }

  /** `reader` numbers the reader that named the row. */
  get(reader: number, row: bigint): Value | undefined {
    return this.#values.get(keyOf(reader, row))
  }

  add(reader: number, row: bigint, value: Value): void {
    this.#values.set(keyOf(reader, row), value)
    if (this.#values.size > this.limit) this.#values.delete(this.#values.keys().next().value!) // not empty
  }
}

function keyOf(reader: number, row: bigint): bigint {
  return (BigInt(reader) << ROW_BITS) | row
}

/** Rows whose vectors are kept at most, 50 MiB: reading those of a question's hundred costs a quarter of hybrid search. */
const RECENT_VECTORS = 32_768

/** Rows whose details are kept at most: 25 MiB. */
const RECENT_DETAILS = 16_384

/** What the readers of a store have read lately. */
export class RecentReads {
  /** How many there were so far. */
  readers = 0
  readonly vectors = new RecentRows<Float32Array | null>(RECENT_VECTORS)
  readonly details = new RecentRows<Details>(RECENT_DETAILS)
}
