import type { Collections } from '../catalog/collections.ts'
import type { Documents, WantedDocument } from '../catalog/documents.ts'
import type { JobJournal } from '../catalog/job-journal.ts'
import type { Versions } from '../catalog/versions.ts'
import type { Catalog } from '../catalog.ts'
import type { ChunkIndex, IndexRow, IndexTable } from '../chunk-index.ts'
import type { ContentStore } from '../stored/content.ts'
import type { Attachments } from './attachments.ts'
import type { Prepared } from './prepare.ts'

/** Rows written at a time: small documents share a write, large ones take several. */
const MAX_ROWS = 2_048
const MAX_DOCUMENTS = 256

/** No document that is ready waits longer than this to be found, unless a larger one is being written. */
const MAX_WAIT_MS = 2_000

/** A document whose rows are written or about to be; its version has a number from its first written row on. */
type Entry = Pick<Prepared, 'stages' | 'report' | 'attachments'> & { readonly wanted: WantedDocument; version?: number }
type PendingRow = { readonly entry: Entry; readonly row: Omit<IndexRow, 'version'> }

/** What became of a prepared document; `superseded` when something else was wanted by the time it was written. */
export type Outcome = 'indexed' | 'replaced' | 'superseded'

type Published = { readonly wanted: WantedDocument; readonly outcome: Outcome }

type PublisherParts = {
  readonly catalog: Catalog
  readonly collections: Collections
  readonly content: ContentStore
  readonly documents: Documents
  readonly versions: Versions
  readonly journal: JobJournal
  readonly attachments: Attachments
  readonly index: ChunkIndex
}

/**
 * Publishes prepared documents of one collection: rows first, under a version that no reader sees, then all versions
 * of the batch at once in one catalog transaction. Used by the holder of the collection's writer lease only.
 */
export class Publisher {
  readonly #parts: PublisherParts
  readonly #collectionId: string
  readonly #table: IndexTable
  #rows: PendingRow[] = []
  #entries: Entry[] = []
  #flushedAt = Date.now()

  constructor(parts: PublisherParts, collectionId: string, table: IndexTable) {
    this.#parts = parts
    this.#collectionId = collectionId
    this.#table = table
  }

  /** Enough is written, or it has waited long enough, to be published. */
  get isDue(): boolean {
    return this.#entries.length >= MAX_DOCUMENTS || Date.now() - this.#flushedAt >= MAX_WAIT_MS
  }

  /** Write a document's rows, to be published by the next `flush`; tells how many of a large one are written. */
  async put(wanted: WantedDocument, prepared: Prepared, onWritten: (rows: number) => void): Promise<void> {
    const { stages, report, attachments } = prepared
    const entry: Entry = { wanted, stages, report, attachments }
    this.#entries.push(entry)
    let rows = 0
    for await (const row of prepared.rows()) {
      rows++
      this.#rows.push({ entry, row })
      if (this.#rows.length < MAX_ROWS) continue
      await this.#write()
      onWritten(rows)
    }
  }

  /** Publish what was put. */
  async flush(): Promise<readonly Published[]> {
    await this.#write()
    const entries = this.#entries
    this.#entries = []
    this.#flushedAt = Date.now()
    if (entries.length === 0) return []
    const { catalog, collections, content } = this.#parts
    return catalog.transaction(() => {
      const published = entries.map(entry => ({ wanted: entry.wanted, outcome: this.#publish(entry) }))
      content.settleSync()
      collections.advance(this.#collectionId)
      return published
    })
  }

  /** A version that another writer retired meanwhile (this one lost its lease) has no rows to count on. */
  #publish({ wanted, version = 0, stages, attachments }: Entry): Outcome {
    const { documents, versions, journal } = this.#parts
    const before = versions.publishedNumber(wanted.id)
    if (!versions.isPending(version) || !documents.complete(wanted.id, wanted.revision)) {
      versions.retire(version)
      journal.drop(wanted)
      return 'superseded'
    }
    if (before !== undefined) versions.retire(before)
    versions.publish(version)
    this.#parts.attachments.replace(wanted, stages, attachments)
    journal.finish(wanted, 'completed')
    return before === undefined ? 'indexed' : 'replaced'
  }

  /** Numbers first, in one transaction for all: rows that no version claims would stay for ever. */
  async #write(): Promise<void> {
    const rows = this.#rows
    this.#rows = []
    const { catalog, index } = this.#parts
    const unnumbered = this.#entries.filter(entry => entry.version === undefined)
    if (unnumbered.length > 0) {
      catalog.transaction(() => {
        for (const entry of unnumbered) this.#number(entry)
      })
    }
    const numbered = rows.map(({ entry, row }) => ({ ...row, version: entry.version! })) // numbered just now at the latest
    if (numbered.length > 0) await index.add(this.#table, numbered)
  }

  #number(entry: Entry): void {
    const { wanted, stages, report } = entry
    entry.version = this.#parts.versions.begin(wanted.id, this.#collectionId, stages, report)
  }
}
