import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import type { LookupFunction } from 'node:net'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import { localizable } from '../../../errors/localizable.ts'
import { AppError, getReason } from '../../../errors.ts'

export type S3Place = {
  /** For example `https://s3.eu-central-1.amazonaws.com`. */
  readonly url: string
  readonly bucket: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string
}

/** Tells errors of the store's bucket from those of a source's: name of the settings, and code. */
export type S3Owner = { readonly settings: string; readonly code?: 'fetch_failed' }

export type S3Body = { readonly sizeBytes: number; readonly sha256: string } & (
  | { readonly bytes: Buffer }
  | { readonly file: string }
)

type S3Request = {
  readonly method: 'GET' | 'PUT' | 'DELETE'
  /** Absent for a request about the bucket itself. */
  readonly key?: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: S3Body
  /** Statuses to return instead of throwing. */
  readonly expected?: readonly number[]
}

/** With waits that double, so that a restart of the server is survived. */
const TRIES = 5
const WAIT_MS = 100
/** Short, so that a vanished server is noticed. */
const SILENCE_MS = 30_000
/** Few, so that connections do not only wait for each other. */
const MAX_SOCKETS = 32
/** Bounds a server's message, so that errors stay readable. */
const MAX_MESSAGE = 300

/** Restart, move, overload, or (409) another request for the same key. */
const TEMPORARY: ReadonlySet<number> = new Set([408, 409, 429, 500, 502, 503, 504])

export class S3Client {
  readonly place: S3Place
  readonly #owner: S3Owner
  readonly #isSecure: boolean
  readonly #agent: HttpAgent | HttpsAgent
  /** Cache of the signer: one key per day. */
  readonly #keys = new Map<string, ArrayBuffer>()

  constructor(place: S3Place, owner: S3Owner = { settings: 's3' }, lookup?: LookupFunction) {
    this.place = place
    this.#owner = owner
    this.#isSecure = place.url.startsWith('https:')
    const options = { keepAlive: true, maxSockets: MAX_SOCKETS, ...(lookup && { lookup }) }
    this.#agent = this.#isSecure ? new HttpsAgent(options) : new HttpAgent(options)
  }

  get name(): string {
    return `The bucket ${this.place.bucket} at ${new URL(this.place.url).host}`
  }

  close(): void {
    this.#agent.destroy()
  }

  /**
   * Read or destroy the answer's body. Throws `store_unavailable`, or `store_mismatch` if a
   * retry cannot help.
   */
  async send(request: S3Request, signal?: AbortSignal): Promise<IncomingMessage> {
    for (let tries = 1; ; tries++) {
      signal?.throwIfAborted()
      const answer = await this.#try(request, signal)
      const isFailure = answer instanceof Error
      if (!isFailure && !isTemporaryFailure(answer, request))
        return await this.#requireExpected(request, answer)
      if (tries === TRIES)
        throw isFailure
          ? this.createUnreachableError(answer)
          : await this.#readRefusal(request, answer)
      if (!isFailure) answer.resume()
      await sleep(WAIT_MS * 2 ** (tries - 1) * (1 + Math.random()), undefined, { signal })
    }
  }

