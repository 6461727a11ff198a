import type { Catalog } from './catalog.ts'
import type { ChunkIndex } from './chunk-index.ts'
import type { Collection, Collections } from './collections.ts'
import type { Documents } from './documents.ts'
import type { Files } from './files.ts'
import type { Versions } from './versions.ts'

export type RemovalParts = {
  readonly catalog: Catalog
  readonly files: Files
  readonly collections: Collections
  readonly documents: Documents
  readonly versions: Versions
  readonly index: ChunkIndex
}

/** Takes documents and collections out of a store. Needs no lease: one transaction decides, upkeep removes the rows. */
export class Removal {
  readonly #parts: RemovalParts

  constructor(parts: RemovalParts) {
    this.#parts = parts
  }

  /** Out of search at once, its bytes gone with their last use. A writer that is at work on it publishes nothing. */
  async document(documentId: string): Promise<void> {
    const { catalog, collections, documents, versions, files } = this.#parts
    const shas = catalog.transaction(() => {
      const wanted = documents.wanted(documentId)
      const published = versions.published(documentId)
      versions.retireDocument(documentId)
      documents.remove(documentId)
      if (wanted) collections.advance(wanted.collectionId)
      return [wanted?.sha256, published?.sha256].filter(sha256 => sha256 !== undefined)
    })
    await files.collectGarbage([...new Set(shas)])
  }

  /** The collection with everything in it. */
  async collection({ id }: Collection): Promise<void> {
    const { catalog, collections, documents, versions, files, index } = this.#parts
    const shas = catalog.transaction(() => {
      const contents = [...versions.contentsOf(id), ...documents.contentsOf(id)]
      documents.removeAll(id)
      versions.forgetCollection(id)
      collections.remove(id)
      return contents
    })
    await index.drop(id)
    await files.collectGarbage([...new Set(shas)])
  }
}
