import { raceAbort } from '../../system/unless-aborted.ts'
import type { Indexes } from '../index-reader.ts'
import { RecentReads } from '../recent-rows.ts'
import { WeaviateReader } from './weaviate-reader.ts'
import type { WeaviateTable, WeaviateTables } from './weaviate-tables.ts'

type Opened = {
  readonly state: string
  readonly number: number
  readonly className: string
  readonly reader: WeaviateReader
}

export class WeaviateIndexes implements Indexes {
  readonly #tables: WeaviateTables
  readonly #state: () => Promise<string>
  readonly #opened = new Map<string, Opened>()
  readonly #recent = new RecentReads()

  /** `state` changes whenever a table may have changed. */
  constructor(tables: WeaviateTables, state: () => Promise<string>) {
    this.#tables = tables
    this.#state = state
  }

  async open(tableId: string, signal?: AbortSignal): Promise<WeaviateReader | undefined> {
    return (await raceAbort(this.#open(tableId), signal))?.withSignal(signal)
  }

  async #open(tableId: string): Promise<WeaviateReader | undefined> {
    const state = await this.#state()
    const cached = this.#opened.get(tableId)
    if (cached?.state === state) return cached.reader
    const table = await this.#tables.findReadable(tableId)
    if (!table) return undefined
    const isSame = cached?.className === table.className
    const number = isSame ? cached.number : this.#recent.readers++
    const reader = await this.#createReader(table, number)
    this.#opened.set(tableId, { state, number, className: table.className, reader })
    return reader
  }

  forget(tableId: string): void {
    this.#opened.delete(tableId)
    this.#tables.forget(tableId)
  }

  async #createReader(table: WeaviateTable, number: number): Promise<WeaviateReader> {
    const { client } = this.#tables
    const hasWindows = await this.#tables.hasWindows(table)
    return new WeaviateReader({ client, table, hasWindows, number, recent: this.#recent.details })
  }
}
