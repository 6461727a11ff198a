import { AppError, type ErrorCode, toAppError, toFailure } from '../errors.ts'
import { type Chunking, type Collection, type Collections, tableOf } from './catalog/collections.ts'
import type { WantedDocument } from './catalog/documents.ts'
import { JobJournal } from './catalog/job-journal.ts'
import { type Lease, type Leases, type LeaseWait, writerLease } from './catalog/lease.ts'
import type { ReEmbeddingProgress } from './catalog/re-embeddings.ts'
import type { Catalog } from './catalog.ts'
import type { Chunker } from './chunker.ts'
import { type EmbedderOf, NO_EMBEDDER, type PassageEmbedder } from './embedder.ts'
import type { Foreground } from './foreground.ts'
import { ReEmbedder } from './re-embedding/re-embedder.ts'
import { withStoredDimensions } from './stored/stored-dimensions.ts'
import type { Attachments } from './work/attachments.ts'
import { IndexRewrite } from './work/index-rewrite.ts'
import type { Preparer, Progress } from './work/prepare.ts'
import { type Outcome, Publisher } from './work/publisher.ts'
import { ENDS_RUN } from './work/run-failures.ts'
import { sweep, type UpkeepParts, upkeep } from './work/upkeep.ts'
import { type Attempt, WorkInProgress } from './work/work.ts'
import { WorkQueue } from './work/work-queue.ts'

/** What happens while the queue of a collection is worked off. */
export type IngestEvent =
  | ({ readonly type: 'progress' } & Progress)
  | {
      readonly type: 'done'
      readonly documentId: string
      readonly source: string
      readonly outcome: Outcome | 'failed'
    }
  | ({ readonly type: 're-embed'; readonly embedderId: string } & ReEmbeddingProgress)

export type DrainOptions = LeaseWait & {
  readonly onEvent?: ((event: IngestEvent) => void) | undefined
  /** Opens encrypted files; written down nowhere. */
  readonly password?: string | undefined
  /** Told, instead of the error thrown, when every document is done and only a change of models was stopped. */
  readonly onReEmbedFailure?: ((error: AppError) => void) | undefined
}

