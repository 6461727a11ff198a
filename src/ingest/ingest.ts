import { type AppError, type ErrorCode, toAppError } from '../errors.ts'
import type { Catalog } from './catalog.ts'
import type { ChunkIndex, IndexTable } from './chunk-index.ts'
import type { Chunker } from './chunker.ts'
import type { Chunking, Collection, Collections } from './collections.ts'
import type { Documents, WantedDocument } from './documents.ts'
import type { Files } from './files.ts'
import type { Leases, LeaseWait } from './lease.ts'
import type { Prepared, Preparer, Progress } from './prepare.ts'
import { type Outcome, Publisher } from './publisher.ts'
import type { Versions } from './versions.ts'
import { WorkQueue } from './work-queue.ts'

/** What happens while the queue of a collection is worked off. */
export type IngestEvent =
  | ({ readonly type: 'progress' } & Progress)
  | { readonly type: 'done'; readonly documentId: string; readonly outcome: Outcome | 'failed' }

export type DrainOptions = LeaseWait & { readonly onEvent?: ((event: IngestEvent) => void) | undefined }

export type IngestParts = {
  readonly catalog: Catalog
  readonly files: Files
  readonly collections: Collections
  readonly documents: Documents
  readonly versions: Versions
  readonly leases: Leases
  readonly index: ChunkIndex
  readonly preparer: Preparer
  readonly chunkerFor: (chunking: Chunking) => Promise<Chunker>
  readonly dimensions: number
  /** Documents prepared at the same time. */
  readonly concurrency: number
}

/** Failures of the machine or of the run, not of the document: the run ends, the document stays in the queue. */
const ENDS_RUN: ReadonlySet<ErrorCode> = new Set([
  'disk_full',
  'cancelled',
  'model_unavailable',
  'store_mismatch',
  'conflict',
])

/** Verdicts on the bytes: parsing them again with the same parser would say the same. */
const FINAL: ReadonlySet<ErrorCode> = new Set(['unsupported_format', 'empty', 'no_text', 'encrypted', 'corrupt'])

type Attempt =
  | { readonly wanted: WantedDocument; readonly prepared: Prepared }
  | { readonly wanted: WantedDocument; readonly prepared: undefined; readonly error: AppError }

/** Works off the queue of a collection: parse, chunk, embed, write, publish. */
export class Ingest {
  readonly #parts: IngestParts

  constructor(parts: IngestParts) {
    this.#parts = parts
  }

  /**
   * Index everything that waits in the collection, as its only writer; returns when the queue is empty. Whoever asks
   * first does the work of all: a second process waits and finds its documents done.
   */
  async drain(collection: Collection, options: DrainOptions): Promise<void> {
    const lease = await this.#parts.leases.acquire(writerLease(collection.id), options)
    const signal = AbortSignal.any([lease.lost, ...(options.signal ? [options.signal] : [])])
    try {
      this.#parts.versions.retirePending(collection.id)
      await this.#rewriteStale(collection)
      await this.#work(collection, signal, options)
      await this.#upkeep(collection, signal)
    } finally {
      lease.release()
    }
  }

  /** Take a document out of search and out of the store. Its rows go with the next upkeep. */
  async remove(documentId: string): Promise<void> {
    const { catalog, documents, versions, files } = this.#parts
    const shas = catalog.transaction(() => {
      const wanted = documents.wanted(documentId)
      const published = versions.published(documentId)
      versions.retireDocument(documentId)
      documents.remove(documentId)
      if (wanted) catalog.run('UPDATE collections SET epoch = epoch + 1 WHERE id = ?', wanted.collectionId)
      return [wanted?.sha256, published?.sha256].filter(sha256 => sha256 !== undefined)
    })
    await files.collectGarbage([...new Set(shas)])
  }

