import type { Embedder } from '../../ingest/embed/embedder.ts'
import type { IndexEngine } from '../../ingest/store/catalog/collections.ts'
import type { UnfinishedCount } from '../../ingest/store/catalog/document-counts.ts'
import { CollectionCache } from '../../ingest/store/catalog/searched-collections.ts'
import { CatalogCache } from '../../ingest/store/catalog/until-written.ts'
import type { Catalog } from '../../ingest/store/catalog.ts'
import type { ChunkIndex } from '../../ingest/store/chunk-index.ts'
import { Confidence } from '../../search/confidence.ts'
import { Corrections } from '../../search/corrections/corrections.ts'
import type { ExplanationDeps } from '../../search/explanation.ts'
import { FilteredVersions } from '../../search/filtered-versions.ts'
import type { LanceTables } from '../../search/lance/lance-tables.ts'
import { VisibleTables } from '../../search/lance/visible-tables.ts'
import { LanguageMeans, type MeanPriors } from '../../search/language-means.ts'
import { openPipeline } from '../../search/pipeline.ts'
import { QueryScope } from '../../search/query-scope.ts'
import { FeedbackRanker } from '../../search/rank/feedback.ts'
import { rankFrontPages } from '../../search/rank/front-page.ts'
import { HybridRanker } from '../../search/rank/hybrid.ts'
import { KeywordLeg } from '../../search/rank/keyword.ts'
import { type Ranker, rankByLeg, type WordLeg } from '../../search/rank/ranker.ts'
import { SynonymLeg } from '../../search/rank/synonym-leg.ts'
import { TranslatedLeg } from '../../search/rank/translated-leg.ts'
import { VectorLeg, type VectorModel, type VectorModelOf } from '../../search/rank/vector.ts'
import { type TextOf, WordedRanker } from '../../search/rank/worded-ranker.ts'
import { PublishedIndexes } from '../../search/readers/published-reader.ts'
import type { Reranker } from '../../search/reranker.ts'
import { ConfidenceReranker } from '../../search/rerankers/confidence-reranker.ts'
import { SentenceReranker } from '../../search/rerankers/sentence-reranker.ts'
import { SentenceVectors } from '../../search/rerankers/sentence-vectors.ts'
import type { HybridWeights, Searcher, SearchMode } from '../../search/searcher.ts'
import type { RerankOptions } from '../../search/stages/rerank.ts'
import { Synonyms } from '../../search/synonyms/synonyms.ts'
import { TermRarity } from '../../search/term-rarity.ts'
import { Translation } from '../../search/translation.ts'
import { Analyzer } from '../../text/analyzer.ts'
import type { Embedders } from '../embedders.ts'
import { openDictionaries, openLexicon } from '../lexicon.ts'
import type { Store } from '../stores/store.ts'
import { publishHits, traceStages } from '../tracing.ts'
import { type IndexesDeps, openIndexes } from './open-indexes.ts'
import { readPriors, readQueryMeans } from './priors.ts'
import type { ConfiguredReranker } from './reranking.ts'

/** Fitted on half of four sets, 2026-11-27; cosines closer than .05 are ties. */
const PRECISE: RerankOptions = { depth: 10, weight: 0.3, minRange: 0.05 }

export type Searching = {
  readonly tables: LanceTables
  readonly index: ChunkIndex
  readonly engines: readonly IndexEngine[]
  readonly published: PublishedIndexes
  readonly searcher: Searcher
  readonly sentenceVectors: SentenceVectors
  readonly lookup: CollectionCache
  readonly pending: CatalogCache<string, UnfinishedCount>
  readonly priors: MeanPriors
  readonly explanation: ExplanationDeps
  readonly filtered: FilteredVersions
  /** Scores texts by the reranker or the confidence of their best sentences. */
  readonly textReranker: Reranker
}

type SearchingOptions = Omit<IndexesDeps, 'catalog' | 'analyzer' | 'means' | 'rarity'> & {
  readonly reranker?: ConfiguredReranker | undefined
  readonly weights?: HybridWeights | undefined
  /** Searches copies of the visible rows, with statistics of their own. */
  readonly view?: { readonly from: LanceTables; readonly statistics: Catalog } | undefined
}

