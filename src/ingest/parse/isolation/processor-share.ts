import { type ProcessorUse, procUse } from './processor-use.ts'

/** The system counts use in ticks of 10 ms: over less time than some of them a process that works all along may seem to rest. */
const MIN_SPAN_MS = 100

/** Tells whether a process gets the processors that it could use. Never where the system does not tell. */
export class ProcessorShare {
  readonly #processId: number
  readonly #system: ProcessorUse
  #before: { readonly usedMs: number; readonly at: number } | undefined
  #hadLittle = false

  constructor(processId: number, system: ProcessorUse = procUse) {
    this.#processId = processId
    this.#system = system
  }

  /** What came before does not count. */
  start(): void {
    this.#hadLittle = false
    this.#note()
  }

  /**
   * Whether, since this was last asked, it had less than half of a processor and waits for one now: another process would
   * wait beside it. Asked again at once, the answer goes by the same time as before.
   */
  isHeldBack(): boolean {
    const before = this.#before
    if (!before) return false
    const passedMs = performance.now() - before.at
    if (passedMs >= MIN_SPAN_MS) {
      const usedMs = this.#note()
      this.#hadLittle = usedMs !== undefined && usedMs - before.usedMs < passedMs / 2
    }
    return this.#hadLittle && this.#system.isRunnable(this.#processId)
  }

  #note(): number | undefined {
    const usedMs = this.#system.usedMs(this.#processId)
    this.#before = usedMs === undefined ? undefined : { usedMs, at: performance.now() }
    return usedMs
  }
}
