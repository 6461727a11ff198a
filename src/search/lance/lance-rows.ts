import type { Table } from '@lancedb/lancedb'
import { readLifted } from '../lifted-vector.ts'
import type { CountedVector, StatisticRows, TermSample } from '../table-statistics.ts'
import { IS_CHUNK } from './lance-tables.ts'

/** Rows per read, so that the thread is free every few milliseconds. */
const ROWS_AT_ONCE = 100

export class LanceRows implements StatisticRows {
  readonly #table: Table

  constructor(table: Table) {
    this.#table = table
  }

  async getRevision(): Promise<string> {
    return String(await this.#table.version())
  }

  async *readVectors(signal?: AbortSignal): AsyncIterable<readonly CountedVector[]> {
    for await (const batch of this.#table.query().select(['vector']).where('vector IS NOT NULL')) {
      signal?.throwIfAborted()
      const vectors = batch.getChild('vector')
      yield Array.from({ length: batch.numRows }, (_, index) => {
        const stored: Float32Array = vectors?.get(index).toArray()
        return { ...readLifted(stored), count: 1 }
      })
    }
  }

  async readTerms(size: number, signal?: AbortSignal): Promise<TermSample> {
    const { chunks, rows } = await this.#findLowestIds(size, signal)
    return { chunks, sampled: rows.length, texts: this.#readTexts(rows) }
  }

  async *#readTexts(rows: readonly bigint[]): AsyncIterable<readonly string[]> {
    for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
      const some = rows.slice(start, start + ROWS_AT_ONCE)
      const read = await this.#table.takeRowIds(some).select(['terms']).toArray()
      yield read.map(({ terms }): string => terms)
    }
  }

  async #findLowestIds(
    size: number,
    signal?: AbortSignal,
  ): Promise<{ chunks: number; rows: readonly bigint[] }> {
    let lowest: { readonly id: string; readonly row: bigint }[] = []
    let chunks = 0
    for await (const batch of this.#table
      .query()
      .where(IS_CHUNK)
      .select(['chunk_id'])
      .withRowId()) {
      signal?.throwIfAborted()
      const ids = batch.getChild('chunk_id')
      const rows = batch.getChild('_rowid')
      const found = Array.from({ length: batch.numRows }, (_, index) => ({
        id: ids?.get(index),
        row: rows?.get(index),
      }))
      lowest = [...lowest, ...found]
        .toSorted((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : Number(a.row - b.row)))
        .slice(0, size)
      chunks += batch.numRows
    }
    return { chunks, rows: lowest.map(({ row }) => row) }
  }
}
