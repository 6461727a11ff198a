import { resultChannel } from '../app/tracing.ts'
import { type ErrorCode, isOfModel, toAppError } from '../errors.ts'
import { measureWidth } from '../text/line-width.ts'
import { toPrintable, toPrintableJson } from './printable.ts'
import type { Sentences } from './sentences/en.ts'
import { getUserSentences } from './sentences/sentences.ts'

/** `stopped` is the standard code after Ctrl-C. */
export const EXIT = { done: 0, failed: 1, usage: 2, unable: 3, stopped: 130 } as const

export type GlobalOptions = {
  readonly home?: string
  readonly config?: string
  readonly json?: boolean
  readonly quiet?: boolean
  readonly wait: boolean
}

/** Errors of the system rather than of a document. */
const UNABLE: ReadonlySet<ErrorCode> = new Set([
  'store_mismatch',
  'store_unavailable',
  'conflict',
  'disk_full',
  'unauthorized',
  'rate_limited',
])

/** Exits quietly if the reader of stdout stops, as `head` does. */
export function exitOnBrokenPipe(end: () => Promise<void>): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
      void end().finally(() => process.exit())
    })
  }
}

type Streams = Pick<NodeJS.Process, 'stdout' | 'stderr'>

/**
 * Writes results to stdout, the rest to stderr (only failures with `--quiet`). Makes text
 * printable; `writeDocumentText` keeps it for files and pipes.
 */
export class Output {
  readonly isJson: boolean
  readonly isQuiet: boolean
  /** Language of the user's locale. */
  readonly sentences: Sentences
  readonly #streams: Streams

  constructor(
    { json = false, quiet = false }: Pick<GlobalOptions, 'json' | 'quiet'>,
    streams: Streams = process,
  ) {
    this.isJson = json
    this.isQuiet = quiet
    this.#streams = streams
    this.sentences = getUserSentences()
  }

  get hasReader(): boolean {
    return !this.isQuiet && this.#streams.stderr.isTTY
  }

  /** Prints a value as JSON or text. The caller names the type of `wire` that describes it. */
  writeResult<Json = never>(value: NoInfer<Json>, text: () => string): void {
    resultChannel.publish(value)
    if (this.isJson) this.writeJsonLine<Json>(value)
    else this.#streams.stdout.write(`${toPrintable(text())}\n`)
  }

  writeDone<Json = never>(value: NoInfer<Json>, text: () => string): void {
    if (this.isJson || !this.isQuiet) this.writeResult<Json>(value, text)
    else resultChannel.publish(value)
  }

  writeJsonLine<Json = never>(value: NoInfer<Json>): void {
    this.#streams.stdout.write(`${toPrintableJson(value)}\n`)
  }

  writeDocumentText(text: string): void {
    this.#streams.stdout.write(this.#streams.stdout.isTTY ? toPrintable(text) : text)
  }

  /** Keeps colours. */
  writeStyled(text: string): void {
    this.#streams.stdout.write(text)
  }

  writeMessage(text: string): void {
    if (!this.isQuiet) this.writeFailure(text)
  }

  /** Ignores `--quiet`. */
  writeFailure(text: string): void {
    this.#streams.stderr.write(`${toPrintable(joinLines(text))}\n`)
  }
}

export function joinLines(text: string): string {
  return text.replace(/\s*[\r\n]+\s*/g, ' ')
}

export function padToWidth(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - measureWidth(text)))
}

export function formatCount(count: number, thing: string): string {
  return getUserSentences().count(count, thing)
}

export function getExitCode(error: unknown): number {
  const failure = toAppError(error)
  const { code, subject } = failure
  if (code === 'invalid_input') return EXIT.usage
  return subject !== undefined || isOfModel(failure) || UNABLE.has(code) ? EXIT.unable : EXIT.failed
}

/** Formats a time in UTC. */
export function formatMinute(unixMs: number): string {
  return new Date(unixMs).toISOString().replace('T', ' ').slice(0, 16)
}
