import { setTimeout as sleep } from 'node:timers/promises'
import { type AppError, type ErrorCode, type Failure, toFailure } from '../../errors.ts'
import type { Foreground } from '../../system/foreground.ts'
import { type Collection, tableOf } from '../store/catalog/collections.ts'
import type { WantedDocument } from '../store/catalog/documents.ts'
import { JobJournal } from '../store/catalog/job-journal.ts'
import type { ReEmbeddingProgress } from '../store/catalog/re-embeddings.ts'
import type { Statements } from '../store/catalog.ts'
import type { ChunkIndex } from '../store/chunk-index.ts'
import type { ContentStore } from '../store/contents/content.ts'
import type { Attachments } from './attachments.ts'
import type { Progress } from './prepared.ts'
import { type Outcome, Publications, Publisher } from './publisher.ts'
import { ENDS_RUN, FINAL } from './run-failures.ts'
import { type Attempt, unclaimed, WorkInProgress, type WorkParts } from './work.ts'
import { WorkQueue } from './work-queue.ts'

type Subject = { readonly documentId: string; readonly source: string }

/** What happens while the queue of a collection is worked off; a document is `searchable` when its words are found, before it is `done`. */
export type IngestEvent =
  | ({ readonly type: 'progress' } & Progress)
  | ({ readonly type: 'searchable' } & Subject)
  /** Of what failed, why. */
  | ({
      readonly type: 'done'
      readonly outcome: Exclude<Outcome, 'words'> | 'failed'
      readonly error?: Failure
    } & Subject)
  | ({ readonly type: 're-embed'; readonly embedderId: string } & ReEmbeddingProgress)

export type IndexingRunParts = WorkParts & {
  readonly catalog: Statements
  readonly content: ContentStore
  readonly attachments: Attachments
  readonly index: ChunkIndex
  readonly foreground: Foreground
  /** Documents prepared at the same time, of those that cannot be found yet and of the others. */
  readonly concurrency: number
}

type IndexingRunOptions = {
  readonly signal: AbortSignal
  readonly onEvent?: ((event: IngestEvent) => void) | undefined
  /** Opens encrypted files; written down nowhere. */
  readonly password?: string | undefined
  /** Documents are published by their words, and wait for their vectors in the queue. */
  readonly withoutVectors?: boolean | undefined
}

/** What a document that is found already waits for is not to be had; the others can be found without it. */
const WITHOUT_MODEL: ReadonlySet<ErrorCode> = new Set(['model_unavailable', 'store_mismatch'])

/** How often is looked whether others are done with what they have. */
const OTHERS_MS = 250

/**
 * Works off the queue of a collection once: parse, chunk, write, publish; then embed, write and publish again. Documents that
 * nobody can find yet go beside those that wait for their vectors. For the holder of the collection's writer lease only.
 */
export class IndexingRun {
  readonly #parts: IndexingRunParts
  readonly #collection: Collection
  readonly #options: IndexingRunOptions
  /** Others may help: what they prepare lies where it is found from here. */
  readonly #isShared: boolean
  readonly #journal: JobJournal
  readonly #publications: Publications
  readonly #publisher: Publisher
  readonly #queue: WorkQueue<Attempt>
  #failure: AppError | undefined

  constructor(parts: IndexingRunParts, collection: Collection, options: IndexingRunOptions) {
    this.#parts = parts
    this.#collection = collection
    this.#options = options
    this.#isShared = parts.content.isShared
    this.#journal = new JobJournal(
      parts.catalog,
      this.#isShared ? { collectionId: collection.id } : undefined,
    )
    this.#publications = new Publications({ ...parts, journal: this.#journal })
    const writing = { index: parts.index, publications: this.#publications }
    this.#publisher = new Publisher(writing, collection.id, tableOf(collection))
    this.#queue = new WorkQueue(
      unclaimed(parts.documents, this.#journal, collection),
      parts.concurrency,
    )
  }

