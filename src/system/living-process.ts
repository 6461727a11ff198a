import { readFileSync, readlinkSync } from 'node:fs'

/** A process of that number runs on this host, whosever it is. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' // process.kill throws system errors only
  }
}

/** The start of this process, which names its temporary files: it stays what it was, and a document needs it several times. */
let ownStart: string | undefined

/** As `processStart` of this process, read once. */
export function startOfThisProcess(): string | undefined {
  ownStart ??= processStart(process.pid)
  return ownStart
}

/** Field 22 of /proc/PID/stat (clock ticks since boot), so that a reused pid is not taken for the old process. */
export function processStart(pid: number): string | undefined {
  const stat = readProc(`/proc/${pid}/stat`)
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (fields?.[0] === 'Z') return undefined
  return fields?.[19]
}

/**
 * Where a number means one process: another one after every start of the system, and in every container that numbers its processes by
 * itself, which may have the name of another. Empty where it is not told.
 */
export function pidSpace(): string {
  return [readProc('/proc/sys/kernel/random/boot_id')?.trim(), ownNamespace()]
    .filter(Boolean)
    .join(' ')
}

function ownNamespace(): string | undefined {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch {
    return undefined // not Linux
  }
}

/** Undefined where there is no such file: on systems without /proc, or for a process that has ended. */
function readProc(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

/** Memory a process occupies now, in bytes; undefined where the system has no /proc, and for a process that is gone. */
export function residentBytes(processId: number): number | undefined {
  try {
    const kibibytes = /^VmRSS:\s+(\d+)/m.exec(
      readFileSync(`/proc/${processId}/status`, 'utf8'),
    )?.[1]
    return kibibytes === undefined ? undefined : Number(kibibytes) * 1024
  } catch {
    return undefined
  }
}
