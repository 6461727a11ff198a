import { readdirSync, readFileSync } from 'node:fs'
import { getSystemCode } from '../errors.ts'
import { readResidentBytes } from './living-process.ts'

/** Clock ticks per second in /proc, the same on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100

type GroupUse = { readonly memoryBytes: number; readonly processorMs: number }

/** Returns undefined without /proc. */
export function readGroupUse(groupId: number): GroupUse | undefined {
  const pids = listProcesses()
  if (!pids) return undefined
  const members = pids.flatMap(pid => {
    const fields = readStatFields(pid)
    return Number(fields?.[2]) === groupId ? [{ pid, fields }] : []
  })
  const ticks = members.flatMap(({ fields = [] }) => fields.slice(11, 15).map(Number))
  return {
    memoryBytes: members.reduce((sum, { pid }) => sum + (readResidentBytes(pid) ?? 0), 0),
    processorMs: (ticks.reduce((sum, count) => sum + count, 0) * 1000) / TICKS_PER_SECOND,
  }
}

export function killGroup(groupId: number): void {
  try {
    process.kill(-groupId, 'SIGKILL')
  } catch (error) {
    if (getSystemCode(error) !== 'ESRCH') throw error
  }
}

function listProcesses(): readonly number[] | undefined {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger)
  } catch {
    return undefined // not Linux
  }
}

function readStatFields(pid: number): readonly string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return undefined // it has ended
  }
}