  async #try(request: S3Request, signal?: AbortSignal): Promise<IncomingMessage | Error> {
    try {
      return await this.#sendOnce(request, signal)
    } catch (error) {
      signal?.throwIfAborted()
      if (error instanceof Error && 'code' in error && error.code !== 'ENOENT') return error
      throw error
    }
  }

  async #sendOnce(request: S3Request, signal?: AbortSignal): Promise<IncomingMessage> {
    const { method, body } = request
    const signed = await this.#sign(request)
    const headers = {
      ...Object.fromEntries(signed.headers),
      'content-length': String(body?.sizeBytes ?? 0),
    }
    const send = this.#isSecure ? httpsRequest : httpRequest
    const sent = send(signed.url, {
      method,
      headers,
      agent: this.#agent,
      ...(signal && { signal }),
    })
    sent.setTimeout(SILENCE_MS, () => sent.destroy(createSilenceError(SILENCE_MS)))
    const answered = once(sent, 'response') as Promise<[IncomingMessage]> // what the event brings
    if (body && 'file' in body)
      await Promise.race([pipeline(createReadStream(body.file), sent), answered])
    else sent.end(body?.bytes)
    const [answer] = await answered
    return answer
  }

  async #sign({ method, key, query = {}, headers = {}, body }: S3Request) {
    const { url, bucket, region, accessKeyId, secretAccessKey, sessionToken } = this.place
    const path = [bucket, ...(key === undefined ? [] : key.split('/'))]
      .map(encodeURIComponent)
      .join('/')
    const target = new URL(`${url.replace(/\/+$/, '')}/${path}`)
    for (const [name, value] of Object.entries(query)) target.searchParams.set(name, value)
    const signer = new AwsV4Signer({
      method,
      url: target.href,
      region,
      service: 's3',
      accessKeyId,
      secretAccessKey,
      cache: this.#keys,
      ...(sessionToken && { sessionToken }),
      headers: { ...headers, 'x-amz-content-sha256': body?.sha256 ?? EMPTY_SHA256 },
    })
    return await signer.sign()
  }

  async #requireExpected(request: S3Request, answer: IncomingMessage): Promise<IncomingMessage> {
    const { statusCode: status = 0 } = answer
    const isOk = (status >= 200 && status < 300) || request.expected?.includes(status)
    if (isOk) return answer
    throw await this.#readRefusal(request, answer)
  }

  async #readRefusal(request: S3Request, answer: IncomingMessage): Promise<AppError> {
    return this.createRefusal(request, answer.statusCode ?? 0, await text(answer))
  }

  createRefusal({ method, key = '' }: S3Request, status: number, body: string): AppError {
    const [code, message] = ['Code', 'Message'].map(
      name => new RegExp(`<${name}>([^<]*)</${name}>`).exec(body)?.[1],
    )
    const reason =
      [code, message?.replace(/\.$/, '')].filter(Boolean).join(': ').slice(0, MAX_MESSAGE) ||
      `status ${status}`
    const { settings, code: ownCode } = this.#owner
    const ownKind = ownCode && status === 403 && key !== '' ? 'unauthorized' : ownCode
    const kind = ownKind ?? (TEMPORARY.has(status) ? 'store_unavailable' : 'store_mismatch')
    return new AppError(
      kind,
      localizable`${this.name} refuses ${method} ${key}: ${reason}. ${getAdvice(code, settings)}`,
      ownCode ? {} : { subject: 'store' },
    )
  }

  createUnreachableError(error: Error): AppError {
    const { settings, code } = this.#owner
    const message = localizable`${this.name} cannot be reached: ${getReason(error)}. Check that it runs, and the settings ${settings}.url and ${settings}.bucket.`
    const options = { cause: error, ...(!code && { subject: 'store' as const }) }
    return new AppError(code ?? 'store_unavailable', message, options)
  }
}

function isTemporaryFailure({ statusCode = 0 }: IncomingMessage, { expected }: S3Request): boolean {
  return TEMPORARY.has(statusCode) && !expected?.includes(statusCode)
}

const EMPTY_SHA256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

export function createSilenceError(waitMs: number): Error {
  return Object.assign(new Error(`it did not answer for ${waitMs / 1000} s`), {
    code: 'ETIMEDOUT',
  })
}

function getAdvice(code: string | undefined, settings: string): string {
  if (code === 'NoSuchBucket')
    return `Create the bucket first, or set ${settings}.bucket to another one.`
  if (code === 'AccessDenied' || code === 'InvalidAccessKeyId' || code === 'SignatureDoesNotMatch')
    return `Check ${settings}.accessKeyId and ${settings}.secretAccessKey, and that they may list, read, write and delete there.`
  if (code === 'RequestTimeTooSkewed')
    return 'Correct the clock of this machine, for example with NTP.'
  return 'Its log has the details.'
}
