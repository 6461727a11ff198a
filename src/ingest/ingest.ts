import type { AppError, ErrorCode } from '../errors.ts'
import type { Attachments } from './attachments.ts'
import type { Catalog } from './catalog.ts'
import type { ChunkIndex, IndexTable } from './chunk-index.ts'
import type { Chunker } from './chunker.ts'
import type { Chunking, Collection, Collections } from './collections.ts'
import type { ContentStore } from './content.ts'
import type { Documents, WantedDocument } from './documents.ts'
import type { Files } from './files.ts'
import type { Foreground } from './foreground.ts'
import { IndexRewrite } from './index-rewrite.ts'
import { JobJournal } from './job-journal.ts'
import type { Jobs } from './jobs.ts'
import { type Lease, type Leases, type LeaseWait, writerLease } from './lease.ts'
import type { Preparer, Progress } from './prepare.ts'
import { type Outcome, Publisher } from './publisher.ts'
import type { Removal } from './removal.ts'
import type { Versions } from './versions.ts'
import { type Attempt, WorkInProgress } from './work.ts'
import { WorkQueue } from './work-queue.ts'

/** What happens while the queue of a collection is worked off. */
export type IngestEvent =
  | ({ readonly type: 'progress' } & Progress)
  | {
      readonly type: 'done'
      readonly documentId: string
      readonly source: string
      readonly outcome: Outcome | 'failed'
    }

export type DrainOptions = LeaseWait & {
  readonly onEvent?: ((event: IngestEvent) => void) | undefined
  /** Opens encrypted files; written down nowhere. */
  readonly password?: string | undefined
}

