import { AppError } from '../errors.ts'
import type { Collections } from '../ingest/collections.ts'
import type { Library } from '../ingest/library.ts'
import type { FilteredVersions } from './filtered-versions.ts'
import type { Indexes } from './index-reader.ts'
import { byScore, type Ranked, type Ranker } from './ranker.ts'
import type { Hit, Query, Searcher } from './searcher.ts'

/** How often a search starts again because documents were published meanwhile. */
const MAX_REPEATS = 3

type Place = { readonly collectionId: string; readonly ranked: Ranked }

export type CollectionSearcherParts = {
  readonly collections: Collections
  readonly library: Library
  readonly filtered: FilteredVersions
  readonly indexes: Indexes
}

/** Searches collections with one ranker and reads the chunks that were found. */
export class CollectionSearcher implements Searcher {
  readonly #ranker: Ranker
  readonly #collections: Collections
  readonly #library: Library
  readonly #filtered: FilteredVersions
  readonly #indexes: Indexes

  constructor(ranker: Ranker, { collections, library, filtered, indexes }: CollectionSearcherParts) {
    this.#ranker = ranker
    this.#collections = collections
    this.#library = library
    this.#filtered = filtered
    this.#indexes = indexes
  }

  /** A publication during the search could show a document twice or not at all: then it is repeated. */
  async search(query: Query, signal?: AbortSignal): Promise<readonly Hit[]> {
    for (let repeat = 0; ; repeat++) {
      signal?.throwIfAborted()
      const before = this.#epochs(query)
      const places = await Promise.all(query.collectionIds.map(id => this.#rank(id, query, signal)))
      const best = places
        .flat()
        .toSorted((a, b) => byScore(a.ranked, b.ranked))
        .slice(0, query.limit)
      const hits = await Promise.all(best.map(place => this.#hit(place)))
      if (this.#epochs(query) === before || repeat >= MAX_REPEATS) return hits.filter(hit => hit !== undefined)
    }
  }

  async #rank(collectionId: string, query: Query, signal?: AbortSignal): Promise<readonly Place[]> {
    try {
      return await this.#rankOnce(collectionId, query, signal)
    } catch (error) {
      if (error instanceof AppError || signal?.aborted) throw error
      this.#indexes.forget(collectionId) // another process may have dropped the table, or made it anew
      return await this.#rankOnce(collectionId, query, signal)
    }
  }

  async #rankOnce(collectionId: string, query: Query, signal?: AbortSignal): Promise<readonly Place[]> {
    const index = await this.#indexes.open(collectionId)
    if (!index) return []
    const only = { versions: this.#allowed(collectionId, query), pages: query.pages }
    const asked = { text: query.text, collectionId, index, only }
    const ranked = await this.#ranker.rank(asked, query.limit, signal)
    return ranked.map(candidate => ({ collectionId, ranked: candidate }))
  }

  /** The versions that the query may find, ascending; undefined when it may find all. */
  #allowed(collectionId: string, { documentIds, filter }: Query): readonly number[] | undefined {
    const filtered = filter && this.#filtered.of(collectionId, filter)
    if (!documentIds) return filtered
    const named = this.#library.versionsOf(documentIds).toSorted((a, b) => a - b)
    if (!filtered) return named
    const passing = new Set(filtered)
    return named.filter(version => passing.has(version))
  }

  /** Undefined when the document was removed since it was found. */
  async #hit({ collectionId, ranked }: Place): Promise<Hit | undefined> {
    const text = await this.#library.readVersion(ranked.version, ranked.charStart, ranked.charEnd)
    const document = text && this.#library.findByVersion(ranked.version)
    if (!document) return undefined
    return {
      score: ranked.score,
      weak: ranked.weak,
      chunkId: ranked.chunkId,
      documentId: document.id,
      collectionId,
      source: document.source,
      name: document.name,
      title: document.title,
      ...(ranked.pages && { pages: ranked.pages }),
      headings: ranked.headings,
      charStart: ranked.charStart,
      charEnd: ranked.charEnd,
      text,
      context: ranked.context,
      tokens: ranked.tokens,
      attributes: document.attributes,
    }
  }

  #epochs({ collectionIds }: Query): string {
    return collectionIds.map(id => this.#collections.byId(id)?.epoch ?? -1).join()
  }
}
