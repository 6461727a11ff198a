import type { Catalog } from './catalog.ts'
import type { ChunkIndex, IndexRow, IndexTable } from './chunk-index.ts'
import type { Documents, WantedDocument } from './documents.ts'
import type { Prepared } from './prepare.ts'
import type { Versions } from './versions.ts'

/** Rows written at a time: small documents share a write, large ones take several. */
const MAX_ROWS = 2_048
const MAX_DOCUMENTS = 256

/** No document that is ready waits longer than this to be found, unless a larger one is being written. */
const MAX_WAIT_MS = 2_000

type Written = { readonly wanted: WantedDocument; readonly version: number }

/** What became of a prepared document; `superseded` when something else was wanted by the time it was written. */
export type Outcome = 'indexed' | 'replaced' | 'superseded'

/**
 * Publishes prepared documents of one collection: rows first, under a version that no reader sees, then all versions
 * of the batch at once in one catalog transaction. Used by the holder of the collection's writer lease only.
 */
export class Publisher {
  readonly #catalog: Catalog
  readonly #documents: Documents
  readonly #versions: Versions
  readonly #index: ChunkIndex
  readonly #table: IndexTable
  #rows: IndexRow[] = []
  #written: Written[] = []
  #flushedAt = Date.now()

  constructor(
    parts: { catalog: Catalog; documents: Documents; versions: Versions; index: ChunkIndex },
    table: IndexTable,
  ) {
    this.#catalog = parts.catalog
    this.#documents = parts.documents
    this.#versions = parts.versions
    this.#index = parts.index
    this.#table = table
  }

  /** Enough is written, or it has waited long enough, to be published. */
  get isDue(): boolean {
    return this.#written.length >= MAX_DOCUMENTS || Date.now() - this.#flushedAt >= MAX_WAIT_MS
  }

  /** Write a document's rows, to be published by the next `flush`. */
  async put(wanted: WantedDocument, prepared: Prepared): Promise<void> {
    const version = this.#versions.begin(wanted.id, this.#table.collectionId, prepared.stages, prepared.report)
    for await (const row of prepared.rows()) {
      this.#rows.push({ ...row, version })
      if (this.#rows.length >= MAX_ROWS) await this.#write()
    }
    this.#written.push({ wanted, version })
  }

  /** Publish what was put; gives the outcome by document id. */
  async flush(): Promise<ReadonlyMap<string, Outcome>> {
    await this.#write()
    const written = this.#written
    this.#written = []
    this.#flushedAt = Date.now()
    if (written.length === 0) return new Map()
    return this.#catalog.transaction(() => {
      const outcomes = new Map(written.map(entry => [entry.wanted.id, this.#publish(entry)]))
      this.#catalog.run(
        'UPDATE collections SET epoch = epoch + 1, used_at = ? WHERE id = ?',
        Date.now(),
        this.#table.collectionId,
      )
      return outcomes
    })
  }

  #publish({ wanted, version }: Written): Outcome {
    const before = this.#versions.published(wanted.id)
    if (!this.#documents.complete(wanted.id, wanted.revision)) {
      this.#versions.retire(version)
      return 'superseded'
    }
    if (before) this.#versions.retire(before.version)
    this.#versions.publish(version)
    return before ? 'replaced' : 'indexed'
  }

  async #write(): Promise<void> {
    const rows = this.#rows
    this.#rows = []
    if (rows.length > 0) await this.#index.add(this.#table, rows)
  }
}
