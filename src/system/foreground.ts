import { setImmediate } from 'node:timers/promises'

/** Longest that a step of background work waits for those who wait for an answer: it is slowed down, never stopped. */
const MAX_WAIT_MS = 50

/**
 * Who waits for an answer goes first: this process serves and indexes on one thread, so the steps of indexing that take
 * milliseconds of it begin when no search is under way, or after a while.
 */
export class Foreground {
  #running = 0
  readonly #waiting = new Set<() => void>()

  /** Work that somebody waits for. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#running++
    try {
      return await work()
    } finally {
      this.#running--
      if (this.#running === 0) for (const go of [...this.#waiting]) go()
    }
  }

  /** Before a step of work that nobody waits for: lets this thread do what else there is, and searches end. */
  async standBack(): Promise<void> {
    await setImmediate()
    if (this.#running === 0) return
    await new Promise<void>(resolve => {
      const go = () => {
        clearTimeout(timer)
        this.#waiting.delete(go)
        resolve()
      }
      const timer = setTimeout(go, MAX_WAIT_MS)
      this.#waiting.add(go)
    })
  }
}
