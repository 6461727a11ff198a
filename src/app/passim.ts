import type { Agent } from '../agent/agent.ts'
import type { AnyAgent } from '../agent/agents/agent-tool.ts'
import type { ChatModel } from '../agent/model.ts'
import { AgentRun } from '../agent/run.ts'
import type { Tool } from '../agent/tool.ts'
import type { McpConnection } from '../agent/tools/mcp-client.ts'
import type { ToolRegistry } from '../agent/tools/tool-registry.ts'
import type { Settings } from '../config.ts'
import type { Conversations } from '../conversations/conversations.ts'
import type { StoredResponses } from '../conversations/stored-responses.ts'
import type { Turn } from '../conversations/turns.ts'
import { AppError } from '../errors.ts'
import type { Warning } from '../ingest/parse/parser.ts'
import type { Collection } from '../ingest/store/catalog/collections.ts'
import type { Document } from '../ingest/store/catalog/document.ts'
import { hasEnded, type Job } from '../ingest/store/catalog/jobs.ts'
import { isSourceJob } from '../ingest/store/catalog/source-runs.ts'
import type { Ingest } from '../ingest/work/ingest.ts'
import type { Reason } from '../search/reasons.ts'
import type { Hit, HitSelection } from '../search/searcher.ts'
import type { BackupSummary } from '../wire/backup.ts'
import type { DoctorReport } from '../wire/checks.ts'
import type { FindJson } from '../wire/find.ts'
import type { IndexResult } from '../wire/indexing.ts'
import type { AgentOptions, RouterOptions } from './agents/agent-options.ts'
import { DEFAULT_TOOLS, type ToolsOptions } from './agents/agent-tools.ts'
import type { Agents } from './agents/agents.ts'
import type { McpCaller } from './agents/mcp-tools.ts'
import type { Answering } from './answering.ts'
import type { AskOptions } from './ask-options.ts'
import { askTurn } from './ask-turn.ts'
import type { ChatModels, CountOptions } from './chat-models.ts'
import { runChecks } from './checks/doctor.ts'
import { type DeleteOptions, isPlanned } from './documents/collection-admin.ts'
import { DEFAULT_COLLECTION } from './documents/scope.ts'
import type { ScratchFiles } from './documents/scratch-files.ts'
import type { Access } from './documents/visible-documents.ts'
import { toKeywordsMessage } from './embedding.ts'
import type { Webhooks } from './events/webhooks.ts'
import { FileRoots } from './file-roots.ts'
import { suggestFollowUps } from './follow-ups.ts'
import type { IndexDocuments, IndexOptions } from './indexing/index-documents.ts'
import type { Parsing } from './indexing/parsing.ts'
import { type WatchOptions, type WatchResult, watchSources } from './indexing/watching.ts'
import { requireKnownOptions } from './known-options.ts'
import type { OpenedStore } from './open-search.ts'
import type { FindOptions, FindQuotation } from './searching/find-quotation.ts'
import type { SearchDocuments, SearchOptions } from './searching/search-documents.ts'
import { type BackupOptions, exportStore } from './stores/backup.ts'
import type { UseCases } from './use-cases.ts'

type IndexInto = IndexOptions & { collection?: string }
type WatchInto = WatchOptions & { collection?: string }

type PassimDeps = {
  readonly useCases: UseCases
  readonly opened: OpenedStore
  readonly parsing: Parsing
  readonly models: ChatModels
  readonly ingest: Ingest
  readonly scratch: ScratchFiles
  readonly webhooks: Webhooks
  readonly indexDocuments: IndexDocuments
  readonly searchDocuments: SearchDocuments
  readonly findQuotation: FindQuotation
  readonly answering: Answering
  readonly agents: Agents
  readonly closeStore: () => Promise<void>
  readonly openView: (access: Access, onClosed?: () => void) => Promise<Passim>
  readonly narrowAccess: (access: Access) => Promise<Access>
}

/** An open store: its use cases, and calls that need several of its parts. */
export type Passim = UseCases & StoreCalls

export function createPassim(deps: PassimDeps): Passim {
  return Object.assign(new StoreCalls(deps), deps.useCases)
}

class StoreCalls {
  readonly #deps: PassimDeps
  readonly #useCases: UseCases

  constructor(deps: PassimDeps) {
    this.#deps = deps
    this.#useCases = deps.useCases
  }

  /** Compares files, folders and URLs with a collection, and indexes the differences. */
  async index(paths: readonly string[], options: IndexInto = {}): Promise<IndexResult> {
    return await this.#index(paths, requireKnownOptions('index', options))
  }

