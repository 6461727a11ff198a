import { EventEmitter } from 'node:events'
import { availableParallelism } from 'node:os'
import { setImmediate } from 'node:timers/promises'
import { AppError } from '../../../errors.ts'
import type { Parser, ParserEvent, ParserInput } from '../parser.ts'
import { skip } from '../streams.ts'
import { DEFAULT_PARSE_LIMITS, type ParseLimits } from './parse-limits.ts'
import { ParserWorker } from './parser-worker.ts'
import { SharedMemory } from './shared-memory.ts'

export type ParserProcessesOptions = Partial<ParseLimits> & {
  /** Default: the number of cores, at most 4. */
  readonly processes?: number
  /** Idle time until a process ends. Default 30,000; 0: never. */
  readonly idleMs?: number
  /** Files per process, against slow leaks. Default 1,000. */
  readonly maxFiles?: number
  /** Memory after a file above which a process is replaced. Default 256 MiB. */
  readonly maxIdleBytes?: number
  /** Memory of all processes. Default 256 MiB, and 128 MiB for each. */
  readonly totalMemoryBytes?: number
  /** Exports `builtinParsers`. */
  readonly moduleUrl?: string
}

const MEBIBYTE = 2 ** 20

/** A second file waits for the first, so that no process starts for quick files. */
const QUICK_MS = 200

/** Then others get another process, so that a file does not hold them up. */
const SLOW_MS = 2_000

/** A later timer shows a busy thread, so that no file is blamed for it. */
const MAX_LAG_MS = 50

/** Bounded, so that a stuck start does not hold all files. */
const MAX_START_MS = 60_000

/** Processes, slow ones included, as a multiple of the setting. Protects the machine's memory. */
const MAX_SLOW_FACTOR = 2

class Evicted extends Error {}

/**
 * Parses in a few child processes, so that a file can harm nothing but its own parsing. A
 * process is replaced after any failure.
 */
export class ParserProcesses {
  readonly #maxProcesses: number
  readonly #idleMs: number
  readonly #reuse: { readonly maxFiles: number; readonly maxIdleBytes: number }
  /** Memory of a file is at most that of all processes. */
  readonly limits: ParseLimits
  readonly #moduleUrl: string | undefined
  readonly #workers = new Set<ParserWorker>()
  readonly #memory: SharedMemory
  readonly #idle: ParserWorker[] = []
  readonly #changes = new EventEmitter().setMaxListeners(0)
  readonly #closing = new AbortController()

  constructor(options: ParserProcessesOptions) {
    this.#maxProcesses = options.processes ?? Math.min(availableParallelism(), 4)
    this.#idleMs = options.idleMs ?? 30_000
    this.#reuse = {
      maxFiles: options.maxFiles ?? 1_000,
      maxIdleBytes: options.maxIdleBytes ?? 256 * MEBIBYTE,
    }
    const totalBytes = options.totalMemoryBytes ?? (256 + 128 * this.#maxProcesses) * MEBIBYTE
    this.#memory = new SharedMemory(this.#workers, totalBytes)
    this.limits = {
      timeMs: options.timeMs ?? DEFAULT_PARSE_LIMITS.timeMs,
      timePerMebibyteMs: options.timePerMebibyteMs ?? DEFAULT_PARSE_LIMITS.timePerMebibyteMs,
      memoryBytes: Math.min(options.memoryBytes ?? DEFAULT_PARSE_LIMITS.memoryBytes, totalBytes),
      ocrMemoryBytes: options.ocrMemoryBytes ?? DEFAULT_PARSE_LIMITS.ocrMemoryBytes,
      outputBytes: options.outputBytes ?? DEFAULT_PARSE_LIMITS.outputBytes,
      ocrPageTimeMs: options.ocrPageTimeMs ?? DEFAULT_PARSE_LIMITS.ocrPageTimeMs,
    }
    this.#moduleUrl = options.moduleUrl
  }

  /** The module must list the parser. */
  isolate(parser: Parser): Parser {
    const { id } = parser
    return {
      ...parser,
      parse: (input, signal) => this.#parse(id, this.#withPageTime(input), signal),
    }
  }

