import { appendFileSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, expect } from 'vitest'

/** Clock ticks per second in /proc, the same on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100

/**
 * Appends a line `seconds<TAB>test file` to $PASSIM_TEST_CPU_LOG for each test file: the CPU time of the worker and of
 * its child processes while the file ran. It needs Linux's /proc.
 */
const log = process.env.PASSIM_TEST_CPU_LOG

if (log) {
  const start = readTreeCpuSeconds()
  afterAll(() => {
    const file = path.relative(process.cwd(), expect.getState().testPath ?? '')
    appendFileSync(log, `${Math.max(0, readTreeCpuSeconds() - start).toFixed(2)}\t${file}\n`)
  })
}

/** Returns the CPU time of this process, its living descendants and all that they have waited for, in seconds. */
function readTreeCpuSeconds(): number {
  const processes = readdirSync('/proc').filter(isProcessId).map(readProcess)
  const members = new Set([process.pid])
  let size = 0
  while (members.size > size) {
    size = members.size
    for (const { pid, parent } of processes) if (members.has(parent)) members.add(pid)
  }
  return processes
    .filter(({ pid }) => members.has(pid))
    .reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0)
}

function isProcessId(name: string): boolean {
  return /^\d+$/.test(name)
}

/** Reads fields of /proc/PID/stat (proc(5)). A process that ended meanwhile has used nothing. */
function readProcess(name: string): {
  readonly pid: number
  readonly parent: number
  readonly cpuSeconds: number
} {
  const pid = Number(name)
  try {
    const text = readFileSync(`/proc/${name}/stat`, 'utf8')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const [user, system, childUser, childSystem] = fields.slice(11, 15).map(Number)
    const ticks = (user ?? 0) + (system ?? 0) + (childUser ?? 0) + (childSystem ?? 0)
    return { pid, parent: Number(fields[1]), cpuSeconds: ticks / TICKS_PER_SECOND }
  } catch (error) {
    if (isProcessGone(error)) return { pid, parent: 0, cpuSeconds: 0 }
    throw error
  }
}

function isProcessGone(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH')
  )
}
