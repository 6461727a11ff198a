import type { Agent } from './agent/agent.ts'
import { readableBytes } from './agent/models/recent-turns.ts'
import { AgentRun } from './agent/run.ts'
import type { Tool } from './agent/tool.ts'
import { connectMcpServers, type McpConnection } from './agent/tools/mcp-client.ts'
import type { ToolRegistry } from './agent/tools/tool-registry.ts'
import type { AgentOptions } from './app/agents/agent-options.ts'
import { DEFAULT_TOOLS, type ToolsOptions } from './app/agents/agent-tools.ts'
import { Agents, type AgentsParts } from './app/agents/agents.ts'
import { Answering } from './app/answering.ts'
import type { AskOptions, TurnOptions } from './app/ask-options.ts'
import { askTurn } from './app/asked-turn.ts'
import { BackgroundIngest } from './app/background.ts'
import { ChatModels, type CountOptions } from './app/chat-models.ts'
import { type DoctorReport, doctor } from './app/checks/doctor.ts'
import {
  CollectionAdmin,
  type DeleteOptions,
  type Retention,
} from './app/documents/collection-admin.ts'
import { DocumentAdmin } from './app/documents/document-admin.ts'
import { Expiry } from './app/documents/expiry.ts'
import { FileAdmin } from './app/documents/file-admin.ts'
import { FileBatchAdmin } from './app/documents/file-batch-admin.ts'
import { Pages } from './app/documents/pages.ts'
import { ReEmbed } from './app/documents/re-embedding.ts'
import { Restoring, retentionOf } from './app/documents/restoring.ts'
import { DEFAULT_COLLECTION, Scope } from './app/documents/scope.ts'
import { ScratchFiles } from './app/documents/scratch-files.ts'
import { UploadAdmin } from './app/documents/upload-admin.ts'
import { madeForKeywords, openTokenCounter } from './app/embedding.ts'
import { Evaluations } from './app/evaluation/evaluations.ts'
import { FileRoots } from './app/file-roots.ts'
import {
  IndexDocuments,
  type IndexOptions,
  type IndexResult,
} from './app/indexing/index-documents.ts'
import { fetcherFor, type Ingesting, openIngesting } from './app/indexing/ingesting.ts'
import { InlineFiles } from './app/indexing/inline-files.ts'
import { type WatchOptions, type WatchResult, watching } from './app/indexing/watching.ts'
import { knownOptions } from './app/known-options.ts'
import { openLexicon, openWordRarity } from './app/lexicon.ts'
import { openParts, type PassimParts } from './app/open-parts.ts'
import { closeSearchParts, type OpenOptions } from './app/search-parts.ts'
import { SearchDocuments, type SearchOptions } from './app/searching/search-documents.ts'
import { type BackupOptions, type BackupSummary, exportStore } from './app/stores/backup.ts'
import { Verify } from './app/stores/verify.ts'
import { TextModels } from './app/text-models.ts'
import { type LoadOptions, loadSettings, type Settings } from './config.ts'
import type { Conversations } from './conversations/conversations.ts'
import { ConversationService } from './conversations/service.ts'
import type { StoredResponses } from './conversations/stored-responses.ts'
import { AppError } from './errors.ts'
import type { TokenCounter } from './ingest/chunk/tokens.ts'
import type { Warning } from './ingest/parse/parser.ts'
import type { Collection } from './ingest/store/catalog/collections.ts'
import type { Document } from './ingest/store/catalog/document.ts'
import { hasEnded, type Job, type Jobs } from './ingest/store/catalog/jobs.ts'
import type { Library } from './ingest/store/library.ts'
import { PagePictures } from './ingest/store/page-pictures.ts'
import { VectorMeaning } from './search/meaning.ts'
import type { Reason } from './search/reasons.ts'
import type { Hit, Selection } from './search/searcher.ts'

/** Open the store in `home` (made if it is not there) with everything that works on it. */
export async function open(options: OpenOptions = {}): Promise<Passim> {
  return await openStoreIn(await loadSettings(knownOptions('open', options)), options)
}

/** The same with settings that are known already. */
export async function openStoreIn(
  settings: Settings,
  options: Omit<OpenOptions, keyof LoadOptions>,
): Promise<Passim> {
  return new Passim(await openParts(settings, options))
}

