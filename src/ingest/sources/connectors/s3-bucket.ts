import { localizable } from '../../../errors/localizable.ts'
import { AppError } from '../../../errors.ts'
import { listObjects } from '../../store/blobs/s3-blobs.ts'
import type { S3Client } from '../../store/blobs/s3-client.ts'
import type { Fetched, FetchOptions, Source, SourceItem } from '../source.ts'

/** Objects of a bucket; their version is the entity tag. */
export class S3Bucket implements Source {
  readonly #client: S3Client
  readonly #prefix: string

  constructor(client: S3Client, prefix: string) {
    this.#client = client
    this.#prefix = prefix
  }

  async *list(signal?: AbortSignal): AsyncGenerator<SourceItem> {
    for await (const { key, tag, sizeBytes } of listObjects(this.#client, this.#prefix, signal)) {
      const path = key.slice(this.#prefix.length)
      if (!key.endsWith('/')) yield { path, version: tag, bytes: sizeBytes }
    }
  }

  async fetch({ path }: SourceItem, { signal }: FetchOptions): Promise<Fetched> {
    const key = this.#prefix + path
    const answer = await this.#client.send({ method: 'GET', key, expected: [404] }, signal)
    if (answer.statusCode !== 404) return { kind: 'stream', bytes: answer }
    answer.destroy()
    throw new AppError('not_found', localizable`${this.#client.name} has no ${key} any more.`)
  }

  async close(): Promise<void> {
    this.#client.close()
  }
}
