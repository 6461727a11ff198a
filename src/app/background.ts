import type { Collection, Collections } from '../ingest/collections.ts'
import type { Documents } from '../ingest/documents.ts'
import type { Ingest } from '../ingest/ingest.ts'

/** Works off queues in the background of a service, one run per collection at a time. */
export class BackgroundIngest {
  readonly #ingest: Ingest
  readonly #collections: Collections
  readonly #documents: Documents
  readonly #onError: (collection: Collection, error: unknown) => void
  readonly #stopped = new AbortController()
  readonly #runs = new Map<string, Promise<void>>()

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
    if (this.#runs.has(collection.id) || this.#stopped.signal.aborted) return
    const run = this.#run(collection).finally(() => {
      this.#runs.delete(collection.id)
      if (this.#documents.countQueued(collection.id) > 0 && !this.#failed.delete(collection.id)) this.kick(collection)
    })
    this.#runs.set(collection.id, run)
  }

  readonly #failed = new Set<string>()

  /** Go on with what an earlier process left in the queues. */
  resume(): void {
    for (const collection of this.#collections.all()) {
      if (this.#documents.countQueued(collection.id) > 0) this.kick(collection)
    }
  }

  /** Stop cleanly: what is not published stays in the queue. */
  async close(): Promise<void> {
    this.#stopped.abort()
    await Promise.all(this.#runs.values())
  }

  async #run(collection: Collection): Promise<void> {
    try {
      await this.#ingest.drain(collection, { signal: this.#stopped.signal })
    } catch (error) {
      this.#failed.add(collection.id)
      if (!this.#stopped.signal.aborted) this.#onError(collection, error)
    }
  }
}
