import { isExpired } from '../../ingest/store/catalog/collections.ts'
import type { Ingest } from '../../ingest/work/ingest.ts'
import type { Removal } from '../../ingest/work/removal.ts'
import type { Store } from '../stores/store.ts'
import type { FileAdmin } from './file-admin.ts'

/** Interval of the search, so that expired things go within a minute. */
const EVERY_MS = 60_000

type ExpiryDeps = {
  readonly conversing: { removeExpired(): Promise<void> }
  readonly scratch: { sweep(signal?: AbortSignal): Promise<void> }
  readonly store: Store
  readonly files: FileAdmin
  readonly removal: Removal
  readonly ingest: Pick<Ingest, 'cleanUp'>
  readonly onError: (error: unknown) => void
}

export class Expiry {
  readonly #deps: ExpiryDeps
  readonly #store: Store
  readonly #files: FileAdmin
  readonly #removal: Removal
  readonly #ingest: Pick<Ingest, 'cleanUp'>
  readonly #onError: (error: unknown) => void
  readonly #stopped = new AbortController()
  #timer: NodeJS.Timeout | undefined
  #sweeping: Promise<void> | undefined

  constructor(deps: ExpiryDeps) {
    this.#deps = deps
    this.#store = deps.store
    this.#files = deps.files
    this.#removal = deps.removal
    this.#ingest = deps.ingest
    this.#onError = deps.onError
  }

  start(): void {
    const sweep = () => {
      this.#sweeping ??= this.sweep(this.#stopped.signal)
        .catch(error => {
          if (!this.#stopped.signal.aborted) this.#onError(error)
        })
        .finally(() => {
          this.#sweeping = undefined
        })
    }
    this.#timer ??= setInterval(sweep, EVERY_MS).unref()
    sweep()
  }

  /** Checks the signal between removals. */
  async sweep(signal?: AbortSignal): Promise<void> {
    const { collections, documents, uploads, fileBatches } = this.#store
    await this.#files.deleteExpired()
    await this.#removal.forgetDeleted()
    await this.#deps.scratch.sweep(signal)
    for (const collection of (await collections.list()).filter(isExpired)) {
      const expired = await documents.list(collection.id)
      for (const { id } of expired) {
        signal?.throwIfAborted()
        await this.#removal.removeDocument(id)
      }
      if (expired.length > 0) await this.#ingest.cleanUp(collection)
    }
    await uploads.sweep()
    await fileBatches.prune()
    await this.#deps.conversing.removeExpired()
    await this.#store.catalog.emptyLog()
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    this.#stopped.abort()
    await this.#sweeping
  }
}
