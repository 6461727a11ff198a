import type { Embedder } from '../ingest/embedder.ts'
import { Analyzer } from '../search/analyzer.ts'
import { CollectionSearcher } from '../search/collection-searcher.ts'
import { FrontPageRanker } from '../search/front-page.ts'
import { HybridRanker } from '../search/hybrid.ts'
import { KeywordRanker } from '../search/keyword.ts'
import { indexId, LanceIndex } from '../search/lance-index.ts'
import { LanceReader } from '../search/lance-reader.ts'
import { LanceTables } from '../search/lance-tables.ts'
import { LanguageMeans, type MeanPriors } from '../search/language-means.ts'
import { PublishedReader } from '../search/published-reader.ts'
import type { Ranker } from '../search/ranker.ts'
import type { Searcher } from '../search/searcher.ts'
import { VectorRanker } from '../search/vector.ts'
import type { Store } from './store.ts'

export const SEARCH_MODES = ['hybrid', 'keyword', 'vector', 'front-page'] as const
export type SearchMode = (typeof SEARCH_MODES)[number]

/** The index of a store and the searchers over it. */
export type Searching = {
  readonly tables: LanceTables
  readonly index: LanceIndex
  readonly searchers: Readonly<Record<SearchMode, Searcher>>
}

export function openSearching(store: Store, embedder: Embedder, priors: MeanPriors): Searching {
  const analyzer = new Analyzer()
  const tables = new LanceTables(store.home, indexId(analyzer))
  const means = new LanguageMeans(store.catalog, priors)
  const reader = new PublishedReader(new LanceReader(tables), store.versions)
  const keyword = new KeywordRanker(reader, analyzer)
  const vector = new VectorRanker(reader, embedder, means)
  const hybrid = new HybridRanker(keyword, vector)
  const frontPage = new FrontPageRanker(reader, hybrid)
  const searcher = (ranker: Ranker) => new CollectionSearcher(ranker, store.collections, store.library)
  return {
    tables,
    index: new LanceIndex(tables, analyzer, means),
    searchers: {
      hybrid: searcher(hybrid),
      keyword: searcher(keyword),
      vector: searcher(vector),
      'front-page': searcher(frontPage),
    },
  }
}
