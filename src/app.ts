import { estimateReadableBytes } from './agent/models/recent-turns.ts'
import { Agents } from './app/agents/agents.ts'
import { Answering } from './app/answering.ts'
import type { TurnOptions } from './app/ask-options.ts'
import { BackgroundIngest } from './app/background.ts'
import { BatchAdmin } from './app/batches/batch-admin.ts'
import { ChatModels } from './app/chat-models.ts'
import { ChunkAdmin } from './app/documents/chunk-admin.ts'
import { CollectionAdmin } from './app/documents/collection-admin.ts'
import { DocumentAdmin } from './app/documents/document-admin.ts'
import { DocumentPuts } from './app/documents/document-puts.ts'
import { Expiry } from './app/documents/expiry.ts'
import { ExternalDocuments } from './app/documents/external-documents.ts'
import { FileAdmin } from './app/documents/file-admin.ts'
import { FileBatchAdmin } from './app/documents/file-batch-admin.ts'
import { Pages } from './app/documents/pages.ts'
import { ReEmbed } from './app/documents/re-embedding.ts'
import { Receipts } from './app/documents/receipts.ts'
import { createRetention, Restoring } from './app/documents/restoring.ts'
import { Scope } from './app/documents/scope.ts'
import { ScratchFiles } from './app/documents/scratch-files.ts'
import { SynonymAdmin } from './app/documents/synonym-admin.ts'
import { UploadAdmin } from './app/documents/upload-admin.ts'
import { NamedReaders } from './app/documents/visible-documents.ts'
import { createTokenCounters, type TokenCounters } from './app/embedding.ts'
import { Erasure } from './app/erasure/erasure.ts'
import { Evaluations } from './app/evaluation/evaluations.ts'
import { type WatchEvents, watchEvents } from './app/events/watch-events.ts'
import { Webhooks } from './app/events/webhooks.ts'
import { IndexDocuments } from './app/indexing/index-documents.ts'
import { createFetcher, openIngesting } from './app/indexing/ingesting.ts'
import { InlineFiles } from './app/indexing/inline-files.ts'
import { ParseFile } from './app/indexing/parse-file.ts'
import { openParsing, type Parsing } from './app/indexing/parsing.ts'
import { requireKnownOptions } from './app/known-options.ts'
import { openLexicon, openWordRarity } from './app/lexicon.ts'
import {
  closeSearchStore,
  type OpenedStore,
  type OpenOptions,
  openSearchStore,
  type PartOptions,
} from './app/open-search.ts'
import { createPassim, type Passim } from './app/passim.ts'
import { FindQuotation } from './app/searching/find-quotation.ts'
import { SearchDocuments } from './app/searching/search-documents.ts'
import { openSources } from './app/sources/sources.ts'
import type { Store } from './app/stores/store.ts'
import { Verify } from './app/stores/verify.ts'
import { openHooks } from './app/tenants/hooks-module.ts'
import { TextModels } from './app/text-models.ts'
import { openView } from './app/view.ts'
import { loadSettings, type Settings } from './config.ts'
import type { ConversationHooks } from './conversations/hooks.ts'
import { Judgements } from './conversations/judgements.ts'
import { ConversationService } from './conversations/service.ts'
import { ReceiptKeys } from './ingest/store/catalog/receipt-keys.ts'
import { PagePictures } from './ingest/store/page-pictures.ts'
import { VectorMeaning } from './search/meaning.ts'

export async function open(options: OpenOptions = {}): Promise<Passim> {
  return await openWithSettings(await loadSettings(requireKnownOptions('open', options)), options)
}

export async function openWithSettings(settings: Settings, options: PartOptions): Promise<Passim> {
  return (await openWithStore(settings, options)).passim
}

export async function openWithStore(
  settings: Settings,
  options: PartOptions,
): Promise<{ readonly passim: Passim; readonly opened: OpenedStore }> {
  const hooks = options.hooks ?? (await openHooks(settings))
  const opened = await openSearchStore(settings, options)
  const parsing = openParsing(settings, options.parsers, options.parserProcesses)
  const closeStore = async () => {
    await parsing.processes.close()
    await closeSearchStore(opened)
  }
  const onError = options.onBackgroundError ?? (() => {})
  const models = new ChatModels(settings, error => onError('The cache of answers failed.', error))
  const base: Base = {
    settings,
    opened,
    parsing,
    hooks,
    models,
    elicit: options.elicit,
    counters: createTokenCounters(settings, options.tokenCounter),
    onError,
    closeStore,
  }
  return { passim: composePassim(base), opened }
}

function composePassim(base: Base): Passim {
  const documents = composeDocuments(base)
  const answers = composeAnswers(base, documents)
  const upkeep = composeUpkeep(base, documents, answers.conversationService)
  return buildPassim(base, documents, answers, upkeep)
}

