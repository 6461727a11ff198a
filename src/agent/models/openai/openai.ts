import { setTimeout as sleep } from 'node:timers/promises'
import { createParser } from 'eventsource-parser'
import { z } from 'zod'
import { localizable, type Sentence } from '../../../errors/localizable.ts'
import { AppError, toModelErrorCode } from '../../../errors.ts'
import { hashParts } from '../../../system/digest.ts'
import { describeNetworkError, isClosedConnection } from '../../../system/post-json.ts'
import type { ChatModel, ModelEvent, ModelRequest } from '../../model.ts'
import {
  CompletionAssembler,
  type CompletionChunk,
  completionChunk,
  MAX_REPLY_CHARACTERS,
  toChunk,
  unstreamedCompletion,
} from './chunks.ts'
import { HttpFailure } from './http-failure.ts'
import { createRequestBody } from './messages.ts'

const DONE = '[DONE]'

/** The longest reply, fully escaped, so that nothing legal is cut. */
const MAX_PIECE_BYTES = 6 * MAX_REPLY_CHARACTERS + 2 ** 16

/** Bytes read of a refusal; protects memory. */
const MAX_REFUSAL_BYTES = 2 ** 16

/** Time for a server to close a completed answer, so that connections are reused. */
const END_MS = 10

/** Closed connections retried in a row, so that it ends. */
const MAX_CLOSED = 5

/** Path of Azure OpenAI, which reads a key from the header `api-key` only. */
const AZURE_PATH = /\/openai\/deployments\/[^/]+\/chat\/completions$/

export type OpenAIModelOptions = {
  /** Base URL without `/chat/completions`. */
  readonly url: string
  readonly name: string
  readonly key?: string
  /** A local server may load the model first. */
  readonly silenceMs?: number
}

/** Uses a digest, because the URL may contain a secret. */
export function identifyServer({ url, name }: Pick<OpenAIModelOptions, 'url' | 'name'>): string {
  return hashParts(`${url.replace(/\/+$/, '')}\n${name}`).slice(0, SERVER_DIGITS)
}

/** 64 bits, so that servers of a store are distinct. */
const SERVER_DIGITS = 16

export class OpenAIModel implements ChatModel {
  readonly id: string
  readonly #url: URL
  readonly #key: string | undefined
  readonly #silenceMs: number
  readonly #server: string

  constructor(options: OpenAIModelOptions) {
    this.id = options.name
    this.#url = parseEndpoint(options.url)
    this.#key = options.key
    this.#server = identifyServer(options)
    this.#silenceMs = options.silenceMs ?? 120_000
  }

  async *stream(request: ModelRequest, signal?: AbortSignal): AsyncIterable<ModelEvent> {
    let hasAnswered = false
    const explain = (error: unknown) =>
      hasAnswered ? this.#toCutOffError(error) : this.#toUnreachableError(error)
    const deadline = new Deadline({ label: this.#label, explain, ...(signal && { signal }) })
    try {
      const response = await this.#send(request, deadline, () => {
        hasAnswered = true
      })
      yield* isCompleteResponse(response)
        ? this.#readCompletion(response, deadline)
        : this.#read(response, deadline)
    } finally {
      deadline.end()
    }
  }

