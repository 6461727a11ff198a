import { setImmediate } from 'node:timers/promises'

/** Longest that work of any length keeps this thread at a time, in milliseconds. */
const TURN_MS = 10

/** Work that yields after small steps, done in turns. */
export async function inTurns<Result>(
  steps: Generator<void, Result>,
  options?: TurnsOptions,
): Promise<Result> {
  const turns = new Turns(options)
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    if (turns.isOver) await turns.next()
  }
}

type TurnsOptions = {
  readonly signal?: AbortSignal | undefined
  /** Awaited between two turns; by default whatever else waits for this thread goes first. */
  readonly standBack?: () => Promise<void>
  /** Processor time that all turns may take together, and what is thrown when they took more. */
  readonly budget?: { readonly limitMs: number; readonly overrun: () => Error }
}

/**
 * Work of any length on a thread that also serves, done in turns: it asks after every small step whether its turn is over,
 * and then lets others go first.
 */
export class Turns {
  readonly #options: TurnsOptions
  #began = performance.now()
  #cpuBefore = process.cpuUsage()
  #workedMs = 0

  constructor(options: TurnsOptions = {}) {
    this.#options = options
  }

  get isOver(): boolean {
    return performance.now() - this.#began >= TURN_MS
  }

  /** Throws the reason of the signal, or the overrun of the budget. */
  async next(): Promise<void> {
    const { signal, standBack = setImmediate, budget } = this.#options
    this.#workedMs += this.#turnMs()
    if (budget && this.#workedMs > budget.limitMs) throw budget.overrun()
    await standBack()
    signal?.throwIfAborted()
    this.#began = performance.now()
    this.#cpuBefore = process.cpuUsage()
  }

  /** By the clock, or less where another process had the processor; other threads of this process may have used it too. */
  #turnMs(): number {
    const { user, system } = process.cpuUsage(this.#cpuBefore) // microseconds
    return Math.min(performance.now() - this.#began, (user + system) / 1000)
  }
}
