import { type ChildProcess, spawn } from 'node:child_process'
import { setPriority } from 'node:os'
import type { AppError } from '../../../errors.ts'
import { killGroup, readGroupUse } from '../../../system/process-group.ts'
import { createMemoryError, createTimeError, type ParseLimits } from './parse-limits.ts'

const POLL_MS = 200
const NICENESS = 10
/** Characters kept of the last output, which explains a failure. */
const OUTPUT_CHARACTERS = 2_000
/** Written by one program. Protects the disk. */
const MAX_FILE_BYTES = 2 ** 29
/** Unit of `ulimit -f` (POSIX). */
const FILE_UNIT_BYTES = 512
/** Descriptor 3 closes if this process is killed: only then the group ends itself. */
const LIMITED = `ulimit -t "$1"; ulimit -f "$2"; folder=$3; shift 3
(read -r _ <&3; rm -rf "$folder"; kill -s KILL -- "-$$") >/dev/null 2>&1 &
exec "$@" 3<&-`

type ProgramRun = {
  readonly command: readonly string[]
  /** Removed if this process is killed. */
  readonly folder: string
  /** File that the program reads, for messages and limits. */
  readonly input: { readonly name: string; readonly sizeBytes: number }
  readonly limits: ParseLimits
}

/**
 * Applies the limits of parsers, and kills the process group as a whole. Returns the last
 * output. Throws `timeout` and `too_large`.
 */
export async function runLimited(run: ProgramRun, signal?: AbortSignal): Promise<string> {
  signal?.throwIfAborted()
  const timeMs = run.limits.timeMs + (run.limits.timePerMebibyteMs * run.input.sizeBytes) / 2 ** 20
  const child = start(run, timeMs)
  const { pid } = child
  let output = ''
  const keep = (text: string) => (output = (output + text).slice(-OUTPUT_CHARACTERS))
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', keep)
  const ended = new Promise<void>((resolve, reject) => {
    child.once('close', () => resolve())
    child.once('error', reject)
  })
  if (pid === undefined) await ended
  const groupId = pid ?? 0
  let overrun: AppError | undefined
  const stop = () => killGroup(groupId)
  const watch = new GroupWatch(groupId, { ...run.limits, timeMs })
  const poll = setInterval(() => {
    overrun ??= watch.findOverrun(run.input.name)
    if (overrun) stop()
  }, POLL_MS)
  child.once('exit', stop)
  signal?.addEventListener('abort', stop)
  try {
    await ended
  } finally {
    clearInterval(poll)
    signal?.removeEventListener('abort', stop)
    stop()
  }
  signal?.throwIfAborted()
  if (overrun) throw overrun
  return output.trim()
}

function start({ command, folder }: ProgramRun, timeMs: number): ChildProcess {
  const seconds = String(Math.ceil(timeMs / 1000) + 1)
  const blocks = String(MAX_FILE_BYTES / FILE_UNIT_BYTES)
  const child = spawn('/bin/sh', ['-c', LIMITED, 'sh', seconds, blocks, folder, ...command], {
    cwd: folder,
    detached: true,
    env: { HOME: folder, TMPDIR: folder, PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'C.UTF-8' },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  })
  if (child.pid === undefined) return child
  try {
    setPriority(child.pid, NICENESS)
  } catch {
    // Not permitted here, or it has ended: it runs without it.
  }
  return child
}

/** Counts processor time; without /proc, the time that passes. */
class GroupWatch {
  readonly #groupId: number
  readonly #limits: ParseLimits
  readonly #startedAt = performance.now()
  #processorMs = 0
  #progressAt = performance.now()

  constructor(groupId: number, limits: ParseLimits) {
    this.#groupId = groupId
    this.#limits = limits
  }

  findOverrun(name: string): AppError | undefined {
    const { timeMs, memoryBytes } = this.#limits
    const now = performance.now()
    const use = readGroupUse(this.#groupId)
    const processorMs = use?.processorMs ?? now - this.#startedAt
    if (processorMs > this.#processorMs) this.#progressAt = now
    this.#processorMs = Math.max(this.#processorMs, processorMs)
    if (use && use.memoryBytes > memoryBytes) return createMemoryError(name, this.#limits)
    const isLate = this.#processorMs > timeMs || now - this.#progressAt > timeMs
    return isLate ? createTimeError(name, timeMs) : undefined
  }
}
