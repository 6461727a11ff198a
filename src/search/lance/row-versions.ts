import type { Table } from '@lancedb/lancedb'
import { readColumn } from './row-column.ts'

/** So often the versions of rows are read one by one; who asks more often is told from memory. */
const SINGLE_READS = 3

/** A row's name is the number of its fragment, then its place there, 32 bits each. */
const PLACE_BITS = 32n
const PLACE_MASK = (1n << PLACE_BITS) - 1n

/**
 * The version of each row of a table that stays as it is. A search needs it of every candidate, and reading it each time
 * costs as much as half a search; all of them take four bytes a row, and a fraction of a second for a million.
 */
export class RowVersions {
  readonly #table: Table
  #reads = 0
  #all: Promise<ReadonlyMap<bigint, Int32Array>> | undefined

  constructor(table: Table) {
    this.#table = table
  }

  /** In the order of the rows. */
  async of(rows: readonly bigint[]): Promise<readonly number[]> {
    if (rows.length === 0) return []
    if (this.#reads++ < SINGLE_READS && !this.#all) return await this.#read(rows)
    this.#all ??= this.#readAll()
    const all = await this.#all
    return rows.map(row => all.get(row >> PLACE_BITS)?.[Number(row & PLACE_MASK)] ?? NO_VERSION)
  }

  async #read(rows: readonly bigint[]): Promise<readonly number[]> {
    const versions = new Map<bigint, number>()
    await readColumn(this.#table, rows, 'version', (row, version) =>
      versions.set(row, version as number),
    ) // our own column
    return rows.map(row => versions.get(row) ?? NO_VERSION)
  }

  async #readAll(): Promise<ReadonlyMap<bigint, Int32Array>> {
    const fragments = new Map<bigint, Int32Array>()
    for await (const batch of this.#table.query().select(['version']).withRowId()) {
      const names = batch.getChild('_rowid')?.toArray() as BigUint64Array // LanceDB's type of it
      const versions = batch.getChild('version')?.toArray() as Int32Array // our own column
      for (const [at, name] of names.entries()) {
        const fragment = name >> PLACE_BITS
        const place = Number(name & PLACE_MASK)
        let known = fragments.get(fragment) ?? new Int32Array(names.length)
        if (place >= known.length) known = grown(known, place)
        fragments.set(fragment, known)
        known[place] = versions[at]! // as long
      }
    }
    return fragments
  }
}

/** Versions are counted from 1: a row that is not there has none, and no reader may see it. */
const NO_VERSION = 0

function grown(values: Int32Array, place: number): Int32Array {
  const larger = new Int32Array(Math.max(place + 1, values.length * 2))
  larger.set(values)
  return larger
}
