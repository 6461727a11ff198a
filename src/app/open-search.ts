import type { Elicit } from '../agent/tools/mcp-client.ts'
import type { LoadOptions, Settings } from '../config.ts'
import type { ConversationHooks } from '../conversations/hooks.ts'
import { localizable } from '../errors/localizable.ts'
import { AppError } from '../errors.ts'
import type { TokenCounter } from '../ingest/chunk/tokens.ts'
import type { Embedder } from '../ingest/embed/embedder.ts'
import type { ParserProcesses } from '../ingest/parse/isolation/parser-processes.ts'
import type { Parser } from '../ingest/parse/parser.ts'
import type { IndexCache } from '../search/lance/index-cache.ts'
import { TableFolder } from '../search/lance/table-place.ts'
import type { SmallTalkPriors } from '../search/meaning.ts'
import { Foreground } from '../system/foreground.ts'
import { Embedders, findLastDimensions, listModels, withQueryCaches } from './embedders.ts'
import { openEmbedder } from './embedding.ts'
import { computeUpkeepBytes, openIndexCache } from './searching/index-memory.ts'
import { readPriors, readSmallTalk } from './searching/priors.ts'
import { type ConfiguredReranker, openReranker } from './searching/reranking.ts'
import { openSearching, type Searching } from './searching/searching.ts'
import type { SharedStorage } from './stores/shared-storage.ts'
import { openStore, type Store, type StoreOptions } from './stores/store.ts'

export type OpenSearchOptions = Pick<StoreOptions, 'mustExist' | 'onNewStore'> & {
  /** Replaces the configured one; closed with the store. */
  readonly embedder?: Embedder | undefined
  readonly embedders?: Embedders | undefined
  readonly indexCache?: IndexCache | undefined
  readonly acceptsFailingStorage?: boolean | undefined
}

export type PartOptions = OpenSearchOptions & {
  /** Replaces the built-in parsers; `[...builtinParsers, mine]` adds one. */
  readonly parsers?: readonly Parser[]
  /** Counts tokens of chunks and sources, in place of the embedder's tokenizer. */
  readonly tokenCounter?: TokenCounter | undefined
  /** Started early; closed with the store. */
  readonly parserProcesses?: ParserProcesses | undefined
  /** Replaces `conversations.hooks`. */
  readonly hooks?: ConversationHooks
  readonly onBackgroundError?: (message: string, error: unknown) => void
  /** Answers what servers of agents ask their user. */
  readonly elicit?: Elicit | undefined
}

export type OpenOptions = LoadOptions & Omit<PartOptions, 'acceptsFailingStorage'>

export type OpenedStore = {
  readonly settings: Settings
  readonly store: Store
  readonly embedder: Embedder
  readonly embedders: Embedders
  readonly reranker: ConfiguredReranker | undefined
  readonly searching: Searching
  readonly smallTalk: SmallTalkPriors
  readonly foreground: Foreground
  readonly storage: SharedStorage | undefined
}

export async function openSearchStore(
  settings: Settings,
  options: OpenSearchOptions,
): Promise<OpenedStore> {
  const store = await openStore(settings.home, {
    ...options,
    catalog: settings.catalog,
    stateHome: settings.stateHome,
  })
  const storage = await openStorage(settings, store, options)
  const embedders = options.embedders ?? (await openEmbedders(settings, store, options.embedder))
  const embedder = embedders.configured
  await store.collections.recordDimensions({
    embedderId: embedder.id,
    dimensions: embedder.dimensions,
  })
  const reranker = openReranker(settings)
  const foreground = new Foreground()
  const searching = openSearching(store, embedders, await readPriors(embedder), {
    reranker,
    weights: settings.searching.weights,
    place:
      (settings.index.place === 's3' && storage?.openTables(store.home)) ||
      new TableFolder(store.home),
    indexCache: options.indexCache ?? openIndexCache(settings),
    weaviate: await openEngine(settings, store),
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

/** Loads its client only if it is configured. */
async function openEngine({ weaviate }: Settings, { places }: Store) {
  if (!weaviate) return undefined
  const { openWeaviate } = await import('./searching/weaviate.ts')
  return openWeaviate(weaviate, await places.storeId())
}

async function openStorage(
  settings: Settings,
  store: Store,
  { acceptsFailingStorage = false }: OpenSearchOptions,
): Promise<SharedStorage | undefined> {
  const { index, content } = settings
  if (content.place === 'folder') await requireOwnContents(store)
  if (index.place === 'folder' && content.place === 'folder') return undefined
  const { SharedStorage } = await import('./stores/shared-storage.ts')
  const storage = await SharedStorage.create(settings, store)
  try {
    if (!acceptsFailingStorage) await storage.require(store)
  } catch (error) {
    storage.close()
    throw error
  }
  if (content.place === 's3') storage.share(store, content.cacheBytes)
  return storage
}

/** Rejects local contents of a store in S3: copies may be missing or old. */
async function requireOwnContents({ home, catalog }: Store): Promise<void> {
  if (!(await catalog.get('SELECT 1 FROM shared_contents LIMIT 1'))) return
  const message = localizable`The contents of the store ${home} lie in an S3 store. Set content.place to s3, and s3.url as it was.`
  throw new AppError('store_mismatch', message, { subject: 'store' })
}

async function openEmbedders(
  settings: Settings,
  { collections }: Store,
  ownEmbedder?: Embedder,
): Promise<Embedders> {
  const last = settings.embedder.url
    ? findLastDimensions(await collections.listAll(), settings)
    : undefined
  const configured = ownEmbedder ?? (await openEmbedder(settings, { lastDimensions: last }))
  return new Embedders(configured, withQueryCaches(listModels(settings)))
}

export async function closeSearchStore({
  store,
  embedders,
  reranker,
  searching,
  storage,
}: OpenedStore): Promise<void> {
  await embedders.close()
  await reranker?.reranker.close()
  await searching.tables.close()
  storage?.close()
  await store.leases.releaseAll()
  await store.catalog.close()
}
