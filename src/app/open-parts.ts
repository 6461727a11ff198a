import type { LoadOptions, Settings } from '../config.ts'
import type { Embedder } from '../ingest/embedder.ts'
import { Foreground } from '../ingest/foreground.ts'
import type { Parser } from '../ingest/parser.ts'
import type { IndexCache } from '../search/lance/index-cache.ts'
import { Embedders, knownModels, withQueryCaches } from './embedders.ts'
import { openEmbedder } from './embedding.ts'
import { openParsing, type Parsing } from './ingesting.ts'
import { readPriors } from './priors.ts'
import { type ConfiguredReranker, openReranker } from './reranking.ts'
import { openIndexCache, openSearching, type Searching } from './searching.ts'
import { openStore, type Store, type StoreOptions } from './store.ts'

export type OpenOptions = LoadOptions &
  Pick<StoreOptions, 'mustExist' | 'onNewStore'> & {
    /** Instead of the built-in ones; `[...builtinParsers, mine]` adds one. */
    readonly parsers?: readonly Parser[]
    /** Instead of the configured one; closed with the store. */
    readonly embedder?: Embedder | undefined
    /** Models that several stores share, in place of those of the settings. */
    readonly embedders?: Embedders | undefined
    /** As above. */
    readonly indexCache?: IndexCache | undefined
    /** Where failures of background work are told. */
    readonly onBackgroundError?: (message: string, error: unknown) => void
  }

/** What a store is made of when it is open. */
export type PassimParts = {
  readonly settings: Settings
  readonly store: Store
  /** The configured one: of new collections, and of what is not tied to a collection. */
  readonly embedder: Embedder
  readonly embedders: Embedders
  readonly reranker: ConfiguredReranker | undefined
  readonly searching: Searching
  readonly parsing: Parsing
  readonly foreground: Foreground
  readonly onError: (message: string, error: unknown) => void
}

/** Choose and open everything that a store works with. */
export async function openParts(
  settings: Settings,
  options: Omit<OpenOptions, keyof LoadOptions>,
): Promise<PassimParts> {
  const store = await openStore(settings.home, { ...options, stateHome: settings.stateHome })
  const embedders =
    options.embedders ??
    new Embedders(options.embedder ?? (await openEmbedder(settings)), withQueryCaches(knownModels(settings)))
  const embedder = embedders.configured
  store.collections.noteDimensions({ embedderId: embedder.id, dimensions: embedder.dimensions })
  const reranker = openReranker(settings)
  const foreground = new Foreground()
  const { weights, fusion } = settings.searching
  const searching = openSearching(store, embedders, await readPriors(embedder), {
    reranker,
    weights,
    fusion,
    indexCache: options.indexCache ?? openIndexCache(settings),
    foreground,
    upkeepProcessRows: settings.upkeep.processRows,
  })
  const parsing = openParsing(settings, options.parsers)
  const onError = options.onBackgroundError ?? (() => {})
  return { settings, store, embedder, embedders, reranker, searching, parsing, foreground, onError }
}
