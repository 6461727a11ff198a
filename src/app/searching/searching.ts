import { totalmem } from 'node:os'
import type { Settings } from '../../config.ts'
import type { IndexEngine } from '../../ingest/store/catalog/collections.ts'
import type { UnfinishedCount } from '../../ingest/store/catalog/document-counts.ts'
import { SearchedCollections } from '../../ingest/store/catalog/searched-collections.ts'
import { UntilWritten } from '../../ingest/store/catalog/until-written.ts'
import type { ChunkIndex } from '../../ingest/store/chunk-index.ts'
import { Confidence } from '../../search/confidence.ts'
import { DamageIndex } from '../../search/damage-index.ts'
import { EngineIndex, EngineIndexes } from '../../search/engine-index.ts'
import { Explainer } from '../../search/explanation.ts'
import { FilteredVersions } from '../../search/filtered-versions.ts'
import { IndexCache } from '../../search/lance/index-cache.ts'
import { indexId, LanceIndex } from '../../search/lance/lance-index.ts'
import { LanceIndexes } from '../../search/lance/lance-indexes.ts'
import { LanceTables } from '../../search/lance/lance-tables.ts'
import type { TablePlace } from '../../search/lance/table-place.ts'
import { LanguageMeans, type MeanPriors } from '../../search/language-means.ts'
import { QueryScope } from '../../search/query-scope.ts'
import { FeedbackRanker } from '../../search/rank/feedback.ts'
import { FrontPageRanker } from '../../search/rank/front-page.ts'
import { HybridRanker } from '../../search/rank/hybrid.ts'
import { KeywordLeg } from '../../search/rank/keyword.ts'
import { LegRanker, type Ranker, type WordLeg } from '../../search/rank/ranker.ts'
import { TranslatedLeg } from '../../search/rank/translated-leg.ts'
import { VectorLeg, type VectorModel, type VectorModelOf } from '../../search/rank/vector.ts'
import { type TextOf, WordedRanker } from '../../search/rank/worded-ranker.ts'
import { PublishedIndexes } from '../../search/readers/published-reader.ts'
import { Reasons } from '../../search/reasons.ts'
import type { Reranker } from '../../search/reranker.ts'
import { ConfidenceReranker } from '../../search/rerankers/confidence-reranker.ts'
import { SentenceReranker } from '../../search/rerankers/sentence-reranker.ts'
import { SentenceVectors } from '../../search/rerankers/sentence-vectors.ts'
import type { HybridWeights, Searcher } from '../../search/searcher.ts'
import { CollectionSearcher } from '../../search/searchers/collection-searcher.ts'
import {
  ConfidentSearcher,
  type ConfidentSearcherParts,
} from '../../search/searchers/confident-searcher.ts'
import { ForegroundSearcher } from '../../search/searchers/foreground-searcher.ts'
import { ListingsLastSearcher } from '../../search/searchers/listings-last-searcher.ts'
import { RerankedSearcher, type RerankOptions } from '../../search/searchers/reranked-searcher.ts'
import { WeakLastSearcher } from '../../search/searchers/weak-last-searcher.ts'
import { TermRarity } from '../../search/term-rarity.ts'
import { Translation } from '../../search/translation.ts'
import type { Foreground } from '../../system/foreground.ts'
import { Analyzer } from '../../text/analyzer.ts'
import type { Embedders } from '../embedders.ts'
import { openDictionaries } from '../lexicon.ts'
import type { Store } from '../stores/store.ts'
import { ToldSearcher } from '../work.ts'
import { readPriors } from './priors.ts'
import type { ConfiguredReranker } from './reranking.ts'
import { SEARCH_MODES, type SearchMode } from './search-modes.ts'
import type { openWeaviate } from './weaviate.ts'

/**
 * What precise search adds: at most 10 hits of 8 pieces, of documents never asked about 15 times the CPU of hybrid search. Fitted on
 * one half of the queries of four sets; cosines of the shipped model that differ by less than .05 are ties as often as not.
 */
const PRECISE: RerankOptions = { depth: 10, weight: 0.3, leastRange: 0.05 }

