import { toFailure } from '../../errors.ts'
import type { Collection } from '../store/catalog/collections.ts'
import { JobJournal, type Verdict } from '../store/catalog/job-journal.ts'
import { isHeld, writerLease } from '../store/catalog/lease.ts'
import type { ReEmbeddings } from '../store/catalog/re-embeddings.ts'
import type { Statements } from '../store/catalog.ts'
import { ENDS_RUN, FINAL_WITHIN_LIMITS } from './run-failures.ts'
import { type Attempt, unclaimed, WorkInProgress, type WorkParts } from './work.ts'
import { type LookUp, WorkQueue } from './work-queue.ts'

type HelpingRunParts = WorkParts & {
  readonly catalog: Statements
  readonly reEmbeddings: ReEmbeddings
  /** Documents prepared at the same time, of those that cannot be found yet and of the others. */
  readonly concurrency: number
}

type HelpingRunOptions = {
  readonly signal: AbortSignal
  /** The name of the lease by which others see that it lives. */
  readonly helper: string
  /** Nothing more is begun once it says so; what was begun is done. */
  readonly isEnough: () => boolean
}

/**
 * Prepares documents of a collection that another process writes to: parses, chunks and embeds what nobody has begun with, and
 * hands it over. What comes of it lies beside the shared content, where the writer finds it when it takes the
 * document from the queue: the writer publishes and fails documents as ever, whatever becomes of a helper. Why a helper
 * could not read one it says to the writer, who takes that over or tries it, too, where it would try otherwise.
 */
export class HelpingRun {
  readonly #parts: HelpingRunParts
  readonly #collection: Collection
  readonly #options: HelpingRunOptions
  readonly #journal: JobJournal
  readonly #queue: WorkQueue<Attempt>

  constructor(parts: HelpingRunParts, collection: Collection, options: HelpingRunOptions) {
    this.#parts = parts
    this.#collection = collection
    this.#options = options
    this.#journal = new JobJournal(parts.catalog, {
      collectionId: collection.id,
      helper: options.helper,
    })
    this.#queue = new WorkQueue(this.#lookUp(), parts.concurrency)
  }

  /** Returns when there is nothing to begin with, or nobody to publish it, or it is enough. */
  async work(): Promise<void> {
    const work = new WorkInProgress(this.#parts, {
      collection: this.#collection,
      journal: this.#journal,
    })
    const ended = new AbortController()
    const running = AbortSignal.any([this.#options.signal, work.failed, ended.signal])
    try {
      for await (const attempt of this.#queue.run((wanted, part) =>
        work.attempt({ wanted, part }, running),
      )) {
        running.throwIfAborted()
        if (attempt) await this.#take(attempt)
        if (this.#options.isEnough()) this.#close()
      }
    } catch (error) {
      ended.abort(error)
      throw error
    } finally {
      await work.close()
    }
  }

  /** Nothing without a writer, who would publish it, nor while the model changes: vectors of the one before would be left behind. */
  #lookUp(): LookUp {
    const { documents, catalog, reEmbeddings } = this.#parts
    const { id } = this.#collection
    const lookUp = unclaimed(documents, this.#journal, this.#collection)
    return async (...asked) => {
      const isOfUse = (await isHeld(catalog, writerLease(id))) && !(await reEmbeddings.openOf(id))
      return isOfUse ? await lookUp(...asked) : []
    }
  }

  #close(): void {
    this.#queue.close('unfound')
    this.#queue.close('found')
  }

  async #take(attempt: Attempt): Promise<void> {
    const { wanted } = attempt
    if (attempt.result === 'failed' && ENDS_RUN.has(attempt.error.code)) throw attempt.error
    if (attempt.result === 'dropped') await this.#journal.drop(this.#parts.catalog, wanted)
    else if (attempt.result !== 'taken')
      await this.#journal.handOver(wanted, this.#verdictOf(attempt))
    this.#queue.release(wanted.id)
  }

  #verdictOf(attempt: Attempt): Verdict | undefined {
    if (attempt.result !== 'failed' || !FINAL_WITHIN_LIMITS.has(attempt.error.code))
      return undefined
    return {
      failure: toFailure(attempt.error),
      attempt: this.#parts.preparer.attemptKey(attempt.wanted),
    }
  }
}
