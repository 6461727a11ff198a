import { setImmediate } from 'node:timers/promises'

/** Time for starting streams in a row, so that the thread stays responsive. */
const TURN_MS = 5

const MANY = 20

/** Time of reading a burst before the first start, so that all get headers early. */
const BURST_MS = 60

export class Starts {
  readonly #waiting: (() => void)[] = []
  #isRunning = false

  get areMany(): boolean {
    return this.#waiting.length > MANY
  }

  turn(): Promise<void> {
    return new Promise(resolve => {
      this.#waiting.push(resolve)
      if (!this.#isRunning) void this.#run()
    })
  }

  async #run(): Promise<void> {
    this.#isRunning = true
    while (this.#waiting.length > 0) {
      await this.#waitForQuiet()
      const began = performance.now()
      while (performance.now() - began < TURN_MS) {
        this.#waiting.shift()?.()
        if (this.#waiting.length === 0) break
        await waitForTick()
      }
    }
    this.#isRunning = false
  }

  /** Resolves when no stream came during a tick, or after a while. */
  async #waitForQuiet(): Promise<void> {
    const began = performance.now()
    for (let before = -1; before < this.#waiting.length && performance.now() - began < BURST_MS; ) {
      before = this.#waiting.length
      await setImmediate()
    }
  }
}

function waitForTick(): Promise<void> {
  return new Promise(resolve => process.nextTick(resolve))
}