  /** Returns when nothing waits any more. Without the model every document is found by its words before that is thrown. */
  async work(): Promise<void> {
    if (this.#options.withoutVectors) this.#queue.close('found')
    const work = this.#begin()
    const ended = new AbortController()
    const running = AbortSignal.any([this.#options.signal, work.failed, ended.signal])
    try {
      await this.#workOff(work, running)
      while (await this.#othersWork()) {
        await sleep(OTHERS_MS, undefined, { signal: running }).catch(() => running.throwIfAborted())
        await this.#workOff(work, running)
      }
    } catch (error) {
      ended.abort(error)
      throw error
    } finally {
      await work.close()
    }
    if (this.#failure) throw this.#failure
  }

  async #workOff(work: WorkInProgress, signal: AbortSignal): Promise<void> {
    for await (const attempt of this.#queue.run((wanted, part) =>
      work.attempt({ wanted, part }, signal),
    )) {
      signal.throwIfAborted()
      if (attempt) await this.#take(attempt)
      if (this.#isToBeFlushed) await this.#flush()
    }
  }

  /** What is still in the queue others have, or had when this run looked last: it is published here, and the run waits for it. */
  async #othersWork(): Promise<boolean> {
    if (!this.#isShared || this.#failure || this.#options.withoutVectors) return false
    for (const part of ['unfound', 'found'] as const) {
      const query = { part, except: new Set<string>(), limit: 1 }
      if ((await this.#parts.documents.queued(this.#collection.id, query)).length > 0) return true
    }
    return false
  }

  #begin(): WorkInProgress {
    const { password, onEvent } = this.#options
    const onProgress = (progress: Progress) => onEvent?.({ type: 'progress', ...progress })
    const about = { collection: this.#collection, journal: this.#journal }
    return new WorkInProgress(this.#parts, { ...about, onProgress, password })
  }

  get #isToBeFlushed(): boolean {
    const { isDue, hasUnfound } = this.#publisher
    return isDue || this.#queue.isIdle || (hasUnfound && this.#queue.isAllFound)
  }

  async #flush(): Promise<void> {
    await this.#parts.foreground.standBack()
    for (const { wanted, outcome } of await this.#publisher.flush()) this.#settle(wanted, outcome)
  }

  async #take(attempt: Attempt): Promise<void> {
    if (attempt.result === 'prepared') await this.#put(attempt)
    else if (attempt.result === 'taken') this.#queue.release(attempt.wanted.id)
    else if (attempt.result === 'failed' && this.#lacksModel(attempt))
      await this.#withoutModel(attempt)
    else await this.#settleEnded(attempt)
  }

  async #settleEnded(attempt: Exclude<Attempt, { result: 'prepared' | 'taken' }>): Promise<void> {
    const outcome = await this.#end(attempt)
    this.#settle(
      attempt.wanted,
      outcome,
      outcome === 'failed' && attempt.result === 'failed' ? attempt.error : undefined,
    )
  }

  #settle(wanted: WantedDocument, outcome: Outcome | 'failed', error?: AppError): void {
    this.#queue.release(wanted.id)
    const about = { documentId: wanted.id, source: wanted.source }
    this.#options.onEvent?.(
      outcome === 'words'
        ? { type: 'searchable', ...about }
        : { type: 'done', ...about, outcome, ...(error && { error: toFailure(error) }) },
    )
  }

  async #put({ wanted, part, prepared }: Extract<Attempt, { result: 'prepared' }>): Promise<void> {
    const onWritten = (done: number) => {
      const progress = { stage: 'write', done, total: prepared.report.chunks } as const
      this.#journal.progress(wanted, progress)
      this.#options.onEvent?.({
        type: 'progress',
        documentId: wanted.id,
        source: wanted.source,
        ...progress,
      })
    }
    await this.#publisher.put(wanted, prepared, { part, onWritten })
  }

  #lacksModel({ part, error }: Extract<Attempt, { result: 'failed' }>): boolean {
    return part === 'found' && WITHOUT_MODEL.has(error.code)
  }

  /** What waits for it goes on waiting; the run goes on for those that can be found without. */
  async #withoutModel({ wanted, error }: Extract<Attempt, { result: 'failed' }>): Promise<void> {
    this.#failure ??= error
    this.#queue.close('found')
    await this.#journal.putBack(this.#parts.catalog, wanted)
  }

  async #end(
    attempt: Exclude<Attempt, { result: 'prepared' | 'taken' }>,
  ): Promise<'failed' | 'superseded'> {
    if (attempt.result === 'failed') return await this.#fail(attempt.wanted, attempt.error)
    await this.#journal.drop(this.#parts.catalog, attempt.wanted)
    return 'superseded'
  }

  async #fail(wanted: WantedDocument, error: AppError): Promise<'failed' | 'superseded'> {
    if (ENDS_RUN.has(error.code)) throw error
    const { preparer } = this.#parts
    const failedStages = FINAL.has(error.code)
      ? preparer.failureKey(wanted.sha256, wanted.settings)
      : undefined
    return (await this.#publications.fail(wanted, toFailure(error), failedStages))
      ? 'failed'
      : 'superseded'
  }
}
