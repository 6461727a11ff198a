import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { Readable } from 'node:stream'
import { getMessages, type LocalizableMessage, localizable } from '../../../errors/localizable.ts'
import { AppError, getReason } from '../../../errors.ts'
import { decodePercent } from '../../../system/data-uri.ts'
import { raceAbort } from '../../../system/unless-aborted.ts'
import type { Validators } from '../../store/catalog/document.ts'
import { inflateBody } from './body.ts'
import {
  createCheckedLookup,
  createForbiddenError,
  getHost,
  type IsAllowed,
  type Resolve,
  refuseForbiddenHost,
  resolveBySystem,
} from './checked-lookup.ts'
import { isPublicAddress } from './public-address.ts'
import { parseWebUrl } from './web-url.ts'

/** `page` streams decompressed bytes; `gone` means that the server says so. */
export type Fetched =
  | {
      readonly kind: 'page'
      readonly url: URL
      /** Lower case, without parameters; empty if unknown. */
      readonly mediaType: string
      readonly fileName?: string
      readonly validators: Validators
      readonly body: Readable
    }
  | { readonly kind: 'unchanged'; readonly url: URL }
  | { readonly kind: 'gone'; readonly message: string }

type FetchLimits = {
  readonly timeMs: number
  readonly maxBytes: number
  readonly maxRedirects: number
}

export type FetcherOptions = FetchLimits & {
  readonly userAgent: string
  readonly isAllowed?: IsAllowed | undefined
  readonly resolve?: Resolve | undefined
}

type GetOptions = {
  readonly validators?: Validators | undefined
  /** Treat any 4xx but 429 as `gone`, as RFC 9309 requires for robots.txt. */
  readonly refusalIsGone?: boolean | undefined
  readonly signal?: AbortSignal | undefined
}

type JsonOptions = {
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly signal?: AbortSignal | undefined
}

type RawRequest = Pick<JsonOptions, 'headers' | 'signal'> & {
  readonly method: string
  readonly body?: string
}

const REDIRECTS: ReadonlySet<number | undefined> = new Set([301, 302, 303, 307, 308])
const GONE: ReadonlySet<number> = new Set([404, 410])
const REFUSALS: ReadonlySet<number> = new Set([401, 403])
const TOO_MANY_REQUESTS = 429

/** Bounded, so that a server cannot fill the catalog. */
const MAX_VALIDATOR_CHARS = 1_000

/**
 * Contacts only public addresses, unless others are allowed, redirects included. Uses no proxy,
 * cookies or credentials.
 */
export class Fetcher {
  readonly #options: FetcherOptions

  constructor(options: FetcherOptions) {
    this.#options = options
  }

  /** Throws `fetch_failed`, `too_large` or `forbidden_source`; so does the stream of the body. */
  async get(url: URL, options: GetOptions = {}): Promise<Fetched> {
    const { validators, signal } = options
    const overtime = AbortSignal.timeout(this.#options.timeMs)
    const stop = AbortSignal.any([overtime, ...(signal ? [signal] : [])])
    const asFailure = (error: unknown) => {
      signal?.throwIfAborted()
      return createFetchError(
        url,
        overtime.aborted ? `it took longer than ${this.#options.timeMs / 1000} s` : error,
      )
    }
    try {
      const { response, finalUrl } = await this.#follow(url, validators, stop)
      const { statusCode: status = 0 } = response
      if (status === 200) return this.#page(url, finalUrl, response, asFailure)
      response.destroy()
      if (status === 304 && validators) return { kind: 'unchanged', url: finalUrl }
      const isRefused =
        options.refusalIsGone && status >= 400 && status < 500 && status !== TOO_MANY_REQUESTS
      if (GONE.has(status) || isRefused)
        return { kind: 'gone', message: `${url.href} is not there: status ${status}.` }
      throw createStatusError(url, status)
    } catch (error) {
      throw asFailure(error)
    }
  }

  /** Resolves names for connections that others make. Fails for an address that is not allowed. */
  get lookup(): LookupFunction {
    const { isAllowed = isPublicAddress, resolve = resolveBySystem } = this.#options
    return createCheckedLookup(resolve, isAllowed)
  }

  /** Returns an address to connect to. Throws `forbidden_source` or `fetch_failed`. */
  async resolveAllowed(url: URL, signal?: AbortSignal): Promise<string> {
    const { isAllowed = isPublicAddress, resolve = resolveBySystem, timeMs } = this.#options
    const stop = AbortSignal.any([AbortSignal.timeout(timeMs), ...(signal ? [signal] : [])])
    const host = getHost(url)
    try {
      refuseForbiddenHost(url, isAllowed)
      if (isIP(host) !== 0) return host
      const addresses = await raceAbort(resolve(host), stop)
      const forbidden = addresses.find(({ address }) => !isAllowed(address))
      if (forbidden) throw createForbiddenError(host, forbidden.address)
      if (addresses[0]) return addresses[0].address
      throw new Error(`${host} has no address`)
    } catch (error) {
      signal?.throwIfAborted()
      throw createFetchError(url, error)
    }
  }

  /**
   * Follows no redirects. Throws `unauthorized`, `rate_limited` or `fetch_failed`, naming the host
   * only.
   */
  async fetchJson(url: URL, { headers = {}, body, signal }: JsonOptions): Promise<unknown> {
    const text = body === undefined ? undefined : JSON.stringify(body)
    return await this.#exchange(url, signal, async stop => {
      const response = await this.#send(url, { accept: 'application/json', ...headers }, stop, text)
      const answer = await readText(
        inflateBody(response, new URL(url.origin), this.#options.maxBytes),
      )
      if (response.statusCode !== 200) throw createServiceError(url, response.statusCode ?? 0)
      return JSON.parse(answer)
    })
  }

