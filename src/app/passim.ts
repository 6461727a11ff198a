import type { Agent } from '../agent/agent.ts'
import { AgentRun } from '../agent/run.ts'
import type { Tool } from '../agent/tool.ts'
import { connectMcpServers, type McpConnection } from '../agent/tools/mcp-client.ts'
import type { ToolRegistry } from '../agent/tools/tool-registry.ts'
import type { Settings } from '../config.ts'
import type { Conversations } from '../conversations/conversations.ts'
import type { ConversationService } from '../conversations/service.ts'
import type { StoredResponses } from '../conversations/stored-responses.ts'
import { AppError } from '../errors.ts'
import type { Warning } from '../ingest/parse/parser.ts'
import type { Collection } from '../ingest/store/catalog/collections.ts'
import type { Document } from '../ingest/store/catalog/document.ts'
import { hasEnded, type Job, type Jobs } from '../ingest/store/catalog/jobs.ts'
import type { Library } from '../ingest/store/library.ts'
import type { Ingest } from '../ingest/work/ingest.ts'
import type { Removal } from '../ingest/work/removal.ts'
import type { Reason } from '../search/reasons.ts'
import type { Hit, Selection } from '../search/searcher.ts'
import type { AgentOptions } from './agents/agent-options.ts'
import { DEFAULT_TOOLS, type ToolsOptions } from './agents/agent-tools.ts'
import type { Agents } from './agents/agents.ts'
import type { Answering } from './answering.ts'
import type { AskOptions, TurnOptions } from './ask-options.ts'
import { askTurn } from './asked-turn.ts'
import type { BackgroundIngest } from './background.ts'
import type { ChatModels, CountOptions } from './chat-models.ts'
import { type DoctorReport, doctor } from './checks/doctor.ts'
import type { CollectionAdmin, DeleteOptions, Retention } from './documents/collection-admin.ts'
import type { DocumentAdmin } from './documents/document-admin.ts'
import type { Expiry } from './documents/expiry.ts'
import type { FileAdmin } from './documents/file-admin.ts'
import type { FileBatchAdmin } from './documents/file-batch-admin.ts'
import type { Pages } from './documents/pages.ts'
import type { ReEmbed } from './documents/re-embedding.ts'
import type { Restoring } from './documents/restoring.ts'
import { DEFAULT_COLLECTION, type Scope } from './documents/scope.ts'
import type { UploadAdmin } from './documents/upload-admin.ts'
import { madeForKeywords } from './embedding.ts'
import type { Evaluations } from './evaluation/evaluations.ts'
import { FileRoots } from './file-roots.ts'
import type { IndexDocuments, IndexOptions, IndexResult } from './indexing/index-documents.ts'
import type { InlineFiles } from './indexing/inline-files.ts'
import type { Parsing } from './indexing/parsing.ts'
import { type WatchOptions, type WatchResult, watching } from './indexing/watching.ts'
import { knownOptions } from './known-options.ts'
import { closeSearchStore, type OpenSearch } from './open-search.ts'
import type { SearchDocuments, SearchOptions } from './searching/search-documents.ts'
import { type BackupOptions, type BackupSummary, exportStore } from './stores/backup.ts'
import type { Verify } from './stores/verify.ts'
import type { TextModels } from './text-models.ts'

/** The use cases that callers reach by their names. */
type UseCases = {
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
}

export type PassimDeps = UseCases & {
  readonly search: OpenSearch
  readonly parsing: Parsing
  readonly models: ChatModels
  readonly ingest: Ingest
  readonly removal: Removal
  readonly retention: Retention
  readonly indexDocuments: IndexDocuments
  readonly searchDocuments: SearchDocuments
  readonly answering: Answering
  readonly agents: Agents
}

/** A store and the use cases over it. */
export class Passim implements UseCases {
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
  readonly #deps: PassimDeps

