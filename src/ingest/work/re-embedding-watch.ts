import { AppError } from '../../errors.ts'
import type { Stage } from '../store/catalog/document.ts'
import type { Documents } from '../store/catalog/documents.ts'
import type {
  ReEmbedding,
  ReEmbeddingProgress,
  ReEmbeddings,
} from '../store/catalog/re-embeddings.ts'

/** How often progress is written down, and looked up whether it is still wanted and whether documents wait. */
const CHECK_MS = 500

type WatchParts = { readonly documents: Documents; readonly reEmbeddings: ReEmbeddings }

export type WatchOptions = {
  readonly signal: AbortSignal
  /** Stop for documents that wait. */
  readonly givesWay: boolean
  readonly onProgress: (progress: ReEmbeddingProgress) => void
}

/** How far a re-embedding is, and what stops it: the run, somebody who cancels it, or documents that wait. */
export class ReEmbeddingWatch {
  readonly #parts: WatchParts
  readonly #wanted: ReEmbedding
  readonly #options: WatchOptions
  readonly #stopped = new AbortController()
  readonly #timer: NodeJS.Timeout
  readonly signal: AbortSignal
  #progress: ReEmbeddingProgress = { stage: 'embed', done: 0, total: 0 }
  /** Documents wait until it is done. */
  #isLast: boolean
  #isInterrupted = false
  /** One look after the other, so that none is written down after a later one. */
  #checked: Promise<void> = Promise.resolve()

  constructor(parts: WatchParts, wanted: ReEmbedding, options: WatchOptions) {
    this.#parts = parts
    this.#wanted = wanted
    this.#options = options
    this.#isLast = !options.givesWay
    this.signal = AbortSignal.any([options.signal, this.#stopped.signal])
    this.#timer = setInterval(() => void this.#check(), CHECK_MS).unref()
  }

  /** It was stopped for documents that wait. */
  get isInterrupted(): boolean {
    return this.#isInterrupted && !this.#options.signal.aborted
  }

  async begin(stage: Stage, total: number): Promise<void> {
    this.#progress = { stage, done: 0, total }
    await this.#check()
  }

  advance(chunks: number): void {
    this.#progress = { ...this.#progress, done: this.#progress.done + chunks }
    this.#options.onProgress(this.#progress)
  }

  /** Nothing stops it any more but the run and who cancels it. Throws where something has. */
  async goesOn(): Promise<void> {
    await this.#check()
    this.signal.throwIfAborted()
    this.#isLast = true
  }

  /** One part of it failed: the others stop. */
  readonly fail = (error: unknown): void => this.#stopped.abort(error)

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#checked
    await this.#parts.reEmbeddings.release(this.#wanted.collectionId)
  }

  #stop(why: string): void {
    this.#stopped.abort(new AppError('cancelled', why))
  }

  /** Never rejects. */
  #check(): Promise<void> {
    this.#checked = this.#checked.then(() => this.#look())
    return this.#checked
  }

  async #look(): Promise<void> {
    if (this.signal.aborted) return
    try {
      const { reEmbeddings, documents } = this.#parts
      const { id, collectionId } = this.#wanted
      if (!(await reEmbeddings.progress(id, this.#progress))) this.#stop(`Job ${id} was cancelled.`)
      else if (!this.#isLast && (await documents.countQueued(collectionId)) > 0) {
        this.#isInterrupted = true
        this.#stop('Documents wait.')
      }
    } catch (error) {
      this.#stopped.abort(error)
    }
  }
}
