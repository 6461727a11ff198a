import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { AppError, getSystemCode } from '../../errors.ts'
import { readResidentBytes } from '../../system/living-process.ts'
import {
  findSandboxProblem,
  getMaxAnswerBytes,
  type PythonLimits,
  type PythonProcess,
  startPython,
} from './python-sandbox.ts'

type PythonSessionsOptions = PythonLimits & {
  readonly timeMs: number
  readonly maxSessions: number
  /** Idle time until a sandbox ends. */
  readonly idleMs: number
}

type PythonRequest = {
  readonly code: string
  /** Base64, for the working directory. */
  readonly files?: Readonly<Record<string, string>>
}

/** Responses come from untrusted code. */
const answerSchema = z.object({
  output: z.string(),
  value: z.string().optional(),
  table: z
    .object({
      columns: z.array(z.string()),
      rows: z.array(z.array(z.string())).max(100),
      row_count: z.number(),
    })
    .optional(),
  error: z.string().optional(),
  files: z.array(z.object({ name: z.string().max(500), bytes: z.number() })).max(50),
  pictures: z
    .array(z.object({ type: z.string().regex(/^image\/[a-z]+$/), data: z.base64() }))
    .max(10),
})

export type PythonAnswer = z.infer<typeof answerSchema>

const LOOK_MS = 100
const LAST_WORDS = 500

export class PythonSessions {
  readonly #options: PythonSessionsOptions
  readonly #sessions = new Map<string, PythonSession>()
  #problem: ReturnType<typeof findSandboxProblem> | undefined

  constructor(options: PythonSessionsOptions) {
    this.#options = options
  }

  /** Throws `forbidden_source` without a sandbox, `timeout`, `too_large`, `rate_limited`. */
  async run(
    conversation: string,
    request: PythonRequest,
    signal?: AbortSignal,
  ): Promise<PythonAnswer> {
    await this.#requireSandbox()
    signal?.throwIfAborted()
    const session = this.#sessions.get(conversation) ?? this.#start(conversation)
    this.#sessions.delete(conversation)
    this.#sessions.set(conversation, session) // most recent last
    try {
      return await session.run(request, signal)
    } finally {
      if (session.hasEnded && this.#sessions.get(conversation) === session)
        this.#sessions.delete(conversation)
    }
  }

  async runAlone(request: PythonRequest, signal?: AbortSignal): Promise<PythonAnswer> {
    const name = randomUUID()
    try {
      return await this.run(name, request, signal)
    } finally {
      this.#end(name)
    }
  }

  async close(): Promise<void> {
    for (const name of [...this.#sessions.keys()]) this.#end(name)
  }

  async #requireSandbox(): Promise<void> {
    this.#problem ??= findSandboxProblem(this.#options)
    const problem = await this.#problem
    if (problem) throw new AppError('forbidden_source', problem.message, problem)
  }

  #start(conversation: string): PythonSession {
    if (this.#sessions.size >= this.#options.maxSessions) {
      const [idle] = [...this.#sessions].find(([, session]) => !session.isBusy) ?? []
      if (idle === undefined) {
        const message = `All ${this.#options.maxSessions} Python sandboxes are busy. Try again later.`
        throw new AppError('rate_limited', message, {
          advice: 'To run more at once, raise tools.python.maxSessions.',
        })
      }
      this.#end(idle)
    }
    return new PythonSession(this.#options, () => this.#end(conversation))
  }

  #end(conversation: string): void {
    this.#sessions.get(conversation)?.end()
    this.#sessions.delete(conversation)
  }
}

class PythonSession {
  readonly #options: PythonSessionsOptions
  readonly #process: PythonProcess
  readonly #onIdle: () => void
  #idle: NodeJS.Timeout | undefined
  #last: Promise<unknown> = Promise.resolve()
  #waiting = 0
  #received: string[] = []
  #receivedChars = 0
  #lastWords = ''
  #ending: string | undefined
  #listener: ((line: string | undefined) => void) | undefined

  constructor(options: PythonSessionsOptions, onIdle: () => void) {
    this.#options = options
    this.#onIdle = onIdle
    this.#process = startPython(options)
    this.#process.on('error', error => this.#recordEnd(error.message))
    this.#process.on('close', (code, signal) => this.#recordEnd(signal ?? `exit code ${code}`))
    this.#process.stdin.on('error', () => {}) // `close` reports its end
    this.#process.stdout.setEncoding('utf8').on('data', (text: string) => this.#receive(text))
    this.#process.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#lastWords = (this.#lastWords + text).slice(-LAST_WORDS)
    })
  }

  get isBusy(): boolean {
    return this.#waiting > 0
  }

  get hasEnded(): boolean {
    return this.#ending !== undefined
  }

