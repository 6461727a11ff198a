import { type ProcessorUse, procUse } from './processor-use.ts'

export type Passed = {
  readonly workedMs: number
  /** Waiting for neither a processor nor a disk. */
  readonly idleMs: number
  /** Waiting for a disk; for anything, if the system does not tell. */
  readonly diskMs: number
}

/**
 * Longer gaps do not count as work, so that a busy or sleeping machine does not use up a file's
 * time.
 */
const MAX_GAP_MS = 100

/**
 * Measures processor time: a busy machine stops no good file. Otherwise the process reports
 * itself, and time since its last report counts as work.
 */
export class WorkClock {
  readonly #processId: number
  readonly #use: ProcessorUse
  #measured: boolean | undefined
  #usedMs = 0
  #lookedAt = 0
  #reported = { usedMs: 0, at: 0 }

  constructor(processId: number, use: ProcessorUse = procUse) {
    this.#processId = processId
    this.#use = use
  }

  start(): void {
    this.#lookedAt = performance.now()
    this.#reported = { usedMs: this.#reported.usedMs, at: this.#lookedAt }
    this.#usedMs = this.#readUsed(this.#lookedAt) ?? 0
  }

  recordUsage(usedMs: number): void {
    this.#reported = { usedMs, at: performance.now() }
  }

  /** Corrects earlier estimates. A process that is `isBlocked` by us is not idle. */
  measurePassed({ isBlocked }: { readonly isBlocked: boolean }): Passed {
    const now = performance.now()
    const gapMs = now - this.#lookedAt
    if (!this.#isMeasured) this.#leaveOut(now)
    this.#lookedAt = now
    const usedMs = this.#readUsed(now)
    if (usedMs === undefined) return { workedMs: 0, idleMs: 0, diskMs: 0 }
    const workedMs = Math.min(usedMs - this.#usedMs, gapMs) // several threads at once count as one
    this.#usedMs = usedMs
    const restMs = Math.min(gapMs, MAX_GAP_MS) - workedMs
    const waitedMs = !isBlocked && restMs > 0 && !this.#isRunnable() ? restMs : 0
    const isOnDisk = waitedMs > 0 && (!this.#isMeasured || this.#use.isOnDisk(this.#processId))
    return { workedMs, idleMs: isOnDisk ? 0 : waitedMs, diskMs: isOnDisk ? waitedMs : 0 }
  }

  #leaveOut(now: number): void {
    const silentMs = now - Math.max(this.#lookedAt, this.#reported.at)
    this.#reported = {
      ...this.#reported,
      at: this.#reported.at + Math.max(0, silentMs - MAX_GAP_MS),
    }
  }

  #readUsed(now: number): number | undefined {
    return this.#isMeasured
      ? this.#use.usedMs(this.#processId)
      : this.#reported.usedMs + now - this.#reported.at
  }

  get #isMeasured(): boolean {
    this.#measured ??= this.#use.usedMs(process.pid) !== undefined
    return this.#measured
  }

  #isRunnable(): boolean {
    return this.#isMeasured && this.#use.isRunnable(this.#processId)
  }
}
