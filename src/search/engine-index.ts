import { AppError } from '../errors.ts'
import { type IndexEngine, parseEngine } from '../ingest/store/catalog/collections.ts'
import type { ChunkIndex, IndexRow, IndexTable } from '../ingest/store/chunk-index.ts'
import type { Indexes, IndexReader } from './index-reader.ts'

type Engines<Part> = Readonly<Record<IndexEngine, Part | undefined>>

function chooseEngine<Part>(engines: Engines<Part>, tableId: string): Part {
  const found = engines[parseEngine(tableId)]
  if (found) return found
  const message = 'The index of a collection is in Weaviate, which is not configured.'
  const advice =
    'Set weaviate.urls as before, or move the collection with passim collections move NAME --engine lance.'
  throw new AppError('store_mismatch', message, { subject: 'store', advice })
}

export class EngineIndex implements ChunkIndex {
  readonly id: string
  readonly #engines: Engines<ChunkIndex>

  constructor(engines: Engines<ChunkIndex>) {
    this.#engines = engines
    this.id = Object.values(engines)
      .flatMap(engine => engine?.id ?? [])
      .join()
  }

  async add(table: IndexTable, rows: readonly IndexRow[]): Promise<void> {
    await this.#choose(table).add(table, rows)
  }

  async remove(table: IndexTable, versions: readonly number[]): Promise<void> {
    await this.#choose(table).remove(table, versions)
  }

  async runUpkeep(table: IndexTable, signal?: AbortSignal): Promise<void> {
    await this.#choose(table).runUpkeep(table, signal)
  }

  async erase(table: IndexTable, signal?: AbortSignal): Promise<void> {
    await this.#choose(table).erase(table, signal)
  }

  async countVersions(table: IndexTable): Promise<ReadonlyMap<number, number>> {
    return await this.#choose(table).countVersions(table)
  }

  async findDamage(table: IndexTable, signal?: AbortSignal): Promise<string | undefined> {
    return await this.#choose(table).findDamage(table, signal)
  }

  async isStale(table: IndexTable): Promise<boolean> {
    return await this.#choose(table).isStale(table)
  }

  async activate(table: IndexTable): Promise<void> {
    await this.#choose(table).activate(table)
  }

  async drop(tableId: string): Promise<void> {
    await chooseEngine(this.#engines, tableId).drop(tableId)
  }

  /** Leaves out an engine that does not answer, so that other collections work. */
  async listTables(): Promise<ReadonlySet<string>> {
    const ids = new Set<string>()
    for (const engine of Object.values(this.#engines)) {
      for (const id of (await skipUnavailable(engine?.listTables())) ?? []) ids.add(id)
    }
    return ids
  }

  #choose({ id }: IndexTable): ChunkIndex {
    return chooseEngine(this.#engines, id)
  }
}

async function skipUnavailable<Result>(
  reading: Promise<Result> | undefined,
): Promise<Result | undefined> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof AppError && error.code === 'store_unavailable') return undefined
    throw error
  }
}

export class EngineIndexes implements Indexes {
  readonly #engines: Engines<Indexes>

  constructor(engines: Engines<Indexes>) {
    this.#engines = engines
  }

  async open(tableId: string, signal?: AbortSignal): Promise<IndexReader | undefined> {
    return await chooseEngine(this.#engines, tableId).open(tableId, signal)
  }

  forget(tableId: string): void {
    this.#engines[parseEngine(tableId)]?.forget(tableId)
  }
}