export type IngestParts = {
  readonly catalog: Catalog
  readonly content: ContentStore
  readonly files: Files
  readonly collections: Collections
  readonly documents: Documents
  readonly versions: Versions
  readonly jobs: Jobs
  readonly attachments: Attachments
  readonly leases: Leases
  readonly index: ChunkIndex
  readonly removal: Removal
  /** Told when replaced or failed documents are gone, as Removal does. */
  readonly onRemoved: () => Promise<void>
  readonly preparer: Preparer
  readonly foreground: Foreground
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

/** Works off the queue of a collection: parse, chunk, embed, write, publish. */
export class Ingest {
  readonly #parts: IngestParts

  constructor(parts: IngestParts) {
    this.#parts = parts
  }

  /**
   * Index everything that waits in the collection, as its only writer; returns when the queue is empty. Whoever asks
   * first does the work of all: a second process waits and finds its documents done, which gives false.
   */
  async drain(collection: Collection, options: DrainOptions): Promise<boolean> {
    const label = `writer of collection ${collection.name}`
    const lease = await this.#parts.leases.acquire(writerLease(collection.id), { ...options, label })
    if (!lease) return false
    const signal = AbortSignal.any([lease.lost, ...(options.signal ? [options.signal] : [])])
    await this.#hold(collection, lease, async () => {
      this.#parts.versions.retirePending(collection.id)
      this.#parts.jobs.releaseAbandoned(collection.id)
      await this.#rewriteStale(collection, signal)
      await this.#work(collection, signal, options)
      await this.#upkeep(collection, signal)
      await this.#sweep(lease)
    })
    await this.#tidyRest(collection)
    return true
  }

  /** Whether there are documents whose rows have to be written again before they can be found. */
  async isStale(collection: Collection): Promise<boolean> {
    const { versions, index } = this.#parts
    return versions.hasPublished(collection.id) && (await index.isStale(this.#table(collection)))
  }

  /** Remove the rows of what was deleted, unless somebody is writing: then they do it at their end. */
  async tidy(collection: Collection): Promise<void> {
    const lease = this.#parts.leases.tryAcquire(writerLease(collection.id))
    if (!lease) return
    await this.#hold(collection, lease, () => this.#upkeep(collection, lease.lost))
    await this.#tidyRest(collection)
  }

  /** What was deleted while the lease was held, by somebody who left the rest to its holder. */
  async #tidyRest(collection: Collection): Promise<void> {
    if (this.#parts.versions.inState(collection.id, 'retired').length > 0) await this.tidy(collection)
  }

  /** A collection that was deleted meanwhile leaves no table behind. */
  async #hold(collection: Collection, lease: Lease, work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } finally {
      if (!this.#parts.collections.byId(collection.id)) await this.#parts.index.drop(collection.id)
      lease.release()
    }
  }

  /** The index's id changed, or its table is gone: write the rows again from what is stored. */
  async #rewriteStale(collection: Collection, signal: AbortSignal): Promise<void> {
    const table = this.#table(collection)
    if (await this.#parts.index.isStale(table)) await new IndexRewrite(this.#parts, table).run(signal)
  }

  async #work(collection: Collection, signal: AbortSignal, options: DrainOptions): Promise<void> {
    const { catalog, documents, concurrency, foreground } = this.#parts
    const journal = new JobJournal(catalog)
    const publisher = new Publisher({ ...this.#parts, journal }, this.#table(collection))
    const queue = new WorkQueue(documents, collection.id, concurrency)
    const work = new WorkInProgress(documents, journal)
    const ended = new AbortController()
    const running = AbortSignal.any([signal, work.failed, ended.signal])
    const settle = (wanted: WantedDocument, outcome: Outcome | 'failed') => {
      queue.release(wanted.id)
      options.onEvent?.({ type: 'done', documentId: wanted.id, source: wanted.source, outcome })
    }
    try {
      for await (const attempt of queue.run(wanted => this.#attempt(collection, wanted, work, running, options))) {
        running.throwIfAborted()
        if (attempt?.result === 'prepared') await this.#put(attempt, publisher, journal, options)
        else if (attempt) settle(attempt.wanted, this.#end(attempt, journal))
        if (!publisher.isDue && !queue.isIdle) continue
        await foreground.standBack()
        for (const { wanted, outcome } of await publisher.flush()) settle(wanted, outcome)
      }
    } catch (error) {
      ended.abort(error)
      throw error
    } finally {
      work.close()
    }
  }

  async #put(
    { wanted, prepared }: Extract<Attempt, { result: 'prepared' }>,
    publisher: Publisher,
    journal: JobJournal,
    { onEvent }: DrainOptions,
  ): Promise<void> {
    await publisher.put(wanted, prepared, done => {
      const progress = { stage: 'write', done, total: prepared.report.chunks } as const
      journal.progress(wanted, progress)
      onEvent?.({ type: 'progress', documentId: wanted.id, source: wanted.source, ...progress })
    })
  }

  #attempt(
    collection: Collection,
    wanted: WantedDocument,
    work: WorkInProgress,
    signal: AbortSignal,
    options: DrainOptions,
  ): Promise<Attempt> {
    const onProgress = (progress: Progress) => {
      work.progress(progress)
      options.onEvent?.({ type: 'progress', ...progress })
    }
    return work.attempt(wanted, signal, async signal => {
      const chunker = await this.#parts.chunkerFor(wanted.settings.chunking ?? collection.chunking)
      return await this.#parts.preparer.prepare(wanted, chunker, { signal, onProgress, password: options.password })
    })
  }

  #end(attempt: Exclude<Attempt, { result: 'prepared' }>, journal: JobJournal): 'failed' | 'superseded' {
    if (attempt.result === 'failed') return this.#fail(attempt.wanted, attempt.error, journal)
    journal.drop(attempt.wanted)
    return 'superseded'
  }

  /** A document that cannot be read any more is not found any more either: nothing stale is ever served. */
  #fail(wanted: WantedDocument, error: AppError, journal: JobJournal): 'failed' | 'superseded' {
    if (ENDS_RUN.has(error.code)) throw error
    const { catalog, collections, documents, versions, attachments, preparer } = this.#parts
    const failedStages = FINAL.has(error.code) ? preparer.failureKey(wanted.sha256, wanted.settings) : undefined
    const failure = { code: error.code, message: error.message }
    return catalog.transaction(() => {
      if (!documents.fail(wanted.id, wanted.revision, failure, failedStages)) {
        journal.drop(wanted)
        return 'superseded'
      }
      versions.retireDocument(wanted.id)
      attachments.removeFrom(wanted.id)
      journal.finish(wanted, 'failed', failure)
      collections.advance(wanted.collectionId)
      return 'failed'
    })
  }

  /** What a process left on the disk that was killed: while writing, taking bytes in, or throwing them away. */
  async #sweep({ isInherited }: Lease): Promise<void> {
    const { content, files, removal } = this.#parts
    await removal.dropStrayTables()
    const abandoned = await content.sweepIncoming()
    if (isInherited || abandoned > 0) await files.collectGarbage(await files.strayContents())
  }

  /** Remove the rows that no reader may see any more, then bring the table in order. */
  async #upkeep(collection: Collection, signal: AbortSignal): Promise<void> {
    const { versions, index, files, jobs, onRemoved } = this.#parts
    jobs.prune()
    const table = this.#table(collection)
    const retired = versions.inState(collection.id, 'retired')
    const numbers = retired.map(version => version.version)
    if (numbers.length > 0) await index.remove(table, numbers)
    await files.collectGarbage([...new Set([...retired.map(version => version.sha256), ...files.unusedContents()])])
    if (numbers.length > 0) await onRemoved()
    await index.upkeep(table, signal)
    if (numbers.length > 0) versions.forget(numbers) // last, so that after a kill the next upkeep knows that there is something to do
  }

  #table(collection: Collection): IndexTable {
    return { collectionId: collection.id, dimensions: this.#parts.dimensions }
  }
}
