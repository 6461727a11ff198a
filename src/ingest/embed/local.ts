import { availableParallelism } from 'node:os'
import { basename, resolve } from 'node:path'
import { localizable } from '../../errors/localizable.ts'
import { AppError } from '../../errors.ts'
import { Child, getChildEntry } from '../../system/child.ts'
import type { AnswerOdds, Embedder, EmbeddingRole } from './embedder.ts'
import type { WorkerAnswer, WorkerRequest } from './local-process.ts'
import { loadTokenizer } from './local-tokens.ts'
import {
  findCrossEncoder,
  type ModelReading,
  type ModelSettings,
  readModelReading,
  toReadingSuffix,
} from './model-reading.ts'

/** Kept free, so that e5 has room for `passage:` and the special tokens at both ends. */
const RESERVED_TOKENS = 4

/** Version of the pooling, so that vectors are not mixed. */
const VERSION = 1

type LocalEmbedderOptions = {
  /** Contains `config.json`, `tokenizer.json`, and ONNX weights as `onnx/model_quantized.onnx`. */
  readonly modelPath: string
  readonly model?: ModelSettings
  /** Each takes one core and 240 MB. Default: the number of cores. */
  readonly workers?: number
  /** 0 keeps idle workers. Default 60,000. */
  readonly idleMs?: number
}

/** About what one worker embeds while another loads, so that a few sentences start none. */
const WORTH_A_WORKER_BYTES = 12_000

/** Deaths on one text, so that it cannot stop the others. */
const MAX_DEATHS = 2

/**
 * Child processes, one ONNX thread each, share a queue, questions first. Unlike threads they
 * return all memory (140 MB) and survive crashes of native code.
 */
