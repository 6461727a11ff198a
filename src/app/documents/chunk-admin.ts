import type { Document } from '../../ingest/store/catalog/document.ts'
import type { Library } from '../../ingest/store/library.ts'
import type { ChunkPageJson } from '../../wire/document.ts'
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

type ChunkAdminDeps = {
  readonly library: Library
  readonly scope: Scope
  readonly collections: Pick<CollectionAdmin, 'list'>
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
    for await (const chunk of this.#deps.library.chunks(document.id, signal)) {
      if (chunk.ordinal < after) continue
      if (chunks.length >= maxChunks || characters > MAX_CHARS)
        return { chunks, hasMore: true, last: after + chunks.length }
      const { ordinal: _, links: __, ...shown } = chunk
      chunks.push(shown)
      characters += chunk.text.length + chunk.context.length
    }
    return { chunks, hasMore: false }
  }

  async #find(reference: Document | string): Promise<Document> {
    if (typeof reference !== 'string') return reference
    const { scope, collections } = this.#deps
    return await scope.findDocument(reference, await collections.list())
  }
}
