import type { Catalog } from './catalog.ts'
import type { ChunkIndex, IndexRow, IndexTable } from './chunk-index.ts'
import type { Collections } from './collections.ts'
import type { Documents, WantedDocument } from './documents.ts'
import type { Jobs } from './jobs.ts'
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

export type Published = { readonly wanted: WantedDocument; readonly outcome: Outcome }

export type PublisherParts = {
  readonly catalog: Catalog
  readonly collections: Collections
  readonly documents: Documents
  readonly versions: Versions
  readonly jobs: Jobs
  readonly index: ChunkIndex
}

/**
 * Publishes prepared documents of one collection: rows first, under a version that no reader sees, then all versions
 * of the batch at once in one catalog transaction. Used by the holder of the collection's writer lease only.
 */
export class Publisher {
  readonly #parts: PublisherParts
  readonly #table: IndexTable
  #rows: IndexRow[] = []
  #written: Written[] = []
  #flushedAt = Date.now()

  constructor(parts: PublisherParts, table: IndexTable) {
    this.#parts = parts
    this.#table = table
  }

  /** Enough is written, or it has waited long enough, to be published. */
  get isDue(): boolean {
    return this.#written.length >= MAX_DOCUMENTS || Date.now() - this.#flushedAt >= MAX_WAIT_MS
  }

  /** Write a document's rows, to be published by the next `flush`. */
  async put(wanted: WantedDocument, prepared: Prepared): Promise<void> {
    const version = this.#parts.versions.begin(wanted.id, this.#table.collectionId, prepared.stages, prepared.report)
    for await (const row of prepared.rows()) {
      this.#rows.push({ ...row, version })
      if (this.#rows.length >= MAX_ROWS) await this.#write()
    }
    this.#written.push({ wanted, version })
  }

  /** Publish what was put. */
  async flush(): Promise<readonly Published[]> {
    await this.#write()
    const written = this.#written
    this.#written = []
    this.#flushedAt = Date.now()
    if (written.length === 0) return []
    const { catalog, collections } = this.#parts
    return catalog.transaction(() => {
      const published = written.map(entry => ({ wanted: entry.wanted, outcome: this.#publish(entry) }))
      collections.advance(this.#table.collectionId)
      return published
    })
  }

  /** A version that another writer retired meanwhile (this one lost its lease) has no rows to count on. */
  #publish({ wanted, version }: Written): Outcome {
    const { documents, versions, jobs } = this.#parts
    const before = versions.published(wanted.id)
    if (versions.find(version)?.state !== 'pending' || !documents.complete(wanted.id, wanted.revision)) {
      versions.retire(version)
      return 'superseded'
    }
    if (before) versions.retire(before.version)
    versions.publish(version)
    jobs.finish(wanted, 'completed')
    return before ? 'replaced' : 'indexed'
  }

  async #write(): Promise<void> {
    const rows = this.#rows
    this.#rows = []
    if (rows.length > 0) await this.#parts.index.add(this.#table, rows)
  }
}
