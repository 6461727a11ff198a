import { z } from 'zod'
import { localizable } from '../../errors/localizable.ts'
import { AppError, toAppError } from '../../errors.ts'
import type { ChunkIndex, IndexRow, IndexTable } from '../../ingest/store/chunk-index.ts'
import { Foreground } from '../../system/foreground.ts'
import type { Analyzer } from '../../text/analyzer.ts'
import { listRowTerms } from '../row-details.ts'
import type { TableStatistics } from '../table-statistics.ts'
import {
  buildWindowObjects,
  parseVersion,
  toChunkObject,
  type WeaviateObject,
} from './weaviate-objects.ts'
import {
  buildCountQuery,
  buildGetQuery,
  type FoundObject,
  MAX_ROWS,
  readCounts,
  readObjects,
} from './weaviate-query.ts'
import { WeaviateRows } from './weaviate-rows.ts'
import type { WeaviateTable, WeaviateTables } from './weaviate-tables.ts'

/** Objects and characters per request, so that it stays below 1 MB. */
const BATCH_OBJECTS = 64
const BATCH_CHARS = 256 * 1024
/** Versions removed per request, so that its condition stays short. */
const VERSIONS_AT_ONCE = 500
/** Objects read at once to find damage, so that a response with vectors stays near 1 MB. */
const WHOLE_AT_ONCE = 128

/** Rows up to which each change renews statistics, so that small collections are exact. */
const SMALL_TABLE_ROWS = 20_000
/** Share of changes that renews a larger table, so that upkeep stays rare. */
const CHANGED_SHARE = 0.05

const FIRST_ID = '00000000-0000-0000-0000-000000000000'

const putSchema = z.array(
  z.object({
    id: z.string(),
    result: z
      .object({
        errors: z.object({ error: z.array(z.object({ message: z.string() })).nullish() }).nullish(),
      })
      .nullish(),
  }),
)
const deletedSchema = z.object({
  results: z.object({ matches: z.number(), successful: z.number(), failed: z.number() }),
})

type WeaviateIndexOptions = {
  readonly analyzer: Analyzer
  readonly statistics: readonly TableStatistics[]
  readonly countedChunks: (tableId: string) => Promise<number | undefined>
  readonly foreground?: Foreground
}

export class WeaviateIndex implements ChunkIndex {
  readonly id: string
  readonly #tables: WeaviateTables
  readonly #options: WeaviateIndexOptions
  readonly #foreground: Foreground
  /** Changed since the last upkeep. */
  readonly #changed = new Map<string, number>()

  constructor(tables: WeaviateTables, options: WeaviateIndexOptions) {
    this.id = tables.id
    this.#tables = tables
    this.#options = options
    this.#foreground = options.foreground ?? new Foreground()
  }

