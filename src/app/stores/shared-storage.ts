import path from 'node:path'
import type { Settings } from '../../config.ts'
import { localizable } from '../../errors/localizable.ts'
import { AppError } from '../../errors.ts'
import { S3Blobs } from '../../ingest/store/blobs/s3-blobs.ts'
import { createSilenceError, S3Client } from '../../ingest/store/blobs/s3-client.ts'
import { type Blobs, requireConditionalPuts } from '../../ingest/store/blobs.ts'
import { Copies } from '../../ingest/store/contents/copies.ts'
import { discardPlace, SharedContents } from '../../ingest/store/contents/shared-contents.ts'
import { TableBucket } from '../../search/lance/table-bucket.ts'
import type { TablePlace } from '../../search/lance/table-place.ts'
import type { Store } from './store.ts'

const MARK = 'store'

export class SharedStorage {
  readonly #client: S3Client
  readonly #prefix: string
  readonly #place: string

  private constructor(client: S3Client, prefix: string, place: string) {
    this.#client = client
    this.#prefix = prefix
    this.#place = place
  }

  static async create({ s3, index }: Settings, { places }: Store): Promise<SharedStorage> {
    if (!s3) {
      const place = index.place === 's3' ? 'index.place' : 'content.place'
      throw new AppError(
        'invalid_input',
        localizable`Setting ${place} is s3: that needs s3.url, s3.bucket and its keys.`,
      )
    }
    const name = `${s3.url} ${s3.bucket} ${s3.prefix}`
    return new SharedStorage(new S3Client(s3), `${s3.prefix}${await places.storeId()}/`, name)
  }

  /** Refuses, once per place, an S3 store that loses conditional writes or is another store's. */
  async require({ places, catalog }: Store): Promise<void> {
    if (await places.isTried(this.#place)) return
    await this.probe()
    await this.#mark((await catalog.get('SELECT 1 FROM shared_contents LIMIT 1')) !== undefined)
    await places.noteTried(this.#place)
  }

  get name(): string {
    return this.#client.name
  }

  async probe(waitMs?: number): Promise<void> {
    const signal = waitMs === undefined ? undefined : AbortSignal.timeout(waitMs)
    const key = `${process.pid}-${Date.now()}`
    try {
      await requireConditionalPuts(this.#openBlobs('probe/'), key, signal)
    } catch (error) {
      if (waitMs === undefined || !signal?.aborted) throw error
      throw this.#client.createUnreachableError(createSilenceError(waitMs))
    }
  }

  async #mark(hasContents: boolean): Promise<void> {
    const isNew = await this.#openBlobs('').put(MARK, Buffer.from(''))
    if (!isNew || !hasContents) return
    await this.#openBlobs('').remove([MARK])
    const message = localizable`${this.name} does not contain the contents of this store. Set s3.url, s3.bucket and s3.prefix as they were.`
    throw new AppError('store_mismatch', message, { subject: 'store' })
  }

  openTables(home: string): TablePlace {
    return new TableBucket({
      client: this.#client,
      prefix: `${this.#prefix}index/`,
      scratch: path.join(home, 'index-scratch'),
    })
  }

  share({ catalog, content, uploads }: Store, cacheBytes: number): void {
    const blobs = this.#openBlobs('content/')
    const getFolder = (sha256: string) => content.getFolder(sha256)
    const shared: SharedContents = new SharedContents({
      catalog,
      folderOf: getFolder,
      blobs,
      copies: new Copies({
        maxBytes: cacheBytes,
        list: async () =>
          (await content.list()).map(sha256 => ({ sha256, folder: getFolder(sha256) })),
        isElsewhere: async sha256 => await shared.isNamed(sha256),
        trash: () => content.createTrashName(),
      }),
    })
    content.share(shared)
    uploads.share({
      blobs,
      discard: discardPlace,
      emptyTrash: async () => await shared.emptyTrash(),
    })
  }

  close(): void {
    this.#client.close()
  }

  #openBlobs(folder: string): Blobs {
    return new S3Blobs(this.#client, this.#prefix + folder)
  }
}
