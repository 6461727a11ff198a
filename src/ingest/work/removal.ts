import { type Collection, type Collections, ownerOf } from '../catalog/collections.ts'
import type { DeletedIds, DeletionSubject, Deletions } from '../catalog/deletions.ts'
import type { Documents } from '../catalog/documents.ts'
import { type Leases, writerLease } from '../catalog/lease.ts'
import type { ReEmbeddings } from '../catalog/re-embeddings.ts'
import type { Versions } from '../catalog/versions.ts'
import type { Catalog } from '../catalog.ts'
import type { ChunkIndex } from '../chunk-index.ts'
import type { Files, StoredFile } from '../stored/files.ts'
import type { Attachments } from './attachments.ts'

type RemovalParts = {
  readonly catalog: Catalog
  readonly files: Files
  readonly collections: Collections
  readonly documents: Documents
  readonly versions: Versions
  readonly attachments: Attachments
  readonly deletions: Deletions
  readonly reEmbeddings: ReEmbeddings
  readonly leases: Leases
  readonly index: ChunkIndex
  /** Told when documents are gone, to forget what else was made of them. */
  readonly onRemoved: () => Promise<void>
}

/** For how long what is deleted may be brought back, in milliseconds; for ever gone without. */
export type RemovalOptions = { readonly keepMs?: number }

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
  async document(documentId: string, { keepMs }: RemovalOptions = {}): Promise<void> {
    const { catalog, collections, documents, attachments } = this.#parts
    const shas = catalog.transaction(() => {
      const wanted = documents.wanted(documentId)
      if (!wanted) return []
      const { collectionId, source } = wanted
      const name = collections.byId(collectionId)?.name ?? collectionId
      const subject = { kind: 'document', subjectId: documentId, name, collectionId, source } as const
      this.#keep(subject, { documents: this.#withAttached(documentId) }, keepMs)
      collections.advance(collectionId)
      return attachments.remove(documentId)
    })
    await this.#forget(shas)
  }

  /** An uploaded file, with its documents in every collection. */
  async file({ id, name, sha256 }: StoredFile, { keepMs }: RemovalOptions = {}): Promise<void> {
    const { catalog, collections, documents, attachments, files } = this.#parts
    const shas = catalog.transaction(() => {
      const own = documents.ofFile(id)
      const all = own.flatMap(document => this.#withAttached(document.id))
      this.#keep({ kind: 'file', subjectId: id, name }, { documents: all, files: [id] }, keepMs)
      for (const { collectionId } of own) collections.advance(collectionId)
      const contents = own.flatMap(document => attachments.remove(document.id))
      files.remove(id)
      return [sha256, ...contents]
    })
    await this.#forget(shas)
  }

  /** The collection with everything in it. */
  async collection({ id, name }: Collection, { keepMs }: RemovalOptions = {}): Promise<void> {
    const { catalog, collections, documents, versions, reEmbeddings, leases } = this.#parts
    const shas = catalog.transaction(() => {
      const contents = [...versions.contentsOf(id), ...documents.contentsOf(id)]
      const all = documents.list(id).map(document => document.id)
      const subject = { kind: 'collection', subjectId: id, name, collectionId: id } as const
      if (collections.byId(id)) this.#keep(subject, { documents: all }, keepMs)
      documents.removeAll(id)
      versions.forgetCollection(id)
      reEmbeddings.forget(id)
      collections.remove(id)
      return contents
    })
    const lease = leases.tryAcquire(writerLease(id))
    if (lease) await this.dropStrayTables(id).finally(() => lease.release())
    await this.#forget(shas)
  }

  /** What was deleted longer ago than it is kept, for good: bytes, parsed text, vectors, cached answers. */
  async forgetDeleted(): Promise<void> {
    const { catalog, deletions, files, onRemoved } = this.#parts
    const shas = catalog.transaction(() => deletions.expire())
    if (!shas) return
    await files.collectGarbage(shas)
    catalog.transaction(() => deletions.forgetExpired())
    await onRemoved()
  }

  /** For good, where it is not to be kept: then nothing is that was deleted of it before. */
  #keep(subject: DeletionSubject, ids: DeletedIds, keepMs: number | undefined): void {
    if (keepMs) this.#parts.deletions.keep(subject, ids, keepMs)
    else this.#parts.deletions.end(subject)
  }

  #withAttached(documentId: string): readonly string[] {
    const attached = this.#parts.documents.attachedTo(documentId)
    return [documentId, ...attached.flatMap(({ id }) => this.#withAttached(id))]
  }

  async #forget(shas: readonly string[]): Promise<void> {
    await this.#parts.files.collectGarbage([...new Set(shas)])
    await this.forgetDeleted()
    await this.#parts.onRemoved()
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
