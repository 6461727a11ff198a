import { AppError, toAppError } from '../../errors.ts'
import type { Documents, QueuePart, WantedDocument } from '../catalog/documents.ts'
import type { JobJournal } from '../catalog/job-journal.ts'
import type { Prepared, Progress } from './prepared.ts'

/** How often progress is written down, and documents in work are looked up: are they still wanted as they were? */
const CHECK_MS = 500

/** How the preparation of a document ended; `dropped` when it was cancelled, removed, or something else is wanted of it. */
export type Attempt = Queued &
  (
    | { readonly result: 'prepared'; readonly prepared: Prepared }
    | { readonly result: 'failed'; readonly error: AppError }
    | { readonly result: 'dropped' }
  )

/** A document, and the part of the queue that it is of. */
type Queued = { readonly wanted: WantedDocument; readonly part: QueuePart }

type InWork = { readonly wanted: WantedDocument; readonly dropped: AbortController }

/** The documents that a run is working on: their progress is written down, and what is not wanted any more is stopped. */
export class WorkInProgress {
  readonly #documents: Documents
  readonly #journal: JobJournal
  readonly #inWork = new Map<string, InWork>()
  readonly #timer: NodeJS.Timeout
  readonly #failed = new AbortController()
  #checking: Promise<void> | undefined

  constructor(documents: Documents, journal: JobJournal) {
    this.#documents = documents
    this.#journal = journal
    this.#timer = setInterval(() => void this.#check(), CHECK_MS).unref()
  }

  /** Aborts when the catalog could not be asked or written to: the run must end. */
  get failed(): AbortSignal {
    return this.#failed.signal
  }

  /** Never rejects. */
  async attempt(
    queued: Queued,
    signal: AbortSignal,
    prepare: (signal: AbortSignal) => Promise<Prepared>,
  ): Promise<Attempt> {
    const { wanted } = queued
    const entry: InWork = { wanted, dropped: new AbortController() }
    this.#inWork.set(wanted.id, entry)
    this.#journal.start(wanted)
    try {
      const prepared = await prepare(AbortSignal.any([signal, entry.dropped.signal]))
      return { ...queued, result: 'prepared', prepared }
    } catch (error) {
      if (entry.dropped.signal.aborted && !signal.aborted) return { ...queued, result: 'dropped' }
      return { ...queued, result: 'failed', error: toAppError(signal.aborted ? signal.reason : error) }
    } finally {
      this.#inWork.delete(wanted.id)
    }
  }

  progress({ documentId, ...progress }: Progress): void {
    const entry = this.#inWork.get(documentId)
    if (entry) this.#journal.progress(entry.wanted, progress)
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#checking
    await this.#journal.release()
  }

  /** One look at a time. Never rejects. */
  #check(): Promise<void> {
    this.#checking ??= this.#look().finally(() => {
      this.#checking = undefined
    })
    return this.#checking
  }

  async #look(): Promise<void> {
    try {
      await this.#journal.writeDown()
      await this.#dropUnwanted()
    } catch (error) {
      clearInterval(this.#timer)
      this.#failed.abort(error)
    }
  }

  async #dropUnwanted(): Promise<void> {
    for (const { wanted, dropped } of this.#inWork.values()) {
      const now = await this.#documents.wanted(wanted.id)
      if (now?.revision === wanted.revision && now.status === 'in_progress') continue
      dropped.abort(new AppError('cancelled', `${wanted.source} is not wanted any more.`))
    }
  }
}
