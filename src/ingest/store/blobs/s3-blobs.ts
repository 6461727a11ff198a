import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { AppError } from '../../../errors.ts'
import { hashBytes, hashFile } from '../../../system/digest.ts'
import type { BlobEntry, Blobs, GetOptions } from '../blobs.ts'
import type { S3Body, S3Client } from './s3-client.ts'

/** Answer to a conditional put whose key exists (RFC 9110). */
const PRECONDITION_FAILED = 412
/** One request per key, since not every store can remove a list. */
const REMOVALS_AT_ONCE = 16

export class S3Blobs implements Blobs {
  readonly #client: S3Client
  readonly #prefix: string

  /** `prefix` is empty or ends with a slash. */
  constructor(client: S3Client, prefix: string) {
    this.#client = client
    this.#prefix = prefix
  }

  get name(): string {
    return this.#client.name
  }

  /** Sends the digest, so that the store refuses other bytes. */
  async put(key: string, from: Buffer | string, signal?: AbortSignal): Promise<boolean> {
    const body = await createBody(from, signal)
    const request = {
      method: 'PUT',
      key: this.#prefix + key,
      body,
      expected: [PRECONDITION_FAILED],
    } as const
    const answer = await this.#client.send(
      { ...request, headers: { 'if-none-match': '*' } },
      signal,
    )
    answer.resume()
    return answer.statusCode !== PRECONDITION_FAILED
  }

  async get(key: string, { range, signal }: GetOptions = {}): Promise<Readable | undefined> {
    if (range?.end !== undefined && range.end <= range.start) return Readable.from([])
    const headers = range && {
      range: `bytes=${range.start}-${range.end === undefined ? '' : range.end - 1}`,
    }
    const request = { method: 'GET', key: this.#prefix + key, expected: [404, 416] } as const
    const answer = await this.#client.send({ ...request, ...(headers && { headers }) }, signal)
    if (answer.statusCode === 200 || answer.statusCode === 206) return answer
    const body = await text(answer)
    if (answer.statusCode === 404 && body.includes('NoSuchBucket'))
      throw this.#client.createRefusal(request, 404, body)
    return answer.statusCode === 416 ? Readable.from([]) : undefined
  }

  async *list(prefix: string, signal?: AbortSignal): AsyncGenerator<BlobEntry> {
    for await (const object of listObjects(this.#client, this.#prefix + prefix, signal))
      yield { key: object.key.slice(this.#prefix.length), sizeBytes: object.sizeBytes }
  }

  async remove(keys: readonly string[]): Promise<void> {
    for (let start = 0; start < keys.length; start += REMOVALS_AT_ONCE) {
      const some = keys.slice(start, start + REMOVALS_AT_ONCE)
      await Promise.all(some.map(key => this.#remove(key)))
    }
  }

  async #remove(key: string): Promise<void> {
    const answer = await this.#client.send({
      method: 'DELETE',
      key: this.#prefix + key,
      expected: [404],
    })
    answer.resume()
  }
}

/** `tag` changes with the bytes (the ETag of RFC 9110). */
export async function* listObjects(
  client: S3Client,
  prefix: string,
  signal?: AbortSignal,
): AsyncGenerator<BlobEntry & { readonly tag: string }> {
  let next: string | undefined
  do {
    const query: Record<string, string> = { 'list-type': '2', 'encoding-type': 'url', prefix }
    if (next !== undefined) query['continuation-token'] = next
    const page = await text(await client.send({ method: 'GET', query }, signal))
    if (!page.includes('</ListBucketResult>')) throw createBrokenListError(client)
    for (const [, entry = ''] of page.matchAll(/<Contents>(.*?)<\/Contents>/gs)) {
      const key = decodeURIComponent(readElement(entry, 'Key').replaceAll('+', ' '))
      const tag = readElement(entry, 'ETag')
      yield { key, tag, sizeBytes: Number(readElement(entry, 'Size')) }
    }
    const last = next
    next =
      readElement(page, 'IsTruncated') === 'true'
        ? decodeEntities(readElement(page, 'NextContinuationToken'))
        : undefined
    if (next === '' || (next !== undefined && next === last)) throw createBrokenListError(client)
  } while (next !== undefined)
}

function createBrokenListError(client: S3Client): AppError {
  return client.createUnreachableError(new Error('its list of objects has no end'))
}

async function createBody(from: Buffer | string, signal?: AbortSignal): Promise<S3Body> {
  if (typeof from !== 'string')
    return { bytes: from, sizeBytes: from.length, sha256: hashBytes(from) }
  const { size } = await stat(from)
  return { file: from, sizeBytes: size, sha256: await hashFile(from, signal) }
}

function readElement(xml: string, name: string): string {
  return new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1] ?? ''
}

function decodeEntities(value: string): string {
  const named: Readonly<Record<string, string>> = {
    lt: '<',
    gt: '>',
    quot: '"',
    apos: "'",
    amp: '&',
  }
  return value.replace(/&(?:#(\d+)|(\w+));/g, (_, code, name) =>
    code ? String.fromCodePoint(Number(code)) : (named[name] ?? ''),
  )
}