  /** Leaves out the query, which may contain a secret. */
  get #label(): Sentence {
    const { origin, pathname } = this.#url
    return localizable`The model ${this.id} at ${origin}${pathname}`
  }

  async #send(request: ModelRequest, deadline: Deadline, onAnswer: () => void): Promise<Response> {
    const headers = {
      'content-type': 'application/json',
      ...(this.#key && { authorization: `Bearer ${this.#key}` }),
      ...(this.#key && AZURE_PATH.test(this.#url.pathname) && { 'api-key': this.#key }),
    }
    const body = JSON.stringify(
      createRequestBody({ model: this.id, server: this.#server }, request),
    )
    const post = () => fetch(this.#url, { method: 'POST', headers, body, signal: deadline.signal })
    const response = await deadline.limit(this.#silenceMs, retryClosedConnection(post))
    onAnswer()
    if (!response.ok) throw await this.#readRefusal(response, deadline)
    if (!response.body || /html/.test(response.headers.get('content-type') ?? ''))
      throw this.#toNoAnswerError()
    return response
  }

  async *#readCompletion(response: Response, deadline: Deadline): AsyncIterable<ModelEvent> {
    const { text, isCut } = await this.#readText(response, deadline, MAX_PIECE_BYTES)
    if (isCut) throw this.#toTooMuchError()
    const completion = unstreamedCompletion.safeParse(parseJson(text))
    if (!completion.success) throw this.#toNoAnswerError()
    const assembler = new CompletionAssembler(this.#server)
    yield* this.#push(assembler, JSON.stringify(toChunk(completion.data)))
    yield* assembler.end()
  }

  #toNoAnswerError(): AppError {
    return this.#createError(
      'did not answer as a chat model. Check that the URL is the base of an OpenAI-compatible API',
    )
  }

  async *#read({ body }: Response, deadline: Deadline): AsyncIterable<ModelEvent> {
    const assembler = new CompletionAssembler(this.#server)
    for await (const payload of this.#readPayloads(body!, deadline)) {
      yield* this.#push(assembler, payload)
    }
    if (!assembler.finished) throw this.#toCutOffError()
    yield* assembler.end()
  }

  #push(assembler: CompletionAssembler, payload: string): Iterable<ModelEvent> {
    const chunk = this.#parse(payload)
    if (!assembler.isTooMuch(chunk)) return assembler.push(chunk)
    throw this.#toTooMuchError()
  }

  #toTooMuchError(): AppError {
    return this.#createError(
      localizable`answered with more than ${MAX_REPLY_CHARACTERS} characters. Limit its answers (max_tokens)`,
    )
  }

  async #readText({ body }: Response, deadline: Deadline, maxBytes: number) {
    const decoder = new TextDecoder()
    const reader = body?.getReader()
    let text = ''
    let bytes = 0
    while (reader && bytes <= maxBytes) {
      const { done, value } = await deadline.limit(this.#silenceMs, reader.read())
      if (done) return { text: text + decoder.decode(), isCut: false }
      text += decoder.decode(value, { stream: true })
      bytes += value.length
    }
    return { text, isCut: bytes > maxBytes }
  }

  async *#readPayloads(
    body: ReadableStream<Uint8Array>,
    deadline: Deadline,
  ): AsyncIterable<string> {
    const pending: string[] = []
    const parser = createParser({ onEvent: event => pending.push(event.data) })
    const decoder = new TextDecoder()
    const reader = body.getReader()
    for (let unread = 0; unread <= MAX_PIECE_BYTES; ) {
      const { done, value } = await deadline.limit(this.#silenceMs, reader.read())
      if (done) return deadline.settle()
      unread += value.length
      parser.feed(decoder.decode(value, { stream: true }))
      if (pending.length > 0) unread = 0
      for (const payload of pending.splice(0)) {
        if (payload === DONE) return await this.#finish(reader, deadline)
        yield payload
      }
    }
    throw this.#toTooMuchError()
  }

  /** Reads to the end, so that the connection is reused. */
  async #finish(
    reader: ReadableStreamDefaultReader<Uint8Array>,
    deadline: Deadline,
  ): Promise<void> {
    const rest = reader.read().catch(() => undefined) // the answer is complete
    const end = await Promise.race([rest, sleep(END_MS, undefined, { ref: false })])
    if (end?.done) deadline.settle()
  }

  #parse(payload: string): CompletionChunk {
    const chunk = completionChunk.safeParse(parseJson(payload))
    if (!chunk.success)
      throw this.#createError(
        localizable`sent an invalid chat completion: ${this.#hideKey(payload.slice(0, 80))}`,
      )
    if (chunk.data.error)
      throw this.#createError(
        localizable`failed: ${this.#hideKey(`${getErrorMessage(chunk.data)}`)}`,
        findRefusal(chunk.data.error),
      )
    return chunk.data
  }

  #toUnreachableError(error: unknown): AppError {
    const what = isClosedConnection(error)
      ? 'closed the connection before it answered. Check the URL, and the log of the server'
      : localizable`cannot be reached: ${this.#hideKey(describeNetworkError(error))}. Check the URL, and that the server runs`
    return this.#createError(what, error)
  }

  /** Trusts the address, because it answered. */
  #toCutOffError(cause?: unknown): AppError {
    const isExplained = cause === undefined || isClosedConnection(cause)
    const reason = isExplained ? '' : ` (${this.#hideKey(describeNetworkError(cause))})`
    return this.#createError(
      localizable`closed the connection in the middle of its answer${reason}. Try again`,
      cause,
    )
  }

  async #readRefusal(response: Response, deadline: Deadline): Promise<AppError> {
    const { text } = await this.#readText(response, deadline, MAX_REFUSAL_BYTES)
    const body = parseJson(text)
    const reason = getErrorMessage(body) ?? text.slice(0, 200)
    const retryAfter = response.headers.get('retry-after')
    const cause = new HttpFailure(response.status, { retryAfter, reason, param: findParam(body) })
    if (response.status !== 429)
      return this.#createError(
        localizable`answered ${response.status}: ${this.#hideKey(reason)}`,
        cause,
      )
    const advice =
      cause.retryAfterMs === undefined
        ? localizable`later`
        : localizable`in ${Math.ceil(cause.retryAfterMs / 1000)} s`
    const message = localizable`${this.#label} accepts no more requests now: ${this.#hideKey(reason)}. Try again ${advice}.`
    return new AppError('rate_limited', message, { cause, subject: 'model' })
  }

  #createError(what: Sentence, cause?: unknown): AppError {
    const code = toModelErrorCode(cause instanceof HttpFailure ? cause.status : undefined)
    return new AppError(code, localizable`${this.#label} ${what}.`, { cause, subject: 'model' })
  }

  /** Removes the key, which servers may repeat. */
  #hideKey(text: string): string {
    const hidden = this.#key ? text.replaceAll(this.#key, '***') : text
    return hidden.replace(/\s+/g, ' ').replace(/[.\s]+$/, '')
  }
}

