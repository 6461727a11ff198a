import type { Collection, Collections } from '../ingest/collections.ts'
import type { Documents } from '../ingest/documents.ts'
import type { Ingest } from '../ingest/ingest.ts'

/** After a run that ended early. */
const RETRY_MS = 30_000

/** Works off queues in the background of a service, one run per collection at a time. */
export class BackgroundIngest {
  readonly #ingest: Ingest
  readonly #collections: Collections
  readonly #documents: Documents
  readonly #onError: (collection: Collection, error: unknown) => void
  readonly #stopped = new AbortController()
  readonly #runs = new Map<string, Run>()

  constructor(
    parts: { ingest: Ingest; collections: Collections; documents: Documents },
    onError: (collection: Collection, error: unknown) => void,
  ) {
    this.#ingest = parts.ingest
    this.#collections = parts.collections
    this.#documents = parts.documents
    this.#onError = onError
  }

  /** Something was queued: see that it is worked off. */
  kick(collection: Collection): void {
    if (this.#stopped.signal.aborted || this.#runs.has(collection.id)) return
    const stopped = new AbortController()
    const ended = this.#run(collection, AbortSignal.any([this.#stopped.signal, stopped.signal])).then(isDone => {
      this.#runs.delete(collection.id)
      if (isDone && this.#documents.countQueued(collection.id) > 0) this.kick(collection)
    })
    this.#runs.set(collection.id, { stopped, ended })
  }

  /** Go on with what an earlier process left in the queues. */
  resume(): void {
    for (const collection of this.#collections.all()) {
      if (this.#documents.countQueued(collection.id) > 0) this.kick(collection)
    }
  }

  /** A queue is being worked off. */
  get isBusy(): boolean {
    return this.#runs.size > 0
  }

  /** Stop working on one collection, as before it is deleted; what is not published stays in the queue. */
  async stop({ id }: Collection): Promise<void> {
    const run = this.#runs.get(id)
    run?.stopped.abort()
    await run?.ended
  }

  /** Stop cleanly: what is not published stays in the queue. */
  async close(): Promise<void> {
    this.#stopped.abort()
    await Promise.all([...this.#runs.values()].map(run => run.ended))
  }

  /** False when it ended early: what stopped it (a full disk, a model server that is down) may pass, so try again. */
  async #run(collection: Collection, signal: AbortSignal): Promise<boolean> {
    try {
      await this.#ingest.drain(collection, { signal })
      return true
    } catch (error) {
      if (signal.aborted) return false
      this.#onError(collection, error)
      setTimeout(() => this.#collections.byId(collection.id) && this.kick(collection), RETRY_MS).unref()
      return false
    }
  }
}

type Run = { readonly stopped: AbortController; readonly ended: Promise<void> }
