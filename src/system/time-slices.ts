import { setImmediate } from 'node:timers/promises'

/** Longest that work keeps the thread at a time, so that requests are not delayed. */
const SLICE_MS = 10

export async function runInTimeSlices<Result>(
  steps: Generator<void, Result>,
  options?: TimeSlicesOptions,
): Promise<Result> {
  const slices = new TimeSlices(options)
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    if (slices.isOver) await slices.next()
  }
}

type TimeSlicesOptions = {
  readonly signal?: AbortSignal | undefined
  /** Awaited between two slices. Default: other events go first. */
  readonly standBack?: () => Promise<void>
  /** Processor time of all slices together, and the error if it is exceeded. */
  readonly budget?: { readonly limitMs: number; readonly overrun: () => Error }
}

/** Divides work on the serving thread: each small step checks `isOver`, and then awaits `next`. */
export class TimeSlices {
  readonly #options: TimeSlicesOptions
  #startedAt = performance.now()
  #cpuBefore = process.cpuUsage()
  #workedMs = 0

  constructor(options: TimeSlicesOptions = {}) {
    this.#options = options
  }

  get isOver(): boolean {
    return performance.now() - this.#startedAt >= SLICE_MS
  }

  /** Throws the signal's reason, or the budget's error. */
  async next(): Promise<void> {
    const { signal, standBack = setImmediate, budget } = this.#options
    this.#workedMs += this.#sliceMs()
    if (budget && this.#workedMs > budget.limitMs) throw budget.overrun()
    await standBack()
    signal?.throwIfAborted()
    this.#startedAt = performance.now()
    this.#cpuBefore = process.cpuUsage()
  }

  #sliceMs(): number {
    const { user, system } = process.cpuUsage(this.#cpuBefore) // microseconds
    return Math.min(performance.now() - this.#startedAt, (user + system) / 1000)
  }
}
