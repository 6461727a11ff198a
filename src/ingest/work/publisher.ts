import type { QueuePart, WantedDocument } from '../store/catalog/documents.ts'
import type { ChunkIndex, IndexRow, IndexTable } from '../store/chunk-index.ts'
import { isWhole, type Prepared } from './prepared.ts'
import type { Publication, Publications, Published } from './publications.ts'

/** Rows written at a time: small documents share a write, large ones take several. */
const MAX_ROWS = 2_048
const MAX_DOCUMENTS = 256

/**
 * A document that is ready and cannot be found waits no longer than this, unless a larger one is being written; one that is
 * found already, and gets its vectors, may wait longer.
 */
const MAX_WAIT_MS = { unfound: 750, found: 2_000 }

type PendingRow = { readonly entry: Publication; readonly row: Omit<IndexRow, 'version'> }

/**
 * What became of a prepared document: `words` when it is found by its words and waits for its vectors, `superseded` when
 * something else was wanted by the time it was written.
 */
export type Outcome = 'words' | 'indexed' | 'replaced' | 'superseded'

type Flushed = { readonly wanted: WantedDocument; readonly outcome: Outcome }

type PutOptions = {
  readonly part: QueuePart
  readonly onWritten: (rows: number) => void
}

type PublisherParts = { readonly publications: Publications; readonly index: ChunkIndex }

/**
 * Publishes prepared documents of one collection: rows first, under a version that no reader sees, then all versions
 * of the batch at once in one step of the catalog. A document that has to wait for its vectors is published without them
 * first, and a second time with them; between the two it is one that waits in the queue, and nothing else.
 * Used by the holder of the collection's writer lease only.
 */
export class Publisher {
  readonly #parts: PublisherParts
  readonly #collectionId: string
  readonly #table: IndexTable
  #rows: PendingRow[] = []
  #entries: Publication[] = []
  #flushedAt = Date.now()
  #hasUnfound = false
  /** Documents of which an older version went when their words were published. */
  readonly #replaced = new Set<string>()

  constructor(parts: PublisherParts, collectionId: string, table: IndexTable) {
    this.#parts = parts
    this.#collectionId = collectionId
    this.#table = table
  }

  /** Enough is written, or it has waited long enough, to be published. */
  get isDue(): boolean {
    const maxWaitMs = MAX_WAIT_MS[this.#hasUnfound ? 'unfound' : 'found']
    return this.#entries.length >= MAX_DOCUMENTS || Date.now() - this.#flushedAt >= maxWaitMs
  }

  /** Something was put that cannot be found before the next `flush`. */
  get hasUnfound(): boolean {
    return this.#hasUnfound
  }

  /** Write a document's rows, to be published by the next `flush`; tells how many of a large one are written. */
  async put(
    wanted: WantedDocument,
    prepared: Prepared,
    { part, onWritten }: PutOptions,
  ): Promise<void> {
    const { stages, goal, report, attachments } = prepared
    const entry: Publication = { wanted, stages, goal, report, attachments }
    this.#entries.push(entry)
    if (part === 'unfound') this.#hasUnfound = true
    let rows = 0
    for await (const row of prepared.rows()) {
      rows++
      this.#rows.push({ entry, row })
      if (this.#rows.length < MAX_ROWS) continue
      await this.#write()
      onWritten(rows)
    }
  }

  /** Publish what was put: at once, so that a reader finds each document as it was or as it is. */
  async flush(): Promise<readonly Flushed[]> {
    await this.#write()
    const entries = this.#entries
    this.#entries = []
    this.#hasUnfound = false
    this.#flushedAt = Date.now()
    if (entries.length === 0) return []
    const published = await this.#parts.publications.publish(this.#collectionId, entries)
    return entries.map((entry, at) => ({
      wanted: entry.wanted,
      outcome: this.#outcome(entry, published[at]!),
    })) // one for each
  }

  #outcome({ wanted, ...prepared }: Publication, { isSuperseded, before }: Published): Outcome {
    if (isSuperseded) return 'superseded'
    if (!isWhole(prepared)) {
      if (before) this.#replaced.add(wanted.id)
      return 'words'
    }
    const hadWords = before?.sha256 === wanted.sha256 && !isWhole({ ...prepared, stages: before })
    const isFirst = !before || (hadWords && !this.#replaced.has(wanted.id))
    this.#replaced.delete(wanted.id)
    return isFirst ? 'indexed' : 'replaced'
  }

  /** Numbers first, for all at once: rows that no version claims would stay for ever. */
  async #write(): Promise<void> {
    const rows = this.#rows
    this.#rows = []
    const { publications, index } = this.#parts
    const unnumbered = this.#entries.filter(entry => entry.version === undefined)
    if (unnumbered.length > 0) await publications.begin(unnumbered)
    const numbered = rows.map(({ entry, row }) => ({ ...row, version: entry.version! })) // numbered just now at the latest
    if (numbered.length > 0) await index.add(this.#table, numbered)
  }
}
