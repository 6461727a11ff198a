import type { Table } from '@lancedb/lancedb'
import type { Indexes } from '../index-reader.ts'
import { RecentReads } from '../recent-rows.ts'
import { LanceReader } from './lance-reader.ts'
import type { LanceTables } from './lance-tables.ts'

/** `version` is that of the table when the reader was made, whoever wrote it; `state` what was true before that. */
type Opened = {
  readonly table: Table
  readonly version: number
  state: string
  readonly reader: LanceReader
}

/** A reader that is being made, of that table in that state. */
type Opening = {
  readonly table: Table
  readonly state: string
  readonly reader: Promise<LanceReader>
}

/** Opens the LanceDB tables of a store for reading. */
export class LanceIndexes implements Indexes {
  readonly #tables: LanceTables
  readonly #state: () => Promise<string>
  readonly #readers = new Map<string, Opened>()
  readonly #opening = new Map<string, Opening>()
  readonly #recent = new RecentReads()

  /** `state` differs from what it was whenever a table may have changed since. */
  constructor(tables: LanceTables, state: () => Promise<string>) {
    this.#tables = tables
    this.#state = state
  }

  /** A reader is kept until the table changes: whoever changes one writes to the catalog then, and asking that costs less. */
  async open(tableId: string): Promise<LanceReader | undefined> {
    const state = await this.#state()
    const table = await this.#tables.readable(tableId)
    if (!table) return undefined
    const known = this.#readers.get(tableId)
    if (known?.table === table) {
      if (known.state === state) return known.reader
      const isSame = known.version === (await table.version())
      if (isSame) known.state = state
      if (isSame) return known.reader
    }
    return await this.#openOnce(tableId, table, state)
  }

  /** Questions that come together share a reader: each has to load its index. */
  #openOnce(tableId: string, table: Table, state: string): Promise<LanceReader> {
    const known = this.#opening.get(tableId)
    if (known?.table === table && known.state === state) return known.reader
    const reader = this.#open(tableId, table, state)
    const opening = { table, state, reader }
    this.#opening.set(tableId, opening)
    const end = () => {
      if (this.#opening.get(tableId) === opening) this.#opening.delete(tableId)
    }
    reader.then(end, end)
    return reader
  }

  async #open(tableId: string, table: Table, state: string): Promise<LanceReader> {
    const snapshot = await this.#tables.snapshot(table)
    const reader = new LanceReader(snapshot, this.#recent)
    this.#readers.set(tableId, { table, version: await snapshot.version(), state, reader })
    return reader
  }

  forget(tableId: string): void {
    this.#readers.delete(tableId)
    this.#tables.forget(tableId)
  }
}