  async #index(paths: readonly string[], options: IndexInto): Promise<IndexResult> {
    if (paths.length === 0)
      throw new AppError('invalid_input', 'Nothing to index: name a file, a folder or a URL.')
    const { collection: name = DEFAULT_COLLECTION, dryRun } = options
    const warnings: Warning[] = []
    const onUnreached = options.withoutVectors
      ? (error: AppError) => warnings.push(toKeywordsMessage(name, error))
      : undefined
    const planned = await this.#useCases.collections.findOrPlan(name, { onUnreached })
    const isNew = isPlanned(planned)
    const unread = isNew
      ? await this.#deps.indexDocuments.explainUnread(planned, paths, options)
      : undefined
    if (unread) return unread
    const collection =
      isNew && !dryRun ? await this.#useCases.collections.createPlanned(planned) : planned
    const result = await this.#deps.indexDocuments.run(collection, paths, options)
    return warnings.length > 0
      ? { ...result, warnings: [...warnings, ...(result.warnings ?? [])] }
      : result
  }

  /** Ends with the signal or the loop. */
  watch(paths: readonly string[], options: WatchInto = {}): AsyncGenerator<WatchResult> {
    const { watching: defaults, home } = this.#useCases.settings
    const index = (changed: readonly string[], run: IndexOptions) =>
      this.#index(changed, { ...options, ...run })
    return watchSources(
      { index, defaults: { ...defaults, except: home } },
      paths,
      requireKnownOptions('watch', options),
    )
  }

  /** Returns `varied` hits to people; protocols need `every`, models `distinct`. */
  async search(options: SearchOptions, selection?: HitSelection): Promise<readonly Hit[]> {
    return await this.#deps.searchDocuments.run(requireKnownOptions('search', options), selection)
  }

  async searchWarnings(
    options: Pick<SearchOptions, 'filter' | 'collections' | 'mode'>,
  ): Promise<readonly Warning[]> {
    return await this.#deps.searchDocuments.listWarnings(options)
  }

  /** Finds a quotation or the picture of a page, with the share of its letters. */
  async find(options: FindOptions): Promise<FindJson> {
    return await this.#deps.findQuotation.run(requireKnownOptions('find', options))
  }

  async why(document: string, options: SearchOptions): Promise<Reason> {
    return await this.#deps.searchDocuments.explainDocument(
      document,
      requireKnownOptions('search', options),
    )
  }

  /** Throws at once for an unknown option; the run throws everything else. */
  ask(options: AskOptions): AgentRun {
    const { conversation, ...askOptions } = requireKnownOptions('ask', options)
    if (conversation === undefined) return this.#deps.answering.ask(askOptions)
    return new AgentRun(askTurn(this.#useCases.conversationService, conversation, askOptions))
  }

  /** Suggests up to three questions that may follow a stored answer. */
  async suggestFollowUps(turn: Turn, signal: AbortSignal): Promise<readonly string[]> {
    const { models, agents } = this.#deps
    const { library, settings } = this.#useCases
    const isWritten = turn.mode === 'model' && settings.model !== undefined
    const model = isWritten ? models.openCached() : undefined
    return await suggestFollowUps(
      turn,
      { library, model, onModelError: agents.onModelError },
      signal,
    )
  }

  /** Counts for a chat model; a tenth too many for other vocabularies than OpenAI's. */
  async countTokens(text: string, options: CountOptions = {}): Promise<number> {
    return await this.#deps.models.countTokens(text, options)
  }

  /** Opens the configured chat model, or another of its server. Throws `model_unavailable`. */
  model(name?: string): ChatModel {
    return this.#deps.models.open(name)
  }

  /** Answers with another model from now on, or without one. */
  setModel(model: Settings['model']): void {
    this.#useCases.settings.model = model
    this.#deps.models.configure(model)
  }

  tools(options: ToolsOptions = {}): readonly Tool[] {
    const { tools = DEFAULT_TOOLS, ...where } = requireKnownOptions('tools', options)
    return this.toolRegistry(where).resolve(tools)
  }

  /** Restricts `index` to `agent.roots`, for remote callers. */
  async indexAllowed(paths: readonly string[], options: IndexInto): Promise<IndexResult> {
    const roots = new FileRoots(this.#useCases.settings.agent.roots)
    return await this.index(await Promise.all(paths.map(path => roots.require(path))), options)
  }

  /** Returns the tools of configured MCP servers. Close the connection after use. */
  async connectMcp(caller: AbortSignal | McpCaller = {}): Promise<McpConnection> {
    return await this.#deps.agents.mcp.connect(caller)
  }

  agent<Output = unknown>(options: AgentOptions<Output> = {}): Agent<Output> {
    return this.#deps.agents.build(requireKnownOptions('agent', options))
  }

  /** Passes each conversation to the agent that a model chooses, or that `@name` calls. */
  router(agents: readonly AnyAgent[], options: RouterOptions = {}): AnyAgent {
    return this.#deps.agents.route(agents, requireKnownOptions('router', options))
  }

  /** Returns the built-in tools by name; `register` adds yours. */
  toolRegistry(where: Omit<ToolsOptions, 'tools'> = {}): ToolRegistry {
    return this.#deps.agents.createRegistry(requireKnownOptions('toolRegistry', where))
  }

  get conversations(): Conversations {
    return this.#deps.opened.store.conversations
  }

  get responses(): StoredResponses {
    return this.#deps.opened.store.responses
  }

  get indexCache() {
    return this.#deps.opened.searching.tables.cache
  }

  async list(collection: Collection | string): Promise<readonly Document[]> {
    const { id } = await this.#useCases.scope.findCollection(
      typeof collection === 'string' ? collection : collection.id,
    )
    return await this.#deps.opened.store.documents.list(id)
  }

  async listPage(collection: string, after: string, limit: number): Promise<readonly Document[]> {
    return await this.#deps.opened.store.documents.listPage(
      (await this.#useCases.scope.findCollection(collection)).id,
      after,
      limit,
    )
  }

  /** Finds by id, source or base name. Throws `not_found`. */
  async show(document: string): Promise<Document> {
    return await this.#useCases.scope.findDocument(
      document,
      await this.#useCases.collections.list(),
    )
  }

  /** Can be restored for `deleting.keepDays` unless `now`. Throws `not_found`. */
  async delete(document: Document | string, options: DeleteOptions = {}): Promise<void> {
    await this.#useCases.documents.delete(document, options)
  }

  async retryJob(id: string, signal?: AbortSignal): Promise<Job> {
    const job = await this.#useCases.jobs.retry(id)
    if (isSourceJob(id)) return job
    const collection = await this.#useCases.scope.findCollection(job.collectionId)
    const isPointless = async () =>
      hasEnded((await this.#useCases.jobs.find(job.id)) ?? { state: 'failed' })
    await this.#deps.ingest.drain(collection, { signal, isPointless })
    return (await this.#useCases.jobs.find(job.id)) ?? job
  }

  async retryJobLater(id: string): Promise<Job> {
    const job = await this.#useCases.jobs.retry(id)
    if (!isSourceJob(id))
      this.#useCases.background.start(await this.#useCases.scope.findCollection(job.collectionId))
    return job
  }

  /** Throws `conflict` for another `external_id` than the document was added with. */
  async setAttributes(documentId: string, attributes: Document['attributes']): Promise<void> {
    await this.#useCases.documents.setAttributes(documentId, attributes)
  }

  async findDocumentByFile(collection: Collection, fileId: string): Promise<Document | undefined> {
    return await this.#deps.opened.store.documents.findByFile(collection.id, fileId)
  }

  /** Checks each part; with `model`, also by two short requests to the chat model. */
  doctor({ model = false }: { readonly model?: boolean } = {}): Promise<DoctorReport> {
    const { opened, parsing, models, useCases } = this.#deps
    return runChecks({
      settings: useCases.settings,
      ...(model && { models }),
      store: opened.store,
      indexes: opened.searching.published,
      embedders: opened.embedders,
      storage: opened.storage,
      texts: this.#useCases.texts,
      parsers: parsing.listParsers(),
    })
  }

  /** Opens what a reader may see, to read only. Close it before the store. */
  openView(access: Access, onClosed?: () => void): Promise<Passim> {
    return this.#deps.openView(access, onClosed)
  }

  narrowAccess(access: Access): Promise<Access> {
    return this.#deps.narrowAccess(access)
  }

  /** Writes a backup while the store is in use; `importStore` reads it. */
  export(file: string, options: BackupOptions = {}): Promise<BackupSummary> {
    return exportStore(this.#deps.opened.store, file, options)
  }

  /** Continues queued work, and removes expired things, as a service does. */
  async resume(options?: { readonly isLookedFor?: boolean }): Promise<void> {
    await this.#useCases.background.resume(options)
    await this.#useCases.batches.prune()
    this.#useCases.expiry.start()
    this.#deps.webhooks.start()
    this.#useCases.sources.start()
  }

  /** Throws why the store cannot be used now. */
  async requireUsable(): Promise<void> {
    await this.#deps.opened.store.catalog.state()
  }

  get isBusy(): boolean {
    return (
      this.#useCases.background.isBusy ||
      this.#useCases.batches.isBusy ||
      this.#deps.scratch.isBusy ||
      this.#useCases.sources.isBusy ||
      this.#useCases.conversationService.isBusy
    )
  }

  get isWaiting(): boolean {
    return (
      this.#useCases.background.isWaiting ||
      this.#useCases.batches.isWaiting ||
      this.#deps.webhooks.isWaiting ||
      this.#useCases.sources.isScheduled
    )
  }

  async close(): Promise<void> {
    await this.#useCases.batches.close()
    await this.#useCases.conversationService.close()
    await this.#useCases.expiry.close()
    await this.#deps.webhooks.close()
    await this.#useCases.sources.close()
    await this.#deps.scratch.close()
    await this.#useCases.background.close()
    await this.#deps.agents.close()
    await this.#deps.closeStore()
  }
}
