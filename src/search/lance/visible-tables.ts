import { createRequire } from 'node:module'
import type { Table } from '@lancedb/lancedb'
import type * as arrow from 'apache-arrow'
import { AppError } from '../../errors.ts'
import { parseEngine } from '../../ingest/store/catalog/collections.ts'
import type { ChunkIndex } from '../../ingest/store/chunk-index.ts'
import type { Indexes, IndexReader } from '../index-reader.ts'
import { buildVersionCondition } from './lance-reader.ts'
import { COLUMNS, type LanceTables } from './lance-tables.ts'

type Copy = { state: string; versions: ReadonlySet<number> }

type VisibleTablesDeps = {
  readonly from: LanceTables
  readonly tables: LanceTables
  readonly index: ChunkIndex
  readonly indexes: Indexes
  readonly state: () => Promise<string>
  readonly listVersions: (tableId: string) => Promise<readonly number[]>
}

/**
 * Copies the rows of visible versions, so that scores, statistics and partitions depend on these
 * only.
 */
export class VisibleTables implements Indexes {
  readonly #deps: VisibleTablesDeps
  readonly #copies = new Map<string, Copy>()
  readonly #updating = new Map<string, Promise<void>>()

  constructor(deps: VisibleTablesDeps) {
    this.#deps = deps
  }

  async open(tableId: string, signal?: AbortSignal): Promise<IndexReader | undefined> {
    const last = this.#updating.get(tableId) ?? Promise.resolve()
    const update = last.catch(() => {}).then(async () => await this.#update(tableId)) // its caller received the failure
    this.#updating.set(tableId, update)
    await update
    return await this.#deps.indexes.open(tableId, signal)
  }

  forget(tableId: string): void {
    this.#copies.delete(tableId)
    this.#deps.from.forget(tableId)
    this.#deps.indexes.forget(tableId)
  }

  async #update(tableId: string): Promise<void> {
    requireLance(tableId)
    const { index, listVersions, state: readState } = this.#deps
    const state = await readState()
    const copy = this.#copies.get(tableId)
    if (copy?.state === state) return
    if (!copy) await index.drop(tableId)
    const visible = new Set(await listVersions(tableId))
    const added = [...visible].filter(version => !copy?.versions.has(version))
    const removed = [...(copy?.versions ?? [])].filter(version => !visible.has(version))
    if (added.length + removed.length > 0) {
      this.#copies.delete(tableId) // an interrupted update starts over
      const table = { id: tableId, dimensions: 0 }
      if (removed.length > 0) await index.remove(table, removed)
      if (added.length > 0) await this.#copyRows(tableId, added)
      await index.runUpkeep(table)
    }
    this.#copies.set(tableId, { state, versions: visible })
  }

  async #copyRows(tableId: string, versions: readonly number[]): Promise<void> {
    const { from, tables } = this.#deps
    const source = await from.findReadable(tableId)
    if (!source) return
    const target = await tables.ensureLike(tableId, source)
    const rows = source
      .query()
      .where(buildVersionCondition(versions.toSorted((a, b) => a - b)))
      .select([...COLUMNS])
    for await (const batch of rows) if (batch.numRows > 0) await addBatch(target, batch)
  }
}

async function addBatch(target: Table, batch: arrow.RecordBatch): Promise<void> {
  const { Table: ArrowTable } = createRequire(import.meta.url)('apache-arrow') as typeof arrow // LanceDB's own
  await target.add(new ArrowTable([batch]))
}

function requireLance(tableId: string): void {
  if (parseEngine(tableId) === 'lance') return
  throw new AppError(
    'invalid_input',
    'A collection whose index is in Weaviate cannot be searched with this key, which sees a part of it only.',
  )
}
