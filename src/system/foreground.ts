import { setImmediate } from 'node:timers/promises'

/** Longest wait of a step of background work, so that it is slowed down but never stopped. */
const MAX_WAIT_MS = 50

/**
 * Gives requests priority over indexing: its steps start while no search is running, or after a
 * while.
 */
export class Foreground {
  #running = 0
  readonly #waiting = new Set<() => void>()

  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    const leave = this.enter()
    try {
      return await work()
    } finally {
      leave()
    }
  }

  /** Starts a request. Call the returned function once, at its end. */
  enter(): () => void {
    this.#running++
    return () => {
      this.#running--
      if (this.#running === 0) for (const go of [...this.#waiting]) go()
    }
  }

  /** Lets other events and searches go first. Call it before a step of background work. */
  async yieldToRequests(maxWaitMs = MAX_WAIT_MS): Promise<void> {
    await setImmediate()
    if (this.#running === 0) return
    await new Promise<void>(resolve => {
      const go = () => {
        clearTimeout(timer)
        this.#waiting.delete(go)
        resolve()
      }
      const timer = setTimeout(go, maxWaitMs)
      this.#waiting.add(go)
    })
  }
}
