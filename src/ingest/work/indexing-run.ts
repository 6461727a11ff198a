import { setTimeout as sleep } from 'node:timers/promises'
import { type AppError, type Failure, isModelFailure, toFailure } from '../../errors.ts'
import type { Foreground } from '../../system/foreground.ts'
import { type Collection, toIndexTable } from '../store/catalog/collections.ts'
import type { RequestedDocument } from '../store/catalog/documents.ts'
import { JobJournal } from '../store/catalog/job-journal.ts'
import type { ReEmbeddingProgress } from '../store/catalog/re-embeddings.ts'
import type { Statements } from '../store/catalog.ts'
import type { ChunkIndex } from '../store/chunk-index.ts'
import type { ContentStore } from '../store/contents/content.ts'
import type { Progress } from './prepared.ts'
import { type Outcome, Publisher } from './publisher.ts'
import { endsRun, FINAL } from './run-failures.ts'
import {
  type Attempt,
  createUnclaimedLister,
  type WorkDeps,
  WorkInProgress,
} from './work-in-progress.ts'
import { WorkQueue } from './work-queue.ts'

type Subject = { readonly documentId: string; readonly source: string }

/** A document is `searchable` once its words are found, before it is `done`. */
export type IngestEvent =
  | ({ readonly type: 'progress' } & Progress)
  | ({ readonly type: 'searchable' } & Subject)
  | ({
      readonly type: 'done'
      readonly outcome: Exclude<Outcome, 'words'> | 'failed'
      readonly error?: Failure
    } & Subject)
  | ({ readonly type: 're-embed'; readonly embedderId: string } & ReEmbeddingProgress)

export type IndexingRunDeps = WorkDeps & {
  readonly catalog: Statements
  readonly content: ContentStore
  readonly index: ChunkIndex
  readonly foreground: Foreground
  readonly concurrency: number
}

type IndexingRunOptions = {
  readonly signal: AbortSignal
  readonly onEvent?: ((event: IngestEvent) => void) | undefined
  /** Opens encrypted files; never stored. */
  readonly password?: string | undefined
  /** Publish words only; documents wait in the queue for their vectors. */
  readonly withoutVectors?: boolean | undefined
}

/** Short, so that documents of helpers are soon published. */
const HELPER_POLL_MS = 250

/**
 * Processes the queue once: parse, chunk, write, publish; then embed, write and publish again.
 * Requires the writer lease.
 */
export class IndexingRun {
  readonly #deps: IndexingRunDeps
  readonly #collection: Collection
  readonly #options: IndexingRunOptions
  /** Other processes may help: this one can read their output. */
  readonly #hasBucket: boolean
  readonly #journal: JobJournal
  readonly #publisher: Publisher
  readonly #queue: WorkQueue<Attempt>
  #failure: AppError | undefined