  /** The collection with everything in it. A writer that is at work on it finds its versions gone and publishes nothing. */
  async removeCollection({ id }: Collection): Promise<void> {
    const { catalog, collections, documents, versions, files, index } = this.#parts
    const shas = catalog.transaction(() => {
      const contents = [...versions.contentsOf(id), ...documents.contentsOf(id)]
      documents.removeAll(id)
      versions.forgetCollection(id)
      collections.remove(id)
      return contents
    })
    await index.drop(id)
    await files.collectGarbage([...new Set(shas)])
  }

  /** The index's id changed, or its table is gone: write the rows again from what is stored. */
  async #rewriteStale(collection: Collection): Promise<void> {
    const table = this.#table(collection)
    if (!(await this.#parts.index.isStale(table))) return
    await this.#parts.index.drop(collection.id)
    this.#parts.documents.requeueAll(collection.id)
  }

  async #work(collection: Collection, signal: AbortSignal, options: DrainOptions): Promise<void> {
    const publisher = new Publisher(this.#parts, this.#table(collection))
    const queue = new WorkQueue(this.#parts.documents, collection.id, this.#parts.concurrency)
    const ended = new AbortController()
    const running = AbortSignal.any([signal, ended.signal])
    const settle = (documentId: string, outcome: Outcome | 'failed') => {
      queue.release(documentId)
      options.onEvent?.({ type: 'done', documentId, outcome })
    }
    const publish = async () => {
      for (const [documentId, outcome] of await publisher.flush()) settle(documentId, outcome)
    }
    try {
      for await (const settled of queue.run(wanted => this.#prepare(collection, wanted, running, options))) {
        signal.throwIfAborted()
        if (settled.prepared) {
          await publisher.put(settled.wanted, settled.prepared)
        } else {
          this.#fail(settled.wanted, settled.error)
          settle(settled.wanted.id, 'failed')
        }
        if (publisher.isDue || queue.isIdle) await publish()
      }
    } catch (error) {
      ended.abort(error)
      throw error
    }
  }

  async #prepare(
    collection: Collection,
    wanted: WantedDocument,
    signal: AbortSignal,
    options: DrainOptions,
  ): Promise<Attempt> {
    try {
      const chunker = await this.#parts.chunkerFor(wanted.settings.chunking ?? collection.chunking)
      const onProgress = (progress: Progress) => options.onEvent?.({ type: 'progress', ...progress })
      return { wanted, prepared: await this.#parts.preparer.prepare(wanted, chunker, { signal, onProgress }) }
    } catch (error) {
      return { wanted, prepared: undefined, error: toAppError(signal.aborted ? signal.reason : error) }
    }
  }

  /** A document that cannot be read any more is not found any more either: nothing stale is ever served. */
  #fail(wanted: WantedDocument, error: AppError): void {
    if (ENDS_RUN.has(error.code)) throw error
    const { catalog, documents, versions, preparer } = this.#parts
    const failedStages = FINAL.has(error.code) ? preparer.failureKey(wanted.sha256) : undefined
    catalog.transaction(() => {
      const failure = { code: error.code, message: error.message }
      if (!documents.fail(wanted.id, wanted.revision, failure, failedStages)) return
      versions.retireDocument(wanted.id)
      catalog.run('UPDATE collections SET epoch = epoch + 1 WHERE id = ?', wanted.collectionId)
    })
  }

  /** Remove the rows that no reader may see any more, then bring the table in order. */
  async #upkeep(collection: Collection, signal: AbortSignal): Promise<void> {
    const { versions, index, files } = this.#parts
    const table = this.#table(collection)
    const retired = versions.inState(collection.id, 'retired')
    if (retired.length > 0) {
      const numbers = retired.map(version => version.version)
      await index.remove(table, numbers)
      versions.forget(numbers)
      await files.collectGarbage([...new Set(retired.map(version => version.sha256))])
    }
    await index.upkeep(table, signal)
  }

  #table(collection: Collection): IndexTable {
    return { collectionId: collection.id, dimensions: this.#parts.dimensions }
  }
}

/** Name of the lease that makes a process the only writer of a collection. */
export function writerLease(collectionId: string): string {
  return `writer of collection ${collectionId}`
}
