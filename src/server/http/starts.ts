import { setImmediate } from 'node:timers/promises'

/** Longest that streams begin one after another before whatever else waits for this thread goes first, in milliseconds. */
const TURN_MS = 5

const MANY = 20

/** Longest that streams which come one after another are read before the first of them begins its work, in milliseconds. */
const BURST_MS = 60

/**
 * Lets streams begin their work in turns. Of many that come at once, each is read and gets its headers between the beginnings
 * of others, instead of after all of them.
 */
export class Starts {
  readonly #waiting: (() => void)[] = []
  #isRunning = false

  /** Whether so many wait that it would be long until it is known how another begins. */
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
      await this.#quiet()
      const began = performance.now()
      while (performance.now() - began < TURN_MS) {
        this.#waiting.shift()?.()
        if (this.#waiting.length === 0) break
        await begun()
      }
    }
    this.#isRunning = false
  }

  /** Once no further stream came while the thread looked at what came, or after a while. */
  async #quiet(): Promise<void> {
    const began = performance.now()
    for (let before = -1; before < this.#waiting.length && performance.now() - began < BURST_MS; ) {
      before = this.#waiting.length
      await setImmediate()
    }
  }
}

/** Once what was just let go waits for something itself. */
function begun(): Promise<void> {
  return new Promise(resolve => process.nextTick(resolve))
}
