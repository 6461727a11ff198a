import { statSync } from 'node:fs'
import { getMessages, localizable, unpackMessages } from '../../../errors/localizable.ts'
import { AppError, type Failure } from '../../../errors.ts'
import { Child, getChildEntry } from '../../../system/child.ts'
import { readResidentBytes } from '../../../system/living-process.ts'
import type { ParserEvent, ParserInput } from '../parser.ts'
import { createMemoryError, LimitWatch, type ParseLimits } from './parse-limits.ts'
import type { ParserMessage } from './parser-messages.ts'
import { ProcessorShare } from './processor-use.ts'

const DAMAGED_ADVICE = 'The file is damaged or malicious. Save it again and retry.'
const KILLED_ADVICE =
  'Something killed it, most likely the system because memory ran out. Try again with a smaller parsing.processes.'

/**
 * Quicker files share a check of memory, so that it costs little: one takes a fifth of reading
 * them.
 */
const QUICK_MS = 50
const QUICK_FILES = 16

/** A heap that grows by half, a young generation of 3 MiB, and no helper threads. */
const PARSER_V8_FLAGS: readonly string[] = [
  '--max-semi-space-size=1',
  '--heap-growing-percent=50',
  '--single-threaded-gc',
  '--no-concurrent-recompilation',
]

type ParserWorkerOptions = {
  readonly limits: ParseLimits
  /** Exports `builtinParsers`. */
  readonly moduleUrl?: string
}

export class ParserWorker {
  readonly #child: Child
  readonly #limits: ParseLimits
  #idle: NodeJS.Timeout | undefined
  #files = 0
  #isSound = true
  #isReady = false
  #startedAt: number | undefined
  #reportedBytes = 0
  #isEvicted = false
  #isResting = false
  readonly #share: ProcessorShare

  constructor({ limits, moduleUrl }: ParserWorkerOptions) {
    const { path, execArgv } = getChildEntry('./parser-process', import.meta.url)
    const heap = `--max-old-space-size=${Math.ceil(limits.memoryBytes / 2 ** 20)}`
    const args = [String(process.pid), ...(moduleUrl ? [moduleUrl] : [])]
    this.#child = new Child({ path, execArgv: [...execArgv, ...PARSER_V8_FLAGS, heap] }, args)
    this.#limits = limits
    this.#share = new ProcessorShare(this.processId)
  }

  get processId(): number {
    return this.#child.id
  }

  get isAlive(): boolean {
    return this.#child.isAlive
  }

  get isStarting(): boolean {
    return !this.#isReady && this.isAlive
  }

  /** 0 while the process rests or starts. */
  get workedMs(): number {
    return this.#startedAt === undefined ? 0 : Date.now() - this.#startedAt
  }