  /** Sends JSON and ignores the answer's body. Throws as `fetchJson` does. */
  async post(
    url: URL,
    { headers = {}, body, signal }: JsonOptions & { readonly body: string },
  ): Promise<{ readonly status: number; readonly retryAfter: string | undefined }> {
    return await this.#exchange(url, signal, async stop => {
      const response = await this.#send(url, headers, stop, body)
      response.destroy()
      return { status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'] }
    })
  }

  /** Follows no redirects. Read or destroy the body. Throws `fetch_failed`; so does the body. */
  async request(
    url: URL,
    { method, headers = {}, body: text, signal }: RawRequest,
  ): Promise<{ readonly status: number; readonly body: Readable }> {
    const response = await this.#exchange(
      url,
      signal,
      async stop => await this.#send(url, headers, stop, text, method),
    )
    const asFailure = (error: unknown) => createFetchError(url, error)
    const bytes = wrapErrors(inflateBody(response, url, this.#options.maxBytes), asFailure)
    const body = Readable.from(bytes, { objectMode: false }).once('close', () => response.destroy())
    return { status: response.statusCode ?? 0, body }
  }

  async #exchange<Answer>(
    url: URL,
    signal: AbortSignal | undefined,
    work: (stop: AbortSignal) => Promise<Answer>,
  ): Promise<Answer> {
    const overtime = AbortSignal.timeout(this.#options.timeMs)
    try {
      return await work(AbortSignal.any([overtime, ...(signal ? [signal] : [])]))
    } catch (error) {
      signal?.throwIfAborted()
      if (error instanceof AppError) throw error
      const options = { cause: error }
      if (error instanceof SyntaxError)
        throw new AppError(
          'fetch_failed',
          localizable`${url.host} gave an answer that is not JSON. Check its URL.`,
          options,
        )
      const reason = overtime.aborted
        ? `it took longer than ${this.#options.timeMs / 1000} s`
        : describeReason(error as Error) // node:http throws errors
      const message = localizable`${url.host} cannot be reached: ${reason}.`
      throw new AppError('fetch_failed', message, options)
    }
  }

  async #follow(url: URL, validators: Validators | undefined, signal: AbortSignal) {
    let finalUrl = url
    for (let hops = 0; hops <= this.#options.maxRedirects; hops++) {
      const response = await this.#request(finalUrl, validators, signal)
      const { location } = response.headers
      if (!REDIRECTS.has(response.statusCode) || !location) return { response, finalUrl }
      response.destroy()
      finalUrl = parseWebUrl(location, finalUrl)
    }
    throw new Error(`it redirects more than ${this.#options.maxRedirects} times`)
  }

  #request(
    url: URL,
    validators: Validators | undefined,
    signal: AbortSignal,
  ): Promise<IncomingMessage> {
    const headers = {
      accept: 'text/html, application/xhtml+xml, application/pdf, */*;q=0.8',
      ...(validators?.etag && { 'if-none-match': validators.etag }),
      ...(validators?.lastModified && { 'if-modified-since': validators.lastModified }),
    }
    return this.#send(url, headers, signal)
  }

  #send(
    url: URL,
    extraHeaders: Readonly<Record<string, string>>,
    signal: AbortSignal,
    text?: string,
    method = text === undefined ? 'GET' : 'POST',
  ) {
    const { userAgent, isAllowed = isPublicAddress } = this.#options
    refuseForbiddenHost(url, isAllowed)
    const headers = {
      'user-agent': userAgent,
      'accept-encoding': 'gzip, deflate, br',
      ...(text !== undefined && {
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(text)),
      }),
      ...extraHeaders,
    }
    const { lookup } = this
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest
    return new Promise<IncomingMessage>((answer, fail) => {
      send(url, { method, headers, signal, agent: false, lookup }, answer)
        .on('error', fail)
        .end(text)
    })
  }

  #page(
    url: URL,
    finalUrl: URL,
    response: IncomingMessage,
    asFailure: (error: unknown) => AppError,
  ): Fetched {
    const { headers } = response
    const [mediaType = ''] = (headers['content-type'] ?? '').split(';')
    const fileName = readFileName(headers['content-disposition'])
    const bytes = wrapErrors(inflateBody(response, url, this.#options.maxBytes), asFailure)
    const body = Readable.from(bytes, { objectMode: false }).once('close', () => response.destroy())
    return {
      kind: 'page',
      url: finalUrl,
      body,
      validators: readValidators(headers),
      mediaType: mediaType.trim().toLowerCase(),
      ...(fileName && { fileName }),
    }
  }
}

async function readText(bytes: AsyncIterable<Buffer>): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of bytes) parts.push(part)
  return Buffer.concat(parts).toString('utf8')
}

