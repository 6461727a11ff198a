import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { localizable } from '../../errors/localizable.ts'
import { AppError, getReason } from '../../errors.ts'

/** Nodes of one Weaviate, each of which answers for all. */
type WeaviatePlace = { readonly urls: readonly string[]; readonly key?: string | undefined }

type WeaviateRequest = {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'DELETE'
  /** Path after `/v1/`. */
  readonly path: string
  readonly body?: unknown
  readonly expected?: readonly number[]
}

type WeaviateAnswer = { readonly status: number; readonly json: unknown }

/** Attempts, with doubling waits, so that a restart of a node is survived. */
const TRIES = 5
const WAIT_MS = 100
/** Silence of a node that counts as gone, so that searches end. */
const SILENCE_MS = 60_000
/**
 * Silence before the next node is asked too. Writes wait longer: two nodes would do the same work.
 */
const QUESTION_PATIENCE_MS = 1_000
const WRITE_PATIENCE_MS = 15_000
/** Length of a server's message, so that errors stay readable. */
const MAX_MESSAGE = 300

const PASSING: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504])

const GONE =
  /tenant not found|could not find class|class .* not found|Cannot query field|no graphql provider/i

/** Oldest tested minor version of 1.x, 2026-11. */
const OLDEST_MINOR = 35

const metaSchema = z.object({ version: z.string() })
const graphqlSchema = z.object({
  data: z.record(z.string(), z.unknown()).nullish(),
  errors: z.array(z.object({ message: z.string() })).nullish(),
})

/** May repeat requests, because writes name their ids. The next node races a silent one. */
export class WeaviateClient {
  readonly #urls: readonly string[]
  readonly #key: string | undefined
  readonly #headers: Readonly<Record<string, string>>
  #first = 0

