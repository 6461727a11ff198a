import { localizable } from '../../errors/localizable.ts'
import { AppError } from '../../errors.ts'
import type { Statements } from '../../ingest/store/catalog.ts'

/** Poll interval, so that revocation takes effect within a second. */
const POLL_MS = 400

type End = (reason: AppError) => void

/** Ends work of keys that any process revokes. Queries only while there is some. */
export class KeyWatch {
  readonly #catalog: Statements
  readonly #endsByKey = new Map<string, Set<End>>()
  #timer: NodeJS.Timeout | undefined
  #polling: Promise<void> | undefined
  #isClosed = false

  constructor(catalog: Statements) {
    this.#catalog = catalog
  }

  /** Returns a function that unregisters `end`. */
  watch(id: string, end: End): () => void {
    const ends = this.#endsByKey.get(id) ?? new Set()
    this.#endsByKey.set(id, ends.add(end))
    this.#schedulePoll()
    return () => {
      ends.delete(end)
      if (ends.size === 0 && this.#endsByKey.get(id) === ends) this.#endsByKey.delete(id)
    }
  }

  endWork(id: string): void {
    const ends = this.#endsByKey.get(id) ?? []
    this.#endsByKey.delete(id)
    const reason = new AppError(
      'unauthorized',
      localizable`The key ${id} was revoked, so its request was ended.`,
    )
    for (const end of ends) end(reason)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    await this.#polling
  }

  #schedulePoll(): void {
    if (this.#isClosed || this.#timer || this.#polling) return
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.#polling = this.#poll().finally(() => {
        this.#polling = undefined
        if (this.#endsByKey.size > 0) this.#schedulePoll()
      })
    }, POLL_MS).unref()
  }

  /** Continues after a failed query until the next poll; new requests fail by themselves. */
  async #poll(): Promise<void> {
    const ids = [...this.#endsByKey.keys()]
    if (ids.length === 0) return
    const sql = `SELECT id FROM keys WHERE revoked_at IS NULL AND id IN (${ids.map(() => '?').join(', ')})`
    const valid = await this.#catalog.all<{ id: string }>(sql, ...ids).catch(() => undefined)
    if (!valid) return
    const validIds = new Set(valid.map(({ id }) => id))
    for (const id of ids) if (!validIds.has(id)) this.endWork(id)
  }
}