type IngestParts = UpkeepParts & {
  readonly catalog: Catalog
  readonly collections: Collections
  readonly attachments: Attachments
  readonly leases: Leases
  readonly preparer: Preparer
  readonly foreground: Foreground
  readonly chunkerFor: (chunking: Chunking) => Promise<Chunker>
  readonly embedderOf: EmbedderOf<PassageEmbedder>
  /** Documents prepared at the same time. */
  readonly concurrency: number
}

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
    const label = labelOf(collection.name)
    const lease = await this.#parts.leases.acquire(writerLease(collection.id), { ...options, label })
    if (!lease) return false
    const signal = AbortSignal.any([lease.lost, ...(options.signal ? [options.signal] : [])])
    const failure = await this.#hold(collection, lease, async () => {
      this.#parts.versions.retirePending(collection.id)
      this.#parts.jobs.releaseAbandoned(collection.id)
      await this.#rewriteStale(await this.#withDimensions(this.#now(collection), signal), signal)
      const stopped = await this.#workOff(collection, signal, options)
      await this.#clean(collection, lease, signal)
      return stopped
    })
    await this.#tidyRest(collection)
    if (failure) this.#tell(failure, collection, options)
    return true
  }

  /** Throws `conflict` while another process writes: for who will not wait, before anything is queued that it would index. */
  requireFree({ id, name }: Collection): void {
    this.#parts.leases.requireFree(writerLease(id), labelOf(name))
  }

  /** Documents wait, or the collection is to be embedded with another model, or what was made with one before is still there. */
  hasWork({ id }: Collection): boolean {
    const { documents, reEmbeddings } = this.#parts
    return documents.countQueued(id) > 0 || reEmbeddings.openOf(id) !== undefined || reEmbeddings.hasLeftOver(id)
  }

  /** Whether there are documents whose rows have to be written again before they can be found. */
  async isStale(collection: Collection): Promise<boolean> {
    const { versions, index } = this.#parts
    return versions.hasPublished(collection.id) && (await index.isStale(tableOf(this.#now(collection))))
  }

  /** Remove what is not wanted any more, unless somebody is writing: then they do it at their end. */
  async tidy(collection: Collection): Promise<void> {
    const lease = this.#parts.leases.tryAcquire(writerLease(collection.id))
    if (!lease) return
    await this.#hold(collection, lease, () => this.#clean(collection, lease, lease.lost))
    await this.#tidyRest(collection)
  }

  async #clean(collection: Collection, lease: Lease, signal: AbortSignal): Promise<void> {
    await upkeep(this.#now(collection), this.#parts, signal)
    await sweep(this.#now(collection), this.#parts, lease)
  }

  /** What was deleted while the lease was held, by somebody who left the rest to its holder. */
  async #tidyRest(collection: Collection): Promise<void> {
    if (this.#parts.versions.inState(collection.id, 'retired').length > 0) await this.tidy(collection)
  }

  /** A collection that was deleted meanwhile leaves no table behind. */
  async #hold<Result>(collection: Collection, lease: Lease, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work()
    } finally {
      if (!this.#parts.collections.byId(collection.id)) await this.#parts.removal.dropStrayTables(collection.id)
      lease.release()
    }
  }

  /** Opening the model notes them too, where nothing is stored. */
  async #withDimensions(collection: Collection, signal: AbortSignal): Promise<Collection> {
    const known = withStoredDimensions(collection, this.#parts)
    if (known.dimensions === 0 && known.embedderId !== NO_EMBEDDER) await this.#knownEmbedder(known, signal)
    return this.#now(known)
  }

  /** The index's id changed, or its table is gone: write the rows again from what is stored. */
  async #rewriteStale(collection: Collection, signal: AbortSignal): Promise<void> {
    const table = tableOf(collection)
    if (!(await this.#parts.index.isStale(table))) return
    const embedder = await this.#knownEmbedder(collection, signal)
    const mayDivide = embedder?.mayDivide.bind(embedder)
    await new IndexRewrite(this.#parts, { collectionId: collection.id, table, mayDivide }).run(signal)
  }

  /** As it is now: another process may have given it another model. */
  #now(collection: Collection): Collection {
    return this.#parts.collections.byId(collection.id) ?? collection
  }

  /**
   * The queue, then a change of models that is wanted, and so on until there is neither. Documents that come while it goes
   * on are found at once, with the model so far, unless that is not to be had any more. Gives why the change stopped.
   */
  async #workOff(collection: Collection, signal: AbortSignal, options: DrainOptions): Promise<AppError | undefined> {
    const { reEmbeddings } = this.#parts
    for (;;) {
      const now = this.#now(collection)
      const wanted = reEmbeddings.openOf(now.id)
      const isWaiting = wanted && now.embedderId !== NO_EMBEDDER && !(await this.#knownEmbedder(now, signal))
      if (!isWaiting) await this.#work(now, signal, options)
      if (!wanted) return undefined
      const onProgress = (progress: ReEmbeddingProgress) =>
        options.onEvent?.({ type: 're-embed', embedderId: wanted.embedderId, ...progress })
      try {
        await new ReEmbedder(this.#parts).run(now, wanted, { signal, onProgress, givesWay: !isWaiting })
      } catch (error) {
        if (signal.aborted) throw error
        return toAppError(error)
      }
    }
  }

  /** Whoever is here for documents alone has them, unless some wait for the other model. */
  #tell(failure: AppError, { id }: Collection, { onReEmbedFailure }: DrainOptions): void {
    if (!onReEmbedFailure || this.#parts.documents.countQueued(id) > 0) throw failure
    onReEmbedFailure(failure)
  }

  async #knownEmbedder(collection: Collection, signal: AbortSignal): Promise<PassageEmbedder | undefined> {
    try {
      return await this.#parts.embedderOf(collection, signal)
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof AppError) return undefined // it is told by what needs it
      throw error
    }
  }

  async #work(collection: Collection, signal: AbortSignal, options: DrainOptions): Promise<void> {
    const { catalog, documents, concurrency, foreground } = this.#parts
    const journal = new JobJournal(catalog)
    const publisher = new Publisher({ ...this.#parts, journal }, collection.id, tableOf(collection))
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
      const embedder = wanted.settings.withoutVectors ? undefined : await this.#parts.embedderOf(collection, signal)
      return await this.#parts.preparer.prepare(wanted, chunker, {
        signal,
        onProgress,
        embedder,
        password: options.password,
      })
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
    const failure = toFailure(error)
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
}

function labelOf(collection: string): string {
  return `writer of collection ${collection}`
}
