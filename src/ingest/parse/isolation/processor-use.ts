import { readdirSync, readFileSync } from 'node:fs'

/** Clock ticks in /proc: the Linux standard on every processor that Node runs on. */
const TICKS_PER_SECOND = 100

export type ProcessorUse = {
  /** Milliseconds over all threads; undefined if unknown or the process has ended. */
  readonly usedMs: (processId: number) => number | undefined
  readonly isRunnable: (processId: number) => boolean
  readonly isOnDisk: (processId: number) => boolean
}

/** Works even for a process that does not answer; returns nothing on other systems. */
export const procUse: ProcessorUse = {
  usedMs: processId => {
    const stat = readStat(`/proc/${processId}`)
    return stat && ((Number(stat[11]) + Number(stat[12])) * 1000) / TICKS_PER_SECOND // utime and stime
  },
  isRunnable: processId => hasThreadWithState(['R'], processId),
  isOnDisk: processId => hasThreadWithState(['D', 'T'], processId),
}

function hasThreadWithState(states: readonly string[], processId: number): boolean {
  const threads = `/proc/${processId}/task`
  try {
    return readdirSync(threads).some(thread =>
      states.includes(readStat(`${threads}/${thread}`)?.[0] ?? ''),
    )
  } catch {
    return false
  }
}

function readStat(folder: string): readonly string[] | undefined {
  try {
    const stat = readFileSync(`${folder}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return undefined
  }
}

/** Between two readings, so that a working process does not seem to rest: ticks take 10 ms. */
const MIN_SPAN_MS = 100

/** Tells whether a process lacks processors; never if the system does not report it. */
export class ProcessorShare {
  readonly #processId: number
  readonly #system: ProcessorUse
  #before: { readonly usedMs: number; readonly at: number } | undefined
  #hadLittle = false

  constructor(processId: number, system: ProcessorUse = procUse) {
    this.#processId = processId
    this.#system = system
  }

  start(): void {
    this.#hadLittle = false
    this.#note()
  }

  isStarved(): boolean {
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
