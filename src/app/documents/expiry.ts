import type { ConversationService } from '../../conversations/service.ts'
import { isExpired } from '../../ingest/store/catalog/collections.ts'
import type { Ingest } from '../../ingest/work/ingest.ts'
import type { Removal } from '../../ingest/work/removal.ts'
import type { Store } from '../stores/store.ts'
import type { FileAdmin } from './file-admin.ts'

/** Interval of the search, so that expired things go within a minute. */
const EVERY_MS = 60_000

type ExpiryDeps = {
  readonly conversationService: Pick<ConversationService, 'endAbandoned' | 'removeExpired'>
  readonly scratch: { sweep(signal?: AbortSignal): Promise<void> }
  readonly store: Store
  readonly files: FileAdmin
  readonly removal: Removal
  readonly ingest: Pick<Ingest, 'cleanUp'>
  readonly onError: (error: unknown) => void
}

export class Expiry {
  readonly #deps: ExpiryDeps
  readonly #stopped = new AbortController()
  #timer: NodeJS.Timeout | undefined
  #sweeping: Promise<void> | undefined

  constructor(deps: ExpiryDeps) {
    this.#deps = deps
  }

  start(): void {
    const sweep = () => {
      this.#sweeping ??= this.sweep(this.#stopped.signal)
        .catch(error => {
          if (!this.#stopped.signal.aborted) this.#deps.onError(error)
        })
        .finally(() => {
          this.#sweeping = undefined
        })
    }
    this.#timer ??= setInterval(sweep, EVERY_MS).unref()
    sweep()
  }

  /** Checks the signal between removals. Runs every step; throws the first error. */
  async sweep(signal?: AbortSignal): Promise<void> {
    const { catalog, uploads, fileBatches, events } = this.#deps.store
    const steps = [
      () => this.#deps.files.deleteExpired(),
      () => this.#deps.removal.forgetDeleted(),
      () => this.#deps.scratch.sweep(signal),
      () => this.#emptyExpired(signal),
      () => uploads.sweep(),
      () => fileBatches.prune(),
      () => events.prune(),
      () => this.#deps.conversationService.endAbandoned(signal),
      () => this.#deps.conversationService.removeExpired(),
      () => catalog.truncateLog(),
    ]
    const errors: unknown[] = []
    for (const step of steps) {
      signal?.throwIfAborted()
      try {
        await step()
      } catch (error) {
        errors.push(error)
      }
    }
    if (errors.length === 0) return
    for (const error of errors.slice(1)) this.#deps.onError(error)
    throw errors[0]
  }

  async #emptyExpired(signal?: AbortSignal): Promise<void> {
    const { collections, documents } = this.#deps.store
    for (const collection of (await collections.list()).filter(isExpired)) {
      const expired = await documents.list(collection.id)
      for (const { id } of expired) {
        signal?.throwIfAborted()
        await this.#deps.removal.removeDocument(id)
      }
      if (expired.length > 0) await this.#deps.ingest.cleanUp(collection)
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    this.#stopped.abort()
    await this.#sweeping
  }
}