type Base = {
  readonly settings: Settings
  readonly opened: OpenedStore
  readonly parsing: Parsing
  readonly hooks: ConversationHooks
  readonly models: ChatModels
  readonly elicit: OpenOptions['elicit']
  readonly counters: TokenCounters
  readonly onError: (message: string, error: unknown) => void
  readonly closeStore: () => Promise<void>
}

type DocumentUseCases = ReturnType<typeof composeDocuments>
type AnswerUseCases = ReturnType<typeof composeAnswers>
type UpkeepUseCases = ReturnType<typeof composeUpkeep>

function composeDocuments({ settings, opened, parsing, models, counters, onError }: Base) {
  const { store, searching, embedders, foreground } = opened
  const ingesting = openIngesting({
    settings,
    store,
    parsing,
    embedders,
    foreground,
    index: searching.index,
    counters,
    onRemoved: () => models.forgetAnswers(),
  })
  const { ingest, removal, changes, queue } = ingesting
  const retention = createRetention(settings)
  const isWorker = settings.server.ingest
  const scope = new Scope(store.collections, store.documents)
  const collections = new CollectionAdmin({
    store,
    removal,
    retention,
    embedders,
    lookup: searching.lookup,
    engines: searching.engines,
    chunking: settings.chunking,
    createChunker: ingesting.createChunker,
  })
  const indexDocuments = new IndexDocuments({
    ingest,
    changes,
    sourceSync: ingesting.sourceSync,
    openRoot: ingesting.openRoot,
    documents: store.documents,
    versions: store.versions,
    jobs: store.jobs,
    detect: parsing.detect,
  })
  return {
    ingesting,
    retention,
    scope,
    collections,
    indexDocuments,
    files: new FileAdmin(store, { removal, ingest, retention }),
    background: new BackgroundIngest({ ingest, collections: store.collections, isWorker }, onError),
    scratch: new ScratchFiles({
      store,
      ingest,
      removal,
      queue,
      collections,
      indexDocuments,
      onError,
    }),
    findQuotation: createFindQuotation({ settings, opened, parsing }, scope),
    searchDocuments: new SearchDocuments(store.documents, searching, collection =>
      collections.use(collection),
    ),
  }
}

function createFindQuotation(
  { settings, opened, parsing }: Pick<Base, 'settings' | 'opened' | 'parsing'>,
  scope: Scope,
): FindQuotation {
  const { store, searching } = opened
  return new FindQuotation({
    scope,
    searcher: searching.searcher,
    library: store.library,
    maxBytes: settings.fetching.maxBytes,
    parseFile: new ParseFile(parsing.listParsers, parsing.detect),
    listCollections: async () => await searching.lookup.list(),
  })
}

/** Closures are called once all is built: conversations, agents and answers need each other. */
function composeAnswers(
  { settings, opened, parsing, hooks, models, elicit, counters, onError }: Base,
  { scope, scratch, files, collections, findQuotation }: DocumentUseCases,
) {
  const { store, searching, embedder, smallTalk } = opened
  const pictures = new PagePictures({ content: store.content, drawer: parsing.drawer })
  const pages = new Pages({ library: store.library, files, pictures })
  const conversationService: ConversationService<TurnOptions> = new ConversationService({
    catalog: store.catalog,
    leases: store.leases,
    library: store.library,
    files: store.files,
    conversations: store.conversations,
    runs: store.runs,
    responses: store.responses,
    deleteFileIf: (file, onlyIf) => files.deleteIf(file, onlyIf),
    hooks,
    maxBytes: settings.server.maxConversationBytes,
    readBytes: estimateReadableBytes(settings.model?.maxInputTokens),
    keepDays: settings.conversations.keepDays,
    answer: (question, context) => answering.ask({ ...question, ...context }).onlyEvents,
    onError: error => onError('A background answer could not be stored.', error),
  })
  const agents = new Agents({
    settings,
    store,
    scope,
    scratch,
    models,
    pages,
    parsing,
    searching,
    library: store.library,
    elicit,
    findQuotation,
    onError,
    cited: (...how) => answering.createGrounding(...how),
    turns: conversationService,
  })
  const answering: Answering = new Answering({
    store,
    settings,
    scope,
    scratch,
    models,
    counter: counters.open,
    searcher: searching.searcher,
    lexicon: openLexicon(),
    rarity: openWordRarity(),
    meaning: new VectorMeaning(embedder, searching.sentenceVectors, searching.priors, smallTalk),
    mcp: agents.mcp,
    resolveTools: (tools, where) => agents.createRegistry(where).resolve(tools),
    onModelError: agents.onModelError,
    onToolError: (tool, error) => onError(`The tool ${tool} failed in an answer.`, error),
    useCollection: collection => collections.use(collection),
  })
  const keys = new ReceiptKeys(store.catalog)
  const receipts = new Receipts({ keys, library: store.library, pages })
  return { pages, receipts, conversationService, agents, answering }
}

