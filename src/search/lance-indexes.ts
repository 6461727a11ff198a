import type { Table } from '@lancedb/lancedb'
import type { Indexes } from './index-reader.ts'
import { LanceReader } from './lance-reader.ts'
import type { LanceTables } from './lance-tables.ts'
import { RecentReads } from './recent-rows.ts'

/** `version` is that of the table when the reader was made, whoever wrote it; `state` what was true before that. */
type Opened = { readonly table: Table; readonly version: number; state: string; readonly reader: LanceReader }

/** Opens the LanceDB tables of a store for reading. */
export class LanceIndexes implements Indexes {
  readonly #tables: LanceTables
  readonly #state: () => string
  readonly #readers = new Map<string, Opened>()
  readonly #recent = new RecentReads()

  /** `state` differs from what it was whenever a table may have changed since. */
  constructor(tables: LanceTables, state: () => string) {
    this.#tables = tables
    this.#state = state
  }

  /** A reader is kept until the table changes: whoever changes one writes to the catalog then, and asking that costs less. */
  async open(collectionId: string): Promise<LanceReader | undefined> {
    const state = this.#state()
    const table = await this.#tables.readable(collectionId)
    if (!table) return undefined
    const known = this.#readers.get(collectionId)
    if (known?.table === table) {
      if (known.state === state) return known.reader
      const isSame = known.version === (await table.version())
      if (isSame) known.state = state
      if (isSame) return known.reader
    }
    const snapshot = await this.#tables.snapshot(table)
    const reader = new LanceReader(snapshot, this.#recent)
    this.#readers.set(collectionId, { table, version: await snapshot.version(), state, reader })
    return reader
  }

  forget(collectionId: string): void {
    this.#readers.delete(collectionId)
    this.#tables.forget(collectionId)
  }
}
