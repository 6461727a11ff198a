import { localizable } from '../../errors/localizable.ts'
import { AppError, restoreError, toAppError } from '../../errors.ts'
import type { Chunker, Chunking } from '../chunk/chunker.ts'
import type { OpenEmbedder, PassageEmbedder } from '../embed/embedder.ts'
import { type Collection, NO_EMBEDDER } from '../store/catalog/collections.ts'
import type { Documents, QueuePart, RequestedDocument } from '../store/catalog/documents.ts'
import type { JobJournal } from '../store/catalog/job-journal.ts'
import type { Preparer } from './prepare.ts'
import type { DocumentModel, Prepared, Progress } from './prepared.ts'
import type { ListQueued } from './work-queue.ts'

/** Long, so that checks and progress take little of the catalog. */
const CHECK_MS = 500

/** `dropped`: cancelled, removed or changed meanwhile; `taken`: claimed by another process. */
export type Attempt = QueuedDocument &
  (
    | { readonly result: 'prepared'; readonly prepared: Prepared }
    | { readonly result: 'failed'; readonly error: AppError }
    | { readonly result: 'dropped' }
    | { readonly result: 'taken' }
  )

type QueuedDocument = { readonly requested: RequestedDocument; readonly part: QueuePart }

type InWork = { readonly requested: RequestedDocument; readonly dropped: AbortController }

export type WorkDeps = {
  readonly documents: Documents
  readonly preparer: Preparer
  readonly createChunker: (chunking: Chunking) => Promise<Chunker>
  readonly openEmbedder: OpenEmbedder<PassageEmbedder>
}

type WorkOptions = {
  readonly collection: Collection
  readonly journal: JobJournal
  readonly onProgress?: ((progress: Progress) => void) | undefined
  /** Opens encrypted files; never stored. */
  readonly password?: string | undefined
}

export class WorkInProgress {
  readonly #deps: WorkDeps
  readonly #options: WorkOptions
  readonly #inWork = new Map<string, InWork>()
  readonly #timer: NodeJS.Timeout
  readonly #failed = new AbortController()
  #checking: Promise<void> | undefined

  constructor(deps: WorkDeps, options: WorkOptions) {
    this.#deps = deps
    this.#options = options
    this.#timer = setInterval(() => void this.#check(), CHECK_MS).unref()
  }

  /** Aborts if the catalog failed: the run must end. */
  get failed(): AbortSignal {
    return this.#failed.signal
  }

  /** Never rejects. */
  async runAttempt(queued: QueuedDocument, signal: AbortSignal): Promise<Attempt> {
    const { requested } = queued
    const entry: InWork = { requested, dropped: new AbortController() }
    this.#inWork.set(requested.id, entry)
    try {
      if (!(await this.#options.journal.start(requested))) return { ...queued, result: 'taken' }
      const refused = this.#findVerdict(requested)
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
      this.#inWork.delete(requested.id)
    }
  }

  #findVerdict(requested: RequestedDocument): AppError | undefined {
    const { journal, password } = this.#options
    const verdict = journal.findVerdict(requested)
    if (!verdict || password !== undefined) return undefined
    if (verdict.attempt !== this.#deps.preparer.computeAttemptKey(requested)) return undefined
    return restoreError(verdict.failure)
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#checking
    await this.#options.journal.release()
  }

  async #prepare({ requested, part }: QueuedDocument, signal: AbortSignal): Promise<Prepared> {
    const { preparer, createChunker } = this.#deps
    const { collection, password } = this.#options
    const chunker = await createChunker(requested.settings.chunking ?? collection.chunking)
    const onProgress = this.#noteProgress.bind(this)
    const model = this.#findModel(requested, signal)
    return await preparer.prepare(requested, chunker, {
      signal,
      onProgress,
      model,
      password,
      wordsSuffice: part === 'unpublished',
    })
  }

  #findModel({ settings }: RequestedDocument, signal: AbortSignal): DocumentModel | undefined {
    const { collection } = this.#options
    const { embedderId: id, name } = collection
    if (settings.withoutVectors || id === NO_EMBEDDER) return undefined
    const open = async () => {
      const embedder = await this.#deps.openEmbedder(collection, signal)
      if (embedder) return embedder
      throw new AppError(
        'store_mismatch',
        localizable`There is no model ${id} for the collection ${name}.`,
      )
    }
    return { id, open }
  }

  #noteProgress(progress: Progress): void {
    const { documentId, ...reached } = progress
    const entry = this.#inWork.get(documentId)
    if (entry) this.#options.journal.noteProgress(entry.requested, reached)
    this.#options.onProgress?.(progress)
  }

  /** Runs one check at a time. Never rejects. */
  #check(): Promise<void> {
    this.#checking ??= this.#checkOnce().finally(() => {
      this.#checking = undefined
    })
    return this.#checking
  }

  async #checkOnce(): Promise<void> {
    try {
      await this.#options.journal.writeDown()
      await this.#dropSuperseded()
    } catch (error) {
      clearInterval(this.#timer)
      this.#failed.abort(error)
    }
  }

  async #dropSuperseded(): Promise<void> {
    for (const { requested, dropped } of this.#inWork.values()) {
      const now = await this.#deps.documents.findRequested(requested.id)
      if (now?.revision === requested.revision && now.status === 'in_progress') continue
      dropped.abort(
        new AppError('cancelled', localizable`${requested.source} is no longer requested.`),
      )
    }
  }
}

export function createUnclaimedLister(
  documents: Documents,
  journal: JobJournal,
  { id }: Collection,
): ListQueued {
  return async (part, except, limit) => {
    const others = await journal.refreshClaims()
    return await documents.listQueued(id, { part, except: new Set([...except, ...others]), limit })
  }
}
