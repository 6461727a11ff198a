import path from 'node:path'
import type { Settings } from '../config.ts'
import { AppError } from '../errors.ts'
import { S3Blobs } from '../ingest/blobs/s3-blobs.ts'
import { S3Client } from '../ingest/blobs/s3-client.ts'
import { type Blobs, requireConditionalPuts } from '../ingest/blobs.ts'
import { TableBucket } from '../search/lance/table-bucket.ts'
import type { TablePlace } from '../search/lance/table-place.ts'
import type { Store } from './store.ts'

/** What a store has in an S3 store, where the settings say so. */
export class SharedStorage {
  readonly #client: S3Client
  readonly #prefix: string

  private constructor(client: S3Client, prefix: string) {
    this.#client = client
    this.#prefix = prefix
  }

  /** One that loses commits is refused, the first time that it is used. */
  static async open({ s3 }: Settings, { places }: Pick<Store, 'places'>): Promise<SharedStorage> {
    if (!s3)
      throw new AppError('invalid_input', 'Setting index.place is s3: that needs s3.url, s3.bucket and its keys.')
    const client = new S3Client(s3)
    const storage = new SharedStorage(client, `${s3.prefix}${places.storeId()}/`)
    try {
      const name = `${s3.url} ${s3.bucket} ${s3.prefix}`
      if (!places.isTried(name)) await storage.probe()
      places.noteTried(name)
      return storage
    } catch (error) {
      client.close()
      throw error
    }
  }

  get name(): string {
    return this.#client.name
  }

  /** Throws what keeps it from being used. */
  async probe(signal?: AbortSignal): Promise<void> {
    await requireConditionalPuts(this.#blobs('probe/'), `${process.pid}-${Date.now()}`, signal)
  }

  tables(home: string): TablePlace {
    return new TableBucket({
      client: this.#client,
      prefix: `${this.#prefix}index/`,
      scratch: path.join(home, 'index-scratch'),
    })
  }

  close(): void {
    this.#client.close()
  }

  #blobs(folder: string): Blobs {
    return new S3Blobs(this.#client, this.#prefix + folder)
  }
}
