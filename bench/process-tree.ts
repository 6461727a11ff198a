import { readdirSync, readFileSync } from 'node:fs'

const PAGE_BYTES = 4096

/** What Linux counts CPU in. */
const TICKS_PER_SECOND = 100

/** Its children that run now (Linux only); none when it has ended. */
export function childrenOf(pid: number): readonly number[] {
  return (read(`/proc/${pid}/task/${pid}/children`) ?? '').split(' ').filter(Boolean).map(Number)
}

/** What it was started with (Linux only); empty when it has ended. */
export function commandOf(pid: number): string {
  return (read(`/proc/${pid}/cmdline`) ?? '').replaceAll('\0', ' ')
}

/** Resident memory of a process and all its descendants, in bytes (Linux only). */
export function residentBytesOfTree(root: number): number {
  const children = new Map<number, number[]>()
  const resident = new Map<number, number>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const stat = read(`/proc/${name}/stat`)
    const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (!fields) continue
    const parent = Number(fields[1])
    children.set(parent, [...(children.get(parent) ?? []), Number(name)])
    resident.set(Number(name), Number(fields[21]) * PAGE_BYTES)
  }
  const sum = (pid: number): number =>
    (resident.get(pid) ?? 0) +
    (children.get(pid) ?? []).reduce((total, child) => total + sum(child), 0)
  return sum(root)
}

/** CPU that a process and its children that run have used, in milliseconds (Linux only). */
export function cpuMsOfTree(root: number): number {
  const own = threadsOf(root).map(
    task => Number(read(`/proc/${root}/task/${task}/schedstat`)?.split(' ')[0] ?? 0) / 1e6,
  )
  return [...own, ...childrenOf(root).map(cpuMsOfTree)].reduce((sum, ms) => sum + ms, 0)
}

function threadsOf(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/task`)
  } catch {
    return [] // it has ended
  }
}

/** A process may end while it is looked at. */
function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

/** CPU of all children of this process that have ended, and of theirs that ended before them, in seconds (Linux only). */
export function cpuSecondsOfChildren(): number {
  const stat = readFileSync('/proc/self/stat', 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND
}