/** The index of a store and the searchers over it. */
export type Searching = {
  readonly tables: LanceTables
  readonly index: ChunkIndex
  /** What the index of a collection may lie in here. */
  readonly engines: readonly IndexEngine[]
  readonly searchers: Readonly<Record<SearchMode, Searcher>>
  /** The same, their best hits put in order by the configured reranker, or else by their best sentences. */
  readonly preciseSearchers: Readonly<Record<SearchMode, Searcher>>
  readonly sentenceVectors: SentenceVectors
  readonly lookup: SearchedCollections
  /** What waits in collections, by their ids. */
  readonly pending: UntilWritten<string, UnfinishedCount>
  /** The mean vectors of the languages, for a model that ships with them. */
  readonly priors: MeanPriors
  readonly explainer: Explainer
  readonly reasons: Reasons
  readonly filtered: FilteredVersions
  /** Scores texts outside of documents, by the configured reranker or the confidence of their best sentences. */
  readonly textReranker: Reranker
}

type SearchingOptions = {
  /** Looks closer in place of sentence vectors. */
  readonly reranker?: ConfiguredReranker | undefined
  readonly weights?: HybridWeights | undefined
  /** Where the index lies. */
  readonly place: TablePlace
  readonly indexCache: IndexCache
  /** Where the settings say where it is. */
  readonly weaviate: ReturnType<typeof openWeaviate> | undefined
  /** Searches run before what else it knows of. */
  readonly foreground: Foreground
  /** A table of more rows is brought in order by a process of its own. */
  readonly upkeepProcessRows?: number
  /** What that may take. */
  readonly upkeepMemoryBytes?: number
  /** Of the word index of such a table, in bytes of words. */
  readonly partitionBytes?: number | undefined
}

/** Choose and open what searches a store. */
export function openSearching(
  store: Store,
  embedders: Embedders,
  priors: MeanPriors,
  { reranker: configured, weights, ...indexing }: SearchingOptions,
): Searching {
  const { foreground } = indexing
  const analyzer = new Analyzer()
  const means = new LanguageMeans(store.catalog)
  const embedder = embedders.configured
  const rarity = new TermRarity(store.catalog)
  const confidence = new Confidence(analyzer, priors)
  const keyword = keywordLeg(analyzer, rarity)
  const vector = new VectorLeg(vectorModels(embedders, priors), means)
  const hybrid = new HybridRanker(keyword, vector, { weights })
  const sentenceVectors = new SentenceVectors(embedder, id =>
    store.library.pieceVectors(id, embedder.id),
  )
  const sentences = new SentenceReranker(embedder, sentenceVectors)
  const { reranker, options } = configured ?? { reranker: sentences, options: PRECISE }
  const { tables, index, engines, ...opened } = openIndexes(
    store,
    { analyzer, means, rarity },
    indexing,
  )
  const indexes = new PublishedIndexes(opened.indexes, store.versions)
  const filtered = new FilteredVersions(store.catalog, store.documents)
  const searched = {
    collections: new SearchedCollections(store.catalog, store.collections),
    library: store.library,
  }
  const scope = new QueryScope({ ...searched, indexes, filtered })
  const judging = { confidence, rarity, ...searched }
  const searcher = (mode: SearchMode, ranker: Ranker) => {
    const found = new CollectionSearcher(new WordedRanker(ranker, analyzer, textIn(store)), {
      ...searched,
      scope,
    })
    const inOrder =
      mode === 'front-page' ? found : new ListingsLastSearcher(judgeHits(mode, found, judging))
    return new ToldSearcher(new ForegroundSearcher(inOrder, foreground), mode)
  }
  const explained = { library: store.library, scope, analyzer, keyword, vector }
  const searchers = {
    hybrid: searcher('hybrid', new FeedbackRanker(hybrid, vector, weights)),
    keyword: searcher('keyword', new LegRanker(keyword)),
    vector: searcher('vector', new LegRanker(vector)),
    'front-page': searcher('front-page', new FrontPageRanker(hybrid)),
  }
  const precise = (mode: SearchMode) => {
    const reranked = new RerankedSearcher(searchers[mode], reranker, options)
    const bySentence = { ...judging, sentences: { reader: sentences, depth: options.depth } }
    const judged = configured ? reranked : judgeHits(mode, reranked, bySentence)
    return new ToldSearcher(new ForegroundSearcher(judged, foreground), `${mode} precise`)
  }
  return {
    tables,
    index,
    engines,
    searchers,
    preciseSearchers: ofEachMode(precise),
    sentenceVectors,
    lookup: searched.collections,
    pending: new UntilWritten(store.catalog),
    priors,
    filtered,
    explainer: new Explainer(explained),
    reasons: new Reasons(explained),
    textReranker: configured?.reranker ?? new ConfidenceReranker(sentences, confidence),
  }
}

