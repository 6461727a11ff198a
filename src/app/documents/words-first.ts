import { setTimeout as delay } from 'node:timers/promises'
import type { Collection } from '../../ingest/store/catalog/collections.ts'
import type { IngestEvent } from '../../ingest/work/indexing-run.ts'
import type { Ingest } from '../../ingest/work/ingest.ts'

/** Wait for vectors once words are found: enough for a few pages, and short for a reader. */
const VECTOR_WAIT_MS = 2_000

/** Indexes documents until their words are found. Their vectors follow in the background. */
export class WordsFirst {
  readonly #ingest: Pick<Ingest, 'drain'>
  readonly #onError: (message: string, error: unknown) => void
  readonly #stopped = new AbortController()
  readonly #runs = new Set<Promise<void>>()

  constructor(ingest: Pick<Ingest, 'drain'>, onError: (message: string, error: unknown) => void) {
    this.#ingest = ingest
    this.#onError = onError
  }

  get isBusy(): boolean {
    return this.#runs.size > 0
  }

  /** Throws failures of the store until the documents are found; later ones are reported. */
  async index(
    collection: Collection,
    documentIds: readonly string[],
    signal?: AbortSignal,
  ): Promise<void> {
    const stop = new AbortController()
    const abort = () => stop.abort(signal?.reason)
    if (signal?.aborted) abort()
    signal?.addEventListener('abort', abort, { once: true })
    try {
      await this.#untilFound(collection, new Set(documentIds), stop.signal)
    } finally {
      signal?.removeEventListener('abort', abort)
    }
  }

  async #untilFound(
    collection: Collection,
    pending: Set<string>,
    signal: AbortSignal,
  ): Promise<void> {
    let isFound = false
    let onEvent: ((event: IngestEvent) => void) | undefined
    const found = new Promise<void>(resolve => {
      onEvent = event => {
        if (event.type !== 'searchable' && event.type !== 'done') return
        pending.delete(event.documentId)
        if (pending.size === 0) resolve()
      }
    })
    const drained = this.#ingest.drain(collection, {
      signal: AbortSignal.any([signal, this.#stopped.signal]),
      onEvent: event => onEvent?.(event),
    })
    this.#track(
      drained.then(
        () => {},
        error => {
          if (isFound && !this.#stopped.signal.aborted)
            this.#onError(`Vectors of ${collection.name} are missing.`, error)
        },
      ),
    )
    await Promise.race([found, drained])
    isFound = true
    await waitFor(drained, signal)
  }

  #track(run: Promise<void>): void {
    this.#runs.add(run)
    void run.finally(() => this.#runs.delete(run))
  }

  /** Leaves documents without vectors queued. */
  async close(): Promise<void> {
    this.#stopped.abort()
    await Promise.all(this.#runs)
  }
}

/** Returns after `VECTOR_WAIT_MS` at the latest. Leaves no timer, which would keep a process alive. */
async function waitFor(drained: Promise<unknown>, signal: AbortSignal): Promise<void> {
  const ended = new AbortController()
  const late = delay(VECTOR_WAIT_MS, undefined, { signal: AbortSignal.any([signal, ended.signal]) })
  const settled = drained.catch(() => {}) // reported by `#untilFound`
  await Promise.race([settled, late]).finally(() => ended.abort())
}
