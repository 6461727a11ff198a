import type { components, paths } from './api.ts'
import { readServerEvents, type ServerEvent } from './server-events.ts'

export type { components, paths } from './api.ts'

type Schemas = components['schemas']
type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** Routes that have the method, with their descriptions. */
type Operations<Name extends Method> = {
  [Path in keyof paths as paths[Path] extends Record<Name, { responses: unknown }>
    ? Path
    : never]: paths[Path] extends Record<Name, infer Operation> ? Operation : never
}

type JsonContent<Part> = Part extends { content: { 'application/json': infer Value } }
  ? Value
  : never

type BodyOf<Operation> = Operation extends { requestBody: infer Body }
  ? { body: JsonContent<Body> }
  : Operation extends { requestBody?: infer Body }
    ? { body?: JsonContent<NonNullable<Body>> }
    : { body?: never }

type ParametersOf<Operation> = Operation extends { parameters: infer Parameters }
  ? (Parameters extends { path: infer Path } ? { path: Path } : { path?: never }) &
      (Parameters extends { query?: infer Query } ? { query?: Query } : { query?: never })
  : never

type AnswerOf<Operation> = Operation extends { responses: { 200: infer Success } }
  ? JsonContent<Success>
  : Operation extends { responses: { 201: infer Created } }
    ? JsonContent<Created>
    : never

export type CallOptions = { readonly signal?: AbortSignal | undefined }

export type RequestOptions<Operation> = BodyOf<Operation> & ParametersOf<Operation> & CallOptions

/** Events of an answer, by name. */
export type AskEvents = Schemas['AskEvents']

/** `id` is the number of the event; in a conversation the stream continues after it. */
export type AskEvent = {
  [Name in keyof AskEvents]: {
    readonly id: string
    readonly event: Name
    readonly data: AskEvents[Name]
  }
}[keyof AskEvents]

export type StoreEvent = Schemas['Event']
export type Job = Schemas['Job']
export type Answer = Schemas['Answer']
export type SearchResult = Schemas['Search']

type AskBody = RequestOptions<Operations<'post'>['/api/ask']>['body']
type SearchBody = RequestOptions<Operations<'post'>['/api/search']>['body']

export type ClientOptions = {
  /** Default: `http://127.0.0.1:7700`. In a page of the service itself: `location.origin`. */
  readonly url?: string
  readonly apiKey?: string | undefined
  /** Default: the `fetch` of the program. */
  readonly fetch?: typeof fetch
}

export type EventsOptions = CallOptions & {
  /** Id of the last event that was received, or `oldest`. Default: new events only. */
  readonly after?: string
  readonly types?: readonly StoreEvent['type'][]
}

const DEFAULT_URL = 'http://127.0.0.1:7700'

/** Attempts in a row to continue a stream that was cut, so that a service that is gone ends it. */
const MAX_RESUMES = 5
/** First pause before a stream is continued; it doubles. */
const RESUME_MS = 250

/** An answer of the service that is not a success, or a stream that failed. */
export class PassimError extends Error {
  /** HTTP status; 0 for the error of a stream. */
  readonly status: number
  readonly code: string | undefined
  readonly param: string | undefined

  constructor(status: number, error: Partial<Schemas['Error']['error']>) {
    super(error.message ?? `The service answered ${status}.`)
    this.name = 'PassimError'
    this.status = status
    this.code = error.code
    this.param = error.param ?? undefined
  }
}

export function createClient(options: ClientOptions = {}): PassimClient {
  return new PassimClient(options)
}

export class PassimClient {
  readonly #url: string
  readonly #headers: Readonly<Record<string, string>>
  readonly #fetch: typeof fetch

  constructor({ url = DEFAULT_URL, apiKey, fetch: given }: ClientOptions) {
    this.#url = url.replace(/\/+$/, '')
    this.#headers = apiKey ? { authorization: `Bearer ${apiKey}` } : {}
    this.#fetch = given ?? ((input, init) => globalThis.fetch(input, init))
  }

  /** Calls a route under `/api` that answers with JSON. Throws `PassimError`. */
  async request<Name extends Method, Path extends keyof Operations<Name> & string>(
    method: Name,
    path: Path,
    options: RequestOptions<Operations<Name>[Path]>,
  ): Promise<AnswerOf<Operations<Name>[Path]>> {
    const response = await this.#send(method, path, options)
    return JSON.parse(await response.text())
  }

  async search(body: SearchBody, { signal }: CallOptions = {}): Promise<SearchResult> {
    return await this.request('post', '/api/search', { body, signal })
  }

  async ask(body: AskBody, { signal }: CallOptions = {}): Promise<Answer> {
    return await this.request('post', '/api/ask', { body: { ...body, stream: false }, signal })
  }

  /**
   * Yields the events of an answer while it is written; the last is `answer` or `stopped`. Ending
   * the loop, or the signal, closes the stream. In a conversation a stream that was cut continues
   * after the last event.
   */
  async *askEvents(body: AskBody, { signal }: CallOptions = {}): AsyncGenerator<AskEvent> {
    const options = { body: { ...body, stream: true }, signal }
    const open = async () => await this.#open('post', '/api/ask', options)
    let conversation: string | undefined
    const resume = async (after: string) => {
      if (conversation === undefined) throw createCut()
      const path = { id: conversation }
      const more = { path, query: { after: Number(after) }, signal }
      return await this.#open('get', '/api/conversations/{id}/events', more)
    }
    const isLast = ({ event }: ServerEvent) => event === 'answer' || event === 'stopped'
    for await (const event of this.#follow(open, resume, { isLast, signal })) {
      const parsed = parseAskEvent(event)
      if (parsed.event === 'start') conversation = parsed.data.conversation
      yield parsed
    }
  }