  constructor({ urls, key }: WeaviatePlace) {
    this.#key = key
    this.#urls = urls.map(url => url.replace(/\/+$/, ''))
    this.#headers = {
      'content-type': 'application/json',
      ...(key && { authorization: `Bearer ${key}` }),
    }
  }

  get name(): string {
    return `Weaviate at ${this.#urls.map(url => new URL(url).host).join(', ')}`
  }

  /** Throws if a node is not ready or too old. */
  async readVersion(signal?: AbortSignal): Promise<string> {
    const versions = this.#urls.map(async url => {
      const node = new WeaviateClient({ urls: [url], key: this.#key })
      await node.send({ method: 'GET', path: '.well-known/ready' }, signal)
      return metaSchema.parse((await node.send({ method: 'GET', path: 'meta' }, signal)).json)
        .version
    })
    const [oldest = ''] = (await Promise.all(versions)).toSorted(
      (a, b) => parseMinor(a) - parseMinor(b),
    )
    if (parseMinor(oldest) >= OLDEST_MINOR) return oldest
    const message = localizable`${this.name} is of version ${oldest}: it has to be 1.${OLDEST_MINOR} or later.`
    throw new AppError('store_mismatch', message, { subject: 'store' })
  }

  /** Throws `store_mismatch` if the table is gone. */
  async query(question: string, signal?: AbortSignal): Promise<Readonly<Record<string, unknown>>> {
    const { json } = await this.send(
      { method: 'POST', path: 'graphql', body: { query: question } },
      signal,
    )
    const { data, errors } = graphqlSchema.parse(json)
    const [error] = errors ?? []
    if (error)
      throw new AppError(
        'store_mismatch',
        localizable`${this.name}: ${shortenMessage(error.message)}`,
        {
          subject: 'store',
        },
      )
    return data ?? {}
  }

  /** Throws `store_unavailable`, or `store_mismatch` if retrying would not help. */
  async send(request: WeaviateRequest, signal?: AbortSignal): Promise<WeaviateAnswer> {
    const body = request.body === undefined ? null : JSON.stringify(request.body)
    for (let tries = 1; ; tries++) {
      signal?.throwIfAborted()
      const answer = await this.#queryFirst(request, body, signal)
      if (!(answer instanceof Error)) return this.#accept(request, answer)
      if (tries === TRIES) throw this.#createFailure(answer)
      await sleep(WAIT_MS * 2 ** (tries - 1) * (1 + Math.random()), undefined, { signal })
    }
  }

  async #queryFirst(
    request: WeaviateRequest,
    body: string | null,
    signal?: AbortSignal,
  ): Promise<WeaviateAnswer | Error> {
    const patienceMs = request.path === 'graphql' ? QUESTION_PATIENCE_MS : WRITE_PATIENCE_MS
    const ended = new AbortController()
    const every = AbortSignal.any([
      ended.signal,
      AbortSignal.timeout(SILENCE_MS),
      ...(signal ? [signal] : []),
    ])
    let before: Promise<unknown> = Promise.resolve()
    const attempts = this.#urls.map((_, place) => {
      const node = (this.#first + place) % this.#urls.length
      const attempt = before.then(async () => {
        every.throwIfAborted()
        const answer = await this.#ask(node, request, body, every)
        ended.abort()
        this.#first = node
        return answer
      })
      const failed = attempt.then(
        () => {},
        () => {},
      )
      before = Promise.race([
        failed,
        sleep(patienceMs, undefined, { signal: every }).catch(() => {}),
      ])
      return attempt
    })
    try {
      return await Promise.any(attempts)
    } catch (error) {
      signal?.throwIfAborted()
      return (error as AggregateError).errors.at(-1) as Error
    } finally {
      ended.abort()
    }
  }

  /** Throws if another node or a later attempt may succeed. */
  async #ask(
    node: number,
    { method, path }: WeaviateRequest,
    body: string | null,
    signal: AbortSignal,
  ): Promise<WeaviateAnswer> {
    const url = `${this.#urls[node]}/v1/${path}`
    const response = await fetch(url, {
      method,
      headers: this.#headers,
      body,
      redirect: 'error',
      signal,
    })
    const text = await response.text()
    const { status } = response
    if (PASSING.has(status))
      throw new Error(`it answers with status ${status}: ${shortenMessage(text)}`)
    const json = text ? parseBody(text) : undefined
    const complaint =
      path === 'graphql' ? graphqlSchema.safeParse(json).data?.errors?.[0]?.message : undefined
    if (complaint !== undefined && !GONE.test(complaint))
      throw new Error(`it says: ${shortenMessage(complaint)}`)
    return { status, json }
  }

  #accept({ method, path, expected }: WeaviateRequest, answer: WeaviateAnswer): WeaviateAnswer {
    const { status, json } = answer
    if ((status >= 200 && status < 300) || expected?.includes(status)) return answer
    const isRefused = status === 401 || status === 403
    const way = isRefused ? 'Check weaviate.key and its permissions.' : 'Its log has the details.'
    const message = localizable`${this.name} refuses ${method} ${path}: status ${status} ${shortenMessage(JSON.stringify(json ?? ''))}. ${way}`
    throw new AppError('store_mismatch', message, { subject: 'store' })
  }

  #createFailure(error: Error): AppError {
    const reason = getReason(error.name === 'TypeError' && error.cause ? error.cause : error) // fetch puts the reason into its cause
    const message = localizable`${this.name} does not answer: ${reason || error.name}. Check that it runs, and the setting weaviate.urls.`
    return new AppError('store_unavailable', message, { cause: error, subject: 'store' })
  }
}

function parseMinor(version: string): number {
  const [major, minor] = version.split('.').map(Number)
  return major === 1 ? (minor ?? 0) : Number.POSITIVE_INFINITY
}

function parseBody(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    throw new Error(`it does not answer with JSON: ${shortenMessage(body)}`)
  }
}

function shortenMessage(message: string): string {
  return message.length > MAX_MESSAGE ? `${message.slice(0, MAX_MESSAGE)}…` : message
}
