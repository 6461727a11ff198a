import { type LoadOptions, loadSettings } from '../config.ts'
import type { Warning } from '../ingest/parse/parser.ts'
import type { Reason } from '../search/reasons.ts'
import type { Hit } from '../search/searcher.ts'
import { noteUse } from './documents/collection-use.ts'
import { openTokenCounter } from './embedding.ts'
import type { ModelContext } from './model-context.ts'
import {
  closeSearchStore,
  type OpenedStore,
  type OpenSearchOptions,
  openSearchStore,
} from './open-search.ts'
import { SearchDocuments, type SearchOptions } from './searching/search-documents.ts'

/** Loads neither indexing nor answering, which takes longer than a search. */
export async function openToSearch(options: LoadOptions & OpenSearchOptions): Promise<SearchOnly> {
  return new SearchOnly(await openSearchStore(await loadSettings(options), options))
}

export class SearchOnly {
  readonly #deps: OpenedStore
  readonly #searchDocuments: SearchDocuments

  constructor(deps: OpenedStore) {
    const { collections, documents } = deps.store
    this.#deps = deps
    this.#searchDocuments = new SearchDocuments(
      documents,
      deps.searching,
      async collection => await noteUse(collections, collection),
    )
  }

  search(options: SearchOptions): Promise<readonly Hit[]> {
    return this.#searchDocuments.run(options)
  }

  async listWarnings(
    options: Pick<SearchOptions, 'filter' | 'collections' | 'mode'>,
  ): Promise<readonly Warning[]> {
    return await this.#searchDocuments.listWarnings(options)
  }

  explainDocument(document: string, options: SearchOptions): Promise<Reason> {
    return this.#searchDocuments.explainDocument(document, options)
  }

  async packContext(hits: readonly Hit[], maxTokens: number): Promise<ModelContext> {
    const { buildModelContext: modelContext } = await import('./model-context.ts')
    return modelContext(hits, maxTokens, await openTokenCounter(this.#deps.settings))
  }

  async close(): Promise<void> {
    await closeSearchStore(this.#deps)
  }
}
