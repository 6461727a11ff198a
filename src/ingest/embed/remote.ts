import { z } from 'zod'
import { getMessages, localizable } from '../../errors/localizable.ts'
import { AppError, isModelFailure, toModelErrorCode } from '../../errors.ts'
import { type JsonRequest, PostFailure, postJson } from '../../system/post-json.ts'
import type { Embedder, EmbeddingRole } from './embedder.ts'
import { digestReading, type ModelSettings, type Prefixes } from './model-reading.ts'
import { toUnitVector } from './vector.ts'

/** Default length of a passage: the limit of most embedding models. */
const REMOTE_MAX_TOKENS = 512

/** Short, so that commands are not delayed. */
const SHORT_WAIT_MS = 5_000

/** The server rejects the text itself. */
const REFUSED: ReadonlySet<number | undefined> = new Set([400, 413, 422])

/** Accepted by small servers, so that no batch fails; OpenAI's API allows 2,048. */
const BATCH_SIZE = 64

const EmbeddingsAnswer = z.object({
  data: z.array(z.object({ index: z.int().optional(), embedding: z.array(z.number()).min(1) })),
})

type ServerModel = Omit<ModelSettings, 'pooling'>

const NO_PREFIXES: Prefixes = { query: '', passage: '' }

/** Lower bound, so that a prefix fits any tokenizer. */
const CHARACTERS_PER_TOKEN = 2

export type RemoteEmbedderOptions = {
  /** For example `http://localhost:11434/v1`. */
  readonly url: string
  readonly name: string
  readonly key?: string
  /** Default: length of a first vector. */
  readonly dimensions?: number
  /** Used while the server does not answer. */
  readonly lastDimensions?: number
  /** Give up soon. */
  readonly isHasty?: boolean
  readonly model?: ServerModel
  /** Default 60,000. */
  readonly timeoutMs?: number
  /** Default 4. */
  readonly maxRetries?: number
}

/** Uses any server with OpenAI's `/v1/embeddings`. Adds the configured prefixes itself. */
export class RemoteEmbedder implements Embedder {
  readonly id: string
  readonly dimensions: number
  readonly maxTokens: number
  readonly #endpoint: Endpoint
  readonly #prefixes: Prefixes
  readonly #isCut: boolean
  readonly #closing = new AbortController()

  private constructor(
    endpoint: Endpoint,
    dimensions: number,
    { prefixes = NO_PREFIXES, ...model }: ServerModel,
  ) {
    const isPlain =
      prefixes.query === '' && prefixes.passage === '' && model.dimensions === undefined
    this.id = `${endpoint.name}@1${isPlain ? '' : digestReading(prefixes, model.dimensions)}:${dimensions}`
    this.dimensions = dimensions
    this.maxTokens =
      (model.maxTokens ?? REMOTE_MAX_TOKENS) -
      Math.ceil(prefixes.passage.length / CHARACTERS_PER_TOKEN)
    this.#prefixes = prefixes
    this.#isCut = model.dimensions !== undefined
    this.#endpoint = endpoint
  }

  static async open(
    options: RemoteEmbedderOptions,
    signal: AbortSignal = new AbortController().signal,
  ) {
    const { model = {}, dimensions, ...server } = options
    const length = model.dimensions ?? dimensions ?? (await askDimensions(server, signal))
    return new RemoteEmbedder(new Endpoint(server), length, model)
  }

