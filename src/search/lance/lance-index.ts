import { Index, type Table } from '@lancedb/lancedb'
import type { ChunkIndex, IndexRow, IndexTable } from '../../ingest/store/chunk-index.ts'
import { Foreground } from '../../system/foreground.ts'
import type { Analyzer } from '../../text/analyzer.ts'
import { listRowTerms } from '../row-details.ts'
import type { TableStatistics } from '../table-statistics.ts'
import { LanceRows } from './lance-rows.ts'
import {
  FULL_TEXT_INDEX,
  IS_CHUNK,
  type LanceTables,
  ROW_FORM,
  VERSION_INDEX,
} from './lance-tables.ts'
import {
  eraseFromLargeTable,
  indexVectorsOfLargeTable,
  runLargeTableUpkeep,
} from './large-table-upkeep.ts'
import { findTableDamage } from './table-damage.ts'
import {
  compactTable,
  countRemovedRows,
  eraseRemovedRows,
  hasOldVersions,
  rewriteFiles,
} from './table-upkeep.ts'
import {
  choosePartitions,
  DIVIDED_VECTORS,
  indexVectors,
  isOutgrown,
  listVectorIndexes,
} from './vector-index.ts'
import { choosePartitionBytes } from './word-partitions.ts'

/** Larger tables are not optimized after every change, so that it stays fast. */
const SMALL_TABLE_ROWS = 20_000

/**
 * Share of unindexed rows that starts indexing, so that queries stay fast: 1,000 cost about 10
 * ms.
 */
const MAX_TAIL_SHARE = 0.05

/** Rows from which versions are indexed, so that filters cost by their matches. */
const INDEXED_ROWS = 5_000

type LanceIndexOptions = {
  readonly foreground?: Foreground
  /** Larger tables are optimized in a separate process. */
  readonly upkeepProcessRows?: number
  readonly upkeepMemoryBytes?: number
  /** Size of its word partitions, regardless of memory. */
  readonly partitionBytes?: number
  readonly dividedVectors?: number
}

/** Protects small machines. */
const UPKEEP_MEMORY_BYTES = 512 * 2 ** 20

export class LanceIndex implements ChunkIndex {
  readonly id: string
  readonly #tables: LanceTables
  readonly #analyzer: Analyzer
  readonly #statistics: readonly TableStatistics[]
  readonly #shrunk = new Set<string>()
  readonly #foreground: Foreground
  readonly #upkeepProcessRows: number
  readonly #getPartitionBytes: (rows: number) => number
  readonly #dividedVectors: number

  constructor(
    tables: LanceTables,
    analyzer: Analyzer,
    statistics: readonly TableStatistics[],
    options: LanceIndexOptions = {},
  ) {
    const {
      foreground = new Foreground(),
      upkeepProcessRows = SMALL_TABLE_ROWS,
      partitionBytes,
    } = options
    const { upkeepMemoryBytes = UPKEEP_MEMORY_BYTES, dividedVectors = DIVIDED_VECTORS } = options
    this.id = buildIndexId(analyzer)
    this.#tables = tables
    this.#analyzer = analyzer
    this.#statistics = statistics
    this.#foreground = foreground
    this.#upkeepProcessRows = upkeepProcessRows
    this.#dividedVectors = dividedVectors
    this.#getPartitionBytes = rows =>
      partitionBytes ?? choosePartitionBytes(rows, upkeepMemoryBytes)
  }

