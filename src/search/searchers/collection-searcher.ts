import { AppError } from '../../errors.ts'
import type { SearchedCollections } from '../../ingest/store/catalog/searched-collections.ts'
import type { Library, PublishedPassage } from '../../ingest/store/library.ts'
import type { QueryScope } from '../query-scope.ts'
import { type Ranked, type Ranker, titleOf } from '../rank/ranker.ts'
import type { Hit, Query, Searcher } from '../searcher.ts'

/** How often a search starts again because documents were published meanwhile. */
const MAX_REPEATS = 3
/** Passages that are ranked for each that is shown, where some may be too many of a section: what is known of them is read already. */
const SECTION_CANDIDATES = 1.5

/** Hits of one section of a document in a varied result, so that one chapter does not fill the first page of hits. */
const MAX_PER_SECTION = 2

type CollectionSearcherParts = {
  readonly collections: SearchedCollections
  readonly library: Library
  readonly scope: QueryScope
}

/** Searches collections with one ranker and reads the chunks that were found. */
export class CollectionSearcher implements Searcher {
  readonly #ranker: Ranker
  readonly #collections: SearchedCollections
  readonly #library: Library
  readonly #scope: QueryScope

  constructor(ranker: Ranker, { collections, library, scope }: CollectionSearcherParts) {
    this.#ranker = ranker
    this.#collections = collections
    this.#library = library
    this.#scope = scope
  }

  /** A publication during the search could show a document twice or not at all: then it is repeated. */
  async search(query: Query, signal?: AbortSignal): Promise<readonly Hit[]> {
    for (let repeat = 0; ; repeat++) {
      signal?.throwIfAborted()
      const before = await this.#epochs(query)
      const ranked = await this.#rank(query, signal)
      await this.#library.bring(ranked, signal)
      const passages = await this.#library.passages(ranked)
      const hits = ranked
        .map((candidate, at) => hitOf(candidate, passages[at]))
        .filter(hit => hit !== undefined)
      if ((await this.#epochs(query)) === before || repeat >= MAX_REPEATS) return hits
    }
  }

  async #rank(query: Query, signal?: AbortSignal): Promise<readonly Ranked[]> {
    try {
      return await this.#rankOnce(query, signal)
    } catch (error) {
      const mayBeOutdated = !(error instanceof AppError) || error.code === 'store_mismatch' // its files went with upkeep elsewhere
      if (!mayBeOutdated || signal?.aborted) throw error
      await this.#scope.forget(query)
      return await this.#rankOnce(query, signal)
    }
  }

  async #rankOnce(query: Query, signal?: AbortSignal): Promise<readonly Ranked[]> {
    const scoped = await this.#scope.open(query, signal)
    if (!scoped) return []
    const { limit } = query
    if (query.selection !== 'varied') return await this.#ranker.rank(scoped, limit, signal)
    const ranked = await this.#ranker.rank(scoped, Math.ceil(limit * SECTION_CANDIDATES), signal)
    return limitSections(ranked).slice(0, limit)
  }

  async #epochs({ collectionIds }: Query): Promise<string> {
    return (
      await Promise.all(
        collectionIds.map(async id => (await this.#collections.byId(id))?.epoch ?? -1),
      )
    ).join()
  }
}

/** A section is what stands under one path of headings: a document without any, or with none but its title, has no sections. */
function limitSections(ranked: readonly Ranked[]): readonly Ranked[] {
  const counts = new Map<string, number>()
  return ranked.filter(candidate => {
    const title = titleOf(candidate)
    const path = candidate.headings.filter(heading => heading !== title)
    if (path.length === 0) return true
    const section = JSON.stringify([candidate.version, ...path])
    const count = (counts.get(section) ?? 0) + 1
    counts.set(section, count)
    return count <= MAX_PER_SECTION
  })
}

/** Undefined when the document was removed since it was found. */
function hitOf(ranked: Ranked, passage: PublishedPassage | undefined): Hit | undefined {
  if (!passage?.text) return undefined
  const { document, text } = passage
  return {
    score: ranked.score,
    ...(ranked.parts && { fused: ranked.parts }),
    ...(ranked.lift !== undefined && { lift: ranked.lift }),
    weak: ranked.weak,
    ...(ranked.isListing && { isListing: ranked.isListing }),
    chunkId: ranked.chunkId,
    documentId: document.id,
    fileId: document.fileId,
    collectionId: document.collectionId,
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