  #withPageTime(input: ParserInput): ParserInput {
    const { ocrPageTimeMs: pageTimeMs } = this.limits
    return input.ocr ? { ...input, ocr: { ...input.ocr, pageTimeMs } } : input
  }

  warm(): void {
    if (this.#workers.size === 0) this.#addIdle(this.#start())
  }

  get processIds(): readonly number[] {
    return [...this.#workers].map(worker => worker.processId)
  }

  async close(): Promise<void> {
    const closed = new AppError(
      'cancelled',
      'Parsing was stopped: the parser processes were closed.',
    )
    this.#closing.abort(closed)
    await Promise.all([...this.#workers].map(worker => worker.kill()))
  }

  async *#parse(
    parserId: string,
    input: ParserInput,
    signal?: AbortSignal,
  ): AsyncGenerator<ParserEvent> {
    const stop = AbortSignal.any([this.#closing.signal, ...(signal ? [signal] : [])])
    let emitted = 0
    try {
      for await (const event of this.#parseInWorker(parserId, input, stop)) {
        emitted++
        yield event
      }
    } catch (error) {
      if (!(error instanceof Evicted)) throw error
      yield* this.#memory.reserve(stop, () =>
        skip(this.#parseInWorker(parserId, input, stop, { stays: true }), emitted),
      )
    }
  }

  async *#parseInWorker(
    parserId: string,
    input: ParserInput,
    stop: AbortSignal,
    { stays = false } = {},
  ): AsyncGenerator<ParserEvent> {
    const worker = await this.#take(stop)
    if (!stays) this.#memory.allowEviction(worker)
    try {
      for await (const events of worker.parse(parserId, input, stop)) {
        for (const event of events) {
          yield event
          stop.throwIfAborted()
        }
      }
    } catch (error) {
      throw worker.isEvicted && !stop.aborted ? new Evicted() : error
    } finally {
      this.#memory.keep(worker)
      this.#release(worker)
    }
  }

  async #take(signal: AbortSignal): Promise<ParserWorker> {
    const requestedAt = performance.now()
    let since = requestedAt
    let hasListened = this.#workers.size === 0
    for (;;) {
      signal.throwIfAborted()
      const idle = this.#takeIdle()
      if (idle) return idle
      const now = performance.now()
      const isStarting = now - requestedAt < MAX_START_MS && this.#areStarting
      const isLate = !isStarting && this.#canStart(now - since)
      if (isLate && !hasListened) {
        await setImmediate() // if this thread was busy, hears first what processes sent
        hasListened = true
        continue
      }
      if (isLate && !this.#areStarved()) return this.#start()
      const uncountedMs = await this.#waitForChange(signal)
      since = isStarting || isLate ? performance.now() : since + uncountedMs
      hasListened = false
    }
  }

  #takeIdle(): ParserWorker | undefined {
    for (let idle = this.#idle.pop(); idle; idle = this.#idle.pop()) if (idle.isAlive) return idle
    return undefined
  }

  get #areStarting(): boolean {
    return this.#workers.size > 0 && [...this.#workers].every(worker => worker.isStarting)
  }

  /** Returns whether another process would get no CPU. */
  #areStarved(): boolean {
    const quick = [...this.#workers].filter(worker => worker.workedMs < SLOW_MS)
    return quick.length > 0 && quick.map(worker => worker.isStarved()).every(Boolean)
  }

  #canStart(waitedMs: number): boolean {
    const worked = [...this.#workers].map(worker => worker.workedMs)
    const isFree = worked.filter(ms => ms < SLOW_MS).length < this.#maxProcesses
    const isLate = waitedMs >= QUICK_MS || worked.every(ms => ms >= QUICK_MS)
    const hasRoom = worked.length === 0 || this.#memory.hasRoom
    return isFree && isLate && hasRoom && worked.length < this.#maxProcesses * MAX_SLOW_FACTOR
  }

  /** Returns the ms in which this thread was busy. */
  #waitForChange(signal: AbortSignal): Promise<number> {
    const waitMs = this.#workers.size < this.#maxProcesses ? QUICK_MS : SLOW_MS
    const started = performance.now()
    return new Promise(resolve => {
      const end = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', end)
        this.#changes.off('change', end)
        const passedMs = performance.now() - started
        resolve(passedMs > waitMs + MAX_LAG_MS ? passedMs : 0)
      }
      const timer = setTimeout(end, waitMs)
      signal.addEventListener('abort', end)
      this.#changes.on('change', end)
    })
  }

  #start(): ParserWorker {
    const worker = new ParserWorker({ limits: this.limits, moduleUrl: this.#moduleUrl })
    this.#workers.add(worker)
    this.#memory.watch()
    void worker.ended.then(() => this.#forget(worker))
    return worker
  }

  /** Counts a process until it is gone, so that the maximum holds. */
  #release(worker: ParserWorker): void {
    if (!worker.isReusable(this.#reuse)) {
      void worker.kill()
      return
    }
    this.#addIdle(worker)
  }

  #addIdle(worker: ParserWorker): void {
    worker.rest(this.#idleMs)
    this.#idle.push(worker)
    this.#changes.emit('change')
  }

  #forget(worker: ParserWorker): void {
    this.#workers.delete(worker)
    const index = this.#idle.indexOf(worker)
    if (index >= 0) this.#idle.splice(index, 1)
    this.#changes.emit('change')
  }
}
