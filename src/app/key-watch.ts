import { AppError } from '../errors.ts'
import type { Statements } from '../ingest/catalog.ts'

/** Interval of the one query that asks about all keys in use: a revocation has to reach what they began within a second. */
const POLL_MS = 400

/** Ends what a key began; gets the reason. */
type End = (reason: AppError) => void

/**
 * Ends what keys began in this process once they are revoked, whichever process revoked them. While nothing of a key is under way, nothing
 * is asked.
 */
export class KeyWatch {
  readonly #catalog: Statements
  /** What is under way, by the id of its key. */
  readonly #endsByKey = new Map<string, Set<End>>()
  #timer: NodeJS.Timeout | undefined
  #polling: Promise<void> | undefined
  #isClosed = false

  constructor(catalog: Statements) {
    this.#catalog = catalog
  }

  /** Calls `end` when the key is not valid any more. Returns what forgets it, for when it has ended by itself. */
  watch(id: string, end: End): () => void {
    const ends = this.#endsByKey.get(id) ?? new Set()
    this.#endsByKey.set(id, ends.add(end))
    this.#schedulePoll()
    return () => {
      ends.delete(end)
      if (ends.size === 0 && this.#endsByKey.get(id) === ends) this.#endsByKey.delete(id)
    }
  }

  /** Ends what the key began here at once. */
  end(id: string): void {
    const ends = this.#endsByKey.get(id) ?? []
    this.#endsByKey.delete(id)
    const reason = new AppError('unauthorized', `The key ${id} was revoked, and what it began ends here.`)
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

  /** While the catalog cannot be asked, requests that come are refused by that; what is under way goes on until it can. */
  async #poll(): Promise<void> {
    const ids = [...this.#endsByKey.keys()]
    if (ids.length === 0) return
    const sql = `SELECT id FROM keys WHERE revoked_at IS NULL AND id IN (${ids.map(() => '?').join(', ')})`
    const valid = await this.#catalog.all<{ id: string }>(sql, ...ids).catch(() => undefined)
    if (!valid) return
    const isValid = new Set(valid.map(({ id }) => id))
    for (const id of ids) if (!isValid.has(id)) this.end(id)
  }
}
