import type { Table } from '@lancedb/lancedb'
import type { Indexes } from '../index-reader.ts'
import { RecentReads } from '../recent-rows.ts'
import { LanceReader } from './lance-reader.ts'
import type { LanceTables } from './lance-tables.ts'

type Opened = {
  readonly table: Table
  readonly version: number
  state: string
  readonly reader: LanceReader
}

type Opening = {
  readonly table: Table
  readonly state: string
  readonly reader: Promise<LanceReader>
}

export class LanceIndexes implements Indexes {
  readonly #tables: LanceTables
  readonly #state: () => Promise<string>
  readonly #readers = new Map<string, Opened>()
  readonly #opening = new Map<string, Opening>()
  readonly #recent = new RecentReads()

  /** `state` changes whenever a table may have changed. */
  constructor(tables: LanceTables, state: () => Promise<string>) {
    this.#tables = tables
    this.#state = state
  }

  /** Reuses a reader while `state` stays, which is cheap to check. */
  async open(tableId: string): Promise<LanceReader | undefined> {
    const state = await this.#state()
    const table = await this.#tables.findReadable(tableId)
    if (!table) return undefined
    const cached = this.#readers.get(tableId)
    if (cached?.table === table) {
      if (cached.state === state) return cached.reader
      const isSame = cached.version === (await table.version())
      if (isSame) cached.state = state
      if (isSame) return cached.reader
    }
    return await this.#openOnce(tableId, table, state)
  }

  /** Shares a reader, because each one loads the index. */
  #openOnce(tableId: string, table: Table, state: string): Promise<LanceReader> {
    const pending = this.#opening.get(tableId)
    if (pending?.table === table && pending.state === state) return pending.reader
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
    const snapshot = await this.#tables.openSnapshot(table)
    const reader = new LanceReader(snapshot, this.#recent)
    this.#readers.set(tableId, { table, version: await snapshot.version(), state, reader })
    return reader
  }

  forget(tableId: string): void {
    this.#readers.delete(tableId)
    this.#tables.forget(tableId)
  }
}