function composeUpkeep(
  { settings, opened, onError }: Base,
  { ingesting: { ingest, removal }, files, scratch }: DocumentUseCases,
  conversationService: ConversationService<TurnOptions>,
) {
  const { store, searching, embedders } = opened
  const fetcher = createFetcher(settings)()
  const watch: WatchEvents = async options => await watchEvents(store, options)
  return {
    webhooks: new Webhooks({ store, hooks: settings.webhooks, fetcher, onError }),
    watchEvents: watch,
    expiry: new Expiry({
      store,
      removal,
      ingest,
      files,
      scratch,
      conversationService,
      onError: error =>
        onError('Could not remove expired objects. The next attempt follows in a minute.', error),
    }),
    restoring: new Restoring({
      ingest,
      removal,
      collections: store.collections,
      documents: store.documents,
      deletions: store.deletions,
    }),
    erasure: new Erasure({
      store,
      ingest,
      removal,
      conversationService,
      index: searching.index,
      isDatabase: settings.catalog.url !== undefined,
    }),
    verify: new Verify({
      ingest,
      removal,
      catalog: store.catalog,
      content: store.content,
      files: store.files,
      collections: store.collections,
      documents: store.documents,
      versions: store.versions,
      index: searching.index,
    }),
    reEmbed: new ReEmbed({
      embedders,
      ingest,
      collections: store.collections,
      documents: store.documents,
      jobs: store.jobs,
      reEmbeddings: store.reEmbeddings,
      engines: searching.engines,
    }),
  }
}

function buildSingleDocuments(
  store: Store,
  { scope, collections, background, indexDocuments, ingesting, retention }: DocumentUseCases,
) {
  const { queue, changes, removal, ingest } = ingesting
  const puts = new DocumentPuts({ store, collections, queue, changes })
  const parts = { store, scope, collections, background, indexDocuments, puts }
  const externalDocuments = new ExternalDocuments({ store, removal, ingest, retention })
  return {
    documents: new DocumentAdmin({ ...parts, ingest, removal, retention, externalDocuments }),
    documentPuts: puts,
    chunks: new ChunkAdmin({ ...parts, library: store.library, documents: store.documents }),
    externalDocuments,
  }
}

function buildPassim(
  base: Base,
  documents: DocumentUseCases,
  answers: AnswerUseCases,
  { webhooks, ...upkeep }: UpkeepUseCases,
): Passim {
  const { opened, parsing, models, closeStore } = base
  const { agents, answering, ...answered } = answers
  const { ingesting, scratch, indexDocuments, searchDocuments, findQuotation } = documents
  const readers = new NamedReaders(opened.store)
  return createPassim({
    useCases: { ...composeUseCases(base, documents, answering), ...answered, ...upkeep },
    opened,
    parsing,
    models,
    agents,
    answering,
    scratch,
    indexDocuments,
    searchDocuments,
    findQuotation,
    webhooks,
    closeStore,
    ingest: ingesting.ingest,
    narrowAccess: async access => await readers.narrow(access),
    openView: async (access, onClosed) =>
      composePassim({ ...base, ...(await openView(opened, access, onClosed)) }),
  })
}

function composeUseCases(base: Base, documents: DocumentUseCases, answering: Answering) {
  const { settings, opened, counters, onError } = base
  const { store, searching, embedder } = opened
  const { scope, collections, background, files, indexDocuments, ingesting } = documents
  const { ingest, removal, queue } = ingesting
  return {
    settings,
    scope,
    collections,
    background,
    files,
    library: store.library,
    jobs: store.jobs,
    sources: openSources(base, documents),
    uploads: new UploadAdmin(store),
    judgements: new Judgements(store.catalog),
    synonyms: new SynonymAdmin(scope, store.collections),
    fileBatches: new FileBatchAdmin(store, collections),
    batches: new BatchAdmin({ store, files, requests: settings.server.batchRequests, onError }),
    ...buildSingleDocuments(store, documents),
    inlineFiles: new InlineFiles({
      store,
      fetcher: createFetcher(settings)(),
      maxBytes: settings.fetching.maxBytes,
    }),
    texts: new TextModels({ embedder, reranker: searching.textReranker, counter: counters.open }),
    evaluations: new Evaluations({
      store,
      ingest,
      removal,
      queue,
      indexDocuments,
      searcher: searching.searcher,
      ensureHidden: (name, embedder) => collections.findOrCreate(name, { hidden: true, embedder }),
      listCollections: () => collections.listVisible(),
      askCollections: (asked, options) => answering.askCollections(asked, options),
    }),
  }
}