export function openSearching(
  store: Store,
  embedders: Embedders,
  priors: MeanPriors,
  { reranker: configured, weights, foreground, view, ...indexing }: SearchingOptions,
): Searching {
  const { catalog, collections, documents, library } = store
  const analyzer = new Analyzer()
  const means = new LanguageMeans(view?.statistics ?? catalog)
  const rarity = new TermRarity(view?.statistics ?? catalog)
  const opened = openIndexes({ ...indexing, catalog, foreground, analyzer, means, rarity })
  const lookup = new CollectionCache(catalog, collections)
  const filtered = new FilteredVersions(catalog, documents)
  const visible = view ? openVisibleTables(store, view.from, opened) : opened.indexes
  const published = new PublishedIndexes(visible, store.versions)
  const scope = new QueryScope({
    collections: lookup,
    library,
    filtered,
    indexes: published,
    synonyms: openSynonyms(analyzer, store),
    rarity,
    corrections: openCorrections(analyzer),
  })
  const keyword = openKeywordLeg(analyzer)
  const vector = new VectorLeg(createModelLookup(embedders, priors), means)
  const explanation = { library, scope, analyzer, keyword, vector }
  const embedder = embedders.configured
  const sentenceVectors = new SentenceVectors(embedder, id => library.getPiecePath(id, embedder.id))
  const sentences = new SentenceReranker(embedder, sentenceVectors)
  const confidence = new Confidence(analyzer, priors)
  const pipeline = openPipeline({
    ...explanation,
    collections: lookup,
    rankers: openRankers({ keyword, vector, weights, analyzer, textOf: createTextReader(store) }),
    confidence,
    rarity,
    reranker: configured?.reranker ?? sentences,
    rerankOptions: configured?.options ?? PRECISE,
    sentences: configured ? undefined : sentences,
    trace: traceStages,
    foreground,
  })
  return {
    tables: opened.tables,
    index: opened.index,
    engines: opened.engines,
    published,
    searcher: publishHits(pipeline),
    sentenceVectors,
    lookup,
    pending: new CatalogCache(catalog),
    priors,
    filtered,
    explanation,
    textReranker: configured?.reranker ?? new ConfidenceReranker(sentences, confidence),
  }
}

function openVisibleTables(
  { catalog, versions }: Store,
  from: LanceTables,
  opened: ReturnType<typeof openIndexes>,
): VisibleTables {
  const state = async () => await catalog.state()
  return new VisibleTables({ from, ...opened, state, listVersions: id => versions.listInTable(id) })
}

type RankerDeps = {
  readonly keyword: WordLeg
  readonly vector: VectorLeg
  readonly weights: HybridWeights | undefined
  readonly analyzer: Analyzer
  readonly textOf: TextOf
}

/** Makes every ranker respect quotations and exclusions. */
function openRankers({
  keyword,
  vector,
  weights,
  analyzer,
  textOf,
}: RankerDeps): Readonly<Record<SearchMode, Ranker>> {
  const hybrid = new HybridRanker(keyword, vector, { weights })
  const withWording = (ranker: Ranker) => new WordedRanker(ranker, analyzer, textOf)
  return {
    hybrid: withWording(new FeedbackRanker(hybrid, vector, weights)),
    keyword: withWording(rankByLeg(keyword)),
    vector: withWording(rankByLeg(vector)),
    'front-page': withWording(rankFrontPages(hybrid)),
  }
}

function createTextReader({ library }: Store): TextOf {
  return async (candidate, signal) => {
    await library.download([candidate], signal)
    return (await library.readPassage(candidate))?.text
  }
}

function openCorrections(analyzer: Analyzer): Corrections {
  return new Corrections(analyzer, { ...openDictionaries(), readings: openLexicon().readings })
}

function openKeywordLeg(analyzer: Analyzer): WordLeg {
  const translation = new Translation(analyzer, openDictionaries())
  const words = new SynonymLeg(new KeywordLeg(analyzer))
  return new TranslatedLeg(words, translation)
}

function openSynonyms(analyzer: Analyzer, { catalog, collections }: Store): Synonyms {
  const lists = new CatalogCache<string, string>(catalog)
  return new Synonyms(
    analyzer,
    async id => await lists.get(id, async () => await collections.readSynonyms(id)),
  )
}

function createModelLookup(embedders: Embedders, priors: MeanPriors): VectorModelOf {
  const models = new Map<string, Promise<VectorModel>>()
  const { configured } = embedders
  return async (collection, signal) => {
    const cached = models.get(collection.embedderId)
    if (cached) return await cached
    const isConfigured = collection.embedderId === configured.id
    const embedder = isConfigured ? configured : await embedders.open(collection, signal)
    if (!embedder) return undefined
    const model = readModel(embedder, isConfigured ? priors : undefined)
    models.set(embedder.id, model)
    model.catch(() => models.delete(embedder.id)) // the next caller retries
    return await model
  }
}

async function readModel(embedder: Embedder, priors?: MeanPriors): Promise<VectorModel> {
  const queryMeans = await readQueryMeans(embedder)
  return { embedder, priors: priors ?? (await readPriors(embedder)), queryMeans }
}
