import { setTimeout as delay } from 'node:timers/promises'
import type { Collection } from '../../ingest/store/catalog/collections.ts'
import type { Ingest } from '../../ingest/work/ingest.ts'

/** Wait for vectors once words are found: enough for a few pages, and short for a reader. */
const VECTOR_WAIT_MS = 2_000

/** Indexes documents until their words are found. Their vectors follow in the background. */
type Indexing<Result> = {
  readonly name: string
  readonly isFound: () => Promise<boolean>
  readonly run: (options: {
    readonly signal: AbortSignal
    readonly onEvent: (event: { readonly type: string }) => void
  }) => Promise<Result>
}

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
    const pending = new Set(documentIds)
    const isFound = async () => pending.size === 0
    const run: Indexing<boolean>['run'] = async ({ onEvent, ...options }) =>
      await this.#ingest.drain(collection, {
        ...options,
        onEvent: event => {
          if (event.type === 'searchable' || event.type === 'done') pending.delete(event.documentId)
          onEvent(event)
        },
      })
    await this.run({ name: collection.name, isFound, run }, signal)
  }

  /** Returns the result, or undefined if vectors are still missing. */
  async run<Result>(
    { name, isFound, run }: Indexing<Result>,
    signal?: AbortSignal,
  ): Promise<Result | undefined> {
    const stop = new AbortController()
    const abort = () => stop.abort(signal?.reason)
    if (signal?.aborted) abort()
    signal?.addEventListener('abort', abort, { once: true })
    let hasReturned = false
    let onFound: () => void = () => {}
    const found = new Promise<void>(resolve => {
      onFound = resolve
    })
    let isChecking = false
    const check = async () => {
      isChecking = true
      if (await isFound().catch(() => false)) onFound()
      isChecking = false
    }
    const running = run({
      signal: AbortSignal.any([stop.signal, this.#stopped.signal]),
      onEvent: ({ type }) => {
        const isDecisive = type === 'searchable' || type === 'done'
        if (type !== 'found' && (isDecisive || !isChecking)) void check()
      },
    })
    void check()
    this.#track(
      running.then(
        () => {},
        error => {
          if (hasReturned && !this.#stopped.signal.aborted)
            this.#onError(`Vectors of ${name} are missing.`, error)
        },
      ),
    )
    try {
      await Promise.race([found, running])
      hasReturned = true
      return await waitFor(running, stop.signal)
    } finally {
      signal?.removeEventListener('abort', abort)
    }
  }

  #track(run: Promise<void>): void {
    this.#runs.add(run)
    void run.finally(() => this.#runs.delete(run))
  }

  async close(): Promise<void> {
    this.#stopped.abort()
    await Promise.all(this.#runs)
  }
}

/** Leaves no timer, which would keep a process alive. */
async function waitFor<Result>(
  running: Promise<Result>,
  signal: AbortSignal,
): Promise<Result | undefined> {
  const ended = new AbortController()
  const late = delay(VECTOR_WAIT_MS, undefined, { signal: AbortSignal.any([signal, ended.signal]) })
  const settled = running.catch(() => undefined)
  return await Promise.race([settled, late]).finally(() => ended.abort())
}