  constructor(deps: PassimDeps) {
    this.#deps = deps
    this.settings = deps.settings
    this.scope = deps.scope
    this.collections = deps.collections
    this.files = deps.files
    this.inlineFiles = deps.inlineFiles
    this.fileBatches = deps.fileBatches
    this.documents = deps.documents
    this.uploads = deps.uploads
    this.conversationService = deps.conversationService
    this.texts = deps.texts
    this.expiry = deps.expiry
    this.background = deps.background
    this.library = deps.library
    this.pages = deps.pages
    this.jobs = deps.jobs
    this.verify = deps.verify
    this.reEmbed = deps.reEmbed
    this.restoring = deps.restoring
    this.evaluations = deps.evaluations
  }

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
    const unread = isNew
      ? await this.#deps.indexDocuments.unread(planned, paths, options)
      : undefined
    if (unread) return unread
    const collection = isNew && !dryRun ? await collections.make(planned) : planned
    const result = await this.#deps.indexDocuments.run(collection, paths, options)
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
    return await this.#deps.searchDocuments.run(knownOptions('search', options), selection)
  }

  /**
   * What about a search is hardly meant as it is said (a filter on an attribute that no document has, vectors where there are
   * none), and how many documents it could not find, as they are still being indexed.
   */
  async searchWarnings(
    options: Pick<SearchOptions, 'filter' | 'collections' | 'mode'>,
  ): Promise<readonly Warning[]> {
    return await this.#deps.searchDocuments.warnings(options)
  }

  /** Why a document, by id, source or base name, is or is not among the hits of a search. */
  async why(document: string, options: SearchOptions): Promise<Reason> {
    return await this.#deps.searchDocuments.why(document, knownOptions('search', options))
  }

  /** Throws at once for an option that there is none of; whatever else goes wrong is thrown by what is read of the run. */
  ask(options: AskOptions): AgentRun {
    const { conversation, ...asked } = knownOptions('ask', options)
    if (conversation === undefined) return this.#deps.answering.ask(asked)
    return new AgentRun(askTurn(this.conversationService, conversation, asked))
  }

  /** How many tokens a text has for the chat model, or for another; of vocabularies but OpenAI's an estimate, a tenth too high. */
  async countTokens(text: string, options: CountOptions = {}): Promise<number> {
    return await this.#deps.models.countTokens(text, options)
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
    return this.#deps.agents.build(knownOptions('agent', options))
  }

  /** The built-in tools by name; `register` gives one with yours. */
  toolRegistry(where: Omit<ToolsOptions, 'tools'> = {}): ToolRegistry {
    return this.#deps.agents.createRegistry(knownOptions('toolRegistry', where))
  }

  get conversations(): Conversations {
    return this.#deps.search.store.conversations
  }

  get responses(): StoredResponses {
    return this.#deps.search.store.responses
  }

  /** What is kept in memory of the store's indexes; stores of one service share it. */
  get indexCache() {
    return this.#deps.search.searching.tables.cache
  }

  /** The documents of a collection, which may be named, by source. Throws `not_found`. */
  async list(collection: Collection | string): Promise<readonly Document[]> {
    const { id } = await this.scope.collection(
      typeof collection === 'string' ? collection : collection.id,
    )
    return await this.#deps.search.store.documents.list(id)
  }

  /** The same a page at a time, after a source. */
  async listPage(collection: string, after: string, limit: number): Promise<readonly Document[]> {
    return await this.#deps.search.store.documents.listPage(
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
    if (!(await this.#deps.search.store.documents.find(id)))
      throw new AppError('not_found', `There is no document with the id ${id}.`)
    await this.#deps.removal.document(id, this.#deps.retention(options))
    const collection = await this.#deps.search.store.collections.findById(collectionId)
    if (collection) await this.#deps.ingest.tidy(collection)
  }

  /** Queue a failed or cancelled job again and see it through, here or in the process that indexes. */
  async retryJob(id: string, signal?: AbortSignal): Promise<Job> {
    const job = await this.jobs.retry(id)
    const collection = await this.scope.collection(job.collectionId)
    const isPointless = async () => hasEnded((await this.jobs.find(job.id)) ?? { state: 'failed' })
    await this.#deps.ingest.drain(collection, { signal, isPointless })
    return (await this.jobs.find(job.id)) ?? job
  }

  /** Queue it again, to be worked off in the background. */
  async retryJobLater(id: string): Promise<Job> {
    const job = await this.jobs.retry(id)
    this.background.kick(await this.scope.collection(job.collectionId))
    return job
  }

  async setAttributes(documentId: string, attributes: Document['attributes']): Promise<void> {
    await this.#deps.search.store.documents.setAttributes(documentId, attributes)
  }

  async documentOfFile(collection: Collection, fileId: string): Promise<Document | undefined> {
    return await this.#deps.search.store.documents.findByFile(collection.id, fileId)
  }

  doctor(): Promise<DoctorReport> {
    const { settings, search, parsing } = this.#deps
    return doctor({
      settings,
      store: search.store,
      embedders: search.embedders,
      storage: search.storage,
      texts: this.texts,
      parsers: parsing.parsersFor(),
    })
  }

  /** One file with all of the store, written while it is in use; `importStore` makes a store of it. */
  export(file: string, options: BackupOptions = {}): Promise<BackupSummary> {
    return exportStore(this.#deps.search.store, file, options)
  }

  /** As a service does: go on with what waits, unless `background.look` is asked to, and remove what expires. */
  async resume(options?: { readonly isLookedFor?: boolean }): Promise<void> {
    await this.background.resume(options)
    this.expiry.start()
  }

  /** Throws what keeps the store from being used now: its database is away, or a newer program has brought it forward. */
  async requireUsable(): Promise<void> {
    await this.#deps.search.store.catalog.state()
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
    await this.#deps.agents.close()
    await this.#deps.parsing.processes.close()
    await closeSearchStore(this.#deps.search)
  }
}