/** Adds a confidence to hits, except those of front pages. In hybrid search, weak hits go last. */
function judgeHits(mode: SearchMode, found: Searcher, judging: ConfidentSearcherParts): Searcher {
  if (mode === 'front-page') return found
  const judged = new ConfidentSearcher(found, judging)
  return mode === 'hybrid' ? new WeakLastSearcher(judged) : judged
}

type Statistics = {
  readonly analyzer: Analyzer
  readonly means: LanguageMeans
  readonly rarity: TermRarity
}

/** Both sides of the index, in each engine that is set up. */
function openIndexes(
  { catalog }: Store,
  { analyzer, means, rarity }: Statistics,
  {
    place,
    indexCache,
    weaviate: openIn,
    ...writing
  }: Omit<SearchingOptions, 'reranker' | 'weights'>,
) {
  const state = async () => await catalog.state()
  const tables = new LanceTables(place, indexId(analyzer), indexCache)
  const lance = new LanceIndex(tables, analyzer, [means, rarity], writing)
  const { foreground } = writing
  const weaviate = openIn?.({ analyzer, state, foreground, statistics: { means, rarity } })
  const engines: readonly IndexEngine[] = weaviate ? ['lance', 'weaviate'] : ['lance']
  return {
    tables,
    engines,
    index: new DamageIndex(new EngineIndex({ lance, weaviate: weaviate?.index })),
    indexes: new EngineIndexes({
      lance: new LanceIndexes(tables, state),
      weaviate: weaviate?.indexes,
    }),
  }
}

function textIn({ library }: Store): TextOf {
  return async (candidate, signal) => {
    await library.bring([candidate], signal)
    return (await library.passage(candidate))?.text
  }
}

function ofEachMode(make: (mode: SearchMode) => Searcher): Readonly<Record<SearchMode, Searcher>> {
  return Object.fromEntries(SEARCH_MODES.map(mode => [mode, make(mode)])) as Record<
    SearchMode,
    Searcher
  > // every one
}

function keywordLeg(analyzer: Analyzer, rarity: TermRarity): WordLeg {
  const translation = new Translation(analyzer, openDictionaries())
  return new TranslatedLeg(new KeywordLeg(analyzer, rarity), translation, rarity)
}

/** `priors` are those of the configured model. */
function vectorModels(embedders: Embedders, priors: MeanPriors): VectorModelOf {
  const models = new Map<string, Promise<VectorModel>>()
  const { configured } = embedders
  models.set(configured.id, Promise.resolve({ embedder: configured, priors }))
  return async (collection, signal) => {
    const known = models.get(collection.embedderId)
    if (known) return await known
    const embedder = await embedders.of(collection, signal)
    if (!embedder) return undefined
    const model = readPriors(embedder).then(own => ({ embedder, priors: own }))
    models.set(embedder.id, model)
    model.catch(() => models.delete(embedder.id)) // whoever asks next tries again
    return await model
  }
}

/** Of the memory that this process may take. */
const CACHE_SHARE = 1 / 4

/** As large as the settings say. An index that does not fit is read again by every question. */
export function openIndexCache({ searching }: Pick<Settings, 'searching'>): IndexCache {
  return new IndexCache(searching.cacheBytes ?? defaultCacheBytes())
}

export function defaultCacheBytes(): number {
  return Math.floor(machineBytes() * CACHE_SHARE)
}

/** Upkeep of a large table runs beside what indexes and what serves. */
const UPKEEP_SHARE = 1 / 8

export function upkeepMemoryBytes({ upkeep }: Pick<Settings, 'upkeep'>): number {
  return upkeep.memoryBytes ?? Math.floor(machineBytes() * UPKEEP_SHARE)
}

/** Of a container's limit where there is one. */
function machineBytes(): number {
  return Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)
}