/** A store and the use cases over it. */
export class Passim {
  readonly settings: Settings
  readonly scope: Scope
  readonly collections: CollectionAdmin
  readonly files: FileAdmin
  readonly inlineFiles: InlineFiles
  readonly fileBatches: FileBatchAdmin
  readonly documents: DocumentAdmin
  readonly uploads: UploadAdmin
  readonly conversationService: ConversationService<TurnOptions>
  readonly texts: TextModels
  readonly expiry: Expiry
  readonly background: BackgroundIngest
  readonly library: Library
  readonly pages: Pages
  readonly jobs: Jobs
  readonly verify: Verify
  readonly reEmbed: ReEmbed
  readonly restoring: Restoring
  readonly evaluations: Evaluations
  readonly #parts: PassimParts
  readonly #ingesting: Ingesting
  readonly #indexDocuments: IndexDocuments
  readonly #searchDocuments: SearchDocuments
  readonly #answering: Answering
  readonly #models: ChatModels
  readonly #agents: Agents
  readonly #retention: Retention
  #counter: Promise<TokenCounter> | undefined

  constructor(parts: PassimParts) {
    const { settings, store, embedder, embedders, searching } = parts
    const counter = () => (this.#counter ??= openTokenCounter(settings))
    this.#parts = parts
    this.settings = settings
    this.library = store.library
    this.jobs = store.jobs
    this.scope = new Scope(store.collections, store.documents)
    const models = new ChatModels(settings, error =>
      parts.onError('The cache of answers failed.', error),
    )
    this.#models = models
    const onRemoved = () => models.forgetAnswers()
    this.#ingesting = openIngesting({ ...parts, index: searching.index, counter, onRemoved })
    const { ingest, removal } = this.#ingesting
    this.#retention = retentionOf(settings)
    const retention = this.#retention
    this.collections = new CollectionAdmin({
      ...settings,
      ...parts,
      ...searching,
      ...this.#ingesting,
      retention,
    })
    this.files = new FileAdmin(store, { removal, ingest, retention })
    const pictures = new PagePictures({ content: store.content, drawer: parts.parsing.drawer })
    this.pages = new Pages({ library: store.library, files: this.files, pictures })
    this.restoring = new Restoring({ ...store, ingest, removal })
    const { maxBytes } = settings.fetching
    this.inlineFiles = new InlineFiles({ store, fetcher: fetcherFor(settings)(), maxBytes })
    this.fileBatches = new FileBatchAdmin(store, this.collections)
    this.uploads = new UploadAdmin(store)
    const { files } = this
    this.conversationService = new ConversationService({
      catalog: store.catalog,
      leases: store.leases,
      library: store.library,
      files: store.files,
      conversations: store.conversations,
      runs: store.runs,
      responses: store.responses,
      deleteFileIf: (file, onlyIf) => files.deleteIf(file, onlyIf),
      hooks: parts.hooks,
      maxBytes: settings.server.maxConversationBytes,
      readBytes: readableBytes(settings.model?.maxInputTokens),
      keepDays: settings.conversations.keepDays,
      answer: (question, context) => this.#answering.ask({ ...question, ...context }).onlyEvents,
      onError: error => parts.onError('An answer in the background could not be kept.', error),
    })
    this.texts = new TextModels({ embedder, reranker: searching.textReranker, counter })
    const onError = (error: unknown) =>
      parts.onError('Removing what has expired failed; it is tried again in a minute.', error)
    this.expiry = new Expiry({
      ...settings,
      store,
      removal,
      ingest,
      files,
      conversing: this.conversationService,
      onError,
    })
    this.background = new BackgroundIngest(
      { ...store, ingest, works: settings.server.ingest },
      parts.onError,
    )
    this.verify = new Verify({ ...store, index: searching.index, ingest, removal })
    this.reEmbed = new ReEmbed({ ...store, ...searching, embedders, ingest })
    this.#indexDocuments = new IndexDocuments({ ...store, ...this.#ingesting, ...parts.parsing })
    this.#searchDocuments = new SearchDocuments(store.documents, searching, one =>
      this.collections.use(one),
    )
    const { collections, scope, library, pages, background } = this
    this.documents = new DocumentAdmin({
      store,
      scope,
      collections,
      background,
      indexDocuments: this.#indexDocuments,
    })
    this.evaluations = new Evaluations({
      store,
      ingest,
      removal,
      queue: this.#ingesting.queue,
      indexDocuments: this.#indexDocuments,
      searcher: searching.searcher,
      ensureHidden: (name, embedder) => collections.ensure(name, { hidden: true, embedder }),
      ask: options => this.ask(options),
    })
    const scratch = new ScratchFiles({
      store,
      collections,
      indexDocuments: this.#indexDocuments,
      ...this.#ingesting,
    })
    const cited = this.#cited
    const turns = this.conversationService
    this.#agents = new Agents({ ...parts, scope, library, scratch, models, pages, cited, turns })
    this.#answering = new Answering({
      ...{ onModelError: this.#agents.onModelError, mcp: this.#agents.mcp },
      toolsOf: (tools, where) => this.#agents.registry(where).resolve(tools),
      ...{ store, settings, counter, models },
      ...{ lexicon: openLexicon(), rarity: openWordRarity() },
      meaning: new VectorMeaning(
        embedder,
        searching.sentenceVectors,
        searching.priors,
        parts.smallTalk,
      ),
      ...{ scope, scratch },
      searcher: searching.searcher,
      onToolError: (tool, error) => parts.onError(`The tool ${tool} failed in an answer.`, error),
      useCollection: collection => this.collections.use(collection),
    })
  }

  readonly #cited: AgentsParts['cited'] = (...how) => this.#answering.cited(...how)

  /** Compare files, folders and http(s) URLs with a collection, and index what differs. */
  async index(
    paths: readonly string[],
    options: IndexOptions & { collection?: string } = {},
  ): Promise<IndexResult> {
    return await this.#index(paths, knownOptions('index', options))
  }

  async #index(
    paths: readonly string[],
    options: IndexOptions & { collection?: string },
  ): Promise<IndexResult> {
    if (paths.length === 0)
      throw new AppError('invalid_input', 'Nothing to index: name a file, a folder or a URL.')
    const { collection: name = DEFAULT_COLLECTION, dryRun } = options
    const warnings: Warning[] = []
    const onUnreached = options.withoutVectors
      ? (error: AppError) => warnings.push(madeForKeywords(name, error))
      : undefined
    const { collections } = this
    const planned = await collections.planned(name, { onUnreached })
    const isNew = planned.id === ''
    const unread = isNew ? await this.#indexDocuments.unread(planned, paths, options) : undefined
    if (unread) return unread
    const collection = isNew && !dryRun ? await collections.make(planned) : planned
    const result = await this.#indexDocuments.run(collection, paths, options)
    return warnings.length > 0
      ? { ...result, warnings: [...warnings, ...(result.warnings ?? [])] }
      : result
  }

  /** Index now, and again whenever files change, until the signal aborts or the caller leaves the loop. */
  watch(
    paths: readonly string[],
    options: WatchOptions & { collection?: string } = {},
  ): AsyncGenerator<WatchResult> {
    const { watching: defaults, home } = this.settings
    const index = (changed: readonly string[], run: IndexOptions) =>
      this.#index(changed, { ...options, ...run })
    return watching(
      { index, defaults: { ...defaults, except: home } },
      paths,
      knownOptions('watch', options),
    )
  }

  /** For people, hits are `varied`; protocols that list passages need `every` one, models `distinct` ones. */
  async search(options: SearchOptions, selection?: Selection): Promise<readonly Hit[]> {
    return await this.#searchDocuments.run(knownOptions('search', options), selection)
  }

  /**
   * What about a search is hardly meant as it is said (a filter on an attribute that no document has, vectors where there are
   * none), and how many documents it could not find, as they are still being indexed.
   */
  async searchWarnings(
    options: Pick<SearchOptions, 'filter' | 'collections' | 'mode'>,
  ): Promise<readonly Warning[]> {
    return await this.#searchDocuments.warnings(options)
  }

  /** Why a document, by id, source or base name, is or is not among the hits of a search. */
  async why(document: string, options: SearchOptions): Promise<Reason> {
    return await this.#searchDocuments.why(document, knownOptions('search', options))
  }

  /** Throws at once for an option that there is none of; whatever else goes wrong is thrown by what is read of the run. */
  ask(options: AskOptions): AgentRun {
    const { conversation, ...asked } = knownOptions('ask', options)
    if (conversation === undefined) return this.#answering.ask(asked)
    return new AgentRun(askTurn(this.conversationService, conversation, asked))
  }

  /** How many tokens a text has for the chat model, or for another; of vocabularies but OpenAI's an estimate, a tenth too high. */
  async countTokens(text: string, options: CountOptions = {}): Promise<number> {
    return await this.#models.countTokens(text, options)
  }

  /** Tools over these documents, for agents of Passim and, exported, of others. */
  tools(options: ToolsOptions = {}): readonly Tool[] {
    const { tools = DEFAULT_TOOLS, ...where } = knownOptions('tools', options)
    return this.toolRegistry(where).resolve(tools)
  }

  /** As `index`, but only what lies under the folders of `agent.roots`: for who asks from outside. */
  async indexAllowed(
    paths: readonly string[],
    options: IndexOptions & { collection?: string },
  ): Promise<IndexResult> {
    const roots = new FileRoots(this.settings.agent.roots)
    return await this.index(await Promise.all(paths.map(path => roots.require(path))), options)
  }

  /** The tools of the configured MCP servers, for agents of others: agents here have them. Close the connection when they are not needed any more. */
  async connectMcp(signal?: AbortSignal): Promise<McpConnection> {
    const {
      mcpServers,
      mcpConnectMs: connectTimeoutMs,
      toolTimeoutMs: callTimeoutMs,
    } = this.settings.agent
    return await connectMcpServers(mcpServers, { connectTimeoutMs, callTimeoutMs, signal })
  }

  /** An agent over these documents and the files of its conversations, with the configured model and these tools. */
  agent<Output = unknown>(options: AgentOptions<Output> = {}): Agent<Output> {
    return this.#agents.build(knownOptions('agent', options))
  }

  /** The built-in tools by name; `register` gives one with yours. */
  toolRegistry(where: Omit<ToolsOptions, 'tools'> = {}): ToolRegistry {
    return this.#agents.registry(knownOptions('toolRegistry', where))
  }

  get conversations(): Conversations {
    return this.#parts.store.conversations
  }

  get responses(): StoredResponses {
    return this.#parts.store.responses
  }

  /** What is kept in memory of the store's indexes; stores of one service share it. */
  get indexCache() {
    return this.#parts.searching.tables.cache
  }

  /** The documents of a collection, which may be named, by source. Throws `not_found`. */
  async list(collection: Collection | string): Promise<readonly Document[]> {
    const { id } = await this.scope.collection(
      typeof collection === 'string' ? collection : collection.id,
    )
    return await this.#parts.store.documents.list(id)
  }

  /** The same a page at a time, after a source. */
  async listPage(collection: string, after: string, limit: number): Promise<readonly Document[]> {
    return await this.#parts.store.documents.listPage(
      (await this.scope.collection(collection)).id,
      after,
      limit,
    )
  }

  /** A document by id, source or base name. Throws `not_found`. */
  async show(document: string): Promise<Document> {
    return await this.scope.document(document, await this.collections.list())
  }

  /** By id, source or base name too. It can be brought back for as long as the settings say, unless it is deleted for good now. Throws `not_found`. */
  async delete(document: Document | string, options: DeleteOptions = {}): Promise<void> {
    const { id, collectionId } =
      typeof document === 'string'
        ? await this.scope.document(document, await this.collections.list())
        : document
    if (!(await this.#parts.store.documents.find(id)))
      throw new AppError('not_found', `There is no document with the id ${id}.`)
    await this.#ingesting.removal.document(id, this.#retention(options))
    const collection = await this.#parts.store.collections.findById(collectionId)
    if (collection) await this.#ingesting.ingest.tidy(collection)
  }

  /** Queue a failed or cancelled job again and see it through, here or in the process that indexes. */
  async retryJob(id: string, signal?: AbortSignal): Promise<Job> {
    const job = await this.jobs.retry(id)
    const collection = await this.scope.collection(job.collectionId)
    const isPointless = async () => hasEnded((await this.jobs.find(job.id)) ?? { state: 'failed' })
    await this.#ingesting.ingest.drain(collection, { signal, isPointless })
    return (await this.jobs.find(job.id)) ?? job
  }

  /** Queue it again, to be worked off in the background. */
  async retryJobLater(id: string): Promise<Job> {
    const job = await this.jobs.retry(id)
    this.background.kick(await this.scope.collection(job.collectionId))
    return job
  }

  async setAttributes(documentId: string, attributes: Document['attributes']): Promise<void> {
    await this.#parts.store.documents.setAttributes(documentId, attributes)
  }

  async documentOfFile(collection: Collection, fileId: string): Promise<Document | undefined> {
    return await this.#parts.store.documents.findByFile(collection.id, fileId)
  }

  doctor(): Promise<DoctorReport> {
    const { parsing } = this.#parts
    return doctor({ ...this.#parts, texts: this.texts, parsers: parsing.parsersFor() })
  }

  /** One file with all of the store, written while it is in use; `importStore` makes a store of it. */
  export(file: string, options: BackupOptions = {}): Promise<BackupSummary> {
    return exportStore(this.#parts.store, file, options)
  }

  /** As a service does: go on with what waits, unless `background.look` is asked to, and remove what expires. */
  async resume(options?: { readonly isLookedFor?: boolean }): Promise<void> {
    await this.background.resume(options)
    this.expiry.start()
  }

  /** Throws what keeps the store from being used now: its database is away, or a newer program has brought it forward. */
  async requireUsable(): Promise<void> {
    await this.#parts.store.catalog.state()
  }

  /** Something goes on that nobody waits for. */
  get isBusy(): boolean {
    return this.background.isBusy || this.conversationService.isBusy
  }

  /** What goes on stopped early, for a model server that is down or a full disk, and is tried again while the store is open. */
  get isWaiting(): boolean {
    return this.background.isWaiting
  }

  /** Stop background work and release processes and files; what was not published stays in the queue. */
  async close(): Promise<void> {
    await this.conversationService.close()
    await this.expiry.close()
    await this.background.close()
    await this.#agents.close()
    await this.#parts.parsing.processes.close()
    await closeSearchParts(this.#parts)
  }
}