export class LocalEmbedder implements Embedder {
  readonly id: string
  readonly dimensions: number
  readonly maxTokens: number
  readonly #reading: ModelReading
  readonly #modelPath: string
  readonly #maxWorkers: number
  readonly #idleMs: number
  readonly #waiting: Readonly<Record<EmbeddingRole, Set<ModelTask>>> = {
    query: new Set(),
    passage: new Set(),
  }
  readonly #workers = new Set<LocalWorker>()
  /** Counts bytes for which no worker was started yet. */
  #waitedBytes = 0
  #isClosed = false

  private constructor(
    options: LocalEmbedderOptions,
    reading: ModelReading,
    reservedTokens: number,
  ) {
    this.#modelPath = resolve(options.modelPath)
    this.#reading = reading
    this.#maxWorkers = options.workers ?? availableParallelism()
    this.#idleMs = options.idleMs ?? 60_000
    this.id = `${basename(this.#modelPath)}@${VERSION}${toReadingSuffix(reading)}`
    this.dimensions = reading.dimensions
    this.maxTokens = reading.maxTokens - reservedTokens
  }

  /** Throws `model_unavailable` if the directory has no model. The first text loads the weights. */
  static async open(options: LocalEmbedderOptions): Promise<LocalEmbedder> {
    const reading = await readModelReading(options.modelPath, options.model ?? {})
    return new LocalEmbedder(
      options,
      reading,
      await countReservedTokens(options.modelPath, reading),
    )
  }

  get processIds(): readonly number[] {
    return [...this.#workers].map(worker => worker.processId)
  }

  async embed(
    texts: readonly string[],
    role: EmbeddingRole,
    signal?: AbortSignal,
  ): Promise<readonly Float32Array[]> {
    const requests = texts.map(text => ({ text: this.#reading.prefixes[role] + text }))
    const answers = await this.#ask(requests, role, signal)
    return answers.flatMap(answer => ('vector' in answer ? [Float32Array.from(answer.vector)] : [])) // copied: the message is a view of a larger buffer
  }

  get answerOdds(): AnswerOdds | undefined {
    return findCrossEncoder(this.#modelPath) === undefined ? undefined : this.#answerOdds
  }

  readonly #answerOdds: AnswerOdds = async (question, passages, signal) => {
    const requests = passages.map(passage => ({ question, passage }))
    const answers = await this.#ask(requests, 'query', signal)
    return answers.flatMap(answer => ('odds' in answer ? [answer.odds] : []))
  }

  async #ask(
    requests: readonly WorkerRequest[],
    role: EmbeddingRole,
    signal: AbortSignal | undefined,
  ): Promise<readonly WorkerResult[]> {
    signal?.throwIfAborted()
    if (this.#isClosed)
      throw new AppError('model_unavailable', localizable`The embedder ${this.id} is closed.`)
    const tasks = requests.map(request => new ModelTask(request))
    const stop = () => {
      for (const task of tasks) task.reject(signal?.reason)
    }
    signal?.addEventListener('abort', stop)
    try {
      for (const task of tasks) this.#waiting[role].add(task)
      this.#assign()
      if (role === 'passage') this.#countWaiting(tasks)
      return await Promise.all(tasks.map(task => task.answer))
    } finally {
      signal?.removeEventListener('abort', stop)
      for (const task of tasks) this.#waiting[role].delete(task)
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const closed = new AppError('cancelled', localizable`The embedder ${this.id} was closed.`)
    for (const task of [...this.#waiting.query, ...this.#waiting.passage]) task.reject(closed)
    await Promise.all([...this.#workers].map(worker => worker.close(closed)))
  }

  #assign(): void {
    for (const role of ['query', 'passage'] as const) {
      for (const task of this.#waiting[role]) {
        const worker = this.#freeWorker() ?? this.#startFurtherWorker(role)
        if (!worker) break
        this.#waiting[role].delete(task)
        worker.take(task)
      }
    }
  }

  #freeWorker(): LocalWorker | undefined {
    return [...this.#workers].find(worker => worker.isFree)
  }

  #countWaiting(tasks: readonly ModelTask[]): void {
    for (const task of tasks)
      if (this.#waiting.passage.has(task)) this.#waitedBytes += task.sizeBytes
    this.#assign()
  }

  /** Returns undefined for a question, which a loaded worker answers sooner. */
  #startFurtherWorker(role: EmbeddingRole): LocalWorker | undefined {
    if (this.#workers.size === 0) return this.#startWorker()
    if (role === 'query' || this.#waitedBytes < WORTH_A_WORKER_BYTES) return undefined
    const worker = this.#startWorker()
    if (worker) this.#waitedBytes -= WORTH_A_WORKER_BYTES
    return worker
  }

  #startWorker(): LocalWorker | undefined {
    if (this.#isClosed || this.#workers.size >= this.#maxWorkers) return undefined
    const worker = new LocalWorker({
      args: [this.#modelPath, JSON.stringify(this.#reading)],
      idleMs: this.#idleMs,
      onFree: () => this.#assign(),
      onEnd: unfinished => this.#replace(worker, unfinished),
    })
    this.#workers.add(worker)
    return worker
  }

  #replace(worker: LocalWorker, unfinished: ModelTask | undefined): void {
    this.#workers.delete(worker)
    if (unfinished) this.#startWorker()?.take(unfinished)
    this.#assign()
  }
}

async function countReservedTokens(modelPath: string, reading: ModelReading): Promise<number> {
  if (toReadingSuffix(reading) === '') return RESERVED_TOKENS
  const tokenizer = await loadTokenizer(modelPath)
  const tokens = tokenizer.encode(reading.prefixes.passage, Number.POSITIVE_INFINITY).length + 1 // a text may join its prefix
  if (tokens <= reading.maxTokens / 2) return tokens
  const usage = `embedder.prefixes.passage and special tokens take ${tokens} of ${reading.maxTokens} tokens`
  throw new AppError(
    'invalid_input',
    localizable`Setting embedder.maxTokens leaves no room for passages: ${usage}.`,
  )
}

type WorkerResult = Exclude<WorkerAnswer, { readonly failure: unknown }>

class ModelTask {
  readonly request: WorkerRequest
  readonly answer: Promise<WorkerResult>
  deaths = 0
  resolve!: (answer: WorkerResult) => void
  reject!: (reason: unknown) => void

  constructor(request: WorkerRequest) {
    this.request = request
    this.answer = new Promise((resolve, reject) => {
      this.resolve = resolve
      this.reject = reject
    })
  }

  get sizeBytes(): number {
    return Object.values(this.request).reduce((sum, text) => sum + Buffer.byteLength(text), 0)
  }
}

type LocalWorkerOptions = {
  readonly args: readonly string[]
  readonly idleMs: number
  readonly onFree: () => void
  readonly onEnd: (unfinished: ModelTask | undefined) => void
}

/** Accepts a text while the process still loads. */
class LocalWorker {
  readonly #child: Child
  readonly #options: LocalWorkerOptions
  #task: ModelTask | undefined
  #idle: NodeJS.Timeout | undefined

  constructor(options: LocalWorkerOptions) {
    this.#options = options
    this.#child = new Child(getChildEntry('./local-process', import.meta.url), options.args)
    this.#child.events.on('message', (answer: WorkerAnswer) => this.#settle(answer))
    void this.#child.ended.then(() => this.#end())
  }

  get isFree(): boolean {
    return this.#task === undefined && this.#child.isAlive
  }

  get processId(): number {
    return this.#child.id
  }

  take(task: ModelTask): void {
    clearTimeout(this.#idle)
    this.#task = task
    this.#child.setBusy(true)
    this.#child.send(task.request)
  }

  async close(reason: AppError): Promise<void> {
    this.#task?.reject(reason)
    this.#task = undefined
    await this.#child.kill()
  }

  #settle(answer: WorkerAnswer): void {
    const task = this.#task
    this.#task = undefined
    this.#child.setBusy(false)
    if (this.#options.idleMs > 0)
      this.#idle = setTimeout(() => this.#child.kill(), this.#options.idleMs).unref()
    if ('failure' in answer)
      task?.reject(
        new AppError(
          'model_unavailable',
          localizable`The embedding model failed: ${answer.failure.message}`,
        ),
      )
    else task?.resolve(answer)
    this.#options.onFree()
  }

  #end(): void {
    clearTimeout(this.#idle)
    const task = this.#task
    this.#task = undefined
    const isAbandoned = task !== undefined && ++task.deaths === MAX_DEATHS
    if (isAbandoned) task.reject(this.#createGiveUpError())
    this.#options.onEnd(isAbandoned ? undefined : task)
  }

  #createGiveUpError(): AppError {
    const { ending, lastWords } = this.#child
    const message = localizable`The embedding model's process died twice on one text (${ending}). Check memory and the model's files.`
    return new AppError('model_unavailable', message, { cause: new Error(lastWords) })
  }
}
