import { type LoadOptions, loadSettings } from '../config.ts'
import type { Warning } from '../ingest/parse/parser.ts'
import type { Reason } from '../search/reasons.ts'
import type { Hit } from '../search/searcher.ts'
import { noteUse } from './documents/collection-use.ts'
import { openTokenCounter } from './embedding.ts'
import type { ModelContext } from './model-context.ts'
import {
  closeSearchStore,
  type OpenSearch,
  type OpenSearchOptions,
  openSearchStore,
} from './open-search.ts'
import { SearchDocuments, type SearchOptions } from './searching/search-documents.ts'

/** Open a store to search it and nothing else. What indexes and answers is not loaded: that takes longer than a search. */
export async function openToSearch(options: LoadOptions & OpenSearchOptions): Promise<SearchOnly> {
  return new SearchOnly(await openSearchStore(await loadSettings(options), options))
}

/** The use cases of searching a store. */
export class SearchOnly {
  readonly #deps: OpenSearch
  readonly #searchDocuments: SearchDocuments

  constructor(deps: OpenSearch) {
    const { collections, documents } = deps.store
    this.#deps = deps
    this.#searchDocuments = new SearchDocuments(
      documents,
      deps.searching,
      async one => await noteUse(collections, one),
    )
  }

  search(options: SearchOptions): Promise<readonly Hit[]> {
    return this.#searchDocuments.run(options)
  }

  /** What about a search is hardly meant as it is said. */
  async warnings(
    options: Pick<SearchOptions, 'filter' | 'collections' | 'mode'>,
  ): Promise<readonly Warning[]> {
    return await this.#searchDocuments.warnings(options)
  }

  /** Why a document, by id, source or base name, is or is not among the hits of a search. */
  why(document: string, options: SearchOptions): Promise<Reason> {
    return this.#searchDocuments.why(document, options)
  }

  /** Hits as text for a model, in at most so many tokens of the embedder's vocabulary. */
  async context(hits: readonly Hit[], maxTokens: number): Promise<ModelContext> {
    const { modelContext } = await import('./model-context.ts')
    return modelContext(hits, maxTokens, await openTokenCounter(this.#deps.settings))
  }

  async close(): Promise<void> {
    await closeSearchStore(this.#deps)
  }
}
