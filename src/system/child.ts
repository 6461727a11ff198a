import { type ChildProcess, fork, type Serializable } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import type { Socket } from 'node:net'
import { setPriority } from 'node:os'
import { extname } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type ResourceLimits, Worker } from 'node:worker_threads'

/** Runs as a child process or worker thread. */
type ChildEntry = { readonly path: string; readonly execArgv: readonly string[] }

/** Niceness, so that children yield to the serving process. */
const NICENESS = 10

/** Characters kept of a child's last output, so that its death can be explained. */
const STDERR_CHARACTERS = 2_000

/**
 * Returns the module at `name`, relative to `moduleUrl`, whose extension tells whether we run from
 * source, with tsx, or from `dist`.
 */
export function getChildEntry(name: string, moduleUrl: string): ChildEntry {
  const extension = extname(new URL(moduleUrl).pathname)
  const path = fileURLToPath(new URL(name + extension, moduleUrl))
  return { path, execArgv: extension === '.ts' ? ['--import', findTsxUrl()] : [] }
}

/** Starts a thread without environment. It ignores its loader if its parent has one. */
export function startThread(entry: ChildEntry, resourceLimits: ResourceLimits = {}): Worker {
  const options = { execArgv: [], env: {}, resourceLimits }
  if (entry.execArgv.length === 0) return new Worker(entry.path, options)
  const api = new URL('dist/esm/api/index.mjs', findTsxUrl('tsx/package.json'))
  const [tsx, module] = [api, pathToFileURL(entry.path)].map(({ href }) => JSON.stringify(href))
  const program = `import(${tsx}).then(({ register }) => { register(); return import(${module}) })`
  return new Worker(program, { ...options, eval: true })
}

/** Returns an absolute URL, whatever the working directory. Only source trees have tsx. */
function findTsxUrl(name = 'tsx'): string {
  return pathToFileURL(createRequire(import.meta.url).resolve(name)).href
}

/** Has a message channel only: no terminal, and only the given environment. */
export class Child {
  /** Emits `message`, and `close` once it has ended and its output is read. */
  readonly events: ChildProcess
  readonly ended: Promise<void>
  #lastWords = ''

  constructor(
    entry: ChildEntry,
    args: readonly string[],
    environment: Readonly<Record<string, string>> = {},
  ) {
    this.events = fork(entry.path, args, {
      execArgv: [...entry.execArgv],
      env: environment,
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    this.ended = new Promise(resolve => {
      this.events.once('close', () => resolve())
      this.events.on('error', () => this.events.pid ?? resolve()) // without an id it was never started
    })
    this.events.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#lastWords = (this.#lastWords + text).slice(-STDERR_CHARACTERS)
    })
  }

  /** -1 if the system refused to start it. */
  get id(): number {
    return this.events.pid ?? -1
  }

  get isAlive(): boolean {
    const { pid, exitCode, signalCode, killed } = this.events
    return pid !== undefined && exitCode === null && signalCode === null && !killed
  }

  /** Sends nothing to a dead child: `close` reports its end. */
  send(message: Serializable): void {
    if (this.events.connected) this.events.send(message, () => {})
  }

  async awaitAnswer<Answer>(signal: AbortSignal | undefined): Promise<Answer | undefined> {
    const kill = () => void this.kill()
    signal?.addEventListener('abort', kill)
    if (signal?.aborted) kill()
    try {
      const answered = once(this.events, 'message') as Promise<[Answer]>
      const answer = await Promise.race([answered.then(([message]) => message), this.ended])
      signal?.throwIfAborted()
      return answer ?? undefined
    } finally {
      signal?.removeEventListener('abort', kill)
    }
  }

  /** Sets whether the child keeps this process alive. */
  setBusy(busy: boolean): void {
    const call = busy ? 'ref' : 'unref'
    this.events[call]()
    this.events.channel?.[call]()
    const stderr = this.events.stderr as Socket | null // what a pipe is, though typed as a stream only
    stderr?.[call]()
  }

  /** Keeps this process alive until the child has ended and its last output is read. */
  kill(): Promise<void> {
    this.setBusy(true)
    this.events.kill('SIGKILL')
    return this.ended
  }

  get ending(): string {
    return this.events.signalCode
      ? `signal ${this.events.signalCode}`
      : `exit code ${this.events.exitCode ?? 'unknown'}`
  }

  get lastWords(): string {
    return this.#lastWords.trim()
  }
}

/** Signals that a terminal or service manager sends to all processes of a group. */
const GROUP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Call it first: ignores group signals, which are for the parent, and ends with the parent. */
export function prepareChild(): void {
  for (const signal of GROUP_SIGNALS) process.on(signal, () => {})
  process.on('disconnect', () => process.exit())
  try {
    setPriority(NICENESS)
  } catch {
    // Not permitted here: the child works without it.
  }
}