function createServiceError({ host }: URL, status: number): AppError {
  if (status === 401 || status === 403)
    return new AppError('unauthorized', localizable`${host} refused (${status}): check the key.`)
  if (status === TOO_MANY_REQUESTS)
    return new AppError(
      'rate_limited',
      localizable`${host} wants fewer requests (429). Try again later.`,
    )
  return new AppError('fetch_failed', localizable`${host} answered with status ${status}.`)
}

async function* wrapErrors(
  bytes: AsyncIterable<Buffer>,
  asFailure: (error: unknown) => AppError,
): AsyncGenerator<Buffer> {
  try {
    yield* bytes
  } catch (error) {
    throw asFailure(error)
  }
}

function readValidators(headers: IncomingMessage['headers']): Validators {
  const etag = limitLength(headers.etag)
  const lastModified = limitLength(headers['last-modified'])
  return {
    ...(etag !== undefined && { etag }),
    ...(lastModified !== undefined && { lastModified }),
  }
}

function limitLength(value: string | undefined): string | undefined {
  return value !== undefined && value.length <= MAX_VALIDATOR_CHARS ? value : undefined
}

/** RFC 6266. */
function readFileName(header: string | undefined): string | undefined {
  const extended = /filename\*\s*=\s*utf-8''([^;]+)/i.exec(header ?? '')?.[1]
  if (extended) return decodePercent(extended)
  return /filename\s*=\s*(?:"([^"]*)"|([^;\s]+))/i
    .exec(header ?? '')
    ?.slice(1)
    .find(Boolean)
}

function createFetchError(url: URL, error: unknown): AppError {
  if (
    error instanceof AppError &&
    error.code === 'forbidden_source' &&
    !error.message.includes(url.href)
  ) {
    return new AppError(
      error.code,
      localizable`Cannot fetch ${url.href}: ${getMessages(error).message}`,
      {
        cause: error,
        advice: error.advice,
      },
    )
  }
  if (error instanceof AppError) return error
  const reason = error instanceof Error ? describeReason(error) : String(error)
  return new AppError('fetch_failed', describeUnfetched(url, reason), { cause: error })
}

function createStatusError(url: URL, status: number): AppError {
  const code = REFUSALS.has(status) ? 'forbidden_source' : 'fetch_failed'
  return new AppError(code, describeUnfetched(url, `the server answered with status ${status}`))
}

function describeUnfetched({ href }: URL, reason: string): LocalizableMessage {
  return localizable`Cannot fetch ${href}: ${reason}. Check the address and try again; what is indexed of it stays.`
}

/** If several addresses failed, their error has no message of its own. */
function describeReason(error: Error): string {
  return (
    getReason(error) ||
    (error instanceof AggregateError ? String(error.errors[0]?.message) : error.name)
  )
}
