import { localizable } from '../../errors/localizable.ts'
import { AppError } from '../../errors.ts'
import {
  type ChunkChange,
  type ChunkEdit,
  ChunkEditMatcher,
} from '../../ingest/chunk/chunk-edits.ts'
import type { Document } from '../../ingest/store/catalog/document.ts'
import { type Documents, MAX_CHUNK_EDITS } from '../../ingest/store/catalog/documents.ts'
import type { Library } from '../../ingest/store/library.ts'
import type { ChunkEditsJson, ChunkJson, ChunkPageJson } from '../../wire/document.ts'
import type { BackgroundIngest } from '../background.ts'
import type { CollectionAdmin } from './collection-admin.ts'
import type { Scope } from './scope.ts'

/** Keeps one page below 1 MiB: a chunk and its context have some 4,000 characters. */
export const MAX_LISTED_CHUNKS = 200
const MAX_CHARS = 200_000

type ListOptions = {
  /** Number of chunks to skip. */
  readonly after?: number | undefined
  /** At most 200, which is the default. */
  readonly limit?: number | undefined
  readonly signal?: AbortSignal | undefined
}

/** Keeps the edits of a document small, since each of its versions reads them. */
export const MAX_NOTE_CHARS = 1_000

type ChunkAdminDeps = {
  readonly library: Library
  readonly scope: Scope
  readonly documents: Pick<Documents, 'editChunk'>
  readonly collections: Pick<CollectionAdmin, 'list' | 'get'>
  readonly background: Pick<BackgroundIngest, 'start'>
}

export class ChunkAdmin {
  readonly #deps: ChunkAdminDeps

  constructor(deps: ChunkAdminDeps) {
    this.#deps = deps
  }

  /** Lists the indexed chunks in order. Throws `not_found` for a document without text. */
  async list(
    reference: Document | string,
    { after = 0, limit = MAX_LISTED_CHUNKS, signal }: ListOptions = {},
  ): Promise<ChunkPageJson> {
    const maxChunks = Math.min(limit, MAX_LISTED_CHUNKS)
    const document = await this.#find(reference)
    const chunks: ChunkPageJson['chunks'][number][] = []
    let characters = 0
    for await (const chunk of this.#deps.library.readChunks(document.id, signal)) {
      if (chunk.ordinal < after) continue
      if (chunks.length >= maxChunks || characters > MAX_CHARS)
        return { chunks, hasMore: true, last: after + chunks.length }
      const { ordinal: _, links: __, ...shown } = chunk
      chunks.push(shown)
      characters += chunk.text.length + chunk.context.length
    }
    return { chunks, hasMore: false }
  }

  /**
   * Switches a chunk off or on, or sets its note; an empty note removes it. Search changes when the
   * document is indexed again, from stored parts. Throws `not_found`.
   */
  async update(
    reference: Document | string,
    chunkId: string,
    { isExcluded, note }: ChunkChange,
    signal?: AbortSignal,
  ): Promise<ChunkJson> {
    if (note !== undefined && note.length > MAX_NOTE_CHARS)
      throw new AppError(
        'invalid_input',
        localizable`A note has at most ${MAX_NOTE_CHARS} characters.`,
      )
    const document = await this.#find(reference)
    const { library, documents, collections, background } = this.#deps
    const places = new ChunkEditMatcher([])
    for await (const chunk of library.readChunks(document.id, signal)) {
      const place = places.locate(chunk.text)
      if (chunk.id !== chunkId) continue
      const change = { isExcluded, note: note?.trim() }
      const gone = await this.#listGone(document.id, signal)
      const edit = await documents.editChunk(document.id, place, { change, gone })
      background.start(await collections.get(document.collectionId))
      const { ordinal: _, links: __, isExcluded: ___, note: ____, ...rest } = chunk
      return {
        ...rest,
        ...(edit.isExcluded && { isExcluded: true }),
        ...(edit.note && { note: edit.note }),
      }
    }
    throw new AppError('not_found', localizable`${document.name} has no chunk ${chunkId}.`, {
      about: chunkId,
      advice: 'passim show NAME --chunks lists the chunks of a document.',
    })
  }

  /** Returns undefined if no chunk was changed. */
  async countEdits(documentId: string): Promise<ChunkEditsJson | undefined> {
    const { library } = this.#deps
    const edits = await library.listChunkEdits(documentId)
    if (edits.length === 0) return undefined
    const counts = { excluded: 0, notes: 0, unmatched: edits.length }
    for await (const { isExcluded, note } of library.readChunks(documentId)) {
      if (isExcluded) counts.excluded++
      if (note) counts.notes++
      if (isExcluded || note) counts.unmatched--
    }
    return counts
  }

  /** Returns the edits whose text is gone, if there are so many edits that they need room. */
  async #listGone(documentId: string, signal?: AbortSignal): Promise<readonly ChunkEdit[]> {
    const { library } = this.#deps
    const edits = await library.listChunkEdits(documentId)
    if (edits.length < MAX_CHUNK_EDITS) return []
    const gone = new Set(edits)
    const matcher = new ChunkEditMatcher(edits)
    for await (const { text } of library.readChunks(documentId, signal)) {
      const edit = matcher.match(text)
      if (edit) gone.delete(edit)
    }
    return [...gone]
  }

  async #find(reference: Document | string): Promise<Document> {
    if (typeof reference !== 'string') return reference
    const { scope, collections } = this.#deps
    return await scope.findDocument(reference, await collections.list())
  }
}
