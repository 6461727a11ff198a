import type { Attachments } from '../catalog/attachments.ts'
import { type Collection, type Collections, ownerOf } from '../catalog/collections.ts'
import type { Documents } from '../catalog/documents.ts'
import type { Files } from '../catalog/files.ts'
import type { Versions } from '../catalog/versions.ts'
import type { Catalog } from '../catalog.ts'
import type { ChunkIndex } from '../chunk-index.ts'
import type { ReEmbeddings } from '../re-embedding/re-embeddings.ts'
import { type Leases, writerLease } from './lease.ts'

export type RemovalParts = {
  readonly catalog: Catalog
  readonly files: Files
  readonly collections: Collections
  readonly documents: Documents
  readonly versions: Versions
  readonly attachments: Attachments
  readonly reEmbeddings: ReEmbeddings
  readonly leases: Leases
  readonly index: ChunkIndex
  /** Told when documents are gone, to forget what else was made of them. */
  readonly onRemoved: () => Promise<void>
}

/**
 * Takes documents and collections out of a store. One transaction decides, whoever else is at work; rows and tables go
 * under the writer's lease, which a writer that holds it now does at its end.
 */
export class Removal {
  readonly #parts: RemovalParts

  constructor(parts: RemovalParts) {
    this.#parts = parts
  }

  /** Out of search at once, with all that is attached to it, its bytes gone with their last use. A writer that is at work on it publishes nothing. */
  async document(documentId: string): Promise<void> {
    const { catalog, collections, documents, attachments, files, onRemoved } = this.#parts
    const shas = catalog.transaction(() => {
      const wanted = documents.wanted(documentId)
      if (wanted) collections.advance(wanted.collectionId)
      return attachments.remove(documentId)
    })
    await files.collectGarbage([...new Set(shas)])
    await onRemoved()
  }

  /** The collection with everything in it. */
  async collection({ id }: Collection): Promise<void> {
    const { catalog, collections, documents, versions, reEmbeddings, files, leases, onRemoved } = this.#parts
    const shas = catalog.transaction(() => {
      const contents = [...versions.contentsOf(id), ...documents.contentsOf(id)]
      documents.removeAll(id)
      versions.forgetCollection(id)
      reEmbeddings.forget(id)
      collections.remove(id)
      return contents
    })
    const lease = leases.tryAcquire(writerLease(id))
    if (lease) await this.dropStrayTables(id).finally(() => lease.release())
    await files.collectGarbage([...new Set(shas)])
    await onRemoved()
  }

  /** Tables of no collection: what used them is gone or has another, and its writer was killed, or this process was. */
  async strayTables(): Promise<readonly string[]> {
    const { collections, reEmbeddings, index } = this.#parts
    const ids = await index.tables() // first: the catalog names a table before it is there
    const used = new Set([...collections.all().map(({ tableId }) => tableId), ...reEmbeddings.openTables()])
    return [...ids].filter(id => !used.has(id))
  }

  /** For the writer of the collection `held`, if of any. Whoever may write to one of the others now drops it at the end. */
  async dropStrayTables(held?: string): Promise<void> {
    const { index, leases } = this.#parts
    for (const id of await this.strayTables()) {
      const owner = ownerOf(id)
      const lease = owner === held ? { release() {} } : leases.tryAcquire(writerLease(owner))
      if (lease) await index.drop(id).finally(() => lease.release())
    }
  }
}
