import type { Settings } from '../../config.ts'
import { isExpired } from '../../ingest/store/catalog/collections.ts'
import type { Ingest } from '../../ingest/work/ingest.ts'
import type { Removal } from '../../ingest/work/removal.ts'
import type { Store } from '../stores/store.ts'
import type { FileAdmin } from './file-admin.ts'

/** How often a service looks for what has expired. */
const EVERY_MS = 60_000

const DAY_MS = 24 * 60 * 60 * 1000

/** Conversations that are deleted at a time, so that nobody waits for it. */
const MAX_FORGOTTEN = 100

type ExpiryParts = {
  readonly conversing: {
    removeUnused(conversationId: string, since: number): Promise<void>
    /** Removes what deleted conversations have left. */
    sweep(): Promise<void>
  }
  readonly conversations: Settings['conversations']
  readonly store: Store
  readonly files: FileAdmin
  readonly removal: Removal
  readonly ingest: Pick<Ingest, 'tidy'>
  readonly onError: (error: unknown) => void
}

/** Removes what was to be kept for a time only: files, the documents of idle collections, uploads never completed. */
export class Expiry {
  readonly #parts: ExpiryParts
  readonly #store: Store
  readonly #files: FileAdmin
  readonly #removal: Removal
  readonly #ingest: Pick<Ingest, 'tidy'>
  readonly #onError: (error: unknown) => void
  #timer: NodeJS.Timeout | undefined
  #sweeping: Promise<void> | undefined

  constructor(parts: ExpiryParts) {
    this.#parts = parts
    this.#store = parts.store
    this.#files = parts.files
    this.#removal = parts.removal
    this.#ingest = parts.ingest
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
    const { collections, documents, uploads, fileBatches, responses, runs } = this.#store
    await this.#files.deleteExpired()
    await this.#removal.forgetDeleted()
    for (const collection of (await collections.list()).filter(isExpired)) {
      const expired = await documents.list(collection.id)
      for (const { id } of expired) await this.#removal.document(id)
      if (expired.length > 0) await this.#ingest.tidy(collection)
    }
    await uploads.sweep()
    await fileBatches.prune()
    await responses.prune()
    await this.#forgetConversations()
    await this.#parts.conversing.sweep()
    await runs.prune()
    await this.#store.catalog.emptyLog()
  }

  async #forgetConversations(): Promise<void> {
    const { keepDays } = this.#parts.conversations
    if (keepDays === 0) return
    const since = Date.now() - keepDays * DAY_MS
    const unused = await this.#store.conversations.unusedSince(since, MAX_FORGOTTEN)
    for (const id of unused) await this.#parts.conversing.removeUnused(id, since)
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#sweeping
  }
}
