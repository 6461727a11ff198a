import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import { AppError, reasonOf } from '../../../errors.ts'

/** A bucket, and who asks. */
export type S3Place = {
  /** Of the service, as `https://s3.eu-central-1.amazonaws.com` or `http://127.0.0.1:9000`. */
  readonly url: string
  readonly bucket: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string | undefined
}

/** What a request sends: bytes in memory, or a file of so many. */
export type S3Body = { readonly sizeBytes: number; readonly sha256: string } & (
  | { readonly bytes: Buffer }
  | { readonly file: string }
)

type S3Request = {
  readonly method: 'GET' | 'PUT' | 'DELETE'
  /** Of the bucket itself where there is none. */
  readonly key?: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: S3Body
  /** Statuses that are an answer, beside 200 to 299. */
  readonly expected?: readonly number[]
}

/** Tries of a request that failed in a way that may pass, and how long the second one waits; each further one, twice as long. */
const TRIES = 5
const WAIT_MS = 100
/** A server that says nothing for so long has gone. */
const SILENCE_MS = 30_000
/** Connections at a time: more only wait for each other. */
const MAX_SOCKETS = 32
/** Most of what a server says of a refusal. */
const MAX_MESSAGE = 300

/** What may be over in a moment: the server is starting, moving or has too much to do, or (409) another puts or deletes the same key. */
const PASSING: ReadonlySet<number> = new Set([408, 409, 429, 500, 502, 503, 504])

/** Signed requests to an S3 store over connections that are kept. */
export class S3Client {
  readonly place: S3Place
  readonly #isSecure: boolean
  readonly #agent: HttpAgent | HttpsAgent
  /** Of the signer: a key a day. */
  readonly #keys = new Map<string, ArrayBuffer>()

  constructor(place: S3Place) {
    this.place = place
    this.#isSecure = place.url.startsWith('https:')
    const options = { keepAlive: true, maxSockets: MAX_SOCKETS }
    this.#agent = this.#isSecure ? new HttpsAgent(options) : new HttpAgent(options)
  }

  get name(): string {
    return `The bucket ${this.place.bucket} at ${new URL(this.place.url).host}`
  }

  /** Let go of the connections. */
  close(): void {
    this.#agent.destroy()
  }

  /** The answer, its body to be read or destroyed. Throws `store_unavailable`, and `store_mismatch` for what asking again would not change. */
  async send(request: S3Request, signal?: AbortSignal): Promise<IncomingMessage> {
    for (let tries = 1; ; tries++) {
      signal?.throwIfAborted()
      const answer = await this.#try(request, signal)
      const isFailure = answer instanceof Error
      if (!isFailure && !mayPass(answer, request)) return await this.#accepted(request, answer)
      if (tries === TRIES)
        throw isFailure ? this.#unreachable(answer) : await this.#refused(request, answer)
      if (!isFailure) answer.resume()
      await sleep(WAIT_MS * 2 ** (tries - 1) * (1 + Math.random()), undefined, { signal })
    }
  }

  /** The answer, or why there is none. */
  async #try(request: S3Request, signal?: AbortSignal): Promise<IncomingMessage | Error> {
    try {
      return await this.#once(request, signal)
    } catch (error) {
      signal?.throwIfAborted()
      if (error instanceof Error && 'code' in error && error.code !== 'ENOENT') return error // of the connection, not of our own file
      throw error
    }
  }

  async #once(request: S3Request, signal?: AbortSignal): Promise<IncomingMessage> {
    const { method, body } = request
    const signed = await this.#signed(request)
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
    sent.setTimeout(SILENCE_MS, () => sent.destroy(silence()))
    const answered = once(sent, 'response') as Promise<[IncomingMessage]> // what the event brings
    if (body && 'file' in body)
      await Promise.race([pipeline(createReadStream(body.file), sent), answered])
    else sent.end(body?.bytes)
    const [answer] = await answered
    return answer
  }

  async #signed({ method, key, query = {}, headers = {}, body }: S3Request) {
    const { url, bucket, region, accessKeyId, secretAccessKey, sessionToken } = this.place
    const path = [bucket, ...(key === undefined ? [] : key.split('/'))]
      .map(encodeURIComponent)
      .join('/')
    const target = new URL(`${url.replace(/\/+$/, '')}/${path}`)
    for (const [name, value] of Object.entries(query)) target.searchParams.set(name, value)
    const signer = new AwsV4Signer({
      ...{
        method,
        url: target.href,
        region,
        service: 's3',
        accessKeyId,
        secretAccessKey,
        cache: this.#keys,
      },
      ...(sessionToken && { sessionToken }),
      headers: { ...headers, 'x-amz-content-sha256': body?.sha256 ?? EMPTY_SHA256 },
    })
    return await signer.sign()
  }

  async #accepted(request: S3Request, answer: IncomingMessage): Promise<IncomingMessage> {
    const status = answer.statusCode!
    const isOk = (status >= 200 && status < 300) || request.expected?.includes(status)
    if (isOk) return answer
    throw await this.#refused(request, answer)
  }

  async #refused(request: S3Request, answer: IncomingMessage): Promise<AppError> {
    return this.refusal(request, answer.statusCode!, await text(answer))
  }

  /** An answer that says no, in words. */
  refusal({ method, key = '' }: S3Request, status: number, said: string): AppError {
    const [code, message] = ['Code', 'Message'].map(
      name => new RegExp(`<${name}>([^<]*)</${name}>`).exec(said)?.[1],
    )
    const reason =
      [code, message?.replace(/\.$/, '')].filter(Boolean).join(': ').slice(0, MAX_MESSAGE) ||
      `status ${status}`
    const kind = PASSING.has(status) ? 'store_unavailable' : 'store_mismatch'
    return new AppError(kind, `${this.name} refuses ${method} ${key}: ${reason}. ${wayOut(code)}`, {
      subject: 'store',
    })
  }

  #unreachable(error: Error): AppError {
    const message = `${this.name} cannot be reached: ${reasonOf(error)}. Check that it runs, and the settings s3.url and s3.bucket.`
    return new AppError('store_unavailable', message, { cause: error, subject: 'store' })
  }
}

function mayPass({ statusCode }: IncomingMessage, { expected }: S3Request): boolean {
  return PASSING.has(statusCode!) && !expected?.includes(statusCode!)
}

const EMPTY_SHA256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

function silence(): Error {
  return Object.assign(new Error(`it said nothing for ${SILENCE_MS / 1000} s`), {
    code: 'ETIMEDOUT',
  })
}

function wayOut(code: string | undefined): string {
  if (code === 'NoSuchBucket') return 'Make the bucket first, or name another by s3.bucket.'
  if (code === 'AccessDenied' || code === 'InvalidAccessKeyId' || code === 'SignatureDoesNotMatch')
    return 'Check s3.accessKeyId and s3.secretAccessKey, and that they may list, read, write and delete there.'
  if (code === 'RequestTimeTooSkewed') return 'Set the clock of this machine right, as by NTP.'
  return 'Its own records tell more.'
}
