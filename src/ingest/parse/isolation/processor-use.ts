import { readdirSync, readFileSync } from 'node:fs'

/** Clock ticks a second in /proc: the same on every processor that Node runs on. */
const TICKS_PER_SECOND = 100

/** How a system tells what its processes do. */
export type ProcessorUse = {
  /** What a process has had of the processors so far, in milliseconds, over all its threads; undefined where that is not told, or it is gone. */
  readonly usedMs: (processId: number) => number | undefined
  /** A thread of it works now, or waits for a processor to work on. */
  readonly isRunnable: (processId: number) => boolean
  /** A thread of it waits for a disk, in `disk sleep` as proc(5) calls it, or a signal stopped it: it would work if it could. */
  readonly isOnDisk: (processId: number) => boolean
}

/** Of any process, whether or not it answers; nothing where the system has no /proc. */
export const procUse: ProcessorUse = {
  usedMs: processId => {
    const stat = readStat(`/proc/${processId}`)
    return stat && ((Number(stat[11]) + Number(stat[12])) * 1000) / TICKS_PER_SECOND // utime and stime
  },
  isRunnable: processId => hasThreadIn(['R'], processId),
  isOnDisk: processId => hasThreadIn(['D', 'T'], processId),
}

/** A thread of it is in one of those states of proc(5). */
function hasThreadIn(states: readonly string[], processId: number): boolean {
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
