import { localizable } from '../../errors/localizable.ts'
import { AppError, toAppError } from '../../errors.ts'
import type {
  Batch,
  Batches,
  BatchSelection,
  NewBatch,
} from '../../ingest/store/catalog/batches.ts'
import type { FileAdmin } from '../documents/file-admin.ts'
import type { Store } from '../stores/store.ts'
import { MAX_INPUT_BYTES } from './batch-lines.ts'
import { type AnswerLine, BatchRun } from './batch-run.ts'

/** Few, so that a small batch does not wait for the end of large ones, and little is read at once. */
const MAX_RUNS = 4

/** Wait before a retry, so that a full disk or a stopped database has time to recover. */
const RETRY_MS = 30_000

type BatchAdminDeps = {
  readonly store: Pick<Store, 'catalog' | 'content' | 'leases' | 'batches'>
  readonly files: FileAdmin
  readonly requests: number
  readonly onError: (message: string, error: unknown) => void
}

type Run = { readonly run: BatchRun; readonly ended: Promise<void> }

/** Batches of a store. Whoever can answer lines calls `start`; one process works on a batch. */
export class BatchAdmin {
  readonly #deps: BatchAdminDeps
  readonly #batches: Batches
  readonly #stopped = new AbortController()
  readonly #runs = new Map<string, Run>()
  readonly #retryAt = new Map<string, number>()
  #hasUnfinished = false

  constructor(deps: BatchAdminDeps) {
    this.#deps = deps
    this.#batches = deps.store.batches
  }

  /** Throws `not_found`, `invalid_input`, `too_large` or `rate_limited`. */
  async create(batch: NewBatch): Promise<Batch> {
    const { id, purpose, bytes } = await this.#deps.files.get(batch.inputFileId)
    if (purpose !== 'batch')
      throw new AppError(
        'invalid_input',
        localizable`File ${id} has the purpose ${purpose}. Upload the requests with the purpose batch.`,
        { about: id },
      )
    if (bytes > MAX_INPUT_BYTES)
      throw new AppError(
        'too_large',
        localizable`File ${id} has more than ${MAX_INPUT_BYTES} bytes. Divide it into several batches.`,
        { about: id },
      )
    return await this.#batches.add(batch)
  }

  async get(id: string): Promise<Batch> {
    return await this.#batches.get(id)
  }

  async find(id: string): Promise<Batch | undefined> {
    return await this.#batches.find(id)
  }

  async list(selection: BatchSelection, limit: number): Promise<readonly Batch[]> {
    return await this.#batches.list(selection, limit)
  }

  /** Keeps the results so far. Throws `conflict` if it has ended. */
  async cancel(id: string): Promise<Batch> {
    const batch = await this.#batches.cancel(id)
    this.#runs.get(id)?.run.stop()
    return batch
  }

  get isBusy(): boolean {
    return this.#runs.size > 0
  }

  /** True if batches wait for a process that can answer. */
  get isWaiting(): boolean {
    return this.#hasUnfinished
  }

  /** Also looks for batches that wait. */
  async prune(): Promise<void> {
    await this.#batches.prune()
    this.#hasUnfinished = (await this.#batches.listUnfinished()).length > 0
  }

  /** Works on batches that no process works on, now and as long as there are any. */
  async start(answer: AnswerLine): Promise<void> {
    try {
      const unfinished = await this.#batches.listUnfinished()
      this.#hasUnfinished = unfinished.length > 0
      for (const id of unfinished) this.#startRun(id, answer)
    } catch (error) {
      if (!this.#stopped.signal.aborted)
        this.#deps.onError('Cannot look for batches. The next attempt follows in seconds.', error)
    }
  }

  async close(): Promise<void> {
    this.#stopped.abort(
      new AppError('cancelled', 'The server is shutting down. Ask again in a moment.'),
    )
    await Promise.all([...this.#runs.values()].map(({ ended }) => ended))
  }

  #startRun(id: string, answer: AnswerLine): void {
    const isDue = (this.#retryAt.get(id) ?? 0) <= Date.now()
    if (this.#stopped.signal.aborted || this.#runs.has(id) || !isDue) return
    if (this.#runs.size >= MAX_RUNS) return
    const lost = new AbortController()
    const signal = AbortSignal.any([this.#stopped.signal, lost.signal])
    const { requests: concurrency, files, store } = this.#deps
    const deps = { store, batches: this.#batches, files, answer, concurrency }
    const run = new BatchRun(id, deps, signal)
    const ended = this.#runAsHolder(id, run, lost).then(async isDone => {
      this.#runs.delete(id)
      if (isDone) await this.start(answer)
    })
    this.#runs.set(id, { run, ended })
  }

  /** Returns false if another process works on it, or the run failed. */
  async #runAsHolder(id: string, run: BatchRun, lost: AbortController): Promise<boolean> {
    try {
      const lease = await this.#deps.store.leases.tryAcquire(`batch ${id}`)
      if (!lease) return false
      lease.lost.addEventListener('abort', () => lost.abort(lease.lost.reason))
      try {
        await run.run()
        this.#retryAt.delete(id)
        return true
      } finally {
        await lease.release()
      }
    } catch (error) {
      const isInterrupted = this.#stopped.signal.aborted || lost.signal.aborted
      if (isInterrupted || toAppError(error).code === 'cancelled') return false
      this.#retryAt.set(id, Date.now() + RETRY_MS)
      this.#deps.onError(`Batch ${id} stopped. It continues in half a minute.`, error)
      return false
    }
  }
}
