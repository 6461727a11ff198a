import type { Collection } from '../store/catalog/collections.ts'
import type { Deletions, OnlyIf, RemovalOptions } from '../store/catalog/deletions.ts'
import { type Leases, writerLease } from '../store/catalog/lease.ts'
import type { ReEmbeddings } from '../store/catalog/re-embeddings.ts'
import type { ChunkIndex } from '../store/chunk-index.ts'
import type { Files, StoredFile } from '../store/contents/files.ts'

type RemovalParts = {
  readonly files: Files
  readonly deletions: Deletions
  readonly reEmbeddings: ReEmbeddings
  readonly leases: Leases
  readonly index: ChunkIndex
  /** Told when documents are gone, to forget what else was made of them. */
  readonly onRemoved: () => Promise<void>
}

/**
 * Takes documents and collections out of a store. One step of the catalog decides, whoever else is at work; rows and tables go
 * under the writer's lease, which a writer that holds it now does at its end.
 */
export class Removal {
  readonly #parts: RemovalParts

  constructor(parts: RemovalParts) {
    this.#parts = parts
  }

  /** Out of search at once, with all that is attached to it, its bytes gone with their last use. A writer that is at work on it publishes nothing. */
  async document(documentId: string, options: RemovalOptions = {}): Promise<void> {
    await this.#forget(await this.#parts.deletions.document(documentId, options))
  }

  /** An uploaded file, with its documents in every collection. */
  async file(
    { id, name, sha256 }: StoredFile,
    options: RemovalOptions & { readonly onlyIf?: OnlyIf } = {},
  ): Promise<void> {
    const contents = await this.#parts.deletions.file(id, name, options)
    await this.#forget([sha256, ...contents])
  }

  /** The collection with everything in it. */
  async collection({ id, name }: Collection, options: RemovalOptions = {}): Promise<void> {
    const { deletions, leases } = this.#parts
    const shas = await deletions.collection(id, name, options)
    const lease = await leases.tryAcquire(writerLease(id))
    if (lease) await this.dropStrayTables(id).finally(() => lease.release())
    await this.#forget(shas)
  }

  /** What was deleted longer ago than it is kept, for good: bytes, parsed text, vectors, cached answers. */
  async forgetDeleted(): Promise<void> {
    const { deletions, files, onRemoved } = this.#parts
    const { ids, contents } = await deletions.expire()
    if (ids.length === 0) return
    await files.collectGarbage(contents)
    await deletions.forget(ids)
    await onRemoved()
  }

  async #forget(shas: readonly string[]): Promise<void> {
    await this.#parts.files.collectGarbage([...new Set(shas)])
    await this.forgetDeleted()
    await this.#parts.onRemoved()
  }

  /** Tables of no collection: what used them is gone or has another, and its writer was killed, or this process was. */
  async strayTables(): Promise<readonly string[]> {
    const { reEmbeddings, index } = this.#parts
    const ids = await index.tables() // first: the catalog names a table before it is there
    const used = await reEmbeddings.tables()
    return [...ids].filter(id => !used.has(id))
  }

  /** For the writer of the collection `held`, if of any. Whoever may write to one of the others now drops it at the end. */
  async dropStrayTables(held?: string): Promise<void> {
    const { index, leases } = this.#parts
    for (const id of await this.strayTables()) {
      const owner = ownerOf(id)
      const lease =
        owner === held ? { release: async () => {} } : await leases.tryAcquire(writerLease(owner))
      if (lease) await index.drop(id).finally(() => lease.release())
    }
  }
}

/** The collection that a table is, or was, of. */
function ownerOf(tableId: string): string {
  return tableId.split('-', 1)[0]! // the whole where there is none
}
