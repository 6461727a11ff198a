import { type ProcessorUse, procUse } from './processor-use.ts'

/** Time between two looks, in milliseconds. */
export type Passed = {
  readonly workedMs: number
  /** Waiting for nothing that the system knows of: not for a processor, nor for a disk. */
  readonly idleMs: number
  /** Waiting for a disk; and for whatever it is, where the system does not tell. */
  readonly diskMs: number
}

/**
 * Longest gap between two looks that counts as work, so that a busy or sleeping machine does
 * not use up a file's time.
 */
const MAX_GAP_MS = 100

/**
 * Tells how long a process works by what it has of the processors, and not by the clock on the wall: on a machine that
 * has too much to do a good file takes any time. Where the system does not tell, the process itself does, and the time
 * since it last did counts as work, or a process that no longer answers would have for ever.
 */
export class WorkClock {
  readonly #processId: number
  readonly #use: ProcessorUse
  #measured: boolean | undefined
  #usedMs = 0
  #lookedAt = 0
  #told = { usedMs: 0, at: 0 }

  /** `use` asks the system, which knows nothing even of this process where it does not tell. */
  constructor(processId: number, use: ProcessorUse = procUse) {
    this.#processId = processId
    this.#use = use
  }

  /** What came before does not count. */
  start(): void {
    this.#lookedAt = performance.now()
    this.#told = { usedMs: this.#told.usedMs, at: this.#lookedAt }
    this.#usedMs = this.#readUsed(this.#lookedAt) ?? 0
  }

  /** The process says what it has had since its beginning. */
  tell(usedMs: number): void {
    this.#told = { usedMs, at: performance.now() }
  }

  /**
   * Since the last look, or the start. Work that was counted too high before, for want of a word, is taken off. A process
   * that is `heldUp` by us is not idle.
   */
  measurePassed({ heldUp }: { readonly heldUp: boolean }): Passed {
    const now = performance.now()
    const gapMs = now - this.#lookedAt
    if (!this.#isMeasured) this.#leaveOut(now)
    this.#lookedAt = now
    const usedMs = this.#readUsed(now)
    if (usedMs === undefined) return { workedMs: 0, idleMs: 0, diskMs: 0 } // it has ended, which is told elsewhere
    const workedMs = Math.min(usedMs - this.#usedMs, gapMs) // several threads at once are one time
    this.#usedMs = usedMs
    const restMs = Math.min(gapMs, MAX_GAP_MS) - workedMs
    const waitedMs = !heldUp && restMs > 0 && !this.#isRunnable() ? restMs : 0
    const isOnDisk = waitedMs > 0 && (!this.#isMeasured || this.#use.isOnDisk(this.#processId))
    return { workedMs, idleMs: isOnDisk ? 0 : waitedMs, diskMs: isOnDisk ? waitedMs : 0 }
  }

  /** Leaves out a long gap between two measurements, in which the process could not report its use. */
  #leaveOut(now: number): void {
    const silentMs = now - Math.max(this.#lookedAt, this.#told.at)
    this.#told = { ...this.#told, at: this.#told.at + Math.max(0, silentMs - MAX_GAP_MS) }
  }

  #readUsed(now: number): number | undefined {
    return this.#isMeasured
      ? this.#use.usedMs(this.#processId)
      : this.#told.usedMs + now - this.#told.at
  }

  get #isMeasured(): boolean {
    this.#measured ??= this.#use.usedMs(process.pid) !== undefined
    return this.#measured
  }

  #isRunnable(): boolean {
    return this.#isMeasured && this.#use.isRunnable(this.#processId)
  }
}