  constructor(deps: IndexingRunDeps, collection: Collection, options: IndexingRunOptions) {
    this.#deps = deps
    this.#collection = collection
    this.#options = options
    this.#hasBucket = deps.content.hasBucket
    this.#journal = new JobJournal(
      deps.catalog,
      this.#hasBucket ? { collectionId: collection.id } : undefined,
    )
    this.#publisher = new Publisher(
      {
        catalog: deps.catalog,
        content: deps.content,
        index: deps.index,
        journal: this.#journal,
      },
      collection.id,
      toIndexTable(collection),
    )
    this.#queue = new WorkQueue(
      createUnclaimedLister(deps.documents, this.#journal, collection),
      deps.concurrency,
    )
  }

  /** Without the model, throws once every document is found by its words. */
  async run(): Promise<void> {
    if (this.#options.withoutVectors) this.#queue.close('published')
    const work = this.#startWork()
    const ended = new AbortController()
    const running = AbortSignal.any([this.#options.signal, work.failed, ended.signal])
    try {
      await this.#processQueue(work, running)
      while (await this.#hasHelpedDocuments()) {
        await sleep(HELPER_POLL_MS, undefined, { signal: running }).catch(() =>
          running.throwIfAborted(),
        )
        await this.#processQueue(work, running)
      }
    } catch (error) {
      ended.abort(error)
      throw error
    } finally {
      await work.close()
    }
    if (this.#failure) throw this.#failure
  }

  async #processQueue(work: WorkInProgress, signal: AbortSignal): Promise<void> {
    for await (const attempt of this.#queue.run((requested, part) =>
      work.runAttempt({ requested, part }, signal),
    )) {
      signal.throwIfAborted()
      if (attempt) await this.#handleAttempt(attempt)
      if (this.#shouldFlush) await this.#flush()
    }
  }

  async #hasHelpedDocuments(): Promise<boolean> {
    if (!this.#hasBucket || this.#failure || this.#options.withoutVectors) return false
    for (const part of ['unpublished', 'published'] as const) {
      const query = { part, except: new Set<string>(), limit: 1 }
      if ((await this.#deps.documents.listQueued(this.#collection.id, query)).length > 0)
        return true
    }
    return false
  }

  #startWork(): WorkInProgress {
    const { password, onEvent } = this.#options
    const onProgress = (progress: Progress) => onEvent?.({ type: 'progress', ...progress })
    return new WorkInProgress(this.#deps, {
      collection: this.#collection,
      journal: this.#journal,
      onProgress,
      password,
    })
  }

  get #shouldFlush(): boolean {
    const { isDue, hasUnpublished } = this.#publisher
    return isDue || this.#queue.isIdle || (hasUnpublished && this.#queue.isAllPublished)
  }

  async #flush(): Promise<void> {
    await this.#deps.foreground.yieldToRequests()
    for (const { requested, outcome } of await this.#publisher.flush())
      this.#reportOutcome(requested, outcome)
  }

  async #handleAttempt(attempt: Attempt): Promise<void> {
    if (attempt.result === 'prepared') await this.#writePrepared(attempt)
    else if (attempt.result === 'taken') this.#queue.release(attempt.requested.id)
    else if (attempt.result === 'failed' && this.#lacksModel(attempt))
      await this.#continueWithoutModel(attempt)
    else await this.#handleEnded(attempt)
  }

  async #handleEnded(attempt: Exclude<Attempt, { result: 'prepared' | 'taken' }>): Promise<void> {
    const outcome = await this.#recordEnd(attempt)
    this.#reportOutcome(
      attempt.requested,
      outcome,
      outcome === 'failed' && attempt.result === 'failed' ? attempt.error : undefined,
    )
  }

  #reportOutcome(
    requested: RequestedDocument,
    outcome: Outcome | 'failed',
    error?: AppError,
  ): void {
    this.#queue.release(requested.id)
    const about = { documentId: requested.id, source: requested.source }
    this.#options.onEvent?.(
      outcome === 'words'
        ? { type: 'searchable', ...about }
        : { type: 'done', ...about, outcome, ...(error && { error: toFailure(error) }) },
    )
  }

  async #writePrepared({
    requested,
    part,
    prepared,
  }: Extract<Attempt, { result: 'prepared' }>): Promise<void> {
    const onWritten = (done: number) => {
      const progress = { stage: 'write', done, total: prepared.report.chunks } as const
      this.#journal.noteProgress(requested, progress)
      this.#options.onEvent?.({
        type: 'progress',
        documentId: requested.id,
        source: requested.source,
        ...progress,
      })
    }
    await this.#publisher.put(requested, prepared, { part, onWritten })
  }

  /** Documents wait for their vectors, and others can still be found by keyword. */
  #lacksModel({ part, error }: Extract<Attempt, { result: 'failed' }>): boolean {
    return part === 'published' && (error.code === 'store_mismatch' || isModelFailure(error))
  }

  /** Leaves documents that need the model in the queue. */
  async #continueWithoutModel({
    requested,
    error,
  }: Extract<Attempt, { result: 'failed' }>): Promise<void> {
    this.#failure ??= error
    this.#queue.close('published')
    await this.#journal.putBack(this.#deps.catalog, requested)
  }

  async #recordEnd(
    attempt: Exclude<Attempt, { result: 'prepared' | 'taken' }>,
  ): Promise<'failed' | 'superseded'> {
    if (attempt.result === 'failed')
      return await this.#recordFailure(attempt.requested, attempt.error)
    await this.#journal.drop(this.#deps.catalog, attempt.requested)
    return 'superseded'
  }

  async #recordFailure(
    requested: RequestedDocument,
    error: AppError,
  ): Promise<'failed' | 'superseded'> {
    if (endsRun(error)) throw error
    const { preparer } = this.#deps
    const failedStages = FINAL.has(error.code)
      ? preparer.computeFailureKey(requested.sha256, requested.settings)
      : undefined
    return (await this.#publisher.fail(requested, toFailure(error), failedStages))
      ? 'failed'
      : 'superseded'
  }
}
