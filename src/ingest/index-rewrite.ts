import type { ChunkIndex, IndexRow, IndexTable } from './chunk-index.ts'
import type { ContentStore } from './content.ts'
import type { Documents } from './documents.ts'
import { rowsOf, storedRows } from './stored-rows.ts'
import type { Version, Versions } from './versions.ts'

/** Rows written at a time. */
const MAX_ROWS = 2_048

export type IndexRewriteParts = {
  readonly content: ContentStore
  readonly documents: Documents
  readonly versions: Versions
  readonly index: ChunkIndex
}

/**
 * Writes the rows of a collection again where the index's id changed or its table is gone: under the versions that they
 * have, from stored chunks and vectors, beside the table that readers see until all rows are there. Nothing is parsed
 * or embedded. A rewrite that was interrupted goes on where it stopped. Used by the holder of the writer lease only.
 */
export class IndexRewrite {
  readonly #parts: IndexRewriteParts
  readonly #table: IndexTable
  #rows: IndexRow[] = []

  constructor(parts: IndexRewriteParts, table: IndexTable) {
    this.#parts = parts
    this.#table = table
  }

  async run(signal: AbortSignal): Promise<void> {
    const { versions, index } = this.#parts
    const written = await index.versions(this.#table)
    for (const version of versions.inState(this.#table.collectionId, 'published')) {
      signal.throwIfAborted()
      const rows = written.get(version.version) ?? 0
      if (rows === version.report.chunks) continue
      if (rows > 0) await index.remove(this.#table, [version.version])
      await this.#put(version)
    }
    await this.#write()
    await index.adopt(this.#table)
  }

  /** A document whose derived output is not there any more is derived again, in its turn of the queue. */
  async #put(version: Version): Promise<void> {
    const { content, documents } = this.#parts
    const name = documents.find(version.documentId)?.name ?? ''
    const source = await storedRows(content, version, { name, dimensions: this.#table.dimensions })
    if (!source) return documents.requeue(version.documentId)
    for await (const row of rowsOf(source)) {
      this.#rows.push({ ...row, version: version.version })
      if (this.#rows.length >= MAX_ROWS) await this.#write()
    }
  }

  async #write(): Promise<void> {
    const rows = this.#rows
    this.#rows = []
    if (rows.length > 0) await this.#parts.index.add(this.#table, rows)
  }
}
