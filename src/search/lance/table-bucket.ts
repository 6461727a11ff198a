import path from 'node:path'
import { S3Blobs } from '../../ingest/store/blobs/s3-blobs.ts'
import type { S3Client } from '../../ingest/store/blobs/s3-client.ts'
import { makePrivateFolder } from '../../system/disk.ts'
import type { TablePlace } from './table-place.ts'

/**
 * Unindexed vectors that start indexing, so that queries stay cheap: 4,000 chunks cost 6 MiB
 * and half as much CPU again.
 */
const INDEXED_VECTORS = 256

type TableBucketOptions = {
  readonly client: S3Client
  /** Ends with a slash. */
  readonly prefix: string
  readonly scratch: string
}

/** Tables shared by machines. LanceDB removes files of killed processes after seven days. */
export class TableBucket implements TablePlace {
  readonly uri: string
  readonly storageOptions: Readonly<Record<string, string>>
  readonly environment: Readonly<Record<string, string>>
  readonly indexedVectors = INDEXED_VECTORS
  readonly #blobs: S3Blobs
  readonly #scratch: string
  readonly #made = new Set<string>()

  constructor({ client, prefix, scratch }: TableBucketOptions) {
    const { url, bucket, region, accessKeyId, secretAccessKey, sessionToken } = client.place
    this.uri = `s3://${bucket}/${prefix.replace(/\/$/, '')}`
    this.storageOptions = {
      aws_endpoint: url,
      aws_region: region,
      aws_access_key_id: accessKeyId,
      aws_secret_access_key: secretAccessKey,
      ...(sessionToken && { aws_session_token: sessionToken }),
      allow_http: String(url.startsWith('http:')),
    }
    this.environment = Object.fromEntries(
      Object.entries(this.storageOptions).map(([name, value]) => [
        `${/^aws/.test(name) ? '' : 'aws_'}${name}`.toUpperCase(),
        value,
      ]),
    )
    this.#blobs = new S3Blobs(client, prefix)
    this.#scratch = scratch
  }

  findFolder(): undefined {
    return undefined
  }

  chooseScratchFolder(name: string): string {
    return path.join(this.#scratch, name)
  }

  async prepare(): Promise<void> {
    await makePrivateFolder(this.#scratch)
  }

  async wasMade(name: string): Promise<boolean> {
    if (this.#made.has(name)) return true
    for (const part of ['_versions/', 'data/']) {
      for await (const _ of this.#blobs.list(`${name}.lance/${part}`)) {
        this.#made.add(name)
        return true
      }
    }
    return false
  }

  async removeHalfMade(name: string): Promise<void> {
    this.#made.delete(name)
    const keys: string[] = []
    for await (const { key } of this.#blobs.list(`${name}.lance/`)) keys.push(key)
    await this.#blobs.remove(keys)
  }
}
