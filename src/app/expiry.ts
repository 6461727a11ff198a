import { isExpired } from '../ingest/collections.ts'
import type { Removal } from '../ingest/removal.ts'
import type { FileAdmin } from './file-admin.ts'
import type { Store } from './store.ts'

/** How often a service looks for what has expired. */
const EVERY_MS = 60_000

/** Removes what was to be kept for a time only: files, the documents of idle collections, uploads never completed. */
export class Expiry {
  readonly #store: Store
  readonly #files: FileAdmin
  readonly #removal: Removal
  readonly #onError: (error: unknown) => void
  #timer: NodeJS.Timeout | undefined
  #sweeping: Promise<void> | undefined

  constructor(parts: { store: Store; files: FileAdmin; removal: Removal; onError: (error: unknown) => void }) {
    this.#store = parts.store
    this.#files = parts.files
    this.#removal = parts.removal
    this.#onError = parts.onError
  }

  /** Now, and from now on every minute. */
  start(): void {
    const sweep = () => {
      this.#sweeping ??= this.sweep()
        .catch(this.#onError)
        .finally(() => {
          this.#sweeping = undefined
        })
    }
    this.#timer ??= setInterval(sweep, EVERY_MS).unref()
    sweep()
  }

  async sweep(): Promise<void> {
    const { collections, documents, uploads, fileBatches, responses } = this.#store
    await this.#files.deleteExpired()
    for (const collection of collections.list().filter(isExpired)) {
      for (const { id } of documents.list(collection.id)) await this.#removal.document(id)
    }
    await uploads.sweep()
    fileBatches.prune()
    responses.prune()
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#sweeping
  }
}
