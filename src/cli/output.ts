import { type ErrorCode, toAppError } from '../errors.ts'
import { printable, printableJson } from './printable.ts'

/** What a command tells its caller; `stopped` is what shells say of a command that Ctrl-C ended. */
export const EXIT = { done: 0, failed: 1, usage: 2, unable: 3, stopped: 130 } as const

/** Options that every command has. */
export type GlobalOptions = {
  readonly home?: string
  readonly config?: string
  readonly json?: boolean
  readonly quiet?: boolean
  readonly wait: boolean
}

/** Errors that say the system is not able to, rather than that a document failed. */
const UNABLE: ReadonlySet<ErrorCode> = new Set([
  'model_unavailable',
  'store_mismatch',
  'store_unavailable',
  'conflict',
  'disk_full',
  'unauthorized',
  'rate_limited',
])

/** Whoever reads our output may stop before its end, as `head` does: that is no failure. */
export function endQuietlyWhenUnread(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
      process.exit()
    })
  }
}

type Streams = Pick<NodeJS.Process, 'stdout' | 'stderr'>

/**
 * The one place where commands write: results on stdout, everything else on stderr, and nothing of that with `--quiet` but
 * why a command failed. All text for people is made printable here; only `documentText` keeps a text as it is for files and pipes.
 */
export class Output {
  readonly isJson: boolean
  readonly isQuiet: boolean
  readonly #streams: Streams

  constructor(
    { json = false, quiet = false }: Pick<GlobalOptions, 'json' | 'quiet'>,
    streams: Streams = process,
  ) {
    this.isJson = json
    this.isQuiet = quiet
    this.#streams = streams
  }

  /** Somebody reads the messages as they come. */
  get hasReader(): boolean {
    return !this.isQuiet && this.#streams.stderr.isTTY
  }

  /** What was asked for: one JSON value, or text for people. */
  result(value: unknown, text: () => string): void {
    if (this.isJson) this.jsonLine(value)
    else this.#streams.stdout.write(`${printable(text())}\n`)
  }

  /** That something was done: as a result, but with `--quiet` only the JSON. */
  done(value: unknown, text: () => string): void {
    if (this.isJson || !this.isQuiet) this.result(value, text)
  }

  jsonLine(value: unknown): void {
    this.#streams.stdout.write(`${printableJson(value)}\n`)
  }

  /** The text of a document: as it is, unless a terminal would act on it. */
  documentText(text: string): void {
    this.#streams.stdout.write(this.#streams.stdout.isTTY ? printable(text) : text)
  }

  /** Text that is printable already, and may have colours of our own. */
  styled(text: string): void {
    this.#streams.stdout.write(text)
  }

  message(text: string): void {
    if (!this.isQuiet) this.failure(text)
  }

  /** Why a command failed, with `--quiet` too. */
  failure(text: string): void {
    this.#streams.stderr.write(`${printable(oneLine(text))}\n`)
  }
}

/** Text of documents and libraries, as one line of a list. */
export function oneLine(text: string): string {
  return text.replace(/\s*[\r\n]+\s*/g, ' ')
}

/** As `1 chunk`, `2 chunks`. */
export function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`
}

/** The status of a command that ended with this error. */
export function exitCodeOf(error: unknown): number {
  const { code, subject } = toAppError(error)
  if (code === 'invalid_input') return EXIT.usage
  if (subject !== undefined) return EXIT.unable
  return UNABLE.has(code) ? EXIT.unable : EXIT.failed
}
