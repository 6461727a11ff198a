import type { Table } from '@lancedb/lancedb'
import type { Indexes } from './index-reader.ts'
import { LanceReader } from './lance-reader.ts'
import type { LanceTables } from './lance-tables.ts'

/** `version` is that of the table when the reader was made, whoever wrote it. */
type Opened = { readonly table: Table; readonly version: number; readonly reader: LanceReader }

/** Opens the LanceDB tables of a store for reading. */
export class LanceIndexes implements Indexes {
  readonly #tables: LanceTables
  readonly #readers = new Map<string, Opened>()

  constructor(tables: LanceTables) {
    this.#tables = tables
  }

  /** A reader is kept until the table changes. */
  async open(collectionId: string): Promise<LanceReader | undefined> {
    const table = await this.#tables.readable(collectionId)
    if (!table) return undefined
    const known = this.#readers.get(collectionId)
    if (known?.table === table && known.version === (await table.version())) return known.reader
    const snapshot = await this.#tables.snapshot(table)
    const reader = new LanceReader(snapshot)
    this.#readers.set(collectionId, { table, version: await snapshot.version(), reader })
    return reader
  }

  forget(collectionId: string): void {
    this.#readers.delete(collectionId)
    this.#tables.forget(collectionId)
  }
}
