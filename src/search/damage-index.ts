import type { ChunkIndex, IndexRow, IndexTable } from '../ingest/store/chunk-index.ts'
import { toDamageError } from './index-damage.ts'

/** Translates engine errors of the writing side, like DamageReader. */
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

  upkeep(table: IndexTable, signal?: AbortSignal): Promise<void> {
    return this.#withDamageErrors(table, index => index.upkeep(table, signal))
  }

  versions(table: IndexTable): Promise<ReadonlyMap<number, number>> {
    return this.#withDamageErrors(table, index => index.versions(table))
  }

  damage(table: IndexTable, signal?: AbortSignal): Promise<string | undefined> {
    return this.#withDamageErrors(table, index => index.damage(table, signal))
  }

  isStale(table: IndexTable): Promise<boolean> {
    return this.#withDamageErrors(table, index => index.isStale(table))
  }

  adopt(table: IndexTable): Promise<void> {
    return this.#withDamageErrors(table, index => index.adopt(table))
  }

  drop(tableId: string): Promise<void> {
    return this.#index.drop(tableId)
  }

  tables(): Promise<ReadonlySet<string>> {
    return this.#index.tables()
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