function parseEndpoint(base: string): URL {
  const url = URL.canParse(base) ? new URL(base) : undefined
  if (!url?.protocol.startsWith('http') || url.username || url.password) {
    const advice =
      'Give an http(s) URL such as http://127.0.0.1:11434/v1, without user name and password, and set the key separately.'
    throw new AppError('invalid_input', localizable`The URL of the model cannot be used. ${advice}`)
  }
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/chat/completions`
  return url
}

function isCompleteResponse(response: Response): boolean {
  return /json/.test(response.headers.get('content-type') ?? '')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // the caller explains it
  }
}

/**
 * Reads `{error: {message}}` (OpenAI), `{error: "..."}` (LM Studio), `[{error}]` (Gemini) or
 * `{message}` (Mistral, vLLM).
 */
function getErrorMessage(body: unknown): string | undefined {
  if (Array.isArray(body)) return getErrorMessage(body[0])
  if (typeof body !== 'object' || body === null) return undefined
  if (!('error' in body))
    return 'message' in body && typeof body.message === 'string' ? body.message : undefined
  const { error } = body
  if (typeof error === 'string') return error
  if (typeof error !== 'object' || error === null || !('message' in error))
    return JSON.stringify(error)
  return String(error.message)
}

function findParam(body: unknown): string | undefined {
  const named = z.object({ param: z.string() })
  return (
    named.safeParse(body).data?.param ??
    z.object({ error: named }).safeParse(body).data?.error.param
  )
}

async function retryClosedConnection(post: () => Promise<Response>): Promise<Response> {
  for (let closed = 0; ; closed++) {
    try {
      return await post()
    } catch (error) {
      if (closed >= MAX_CLOSED || !isStaleConnection(error)) throw error
    }
  }
}

/** Returns whether a used connection was closed instead of an answer. */
function isStaleConnection(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const cause = error.cause as
    | { readonly code?: string; readonly socket?: { readonly bytesRead: number } }
    | undefined
  if (cause?.code === 'UND_ERR_SOCKET') return (cause.socket?.bytesRead ?? 0) > 0
  return isClosedConnection(error)
}

function findRefusal(error: unknown): HttpFailure | undefined {
  const parsed = z.object({ code: z.unknown(), status: z.unknown() }).partial().safeParse(error)
  const status = [parsed.data?.status, parsed.data?.code]
    .map(Number)
    .find(code => code >= 400 && code < 600)
  return status === undefined
    ? undefined
    : new HttpFailure(status, {
        reason: getErrorMessage({ error }) ?? '',
        param: findParam({ error }),
      })
}

type DeadlineOptions = {
  readonly label: Sentence
  readonly explain: (error: unknown) => AppError
  readonly signal?: AbortSignal
}

class Deadline {
  readonly signal: AbortSignal
  readonly #controller = new AbortController()
  readonly #options: DeadlineOptions
  #isSettled = false

  constructor(options: DeadlineOptions) {
    this.#options = options
    const signals = [this.#controller.signal, ...(options.signal ? [options.signal] : [])]
    this.signal = AbortSignal.any(signals)
  }

  /** Limits a wait; excludes the reader's own time. */
  async limit<T>(limitMs: number, wait: Promise<T>): Promise<T> {
    const timer = setTimeout(() => this.#controller.abort(this.#createTimeout(limitMs)), limitMs)
    try {
      return await wait
    } catch (error) {
      this.signal.throwIfAborted()
      throw this.#options.explain(error)
    } finally {
      clearTimeout(timer)
    }
  }

  settle(): void {
    this.#isSettled = true
  }

  end(): void {
    if (!this.#isSettled) this.#controller.abort()
  }

  #createTimeout(limitMs: number): AppError {
    const message = localizable`${this.#options.label} sent nothing for ${limitMs / 1000} s.`
    const advice = 'Check that its server works. If it needs more time, raise model.timeoutMs.'
    return new AppError('timeout', message, { subject: 'model', advice })
  }
}
