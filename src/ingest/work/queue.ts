import { digestBytes } from '../../system/digest.ts'
import type { Chunker, Chunking } from '../chunk/chunker.ts'
import { type OcrMode, type Parser, parserIds } from '../parse/parser.ts'
import { type Collection, NO_EMBEDDER } from '../store/catalog/collections.ts'
import {
  type DocumentSettings,
  type Documents,
  documentBySource,
  type NewDocument,
  type WantedDocument,
  wantDocument,
} from '../store/catalog/documents.ts'
import type { Versions } from '../store/catalog/versions.ts'
import type { Statements } from '../store/catalog.ts'
import type { ContentStore } from '../store/contents/content.ts'
import { addFile } from '../store/contents/files.ts'
import type { StagedBytes } from '../store/contents/staging.ts'

type QueueParts = {
  readonly catalog: Statements
  readonly content: ContentStore
  readonly documents: Documents
  readonly versions: Versions
  readonly parsersFor: (ocr?: OcrMode) => readonly Parser[]
  readonly chunkerFor: (chunking: Chunking) => Promise<Chunker>
}

/** The document of a source; `isKnown` when somebody else has wanted just that since it was looked up. */
export type Queued = { readonly id: string; readonly isKnown: boolean }

/** What is wanted of a source, and its bytes. */
export type QueueEntry = {
  readonly document: Omit<NewDocument, 'fileId'>
  readonly staged: StagedBytes
  /** The revision that was seen of its document, where it was looked up: undefined for none. */
  readonly seen?: { readonly revision: number | undefined } | undefined
}

/** Decides whether a document has to be indexed, and queues it. */
export class Queue {
  readonly #parts: QueueParts

  constructor(parts: QueueParts) {
    this.#parts = parts
  }

  /** Queue staged bytes of a source: a new document, or new bytes for the one that is there. Gives its id. */
  async want(document: Omit<NewDocument, 'fileId'>, staged: StagedBytes): Promise<string> {
    return (await this.wantAll([{ document, staged }])).get(document.source)!.id // one for each
  }

  /** All of them or none; gives what became of them by source. */
  async wantAll(entries: readonly QueueEntry[]): Promise<ReadonlyMap<string, Queued>> {
    const { catalog, content } = this.#parts
    return await catalog.transaction(async inside => {
      const queued = new Map<string, Queued>()
      for (const entry of entries) {
        const { document, staged } = entry
        const known = await this.#wantedSince(inside, entry)
        if (known) {
          queued.set(document.source, { id: known, isKnown: true })
          continue
        }
        const file = await addFile({ catalog: inside, content }, staged, {
          name: document.name,
          purpose: 'assistants',
          uploaded: false,
        })
        const id = await wantDocument(inside, { ...document, fileId: file.id })
        queued.set(document.source, { id, isKnown: false })
      }
      content.settleSync()
      return queued
    })
  }

  /** Two who compare the same folder at once want the same: that is one piece of work. */
  async #wantedSince(
    inside: Statements,
    { document, staged, seen }: QueueEntry,
  ): Promise<string | undefined> {
    const { collectionId, source, settings } = document
    const known = seen && (await documentBySource(inside, collectionId, source))
    if (!known || known.revision === seen.revision || known.sha256 !== staged.sha256)
      return undefined
    return JSON.stringify(known.settings) === JSON.stringify(settings) ? known.id : undefined
  }

  /** What is published was made of these bytes by the stages in use: indexing again would give the same. */
  async isCurrent(
    collection: Collection,
    wanted: WantedDocument,
    settings: DocumentSettings,
  ): Promise<boolean> {
    const published = await this.#parts.versions.published(wanted.id)
    if (!published || wanted.status !== 'completed' || published.sha256 !== wanted.sha256)
      return false
    const ids = this.#parts.parsersFor(settings.ocr).flatMap(parserIds)
    if (!ids.includes(published.parserId)) return false
    const chunker = await this.#parts.chunkerFor(settings.chunking ?? collection.chunking)
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
    const known = await this.#parts.documents.bySource(collection.id, source)
    if (!known || known.sha256 !== digestBytes(bytes)) return false
    return await this.isCurrent(collection, known, settings)
  }
}
