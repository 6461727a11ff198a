import { AppError, toAppError } from '../../errors.ts'
import type { Chunker, Chunking } from '../chunk/chunker.ts'
import type { EmbedderOf, PassageEmbedder } from '../embed/embedder.ts'
import { type Collection, NO_EMBEDDER } from '../store/catalog/collections.ts'
import type { Documents, QueuePart, WantedDocument } from '../store/catalog/documents.ts'
import type { JobJournal } from '../store/catalog/job-journal.ts'
import type { Preparer } from './prepare.ts'
import type { DocumentModel, Prepared, Progress } from './prepared.ts'
import type { LookUp } from './work-queue.ts'

/** How often progress is written down, and documents in work are looked up: are they still wanted as they were? */
const CHECK_MS = 500

/**
 * How the preparation of a document ended; `dropped` when it was cancelled, removed, or something else is wanted of it; `taken` when
 * another has it who shares the queue.
 */
export type Attempt = Queued &
  (
    | { readonly result: 'prepared'; readonly prepared: Prepared }
    | { readonly result: 'failed'; readonly error: AppError }
    | { readonly result: 'dropped' }
    | { readonly result: 'taken' }
  )

/** A document, and the part of the queue that it is of. */
type Queued = { readonly wanted: WantedDocument; readonly part: QueuePart }

type InWork = { readonly wanted: WantedDocument; readonly dropped: AbortController }

export type WorkParts = {
  readonly documents: Documents
  readonly preparer: Preparer
  readonly chunkerFor: (chunking: Chunking) => Promise<Chunker>
  readonly embedderOf: EmbedderOf<PassageEmbedder>
}

type WorkOptions = {
  readonly collection: Collection
  readonly journal: JobJournal
  readonly onProgress?: ((progress: Progress) => void) | undefined
  /** Opens encrypted files; written down nowhere. */
  readonly password?: string | undefined
}

/**
 * The documents of a collection that a run is preparing: their progress is written down, and what is not wanted any more is
 * stopped.
 */
export class WorkInProgress {
  readonly #parts: WorkParts
  readonly #options: WorkOptions
  readonly #inWork = new Map<string, InWork>()
  readonly #timer: NodeJS.Timeout
  readonly #failed = new AbortController()
  #checking: Promise<void> | undefined

  constructor(parts: WorkParts, options: WorkOptions) {
    this.#parts = parts
    this.#options = options
    this.#timer = setInterval(() => void this.#check(), CHECK_MS).unref()
  }

  /** Aborts when the catalog could not be asked or written to: the run must end. */
  get failed(): AbortSignal {
    return this.#failed.signal
  }

  /** Never rejects. */
  async attempt(queued: Queued, signal: AbortSignal): Promise<Attempt> {
    const { wanted } = queued
    const entry: InWork = { wanted, dropped: new AbortController() }
    this.#inWork.set(wanted.id, entry)
    try {
      if (!(await this.#options.journal.start(wanted))) return { ...queued, result: 'taken' }
      const refused = this.#refusedByHelper(wanted)
      if (refused) return { ...queued, result: 'failed', error: refused }
      const prepared = await this.#prepare(queued, AbortSignal.any([signal, entry.dropped.signal]))
      return { ...queued, result: 'prepared', prepared }
    } catch (error) {
      if (entry.dropped.signal.aborted && !signal.aborted) return { ...queued, result: 'dropped' }
      return {
        ...queued,
        result: 'failed',
        error: toAppError(signal.aborted ? signal.reason : error),
      }
    } finally {
      this.#inWork.delete(wanted.id)
    }
  }

  /** Trying it again would end as it did there: with the same parsers and limits. A password may open what could not be read without. */
  #refusedByHelper(wanted: WantedDocument): AppError | undefined {
    const { journal, password } = this.#options
    const verdict = journal.verdictOn(wanted)
    if (!verdict || password !== undefined) return undefined
    if (verdict.attempt !== this.#parts.preparer.attemptKey(wanted)) return undefined
    return new AppError(verdict.failure.code, verdict.failure.message)
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#checking
    await this.#options.journal.release()
  }

  async #prepare({ wanted, part }: Queued, signal: AbortSignal): Promise<Prepared> {
    const { preparer, chunkerFor } = this.#parts
    const { collection, password } = this.#options
    const chunker = await chunkerFor(wanted.settings.chunking ?? collection.chunking)
    const onProgress = this.#progress.bind(this)
    const model = this.#modelFor(wanted, signal)
    return await preparer.prepare(wanted, chunker, {
      ...{ signal, onProgress, model, password },
      wordsSuffice: part === 'unfound',
    })
  }

  #modelFor({ settings }: WantedDocument, signal: AbortSignal): DocumentModel | undefined {
    const { collection } = this.#options
    const { embedderId: id } = collection
    if (settings.withoutVectors || id === NO_EMBEDDER) return undefined
    return { id, open: async () => (await this.#parts.embedderOf(collection, signal))! } // of a model by its id
  }

  #progress(progress: Progress): void {
    const { documentId, ...reached } = progress
    const entry = this.#inWork.get(documentId)
    if (entry) this.#options.journal.progress(entry.wanted, reached)
    this.#options.onProgress?.(progress)
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
      await this.#options.journal.writeDown()
      await this.#dropUnwanted()
    } catch (error) {
      clearInterval(this.#timer)
      this.#failed.abort(error)
    }
  }

  async #dropUnwanted(): Promise<void> {
    for (const { wanted, dropped } of this.#inWork.values()) {
      const now = await this.#parts.documents.wanted(wanted.id)
      if (now?.revision === wanted.revision && now.status === 'in_progress') continue
      dropped.abort(new AppError('cancelled', `${wanted.source} is not wanted any more.`))
    }
  }
}

/** Looks up what waits in a collection and no other worker has. */
export function unclaimed(documents: Documents, journal: JobJournal, { id }: Collection): LookUp {
  return async (part, except, limit) => {
    const others = await journal.others()
    return await documents.queued(id, { part, except: new Set([...except, ...others]), limit })
  }
}