  /** Yields what happens in the store, and continues after the last event if the stream is cut. */
  async *events({ after, types, signal }: EventsOptions = {}): AsyncGenerator<StoreEvent> {
    const open = async (last = '') => {
      const query = { after: last || after, types }
      return await this.#open('get', '/api/events', { query, signal })
    }
    const follow = this.#follow(open, open, { signal })
    for await (const { data } of follow) yield JSON.parse(data)
  }

  /** Yields the states of a job; the last is final. */
  async *jobEvents(id: string, { signal }: CallOptions = {}): AsyncGenerator<Job> {
    const open = async () =>
      await this.#open('get', '/api/jobs/{id}/events', { path: { id }, signal })
    const isLast = ({ event }: ServerEvent) => event !== 'progress'
    for await (const { data } of this.#follow(open, open, { isLast, isCut: isTimeout, signal }))
      yield JSON.parse(data)
  }

  async *#follow(
    open: () => Promise<EventStream>,
    resume: (after: string) => Promise<EventStream>,
    { isLast, isCut, signal }: FollowOptions,
  ): AsyncGenerator<ServerEvent> {
    let last = ''
    let attempts = 0
    let stream = await open()
    let openedAt = Date.now()
    for (;;) {
      try {
        for await (const event of readToError(stream, isCut)) {
          attempts = 0
          last = event.id ?? last
          yield event
          if (isLast?.(event)) return
        }
      } catch (error) {
        throwIfFinal(error, signal)
      }
      signal?.throwIfAborted()
      if (Date.now() - openedAt > RESUME_MS * 2 ** attempts) attempts = 0 // a quiet stream
      if (attempts >= MAX_RESUMES) throw createCut()
      await pause(RESUME_MS * 2 ** attempts++, signal)
      stream = await resume(last).catch(error => throwIfFinal(error, signal))
      openedAt = Date.now()
    }
  }

  async #open(method: Method, path: string, options: SentOptions): Promise<EventStream> {
    const response = await this.#send(method, path, options, 'text/event-stream')
    return response.body ?? undefined
  }

  async #send(
    method: Method,
    path: string,
    { path: parts, query, body, signal }: SentOptions,
    accept = 'application/json',
  ): Promise<Response> {
    const response = await this.#fetch(`${this.#url}${fillPath(path, parts)}${toQuery(query)}`, {
      method: method.toUpperCase(),
      headers: {
        ...this.#headers,
        accept,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    })
    if (response.ok) return response
    throw new PassimError(response.status, readFailure(await response.text()))
  }
}

type EventStream = ReadableStream<Uint8Array> | undefined

type FollowOptions = CallOptions & {
  readonly isLast?: (event: ServerEvent) => boolean
  /** Whether the stream ends here, but not what it tells. */
  readonly isCut?: (event: ServerEvent) => boolean
}

type SentOptions = CallOptions & {
  readonly path?: object
  readonly query?: object | undefined
  readonly body?: unknown
}

/** A proxy may answer with a page. */
function readFailure(text: string): Partial<Schemas['Error']['error']> {
  try {
    return JSON.parse(text).error ?? {}
  } catch {
    return {}
  }
}

/** Parses the event as one JSON text, since its data is one. */
function parseAskEvent({ id = '', event, data }: ServerEvent): AskEvent {
  return JSON.parse(`{"id":${JSON.stringify(id)},"event":${JSON.stringify(event)},"data":${data}}`)
}

function fillPath(path: string, parts: object = {}): string {
  const values = new Map(Object.entries(parts))
  return path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(values.get(name))))
}

function toQuery(query: object = {}): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    for (const part of Array.isArray(value) ? value : [value])
      if (part !== undefined) parameters.append(name, String(part))
  const text = parameters.toString()
  return text && `?${text}`
}

/** Throws the error that a stream ends with, unless it is a cut. */
async function* readToError(
  stream: EventStream,
  isCut: FollowOptions['isCut'],
): AsyncGenerator<ServerEvent> {
  for await (const event of readServerEvents(stream)) {
    if (isCut?.(event)) return
    if (event.event === 'error') throw new PassimError(0, JSON.parse(event.data).error)
    yield event
  }
}

/** Whether the service ended a stream that took longer than `server.requestMs`. */
function isTimeout({ event, data }: ServerEvent): boolean {
  return event === 'error' && JSON.parse(data).error?.code === 'timeout'
}

/** Statuses that a proxy answers while the service restarts. */
const RESTARTING: ReadonlySet<number> = new Set([502, 503, 504])

/** Returns after an error of the connection, after which a stream may continue. */
function throwIfFinal(error: unknown, signal: AbortSignal | undefined): undefined {
  const isFinal = error instanceof PassimError && !RESTARTING.has(error.status)
  if (isFinal || signal?.aborted) throw error
}

function createCut(): PassimError {
  return new PassimError(0, { message: 'The stream ended before its last event.', code: 'cut' })
}

async function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, milliseconds)
    signal?.addEventListener('abort', stop, { once: true })
  })
}
