import { readFileSync, readlinkSync } from 'node:fs'
import { getSystemCode } from '../errors.ts'

/** Includes processes of any user on this host. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return getSystemCode(error) === 'EPERM'
  }
}

/** Cached, because every temporary name contains it. */
let ownStart: string | undefined

export function startOfThisProcess(): string | undefined {
  ownStart ??= readProcessStart(process.pid)
  return ownStart
}

/**
 * Reads field 22 of /proc/PID/stat (clock ticks since boot), so that a reused pid is
 * recognized.
 */
export function readProcessStart(pid: number): string | undefined {
  const stat = readProc(`/proc/${pid}/stat`)
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (fields?.[0] === 'Z') return undefined
  return fields?.[19]
}

/**
 * Returns the space of pids, which differs after every boot and in every container. Empty if
 * the system does not tell.
 */
export function readPidSpace(): string {
  return [readProc('/proc/sys/kernel/random/boot_id')?.trim(), readOwnNamespace()]
    .filter(Boolean)
    .join(' ')
}

function readOwnNamespace(): string | undefined {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch {
    return undefined // not Linux
  }
}

function readProc(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

/** Returns bytes; undefined without /proc, or if the process is gone. */
export function readResidentBytes(processId: number): number | undefined {
  try {
    const kibibytes = /^VmRSS:\s+(\d+)/m.exec(
      readFileSync(`/proc/${processId}/status`, 'utf8'),
    )?.[1]
    return kibibytes === undefined ? undefined : Number(kibibytes) * 1024
  } catch {
    return undefined
  }
}
