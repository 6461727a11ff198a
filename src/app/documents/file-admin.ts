import type { Readable } from 'node:stream'
import { localizable } from '../../errors/localizable.ts'
import { AppError } from '../../errors.ts'
import type { ByteRange } from '../../ingest/store/blobs.ts'
import type { OnlyIf, RemovalOptions } from '../../ingest/store/catalog/deletions.ts'
import type { NewFile, StoredFile } from '../../ingest/store/contents/files.ts'
import type { StagedBytes } from '../../ingest/store/contents/staging.ts'
import type { Ingest } from '../../ingest/work/ingest.ts'
import type { Removal } from '../../ingest/work/removal.ts'
import type { Store } from '../stores/store.ts'
import type { DeleteOptions, Retention } from './collection-admin.ts'

export class FileAdmin {
  readonly #store: Store
  readonly #removal: Removal
  readonly #ingest: Pick<Ingest, 'cleanUp'>
  readonly #retention: Retention

  constructor(
    store: Store,
    {
      removal,
      ingest,
      retention,
    }: { removal: Removal; ingest: Pick<Ingest, 'cleanUp'>; retention: Retention },
  ) {
    this.#store = store
    this.#removal = removal
    this.#ingest = ingest
    this.#retention = retention
  }

  /**
   * Stores bytes as they arrive; an interrupted upload leaves nothing. Calls `describe` after
   * them: a form may send fields last.
   */
  async upload(
    bytes: Readable,
    describe: () => Promise<Pick<NewFile, 'name' | 'purpose' | 'lifetimeMs' | 'declaredType'>>,
    signal?: AbortSignal,
  ): Promise<StoredFile> {
    const { content, files } = this.#store
    const addFile = async (staged: StagedBytes) => {
      const description = await describe()
      return await files.add(staged, description)
    }
    return await content.stageStream(bytes, addFile, signal)
  }

  async list(): Promise<readonly StoredFile[]> {
    return await this.#store.files.listUploaded()
  }

  async findByIds(ids: readonly string[]): Promise<ReadonlyMap<string, StoredFile>> {
    if (ids.length === 0) return new Map()
    return new Map((await this.#store.files.findAll(ids)).map(file => [file.id, file]))
  }

  async get(id: string): Promise<StoredFile> {
    const file = await this.#store.files.find(id)
    if (file) return file
    throw new AppError('not_found', localizable`There is no file ${id}.`, { about: id })
  }

  async read(id: string, range?: ByteRange, signal?: AbortSignal): Promise<Readable> {
    return await this.#store.content.read((await this.get(id)).sha256, range, signal)
  }

  async getPath(id: string): Promise<string> {
    const { content } = this.#store
    const { sha256 } = await this.get(id)
    await content.download(sha256, 'original')
    return content.getOriginalPath(sha256)
  }

  async delete(id: string, options: DeleteOptions = {}): Promise<void> {
    await this.#remove([await this.get(id)], this.#retention(options))
  }

  /** Deletes permanently if the condition holds in the same transaction. */
  async deleteIf(file: StoredFile, onlyIf: OnlyIf): Promise<void> {
    await this.#remove([file], { onlyIf })
  }

  async deleteExpired(): Promise<void> {
    await this.#remove(await this.#store.files.listExpired(), {})
  }

  async #remove(
    removed: readonly StoredFile[],
    options: RemovalOptions & { readonly onlyIf?: OnlyIf },
  ): Promise<void> {
    const { documents, collections } = this.#store
    const touched = new Set<string>()
    for (const file of removed) {
      for (const { collectionId } of await documents.listByFile(file.id)) touched.add(collectionId)
      await this.#removal.removeFile(file, options)
    }
    for (const collection of await collections.listAll())
      if (touched.has(collection.id)) await this.#ingest.cleanUp(collection)
  }
}
