import { type ChildProcess, fork, type Serializable } from 'node:child_process'
import { createRequire } from 'node:module'
import type { Socket } from 'node:net'
import { setPriority } from 'node:os'
import { extname } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type ResourceLimits, Worker } from 'node:worker_threads'

/** A module of ours to be run on its own: by `child_process.fork` or as a worker thread. */
type ChildEntry = { readonly path: string; readonly execArgv: readonly string[] }

/** Our children give way to the process that serves: the niceness of a background job. */
const NICENESS = 10

/** How much of what a child printed last is kept to explain its death. */
const STDERR_CHARACTERS = 2_000

/**
 * Returns the entry of a child process: the module at `name`, relative to the module at `moduleUrl`.
 * The module's own extension tells whether we run from source, where Node needs tsx to read the child, or from `dist`.
 */
export function childEntry(name: string, moduleUrl: string): ChildEntry {
  const extension = extname(new URL(moduleUrl).pathname)
  const path = fileURLToPath(new URL(name + extension, moduleUrl))
  return { path, execArgv: extension === '.ts' ? ['--import', tsxUrl()] : [] }
}

/** The same as a thread of this process, which sees no environment. A thread takes no loader by its options where its parent has one. */
export function startThread(entry: ChildEntry, resourceLimits: ResourceLimits = {}): Worker {
  const options = { execArgv: [], env: {}, resourceLimits }
  if (entry.execArgv.length === 0) return new Worker(entry.path, options)
  const api = new URL('dist/esm/api/index.mjs', tsxUrl('tsx/package.json'))
  const [tsx, module] = [api, pathToFileURL(entry.path)].map(({ href }) => JSON.stringify(href))
  const program = `import(${tsx}).then(({ register }) => { register(); return import(${module}) })`
  return new Worker(program, { ...options, eval: true })
}

/** Absolute, so that the working directory does not matter. Only source trees have tsx. */
function tsxUrl(name = 'tsx'): string {
  return pathToFileURL(createRequire(import.meta.url).resolve(name)).href
}

/** A child process of ours with a message channel and nothing else: no environment but what it is given, no terminal. */
export class Child {
  /** Listen here for `message`, and for `close`: the end, its last words read. */
  readonly events: ChildProcess
  /** Settles when the process is gone. */
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

  /** Process id; -1 when the system refused to start it. */
  get id(): number {
    return this.events.pid ?? -1
  }

  /** False from the moment it is told to die. */
  get isAlive(): boolean {
    const { pid, exitCode, signalCode, killed } = this.events
    return pid !== undefined && exitCode === null && signalCode === null && !killed
  }

  /** To a child that has died nothing is sent: its end tells. */
  send(message: Serializable): void {
    if (this.events.connected) this.events.send(message, () => {})
  }

  /** A busy child keeps this process alive, an idle one does not. */
  setBusy(busy: boolean): void {
    const call = busy ? 'ref' : 'unref'
    this.events[call]()
    this.events.channel?.[call]()
    const stderr = this.events.stderr as Socket | null // what a pipe is, though typed as a stream only
    stderr?.[call]()
  }

  /** Kills at once; who waits for the end is kept alive until then, and until its last words are read, which may come later. */
  kill(): Promise<void> {
    this.setBusy(true)
    this.events.kill('SIGKILL')
    return this.ended
  }

  /** How it ended: `signal SIGSEGV`, `exit code 1`. */
  get ending(): string {
    return this.events.signalCode
      ? `signal ${this.events.signalCode}`
      : `exit code ${this.events.exitCode ?? 'unknown'}`
  }

  /** What it printed last on stderr, where Node and native code say why they die. */
  get lastWords(): string {
    return this.#lastWords.trim()
  }
}

/** What a terminal or a service manager sends to all processes of a group at once. */
const GROUP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** To be called first by an entry: live for the parent alone, which decides what Ctrl-C means, and end with it. */
export function becomeChild(): void {
  for (const signal of GROUP_SIGNALS) process.on(signal, () => {})
  process.on('disconnect', () => process.exit())
  try {
    setPriority(NICENESS)
  } catch {
    // Not allowed here: the child works all the same.
  }
}