  /** The process's last report if the system does not tell. */
  get memoryBytes(): number {
    return this.isAlive ? (readResidentBytes(this.#child.id) ?? this.#reportedBytes) : 0
  }

  get isResting(): boolean {
    return this.#isResting
  }

  get isEvicted(): boolean {
    return this.#isEvicted
  }

  evict(): void {
    this.#isEvicted = true
    void this.kill()
  }

  isStarved(): boolean {
    return this.#share.isStarved()
  }

  get ended(): Promise<void> {
    return this.#child.ended
  }

  /** After a failed or cancelled file the state is unknown. */
  isReusable({
    maxFiles,
    maxIdleBytes,
  }: {
    readonly maxFiles: number
    readonly maxIdleBytes: number
  }): boolean {
    const isReusable = this.#isSound && this.#child.isAlive && this.#files < maxFiles
    const mayHaveGrown = this.workedMs >= QUICK_MS || this.#files % QUICK_FILES === 1
    return isReusable && (!mayHaveGrown || (readResidentBytes(this.#child.id) ?? 0) <= maxIdleBytes)
  }

  /** 0 waits for ever. */
  rest(idleMs: number): void {
    this.#child.setBusy(false)
    this.#startedAt = undefined
    this.#isResting = true
    if (idleMs > 0) this.#idle = setTimeout(() => this.kill(), idleMs).unref()
  }

  kill(): Promise<void> {
    clearTimeout(this.#idle)
    return this.#child.kill()
  }

  /** Kill the process after leaving early. */
  async *parse(
    parserId: string,
    input: ParserInput,
    signal: AbortSignal,
  ): AsyncGenerator<readonly ParserEvent[]> {
    this.#startFile()
    const sizeBytes = statSync(input.path, { throwIfNoEntry: false })?.size ?? 0
    const watch = new LimitWatch(this.#child.id, input.name, { ...this.#limits, sizeBytes })
    const inbox = new Inbox<ParserMessage>()
    const end = this.#listen(watch, inbox, signal)
    try {
      this.#child.send({ type: 'parse', parserId, input })
      if (this.#isReady) this.#start(watch)
      yield* this.#receive(input.name, watch, inbox)
      this.#isSound = true
    } catch (error) {
      throw signal.aborted ? signal.reason : (watch.overrun ?? error)
    } finally {
      end()
    }
  }

  #listen(watch: LimitWatch, inbox: Inbox<ParserMessage>, signal: AbortSignal): () => void {
    const receive = (message: ParserMessage) => {
      if (message.type === 'ready') this.#start(watch)
      if (message.type === 'use') this.#reportedBytes = message.memoryBytes
      watch.receive(message)
      inbox.put(message)
    }
    const close = () => inbox.close()
    const stop = () => {
      close()
      void this.kill()
    }
    watch.onOverrun = stop
    this.#child.events.on('message', receive)
    this.#child.events.on('close', close)
    signal.addEventListener('abort', stop)
    if (signal.aborted) stop()
    return () => {
      watch.stop()
      signal.removeEventListener('abort', stop)
      this.#child.events.off('message', receive)
      this.#child.events.off('close', close)
    }
  }

  #startFile(): void {
    clearTimeout(this.#idle)
    this.#isResting = false
    this.#child.setBusy(true)
    this.#files++
    this.#isSound = false
  }

  #start(watch: LimitWatch): void {
    if (!this.#isReady) this.#share.start()
    this.#isReady = true
    this.#startedAt = Date.now()
    watch.start()
  }

  async *#receive(
    name: string,
    watch: LimitWatch,
    inbox: Inbox<ParserMessage>,
  ): AsyncGenerator<readonly ParserEvent[]> {
    for (let message = await inbox.next(); message; message = await inbox.next()) {
      if (message.type === 'failed') throw asError(message.failure, message.stack, name)
      if (message.type !== 'events' && message.type !== 'done') continue
      yield message.events.map(unpackWarning)
      if (watch.overrun) throw watch.overrun
      if (message.type === 'done') return
      watch.acceptEvents()
      this.#child.send({ type: 'acknowledge' })
    }
    throw this.#isReady ? this.#createDeathError(name) : this.#didNotStart()
  }

  #createDeathError(name: string): AppError {
    const { ending, lastWords: cause } = this.#child
    if (cause.includes('heap out of memory')) return createMemoryError(name, this.#limits)
    const advice = ending === 'signal SIGKILL' ? KILLED_ADVICE : DAMAGED_ADVICE
    return new AppError(
      'corrupt',
      localizable`Cannot read ${name}: its parser process died (${ending}). ${advice}`,
      { cause },
    )
  }

  #didNotStart(): AppError {
    const { ending, lastWords: cause } = this.#child
    const message = localizable`A parser process could not start (${ending}). Check the installation and free memory.`
    return new AppError('internal', message, { cause })
  }
}

function unpackWarning(event: ParserEvent): ParserEvent {
  return event.type === 'warning' ? { ...event, warning: unpackMessages(event.warning) } : event
}

function asError(failure: Failure, stack: string, name: string): AppError {
  const { code } = failure
  const { message, advice } = getMessages(unpackMessages(failure))
  const named = code === 'internal' ? localizable`Cannot read ${name}: ${message}` : message
  return new AppError(code, named, { cause: stack, advice })
}

class Inbox<Message> {
  readonly #messages: Message[] = []
  #isClosed = false
  #wake = () => {}

  put(message: Message): void {
    this.#messages.push(message)
    this.#wake()
  }

  close(): void {
    this.#isClosed = true
    this.#wake()
  }

  async next(): Promise<Message | undefined> {
    while (this.#messages.length === 0 && !this.#isClosed) {
      await new Promise<void>(resolve => {
        this.#wake = resolve
      })
    }
    return this.#messages.shift()
  }
}
