import { AppError } from '../../errors.ts'
import { MAX_UNACKNOWLEDGED, type ParserMessage } from './parser-messages.ts'
import { residentBytes } from './resident-memory.ts'

/** What one file may cost before its parsing is stopped. */
export type ParseLimits = {
  /** Working time, in milliseconds. The clock stands while the child starts and while it waits for a slow consumer. */
  readonly timeMs: number
  /** Working time beyond that for every MiB of the file, in milliseconds. */
  readonly timePerMebibyteMs: number
  /** Memory of the child process, in bytes. */
  readonly memoryBytes: number
  /** What the parser may produce, in bytes: texts in UTF-16 and where they stand. */
  readonly outputBytes: number
  /** Working time for the OCR of one page, in milliseconds; it does not count as working time of the file. */
  readonly ocrPageTimeMs: number
}

export const DEFAULT_PARSE_LIMITS: ParseLimits = {
  timeMs: 120_000,
  timePerMebibyteMs: 1_000,
  memoryBytes: 1.5 * 2 ** 30,
  outputBytes: 2 ** 30,
  ocrPageTimeMs: 120_000,
}

/** How often time and memory are looked at. A file can pass the memory limit by what it takes up in this time. */
const POLL_MS = 50

/** Watches one parse from the parent's side, and tells when the first limit is passed. */
export class LimitWatch {
  readonly #name: string
  readonly #limits: ParseLimits
  #overrun: AppError | undefined
  readonly #poll: NodeJS.Timeout
  #workedMs = 0
  #lookedAt = 0
  #unacknowledged = 0
  #outputBytes = 0
  #isWorking = false
  /** The page whose picture is being read, and for how long. */
  #ocr: { readonly page: number; workedMs: number } | undefined

  /** `sizeBytes` is that of the file: a large one may take longer. */
  constructor(processId: number, name: string, { sizeBytes, ...limits }: ParseLimits & { readonly sizeBytes: number }) {
    this.#name = name
    this.#limits = { ...limits, timeMs: limits.timeMs + (limits.timePerMebibyteMs * sizeBytes) / 2 ** 20 }
    this.#poll = setInterval(() => this.#look(residentBytes(processId)), POLL_MS)
  }

  /** Called once, at the first limit passed. */
  onOverrun = () => {}

  /** Which limit was passed. */
  get overrun(): AppError | undefined {
    return this.#overrun
  }

  /** To be told of every message as it arrives, whether or not the consumer has come to it. */
  receive(message: ParserMessage): void {
    if (message.type === 'memory') this.#checkMemory(message.bytes)
    if (message.type !== 'events' && message.type !== 'done') return
    if (message.type === 'done') this.#isWorking = false
    this.#countOutput(message.bytes)
    for (const event of message.events) {
      if (event.type === 'ocr') this.#ocr = event.state === 'started' ? { page: event.page, workedMs: 0 } : undefined
    }
  }

  acknowledge(): void {
    this.#unacknowledged--
  }

  stop(): void {
    clearInterval(this.#poll)
  }

  /** The child has the file: from now on it works. */
  start(): void {
    this.#isWorking = true
    this.#lookedAt = performance.now()
  }

  /** Long gaps are this process being busy or the machine asleep: they are not the file's fault. */
  #look(memoryBytes: number | undefined): void {
    const now = performance.now()
    const gapMs = Math.min(now - this.#lookedAt, 2 * POLL_MS)
    this.#lookedAt = now
    if (this.#isWorking && this.#unacknowledged < MAX_UNACKNOWLEDGED) this.#countTime(gapMs)
    this.#checkMemory(memoryBytes ?? 0)
  }

  #countTime(workedMs: number): void {
    const { timeMs, ocrPageTimeMs } = this.#limits
    if (this.#ocr) this.#ocr.workedMs += workedMs
    else this.#workedMs += workedMs
    if (this.#ocr && this.#ocr.workedMs > ocrPageTimeMs) {
      const what = `took longer than ${ocrPageTimeMs / 1000} s for the picture on page ${this.#ocr.page}`
      this.#stop(stopped('timeout', this.#name, what, 'ocr.pageTimeMs'))
    }
    if (this.#workedMs > timeMs) {
      const what = `took longer than ${Math.round(timeMs / 100) / 10} s`
      this.#stop(stopped('timeout', this.#name, what, 'parsing.timeMs'))
    }
  }

  #checkMemory(bytes: number): void {
    if (bytes > this.#limits.memoryBytes) this.#stop(outOfMemory(this.#name, this.#limits))
  }

  #stop(overrun: AppError): void {
    if (this.#overrun) return
    this.#overrun = overrun
    this.onOverrun()
  }

  #countOutput(bytes: number): void {
    this.#unacknowledged++
    this.#outputBytes += bytes
    if (this.#outputBytes <= this.#limits.outputBytes) return
    const what = `produced more than ${mebibytes(this.#limits.outputBytes)} of text`
    this.#stop(stopped('too_large', this.#name, what, 'parsing.outputBytes'))
  }
}

export function outOfMemory(name: string, { memoryBytes }: ParseLimits): AppError {
  return stopped('too_large', name, `needed more than ${mebibytes(memoryBytes)} of memory`, 'parsing.memoryBytes')
}

function stopped(code: 'timeout' | 'too_large', name: string, what: string, setting: string): AppError {
  const message = `Reading ${name} ${what} and was stopped. Split the file, or raise the setting ${setting}.`
  return new AppError(code, message)
}

function mebibytes(bytes: number): string {
  return `${Math.round(bytes / 2 ** 20)} MiB`
}