  end(): void {
    clearTimeout(this.#idle)
    this.#ending ??= 'ended'
    const { pid, exitCode, signalCode } = this.#process
    if (exitCode !== null || signalCode !== null) return // its id may belong to another process
    // Killing the first process ends the sandbox; bubblewrap is stopped first, so that it
    // starts no other.
    this.#process.kill('SIGSTOP')
    for (const id of listChildren(pid)) killIfThere(id)
    this.#process.kill('SIGKILL')
  }

  async run(request: PythonRequest, signal?: AbortSignal): Promise<PythonAnswer> {
    clearTimeout(this.#idle)
    this.#waiting++
    const before = this.#last
    const mine = before.then(() => this.#ask(request, signal))
    this.#last = mine.catch(() => {})
    try {
      return await mine
    } finally {
      this.#waiting--
      if (!this.isBusy) this.#idle = setTimeout(this.#onIdle, this.#options.idleMs).unref()
    }
  }

  async #ask(request: PythonRequest, signal?: AbortSignal): Promise<PythonAnswer> {
    signal?.throwIfAborted()
    const { timeMs, memoryBytes } = this.#options
    let fault: AppError | undefined
    const stop = (why?: AppError) => {
      fault ??= why
      this.end()
      this.#deliverLine(undefined)
    }
    const abort = () => stop()
    const timer = setTimeout(() => stop(createTimeoutError(timeMs)), timeMs)
    const watch = setInterval(() => {
      if (measureTree(this.#process.pid) > memoryBytes) stop(createMemoryError(memoryBytes))
    }, LOOK_MS)
    signal?.addEventListener('abort', abort)
    try {
      const line = await this.#sendRequest(request)
      signal?.throwIfAborted()
      if (line === undefined) throw fault ?? this.#createEndError()
      return this.#read(line)
    } finally {
      clearTimeout(timer)
      clearInterval(watch)
      signal?.removeEventListener('abort', abort)
    }
  }

  #read(line: string): PythonAnswer {
    try {
      return answerSchema.parse(JSON.parse(line))
    } catch (cause) {
      this.end() // later output would be taken for another answer
      const message =
        'The code disturbed the Python that runs it, which was ended: no answer could be read.'
      throw new AppError('internal', message, { cause })
    }
  }

  /** Undefined if the process ended early. */
  #sendRequest(request: PythonRequest): Promise<string | undefined> {
    if (this.hasEnded) return Promise.resolve(undefined)
    return new Promise(resolve => {
      this.#listener = resolve
      this.#process.stdin.write(`${JSON.stringify(request)}\n`)
    })
  }

  #receive(text: string): void {
    const end = text.indexOf('\n')
    this.#received.push(end < 0 ? text : text.slice(0, end))
    this.#receivedChars += text.length
    if (this.#receivedChars > getMaxAnswerBytes(this.#options)) this.end()
    if (end < 0) return
    const line = this.#received.join('')
    this.#received = [] // output behind an answer was not requested
    this.#receivedChars = 0
    this.#deliverLine(line)
  }

  #deliverLine(line: string | undefined): void {
    this.#listener?.(line)
    this.#listener = undefined
  }

  #recordEnd(how: string): void {
    this.#ending ??= how
    this.#deliverLine(undefined)
  }

  #createEndError(): AppError {
    const words = this.#lastWords.trim().split('\n').at(-1)
    const how = [this.#ending, words].filter(Boolean).join(': ')
    return new AppError(
      'internal',
      `Python ended (${how}). What it had defined is lost; the next call begins anew.`,
    )
  }
}

function measureTree(root: number | undefined): number {
  const waiting = root === undefined ? [] : [root]
  let bytes = 0
  for (let index = 0; index < waiting.length; index++) {
    const id = waiting[index]!
    bytes += readResidentBytes(id) ?? 0
    waiting.push(...listChildren(id))
  }
  return bytes
}

function killIfThere(id: number): void {
  try {
    process.kill(id, 'SIGKILL')
  } catch (error) {
    if (getSystemCode(error) !== 'ESRCH') throw error
  }
}

function listChildren(id: number | undefined): readonly number[] {
  if (id === undefined) return []
  try {
    return readFileSync(`/proc/${id}/task/${id}/children`, 'utf8')
      .split(' ')
      .filter(Boolean)
      .map(Number)
  } catch {
    return [] // ended or unknown
  }
}

function createTimeoutError(timeMs: number): AppError {
  const message = `The code took longer than ${timeMs / 1000} s and was stopped. What it had defined is lost; the next call begins anew.`
  return new AppError('timeout', message)
}

function createMemoryError(memoryBytes: number): AppError {
  const message = `The code needed more than ${Math.round(memoryBytes / 2 ** 20)} MiB of memory and was stopped. What it had defined is lost.`
  return new AppError('too_large', message)
}
