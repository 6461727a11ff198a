import { readdirSync, readFileSync } from 'node:fs'

/** Clock ticks a second in /proc: the Linux standard on every processor that Node runs on. */
const TICKS_PER_SECOND = 100

/** Reads from the system what its processes do. */
export type ProcessorUse = {
  /** Processor time of a process so far in milliseconds, over all its threads; undefined if unknown or if the process has ended. */
  readonly usedMs: (processId: number) => number | undefined
  /** A thread of it works now, or waits for a processor to work on. */
  readonly isRunnable: (processId: number) => boolean
  /** A thread of it waits for a disk, in `disk sleep` as proc(5) calls it, or a signal stopped it: it would work if it could. */
  readonly isOnDisk: (processId: number) => boolean
}

/** Reads /proc for any process, whether or not it answers. Returns nothing on a system without /proc. */
export const procUse: ProcessorUse = {
  usedMs: processId => {
    const stat = readStat(`/proc/${processId}`)
    return stat && ((Number(stat[11]) + Number(stat[12])) * 1000) / TICKS_PER_SECOND // utime and stime
  },
  isRunnable: processId => hasThreadWithState(['R'], processId),
  isOnDisk: processId => hasThreadWithState(['D', 'T'], processId),
}

/** A thread of it is in one of those states of proc(5). */
function hasThreadWithState(states: readonly string[], processId: number): boolean {
  const threads = `/proc/${processId}/task`
  try {
    return readdirSync(threads).some(thread =>
      states.includes(readStat(`${threads}/${thread}`)?.[0] ?? ''),
    )
  } catch {
    return false // it has just ended
  }
}

/** The fields of a `stat` of proc(5) from the third on, the state: the name before it may have blanks of its own. */
function readStat(folder: string): readonly string[] | undefined {
  try {
    const stat = readFileSync(`${folder}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return undefined
  }
}

/**
 * Minimum time between two readings, so that a process that works does not seem to rest: the
 * system counts in ticks of 10 ms.
 */
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