  async add({ id: tableId }: IndexTable, rows: readonly IndexRow[]): Promise<void> {
    const table = await this.#tables.ensure(tableId)
    if (rows.some(({ windows = [] }) => windows.length > 0)) await this.#tables.ensureWindows(table)
    for (const batch of splitBatches(rows)) {
      await this.#foreground.yieldToRequests()
      await this.#put(
        table.className,
        table.chunks,
        batch.map(row => toChunkObject(row, this.#joinTerms(table, row))),
      )
      const windows = batch.flatMap(buildWindowObjects)
      for (let start = 0; start < windows.length; start += BATCH_OBJECTS) {
        await this.#put(table.className, table.windows, windows.slice(start, start + BATCH_OBJECTS))
      }
    }
    this.#note(tableId, rows.length)
  }

  async remove({ id: tableId }: IndexTable, versions: readonly number[]): Promise<void> {
    const table = await this.#tables.find(tableId)
    if (!table) return
    const tenants = (await this.#tables.hasWindows(table))
      ? [table.windows, table.chunks]
      : [table.chunks]
    for (let start = 0; start < versions.length; start += VERSIONS_AT_ONCE) {
      const some = versions.slice(start, start + VERSIONS_AT_ONCE)
      for (const tenant of tenants)
        this.#note(tableId, await this.#delete(table.className, tenant, some))
    }
  }

  /** Leaves files and graphs to Weaviate. */
  async runUpkeep({ id: tableId }: IndexTable, signal?: AbortSignal): Promise<void> {
    const table = await this.#tables.find(tableId)
    if (table && (await this.#isDue(tableId, table, signal)))
      await this.#rebuildStatistics(tableId, table, signal)
  }

  async erase({ id: tableId }: IndexTable, signal?: AbortSignal): Promise<void> {
    const table = await this.#tables.find(tableId)
    if (table) await this.#rebuildStatistics(tableId, table, signal)
  }

  async #rebuildStatistics(
    tableId: string,
    table: WeaviateTable,
    signal?: AbortSignal,
  ): Promise<void> {
    const hasWindows = await this.#tables.hasWindows(table)
    const rows = new WeaviateRows({ client: this.#tables.client, table, hasWindows })
    for (const statistic of this.#options.statistics) await statistic.rebuild(tableId, rows, signal)
    this.#changed.delete(tableId)
  }

  async countVersions({ id: tableId }: IndexTable): Promise<ReadonlyMap<number, number>> {
    const counts = new Map<number, number>()
    const table = await this.#tables.find(tableId)
    if (!table) return counts
    for await (const hits of this.#scan(table, { fields: '_additional{id}', limit: MAX_ROWS })) {
      for (const { _additional } of hits) {
        const version = parseVersion(_additional.id)
        counts.set(version, (counts.get(version) ?? 0) + 1)
      }
    }
    return counts
  }

  async findDamage({ id: tableId }: IndexTable, signal?: AbortSignal): Promise<string | undefined> {
    try {
      const table = await this.#tables.find(tableId)
      const scanOptions = { fields: '_additional{id vector} terms details', limit: WHOLE_AT_ONCE }
      if (table)
        for await (const _ of this.#scan(table, scanOptions, signal)) signal?.throwIfAborted()
      return undefined
    } catch (error) {
      const { code, message } = toAppError(error)
      if (signal?.aborted || (code !== 'store_mismatch' && code !== 'internal')) throw error
      return message
    }
  }

  async isStale({ id: tableId }: IndexTable): Promise<boolean> {
    return !(await this.#tables.isComplete(tableId))
  }

  async activate({ id: tableId }: IndexTable): Promise<void> {
    await this.#tables.dropOlder(tableId)
  }

  async drop(tableId: string): Promise<void> {
    for (const statistic of this.#options.statistics) await statistic.forget(tableId)
    await this.#tables.drop(tableId)
  }

  async listTables(): Promise<ReadonlySet<string>> {
    return await this.#tables.listIds()
  }

  #note(tableId: string, rows: number): void {
    this.#changed.set(tableId, (this.#changed.get(tableId) ?? 0) + rows)
  }

  #joinTerms(table: WeaviateTable, row: IndexRow): string {
    const { analyzer } = this.#options
    return listRowTerms(row, analyzer, { hasValues: !this.#tables.isEarlier(table) }).join(' ')
  }

  async #isDue(
    tableId: string,
    { className, chunks }: WeaviateTable,
    signal?: AbortSignal,
  ): Promise<boolean> {
    const data = await this.#tables.client.query(
      buildCountQuery([{ className, tenant: chunks }]),
      signal,
    )
    const [rows = 0] = readCounts(data)
    const before = (await this.#options.countedChunks(tableId)) ?? 0
    const changed = Math.max(this.#changed.get(tableId) ?? 0, Math.abs(rows - before))
    return rows <= SMALL_TABLE_ROWS ? changed > 0 : changed >= rows * CHANGED_SHARE
  }

  /** Retries with the same ids: a failed write may have succeeded. */
  async #put(className: string, tenant: string, objects: readonly WeaviateObject[]): Promise<void> {
    const body = { objects: objects.map(object => ({ ...object, class: className, tenant })) }
    const path = `batch/objects?consistency_level=QUORUM`
    const { json } = await this.#tables.client.send({ method: 'POST', path, body })
    const refused = putSchema.parse(json).flatMap(({ result }) => result?.errors?.error ?? [])
    const [first] = refused
    if (!first) return
    const message = localizable`${this.#tables.client.name} did not accept ${refused.length} of ${objects.length} chunks: ${first.message}`
    throw new AppError('store_unavailable', message, { subject: 'store' })
  }

  /** Repeats, because Weaviate limits the objects deleted per request. */
  async #delete(className: string, tenant: string, versions: readonly number[]): Promise<number> {
    const where = { path: ['version'], operator: 'ContainsAny', valueIntArray: versions }
    const path = `batch/objects?tenant=${tenant}&consistency_level=QUORUM`
    const body = { match: { class: className, where }, output: 'minimal', dryRun: false }
    for (let removed = 0; ; ) {
      const { json } = await this.#tables.client.send({ method: 'DELETE', path, body })
      const { matches, successful, failed } = deletedSchema.parse(json).results
      removed += successful
      if (failed > 0) {
        const message = localizable`${this.#tables.client.name} could not remove ${failed} of ${matches} chunks.`
        throw new AppError('store_unavailable', message, { subject: 'store' })
      }
      if (successful >= matches) return removed
    }
  }

  async *#scan(
    { className, chunks }: WeaviateTable,
    { fields, limit }: { readonly fields: string; readonly limit: number },
    signal?: AbortSignal,
  ): AsyncIterable<readonly FoundObject[]> {
    for (let after = FIRST_ID; ; ) {
      const part = { className, tenant: chunks, limit, ranking: `after:"${after}"`, fields }
      const hits =
        readObjects(await this.#tables.client.query(buildGetQuery({ rows: part }), signal)).rows ??
        []
      yield hits
      const last = hits.at(-1)
      if (!last || hits.length < limit) return
      after = last._additional.id
    }
  }
}

function splitBatches(rows: readonly IndexRow[]): readonly (readonly IndexRow[])[] {
  const batches: IndexRow[][] = []
  let chars = 0
  for (const row of rows) {
    chars += row.text.length
    const last = batches.at(-1)
    if (last && last.length < BATCH_OBJECTS && chars <= BATCH_CHARS) last.push(row)
    else {
      batches.push([row])
      chars = row.text.length
    }
  }
  return batches
}