  async add({ id: tableId, dimensions }: IndexTable, rows: readonly IndexRow[]): Promise<void> {
    const table = await this.#tables.ensure(tableId, dimensions)
    const { buildRowTable: rowTable } = await import('./row-batch.ts')
    const hasValues = !this.#tables.isEarlier(table)
    const listTerms = (row: IndexRow) => listRowTerms(row, this.#analyzer, { hasValues })
    const standBack = () => this.#foreground.yieldToRequests()
    await table.add(await rowTable(rows, { dimensions, listTerms, standBack }))
  }

  async remove({ id: tableId }: IndexTable, versions: readonly number[]): Promise<void> {
    const table = await this.#tables.find(tableId)
    this.#shrunk.add(tableId)
    for (let start = 0; table && start < versions.length; start += 1_000) {
      await table.delete(`version IN (${versions.slice(start, start + 1_000).join(', ')})`)
    }
  }

  async runUpkeep({ id: tableId }: IndexTable, signal?: AbortSignal): Promise<void> {
    const table = await this.#tables.find(tableId)
    if (!table) return
    const { large, isLarge } = await this.#measure(table)
    const optimize = async () =>
      await (isLarge ? runLargeTableUpkeep(large, signal) : compactTable(table))
    const divide = async (partitions: number) =>
      await (isLarge
        ? indexVectorsOfLargeTable(large, partitions, signal)
        : indexVectors(table, partitions))
    const due = await isDue(table, this.#shrunk.has(tableId))
    if (due) {
      signal?.throwIfAborted()
      await optimize()
      if ((await countRemovedRows(table)) > 0) await rewriteFiles(table, optimize)
      await indexVersions(table)
      await this.#rebuildStatistics(tableId, table, signal)
    }
    const partitions = await this.#choosePartitions(table, due)
    if (partitions !== undefined) await divide(partitions)
    const isInOrder =
      (await countUnindexedRows(table)) === 0 && (await countRemovedRows(table)) <= 0
    if (isInOrder && (await hasOldVersions(table))) await optimize() // also after upkeep in another process
  }

  async erase({ id: tableId }: IndexTable, signal?: AbortSignal): Promise<void> {
    const table = await this.#tables.find(tableId)
    if (!table) return
    const { large, isLarge } = await this.#measure(table)
    await (isLarge ? eraseFromLargeTable(large, signal) : eraseRemovedRows(table))
    await this.#rebuildStatistics(tableId, table, signal)
  }

  async #measure(table: Table) {
    const rows = await table.countRows()
    const partitionBytes = this.#getPartitionBytes(rows)
    const large = { place: this.#tables.place, name: table.name, partitionBytes }
    return { large, isLarge: rows > this.#upkeepProcessRows }
  }

  async #rebuildStatistics(tableId: string, table: Table, signal?: AbortSignal): Promise<void> {
    for (const statistics of this.#statistics)
      await statistics.rebuild(tableId, new LanceRows(table), signal)
    this.#shrunk.delete(tableId)
  }

  /** Returns undefined to keep the index. Builds a missing one when upkeep is due. */
  async #choosePartitions(table: Table, isDue: boolean): Promise<number | undefined> {
    const [index, another] = await listVectorIndexes(table)
    if (index && !another && !isOutgrown(index, await table.countRows(), this.#dividedVectors))
      return undefined
    if (!(index || isDue)) return undefined
    const vectors = await table.countRows('vector IS NOT NULL')
    if (vectors < this.#tables.place.indexedVectors) return undefined
    const partitions = choosePartitions(vectors, this.#dividedVectors)
    return index?.partitions === partitions && !another ? undefined : partitions
  }

  async countVersions({ id: tableId }: IndexTable): Promise<ReadonlyMap<number, number>> {
    const counts = new Map<number, number>()
    const table = await this.#tables.find(tableId)
    if (!table) return counts
    for await (const batch of table.query().where(IS_CHUNK).select(['version'])) {
      for (const version of batch.getChild('version') ?? [])
        counts.set(version, (counts.get(version) ?? 0) + 1)
    }
    return counts
  }

  async findDamage({ id: tableId }: IndexTable, signal?: AbortSignal): Promise<string | undefined> {
    return await findTableDamage(() => this.#tables.find(tableId), signal)
  }

  async isStale({ id: tableId }: IndexTable): Promise<boolean> {
    return !(await this.#tables.isComplete(tableId))
  }

  async activate({ id: tableId }: IndexTable): Promise<void> {
    await this.#tables.dropOlder(tableId)
  }

  async drop(tableId: string): Promise<void> {
    for (const statistics of this.#statistics) await statistics.forget(tableId)
    await this.#tables.drop(tableId)
  }

  async listTables(): Promise<ReadonlySet<string>> {
    return await this.#tables.listIds()
  }
}

/** Names analyzer and row form, a change of which makes a new table. */
export function buildIndexId({ id }: Pick<Analyzer, 'id'>): string {
  return `${id}-${ROW_FORM}`.replaceAll('@', '')
}

async function isDue(table: Table, isShrunk: boolean): Promise<boolean> {
  const stats = await table.indexStats(FULL_TEXT_INDEX)
  const tail = stats?.numUnindexedRows ?? 0
  const rows = tail + (stats?.numIndexedRows ?? 0)
  const changed = tail + Math.max(0, await countRemovedRows(table))
  if (rows <= SMALL_TABLE_ROWS) return changed > 0 || isShrunk
  return changed >= rows * MAX_TAIL_SHARE
}

async function countUnindexedRows(table: Table): Promise<number> {
  return Math.max(
    0,
    ...(await table.listIndices()).map(({ numUnindexedRows }) => numUnindexedRows ?? 0),
  )
}

async function indexVersions(table: Table): Promise<void> {
  if (await table.indexStats(VERSION_INDEX)) return
  if ((await table.countRows()) < INDEXED_ROWS) return
  await table.createIndex('version', { config: Index.btree() })
}
