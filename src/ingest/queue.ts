import type { Catalog } from './catalog.ts'
import type { Chunker } from './chunker.ts'
import type { Chunking, Collection } from './collections.ts'
import { digestBytes } from './digest.ts'
import type { DocumentSettings, Documents, NewDocument, WantedDocument } from './documents.ts'
import { NO_EMBEDDER } from './embedder.ts'
import type { Files } from './files.ts'
import type { OcrMode } from './ocr/ocr.ts'
import { type Parser, parserIds } from './parser.ts'
import type { StagedBytes } from './staging.ts'
import type { Versions } from './versions.ts'

export type QueueParts = {
  readonly catalog: Catalog
  readonly files: Files
  readonly documents: Documents
  readonly versions: Versions
  readonly parsersFor: (ocr?: OcrMode) => readonly Parser[]
  readonly chunkerFor: (chunking: Chunking) => Promise<Chunker>
}

/** What is wanted of a source, and its bytes. */
export type QueueEntry = { readonly document: Omit<NewDocument, 'fileId'>; readonly staged: StagedBytes }

/** Decides whether a document has to be indexed, and queues it. */
export class Queue {
  readonly #parts: QueueParts

  constructor(parts: QueueParts) {
    this.#parts = parts
  }

  /** Queue staged bytes of a source: a new document, or new bytes for the one that is there. Gives its id. */
  want(document: Omit<NewDocument, 'fileId'>, staged: StagedBytes): string {
    return this.wantAll([{ document, staged }]).get(document.source)! // an id for each
  }

  /** All of them or none; gives the ids of the documents by source. */
  wantAll(entries: readonly QueueEntry[]): ReadonlyMap<string, string> {
    const { catalog, files, documents } = this.#parts
    return catalog.transaction(() => {
      const ids = new Map<string, string>()
      for (const { document, staged } of entries) {
        const file = files.add(staged, { name: document.name, purpose: 'assistants', uploaded: false })
        ids.set(document.source, documents.want({ ...document, fileId: file.id }))
      }
      return ids
    })
  }

  /** What is published was made of these bytes by the stages in use: indexing again would give the same. */
  async isCurrent(collection: Collection, wanted: WantedDocument, settings: DocumentSettings): Promise<boolean> {
    const published = this.#parts.versions.published(wanted.id)
    if (!published || wanted.status !== 'completed' || published.sha256 !== wanted.sha256) return false
    const ids = this.#parts.parsersFor(settings.ocr).flatMap(parserIds)
    if (!ids.includes(published.parserId)) return false
    const chunker = await this.#parts.chunkerFor(settings.chunking ?? collection.chunking)
    if (published.chunkerId !== chunker.id) return false
    const { embedderId } = collection
    return settings.withoutVectors === true || published.embedderId === (embedderId === NO_EMBEDDER ? '' : embedderId)
  }

  async isCurrentBytes(
    collection: Collection,
    source: string,
    bytes: Buffer,
    settings: DocumentSettings,
  ): Promise<boolean> {
    const known = this.#parts.documents.bySource(collection.id, source)
    if (!known || known.sha256 !== digestBytes(bytes)) return false
    return await this.isCurrent(collection, known, settings)
  }
}
