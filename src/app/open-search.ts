import type { LoadOptions, Settings } from '../config.ts'
import type { ConversationHooks } from '../conversations/hooks.ts'
import { AppError } from '../errors.ts'
import type { Embedder } from '../ingest/embed/embedder.ts'
import type { ParserProcesses } from '../ingest/parse/isolation/isolated-parser.ts'
import type { Parser } from '../ingest/parse/parser.ts'
import type { IndexCache } from '../search/lance/index-cache.ts'
import { TableFolder } from '../search/lance/table-place.ts'
import type { SmallTalkPriors } from '../search/meaning.ts'
import { Foreground } from '../system/foreground.ts'
import { Embedders, knownModels, lastDimensions, withQueryCaches } from './embedders.ts'
import { openEmbedder } from './embedding.ts'
import { computeUpkeepBytes, openIndexCache } from './searching/index-memory.ts'
import { readPriors, readSmallTalk } from './searching/priors.ts'
import { type ConfiguredReranker, openReranker } from './searching/reranking.ts'
import { openSearching, type Searching } from './searching/searching.ts'
import type { SharedStorage } from './stores/shared-storage.ts'
import { openStore, type Store, type StoreOptions } from './stores/store.ts'

export type OpenSearchOptions = Pick<StoreOptions, 'mustExist' | 'onNewStore'> & {
  /** Instead of the configured one; closed with the store. */
  readonly embedder?: Embedder | undefined
  /** Models that several stores share, in place of those of the settings. */
  readonly embedders?: Embedders | undefined
  /** As above. */
  readonly indexCache?: IndexCache | undefined
}

export type OpenOptions = LoadOptions &
  OpenSearchOptions & {
    /** Instead of the built-in ones; `[...builtinParsers, mine]` adds one. */
    readonly parsers?: readonly Parser[]
    /** As the settings say, where one of them is to start before the store is open; closed with it. */
    readonly parserProcesses?: ParserProcesses | undefined
    /** Guardrails and accounts of conversations, in place of `conversations.hooks`. */
    readonly hooks?: ConversationHooks
    /** Where failures of background work are told. */
    readonly onBackgroundError?: (message: string, error: unknown) => void
  }

/** What it takes to search an open store. */
export type OpenSearch = {
  readonly settings: Settings
  readonly store: Store
  /** The configured one: of new collections, and of what is not tied to a collection. */
  readonly embedder: Embedder
  readonly embedders: Embedders
  readonly reranker: ConfiguredReranker | undefined
  readonly searching: Searching
  /** What tells small talk, for a model that ships with it. */
  readonly smallTalk: SmallTalkPriors
  readonly foreground: Foreground
  /** Where the settings name one. */
  readonly storage: SharedStorage | undefined
}

/** Choose and open what searches a store. */
export async function openSearchStore(
  settings: Settings,
  options: OpenSearchOptions,
): Promise<OpenSearch> {
  const store = await openStore(settings.home, {
    ...options,
    catalog: settings.catalog,
    stateHome: settings.stateHome,
  })
  const storage = await openStorage(settings, store)
  const embedders = options.embedders ?? (await openEmbedders(settings, store, options.embedder))
  const embedder = embedders.configured
  await store.collections.noteDimensions({
    embedderId: embedder.id,
    dimensions: embedder.dimensions,
  })
  const reranker = openReranker(settings)
  const foreground = new Foreground()
  const searching = openSearching(store, embedders, await readPriors(embedder), {
    reranker,
    weights: settings.searching.weights,
    place:
      (settings.index.place === 's3' && storage?.tables(store.home)) || new TableFolder(store.home),
    indexCache: options.indexCache ?? openIndexCache(settings),
    weaviate: await openIn(settings, store),
    foreground,
    upkeepProcessRows: settings.upkeep.processRows,
    upkeepMemoryBytes: computeUpkeepBytes(settings),
    partitionBytes: settings.upkeep.partitionBytes,
  })
  const smallTalk = await readSmallTalk(embedder)
  return {
    settings,
    store,
    embedder,
    embedders,
    reranker,
    searching,
    smallTalk,
    foreground,
    storage,
  }
}

/** What speaks to it is loaded only then. */
async function openIn({ weaviate }: Settings, { places }: Store) {
  if (!weaviate) return undefined
  const { openWeaviate } = await import('./searching/weaviate.ts')
  return openWeaviate(weaviate, await places.storeId())
}

/** The same. */
async function openStorage(settings: Settings, store: Store): Promise<SharedStorage | undefined> {
  const { index, content } = settings
  if (content.place === 'folder') await requireOwnContents(store)
  if (index.place === 'folder' && content.place === 'folder') return undefined
  const { SharedStorage } = await import('./stores/shared-storage.ts')
  const storage = await SharedStorage.open(settings, store)
  if (content.place === 's3') storage.share(store, content.cacheBytes)
  return storage
}

/** Of contents that lie in S3 this disk may have no copy, or an older one. */
async function requireOwnContents({ home, catalog }: Store): Promise<void> {
  if (!(await catalog.get('SELECT 1 FROM shared_contents LIMIT 1'))) return
  const message = `The contents of the store ${home} lie in an S3 store. Set content.place to s3, and s3.url as it was.`
  throw new AppError('store_mismatch', message, { subject: 'store' })
}

async function openEmbedders(
  settings: Settings,
  { collections }: Store,
  given?: Embedder,
): Promise<Embedders> {
  const last = settings.embedder.url
    ? lastDimensions(await collections.listAll(), settings)
    : undefined
  const configured = given ?? (await openEmbedder(settings, { lastDimensions: last }))
  return new Embedders(configured, withQueryCaches(knownModels(settings)))
}

/** Release processes and files, the catalog last. */
export async function closeSearchStore({
  store,
  embedders,
  reranker,
  searching,
  storage,
}: OpenSearch): Promise<void> {
  await embedders.close()
  await reranker?.reranker.close()
  await searching.tables.close()
  storage?.close()
  await store.leases.releaseAll()
  await store.catalog.close()
}
