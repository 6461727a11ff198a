import { readdirSync, readFileSync } from 'node:fs'

/** Clock ticks a second in /proc: the same on every processor that Node runs on. */
const TICKS_PER_SECOND = 100

/** What a process has had of the processors so far, in milliseconds, over all its threads. */
export type ProcessorUse = { readonly usedMs: number; readonly isRunnable: boolean }

/**
 * Of any process, whether or not it answers; `isRunnable` where a thread of it works now or waits for a processor to
 * work on. Undefined where the system has no /proc, and for a process that is gone.
 */
export function processorUse(processId: number): ProcessorUse | undefined {
  const stat = readStat(`/proc/${processId}`)
  if (!stat) return undefined
  const usedMs = ((Number(stat[11]) + Number(stat[12])) * 1000) / TICKS_PER_SECOND // utime and stime
  return { usedMs, isRunnable: stat[0] === 'R' || hasRunnableThread(processId) }
}

function hasRunnableThread(processId: number): boolean {
  const threads = `/proc/${processId}/task`
  try {
    return readdirSync(threads).some(thread => readStat(`${threads}/${thread}`)?.[0] === 'R')
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
