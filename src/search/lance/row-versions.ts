import type { Table } from '@lancedb/lancedb'
import { readColumn } from './row-column.ts'

/** Single reads before all versions are loaded, so that one-off searches stay cheap. */
const SINGLE_READS = 3

/** Bits of each half of a row name: fragment and offset. */
const PLACE_BITS = 32n
const PLACE_MASK = (1n << PLACE_BITS) - 1n

/** Versions in memory, four bytes each: reading them costs half a search. */
export class RowVersions {
  readonly #table: Table
  #reads = 0
  #all: Promise<ReadonlyMap<bigint, Int32Array>> | undefined

  constructor(table: Table) {
    this.#table = table
  }

  async readVersions(rows: readonly bigint[]): Promise<readonly number[]> {
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
    )
    return rows.map(row => versions.get(row) ?? NO_VERSION)
  }

  async #readAll(): Promise<ReadonlyMap<bigint, Int32Array>> {
    const fragments = new Map<bigint, Int32Array>()
    for await (const batch of this.#table.query().select(['version']).withRowId()) {
      const names: BigUint64Array = batch.getChild('_rowid')?.toArray()
      const versions: Int32Array = batch.getChild('version')?.toArray()
      for (const [index, name] of names.entries()) {
        const fragment = name >> PLACE_BITS
        const place = Number(name & PLACE_MASK)
        let rowVersions = fragments.get(fragment) ?? new Int32Array(names.length)
        if (place >= rowVersions.length) rowVersions = growList(rowVersions, place)
        fragments.set(fragment, rowVersions)
        rowVersions[place] = versions[index]!
      }
    }
    return fragments
  }
}

/** Hides a missing row from readers; versions start at 1. */
const NO_VERSION = 0

function growList(values: Int32Array, place: number): Int32Array {
  const larger = new Int32Array(Math.max(place + 1, values.length * 2))
  larger.set(values)
  return larger
}
