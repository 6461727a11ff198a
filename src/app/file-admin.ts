import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { AppError } from '../errors.ts'
import type { NewFile, StoredFile } from '../ingest/files.ts'
import type { Removal } from '../ingest/removal.ts'
import type { StagedBytes } from '../ingest/staging.ts'
import type { Store } from './store.ts'

/** The use cases of uploaded files. */
export class FileAdmin {
  readonly #store: Store
  readonly #removal: Removal

  constructor(store: Store, removal: Removal) {
    this.#store = store
    this.#removal = removal
  }

  /**
   * Store an upload while it arrives; nothing is left of one that breaks off. What it is called and for is asked once
   * the bytes are in: a form may say it after them.
   */
  async upload(
    bytes: Readable,
    describe: () => Promise<Pick<NewFile, 'name' | 'purpose' | 'lifetimeMs'>>,
    signal?: AbortSignal,
  ): Promise<StoredFile> {
    const { catalog, content, files } = this.#store
    const adopt = async (staged: StagedBytes) => {
      const description = await describe()
      return catalog.transaction(() => files.add(staged, { ...description, uploaded: true }))
    }
    return await content.stageStream(bytes, adopt, signal)
  }

  /** Newest first. */
  list(): readonly StoredFile[] {
    return this.#store.files.uploaded()
  }

  get(id: string): StoredFile {
    const file = this.#store.files.find(id)
    if (file) return file
    throw new AppError('not_found', `There is no file ${id}.`)
  }

  open(id: string): Readable {
    return createReadStream(this.#store.content.original(this.get(id).sha256))
  }

  /** The file, and its documents in every collection. */
  async delete(id: string): Promise<void> {
    await this.#remove(this.get(id))
  }

  /** Delete the files whose time is over. */
  async deleteExpired(): Promise<void> {
    for (const file of this.#store.files.expired()) await this.#remove(file)
  }

  async #remove({ id, sha256 }: StoredFile): Promise<void> {
    for (const document of this.#store.documents.ofFile(id)) await this.#removal.document(document.id)
    this.#store.files.remove(id)
    await this.#store.files.collectGarbage([sha256])
  }
}
