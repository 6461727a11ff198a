import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'

const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url))

export type NodeOptions = {
  readonly home: string
  /** Of `passim`. */
  readonly args: readonly string[]
  /** Told each line that it writes to stderr. */
  readonly onLine?: (line: string) => void
}

/** A process of a store, with a home of its own; `serve` has a URL once it has started. */
export class ClusterNode {
  readonly home: string
  readonly #options: NodeOptions
  #child: ChildProcess | undefined
  url: string | undefined

  constructor(options: NodeOptions) {
    this.home = options.home
    this.#options = options
  }

  get pid(): number | undefined {
    return this.#child?.pid
  }

  /** Ready to work. Throws where it ends before that. */
  async start(): Promise<void> {
    const { home, args, onLine = () => {} } = this.#options
    const env = { PATH: process.env.PATH, TMPDIR: tmpdir(), PASSIM_HOME: home }
    const child = spawn(process.execPath, [CLI, ...args], { env })
    let last = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      for (const line of text.split('\n').filter(Boolean)) {
        last = line
        onLine(line)
      }
    })
    this.#child = child
    const isService = args.includes('serve')
    const ready = once(isService ? child.stdout : child.stderr, 'data')
    const [line] = (await Promise.race([ready, once(child, 'exit').then(() => [])])) as [Buffer?]
    if (line === undefined) throw new Error(`${home} did not start: ${last}`)
    child.stdout.resume()
    if (isService) this.url = String(line).trim().split(' ').at(-1)
  }

  /** Ended, by default as abruptly as can be. */
  async stop(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    this.url = undefined
    const child = this.#child
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }
}
