import { readFileSync } from 'node:fs'

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
