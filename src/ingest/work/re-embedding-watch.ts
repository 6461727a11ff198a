import { AppError } from '../../errors.ts'
import type { Stage } from '../store/catalog/document.ts'
import type { Documents } from '../store/catalog/documents.ts'
import type {
  ReEmbedding,
  ReEmbeddingProgress,
  ReEmbeddings,
} from '../store/catalog/re-embeddings.ts'

/** Long, so that checks and progress take little of the catalog. */
const CHECK_MS = 500

type WatchDeps = { readonly documents: Documents; readonly reEmbeddings: ReEmbeddings }

export type WatchOptions = {
  readonly signal: AbortSignal
  readonly givesWay: boolean
  readonly onProgress: (progress: ReEmbeddingProgress) => void
}

export class ReEmbeddingWatch {
  readonly #deps: WatchDeps
  readonly #requested: ReEmbedding
  readonly #options: WatchOptions
  readonly #stopped = new AbortController()
  readonly #timer: NodeJS.Timeout
  readonly signal: AbortSignal
  #progress: ReEmbeddingProgress = { stage: 'embed', done: 0, total: 0 }
  /** Whether documents wait until it is done. */
  #ignoresQueue: boolean
  #isInterrupted = false
  /** Chained, so that no progress is stored after a later one. */
  #lastCheck: Promise<void> = Promise.resolve()

  constructor(deps: WatchDeps, requested: ReEmbedding, options: WatchOptions) {
    this.#deps = deps
    this.#requested = requested
    this.#options = options
    this.#ignoresQueue = !options.givesWay
    this.signal = AbortSignal.any([options.signal, this.#stopped.signal])
    this.#timer = setInterval(() => void this.#check(), CHECK_MS).unref()
  }

  get isInterrupted(): boolean {
    return this.#isInterrupted && !this.#options.signal.aborted
  }

  async startStage(stage: Stage, total: number): Promise<void> {
    this.#progress = { stage, done: 0, total }
    await this.#check()
  }

  advance(chunks: number): void {
    this.#progress = { ...this.#progress, done: this.#progress.done + chunks }
    this.#options.onProgress(this.#progress)
  }

  async ignoreQueue(): Promise<void> {
    await this.#check()
    this.signal.throwIfAborted()
    this.#ignoresQueue = true
  }

  readonly fail = (error: unknown): void => this.#stopped.abort(error)

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#lastCheck
    await this.#deps.reEmbeddings.release(this.#requested.collectionId)
  }

  #stop(why: string): void {
    this.#stopped.abort(new AppError('cancelled', why))
  }

  /** Never rejects. */
  #check(): Promise<void> {
    this.#lastCheck = this.#lastCheck.then(() => this.#checkOnce())
    return this.#lastCheck
  }

  async #checkOnce(): Promise<void> {
    if (this.signal.aborted) return
    try {
      const { reEmbeddings, documents } = this.#deps
      const { id, collectionId } = this.#requested
      if (!(await reEmbeddings.recordProgress(id, this.#progress)))
        this.#stop(`Job ${id} was cancelled.`)
      else if (!this.#ignoresQueue && (await documents.countQueued(collectionId)) > 0) {
        this.#isInterrupted = true
        this.#stop('Documents wait.')
      }
    } catch (error) {
      this.#stopped.abort(error)
    }
  }
}