  async embed(
    texts: readonly string[],
    role: EmbeddingRole,
    signal?: AbortSignal,
  ): Promise<readonly Float32Array[]> {
    signal?.throwIfAborted()
    const stop = AbortSignal.any([this.#closing.signal, ...(signal ? [signal] : [])])
    const vectors: Float32Array[] = []
    for (let start = 0; start < texts.length; start += BATCH_SIZE) {
      stop.throwIfAborted()
      const some = texts.slice(start, start + BATCH_SIZE).map(text => this.#prefixes[role] + text)
      vectors.push(...(await this.#endpoint.embed(some, stop)))
    }
    return vectors.map(vector => this.#cut(vector))
  }

  async close(): Promise<void> {
    this.#closing.abort(
      new AppError('model_unavailable', localizable`The embedder ${this.id} is closed.`),
    )
  }

  #cut(vector: Float32Array): Float32Array {
    const { length } = vector
    if (length === this.dimensions) return vector
    if (this.#isCut && length > this.dimensions)
      return toUnitVector(vector.subarray(0, this.dimensions))
    const advice = this.#isCut ? 'Check embedder.dimensions' : "Check the model's name"
    throw this.#endpoint.createFailure(
      `gives vectors of ${length} numbers, not ${this.dimensions}. ${advice}`,
    )
  }
}

async function askDimensions(
  { lastDimensions, isHasty = lastDimensions !== undefined, ...server }: RemoteEmbedderOptions,
  signal: AbortSignal,
): Promise<number> {
  const patience = isHasty ? { timeoutMs: SHORT_WAIT_MS, maxRetries: 0 } : {}
  const endpoint = new Endpoint({ ...server, ...patience })
  try {
    const [vector] = await endpoint.embed(['dimensions'], signal)
    return vector!.length
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof AppError)) throw error
    if (lastDimensions !== undefined) return lastDimensions
    if (isModelFailure(error)) throw error
    throw new AppError('model_refused', getMessages(error).message, {
      cause: error,
      subject: 'model',
    })
  }
}

/** Only this class knows the key. */
class Endpoint {
  readonly name: string
  readonly #request: Omit<JsonRequest, 'body'>

  constructor({ url, name, key, timeoutMs = 60_000, maxRetries = 4 }: RemoteEmbedderOptions) {
    if (new URL(url).username)
      throw new AppError(
        'invalid_input',
        localizable`Give the key for ${name} separately, not in the URL.`,
      )
    this.name = name
    this.#request = {
      url: `${url.replace(/\/+$/, '')}/embeddings`,
      timeoutMs,
      maxRetries,
      ...(key && { key }),
    }
  }

  async embed(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]> {
    const answer = EmbeddingsAnswer.safeParse(await this.#post(texts, signal))
    if (!answer.success)
      throw this.createFailure('did not return a list of embeddings. Check the URL', answer.error)
    const rows = answer.data.data.toSorted((a, b) => (a.index ?? 0) - (b.index ?? 0))
    if (rows.length !== texts.length)
      throw this.createFailure(`gave ${rows.length} embeddings for ${texts.length} texts`)
    return rows.map(row => toUnitVector(row.embedding))
  }

  createFailure(what: string, cause?: unknown): AppError {
    return new AppError(
      toModelErrorCode(cause instanceof PostFailure ? cause.status : undefined),
      localizable`The embedding model ${this.name} at ${this.#request.url} ${what}.`,
      { cause, subject: 'model' },
    )
  }

  #createRefusal(cause: PostFailure): AppError {
    const message = localizable`The embedding model ${this.name} at ${this.#request.url} refuses a text: it ${cause.message}.`
    return new AppError('invalid_input', message, { cause, subject: 'model' })
  }

  async #post(texts: readonly string[], signal: AbortSignal): Promise<unknown> {
    const body = { model: this.name, input: texts, encoding_format: 'float' }
    try {
      return await postJson({ ...this.#request, body }, signal)
    } catch (error) {
      if (!(error instanceof PostFailure)) throw error
      throw REFUSED.has(error.status)
        ? this.#createRefusal(error)
        : this.createFailure(error.message, error)
    }
  }
}

/** Each `embed` tries to reach the server. Until then there are 0 dimensions, also in the id. */
export class UnreachedEmbedder implements Embedder {
  readonly #name: string
  readonly #open: (signal: AbortSignal) => Promise<Embedder>
  readonly #closing = new AbortController()
  #reached: Embedder | undefined

  constructor(name: string, open: (signal: AbortSignal) => Promise<Embedder>) {
    this.#name = name
    this.#open = open
  }

  get id(): string {
    return this.#reached?.id ?? `${this.#name}@1:0`
  }

  get dimensions(): number {
    return this.#reached?.dimensions ?? 0
  }

  get maxTokens(): number {
    return this.#reached?.maxTokens ?? REMOTE_MAX_TOKENS
  }

  async embed(
    texts: readonly string[],
    role: EmbeddingRole,
    signal?: AbortSignal,
  ): Promise<readonly Float32Array[]> {
    const stop = AbortSignal.any([this.#closing.signal, ...(signal ? [signal] : [])])
    const reached = this.#reached ?? (await this.#open(stop))
    this.#reached ??= reached // the first of several callers wins
    return await this.#reached.embed(texts, role, stop)
  }

  async close(): Promise<void> {
    this.#closing.abort(
      new AppError('model_unavailable', localizable`The embedder ${this.id} is closed.`),
    )
    await this.#reached?.close()
  }
}
