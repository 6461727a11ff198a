import { hashBytes } from '../../system/digest.ts'
import type { Chunker, Chunking } from '../chunk/chunker.ts'
import { listParserIds, type OcrMode, type Parser } from '../parse/parser.ts'
import { type Collection, NO_EMBEDDER } from '../store/catalog/collections.ts'
import type { DocumentSettings } from '../store/catalog/document.ts'
import {
  type Documents,
  findDocumentBySource,
  type RequestedDocument,
} from '../store/catalog/documents.ts'
import { adoptAttributes, type Move } from '../store/catalog/moved-documents.ts'
import { type NewDocument, queueDocument } from '../store/catalog/queued-documents.ts'
import type { Versions } from '../store/catalog/versions.ts'
import type { Statements } from '../store/catalog.ts'
import type { ContentStore } from '../store/contents/content.ts'
import { addFile } from '../store/contents/files.ts'
import type { StagedBytes } from '../store/contents/staging.ts'

type QueueDeps = {
  readonly catalog: Statements
  readonly content: ContentStore
  readonly documents: Documents
  readonly versions: Versions
  readonly listParsers: (ocr?: OcrMode) => readonly Parser[]
  readonly createChunker: (chunking: Chunking) => Promise<Chunker>
}

/** `isAlreadyQueued`: another process has queued the same since the look-up. */
export type Queued = { readonly id: string; readonly isAlreadyQueued: boolean }

export type QueueEntry = {
  readonly document: Omit<NewDocument, 'fileId'>
  readonly staged: StagedBytes
  /** Stated by the sender. */
  readonly declaredType?: string | undefined
  /** Revision at its look-up, undefined if there was none. Absent without a look-up. */
  readonly seen?: { readonly revision: number | undefined } | undefined
  readonly move?: Move | undefined
}

/** Adds documents to the queue in the catalog; `WorkQueue` hands them out. */
export class Queue {
  readonly #deps: QueueDeps

  constructor(deps: QueueDeps) {
    this.#deps = deps
  }

  async add(
    document: Omit<NewDocument, 'fileId'>,
    staged: StagedBytes,
    declaredType?: string,
  ): Promise<string> {
    const { catalog } = this.#deps
    return await catalog.transaction(async inside => {
      const { id } = await this.#queueEntry(inside, { document, staged, declaredType })
      this.#deps.content.flushRenames()
      return id
    })
  }

  async addAll(entries: readonly QueueEntry[]): Promise<ReadonlyMap<string, Queued>> {
    const { catalog, content } = this.#deps
    return await catalog.transaction(async inside => {
      const queued = new Map<string, Queued>()
      for (const entry of entries) {
        const added = await this.#queueEntry(inside, entry)
        if (entry.move) await adoptAttributes(inside, added.id, entry.move)
        queued.set(entry.document.source, added)
      }
      content.flushRenames()
      return queued
    })
  }

  async #queueEntry(inside: Statements, entry: QueueEntry): Promise<Queued> {
    const { document, staged, declaredType } = entry
    const existingId = await this.#findQueuedSince(inside, entry)
    if (existingId) return { id: existingId, isAlreadyQueued: true }
    const file = await addFile({ catalog: inside, content: this.#deps.content }, staged, {
      name: document.name,
      purpose: 'assistants',
      uploaded: false,
      declaredType,
    })
    const id = await queueDocument(inside, { ...document, fileId: file.id })
    return { id, isAlreadyQueued: false }
  }

  async #findQueuedSince(
    inside: Statements,
    { document, staged, seen }: QueueEntry,
  ): Promise<string | undefined> {
    const { collectionId, source, settings } = document
    const existing = seen && (await findDocumentBySource(inside, collectionId, source))
    if (!existing || existing.revision === seen.revision || existing.sha256 !== staged.sha256)
      return undefined
    return JSON.stringify(existing.settings) === JSON.stringify(settings) ? existing.id : undefined
  }

  /** Returns whether the current stages made the published version of these bytes. */
  async isCurrent(
    collection: Collection,
    requested: RequestedDocument,
    settings: DocumentSettings,
  ): Promise<boolean> {
    const published = await this.#deps.versions.findPublished(requested.id)
    if (!published || requested.status !== 'completed' || published.sha256 !== requested.sha256)
      return false
    const ids = this.#deps.listParsers(settings.ocr).flatMap(listParserIds)
    if (!ids.includes(published.parserId)) return false
    const chunker = await this.#deps.createChunker(settings.chunking ?? collection.chunking)
    if (published.chunkerId !== chunker.id) return false
    const { embedderId } = collection
    return (
      settings.withoutVectors === true ||
      published.embedderId === (embedderId === NO_EMBEDDER ? '' : embedderId)
    )
  }

  async isCurrentBytes(
    collection: Collection,
    source: string,
    bytes: Buffer,
    settings: DocumentSettings,
  ): Promise<boolean> {
    const existing = await this.#deps.documents.findBySource(collection.id, source)
    if (!existing || existing.sha256 !== hashBytes(bytes)) return false
    return await this.isCurrent(collection, existing, settings)
  }
}
