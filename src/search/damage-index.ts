import type { ChunkIndex, IndexRow, IndexTable } from '../ingest/store/chunk-index.ts'
import { toDamageError } from './index-damage.ts'

export class DamageIndex implements ChunkIndex {
  readonly id: string
  readonly #index: ChunkIndex

  constructor(index: ChunkIndex) {
    this.id = index.id
    this.#index = index
  }

  add(table: IndexTable, rows: readonly IndexRow[]): Promise<void> {
    return this.#withDamageErrors(table, index => index.add(table, rows))
  }

  remove(table: IndexTable, versions: readonly number[]): Promise<void> {
    return this.#withDamageErrors(table, index => index.remove(table, versions))
  }

  runUpkeep(table: IndexTable, signal?: AbortSignal): Promise<void> {
    return this.#withDamageErrors(table, index => index.runUpkeep(table, signal))
  }

  erase(table: IndexTable, signal?: AbortSignal): Promise<void> {
    return this.#withDamageErrors(table, index => index.erase(table, signal))
  }

  countVersions(table: IndexTable): Promise<ReadonlyMap<number, number>> {
    return this.#withDamageErrors(table, index => index.countVersions(table))
  }

  findDamage(table: IndexTable, signal?: AbortSignal): Promise<string | undefined> {
    return this.#withDamageErrors(table, index => index.findDamage(table, signal))
  }

  isStale(table: IndexTable): Promise<boolean> {
    return this.#withDamageErrors(table, index => index.isStale(table))
  }

  activate(table: IndexTable): Promise<void> {
    return this.#withDamageErrors(table, index => index.activate(table))
  }

  drop(tableId: string): Promise<void> {
    return this.#index.drop(tableId)
  }

  listTables(): Promise<ReadonlySet<string>> {
    return this.#index.listTables()
  }

  async #withDamageErrors<Result>(
    { collection }: IndexTable,
    ask: (index: ChunkIndex) => Promise<Result>,
  ): Promise<Result> {
    try {
      return await ask(this.#index)
    } catch (error) {
      throw collection === undefined ? error : toDamageError(error, collection)
    }
  }
}
