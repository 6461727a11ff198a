import type { Collection } from '../store/catalog/collections.ts'
import type { Deletions, OnlyIf, RemovalOptions } from '../store/catalog/deletions.ts'
import { getWriterLease, type Leases } from '../store/catalog/lease.ts'
import type { ReEmbeddings } from '../store/catalog/re-embeddings.ts'
import type { ChunkIndex } from '../store/chunk-index.ts'
import type { Files, StoredFile } from '../store/contents/files.ts'

type RemovalDeps = {
  readonly files: Files
  readonly deletions: Deletions
  readonly reEmbeddings: ReEmbeddings
  readonly leases: Leases
  readonly index: ChunkIndex
  /** Drops caches of documents that are gone. */
  readonly onRemoved: () => Promise<void>
}

/** Decides in one transaction; the current writer removes rows and tables. */
export class Removal {
  readonly #deps: RemovalDeps

  constructor(deps: RemovalDeps) {
    this.#deps = deps
  }

  /** Removes attachments, too. The bytes go with their last use. */
  async removeDocument(documentId: string, options: RemovalOptions = {}): Promise<void> {
    await this.#forget(await this.#deps.deletions.deleteDocument(documentId, options))
  }

  async removeFile(
    { id, name, sha256 }: StoredFile,
    options: RemovalOptions & { readonly onlyIf?: OnlyIf } = {},
  ): Promise<void> {
    const contents = await this.#deps.deletions.deleteFile(id, name, options)
    await this.#forget([sha256, ...contents])
  }

  async removeCollection(
    { id, name }: Collection,
    options: RemovalOptions & { readonly onlyIf?: OnlyIf } = {},
  ): Promise<void> {
    const { deletions, leases } = this.#deps
    const shas = await deletions.deleteCollection(id, name, options)
    const lease = await leases.tryAcquire(getWriterLease(id))
    if (lease) await this.dropStrayTables(id).finally(() => lease.release())
    await this.#forget(shas)
  }

  /** Removes bytes, parsed text, vectors and cached answers of expired deletions. */
  async forgetDeleted(): Promise<void> {
    const { deletions, files, onRemoved } = this.#deps
    const { ids, contents } = await deletions.expire()
    if (ids.length === 0) return
    await files.collectGarbage(contents)
    await deletions.forget(ids)
    await onRemoved()
  }

  async #forget(shas: readonly string[]): Promise<void> {
    await this.#deps.files.collectGarbage([...new Set(shas)])
    await this.forgetDeleted()
    await this.#deps.onRemoved()
  }

  async listStrayTables(): Promise<readonly string[]> {
    const { reEmbeddings, index } = this.#deps
    const ids = await index.listTables() // before the catalog, which names a table before it exists
    const used = await reEmbeddings.listTables()
    return [...ids].filter(id => !used.has(id))
  }

  /** `ownCollectionId` is the caller's collection; living writers drop tables of others. */
  async dropStrayTables(ownCollectionId?: string): Promise<void> {
    const { index, leases } = this.#deps
    for (const id of await this.listStrayTables()) {
      const owner = parseCollectionId(id)
      const lease =
        owner === ownCollectionId
          ? { release: async () => {} }
          : await leases.tryAcquire(getWriterLease(owner))
      if (lease) await index.drop(id).finally(() => lease.release())
    }
  }
}

function parseCollectionId(tableId: string): string {
  return tableId.replace(/-.*/s, '')
}
