import { buffer } from 'node:stream/consumers'
import { Agent } from '../../agent/agent.ts'
import type { AnyAgent } from '../../agent/agents/agent-tool.ts'
import { createRouter } from '../../agent/agents/router.ts'
import type { GroundedRun, Grounding } from '../../agent/grounding.ts'
import type { CitedOptions, SearchScope } from '../../agent/groundings/cited.ts'
import { DialogueMemory } from '../../agent/groundings/dialogue.ts'
import {
  describeUnreadable,
  ProvidedKnowledge,
  RecalledKnowledge,
  requireNoKnowledge,
} from '../../agent/groundings/recalled.ts'
import { Memory } from '../../agent/memory/memory.ts'
import { listMessageFiles } from '../../agent/message.ts'
import type { ChatModel } from '../../agent/model.ts'
import { configureModel } from '../../agent/models/configured.ts'
import type { GenerateConfig } from '../../agent/models/generate-config.ts'
import { PinnedFindings } from '../../agent/models/pinned-findings.ts'
import { fitSources } from '../../agent/models/recent-turns.ts'
import { ObservedModel } from '../../agent/observed.ts'
import type { StoredTurns } from '../../agent/stored-turns.ts'
import type { PicturePlace } from '../../agent/tools/image-search.ts'
import { PythonSessions } from '../../agent/tools/python-sessions.ts'
import type { ToolRegistry } from '../../agent/tools/tool-registry.ts'
import type { Settings } from '../../config.ts'
import { AppError } from '../../errors.ts'
import type { Document } from '../../ingest/store/catalog/document.ts'
import { PresentDocuments } from '../../ingest/store/document-reader.ts'
import type { ChatModels } from '../chat-models.ts'
import type { Pages } from '../documents/pages.ts'
import { FileRoots } from '../file-roots.ts'
import type { Parsing } from '../indexing/parsing.ts'
import { TopicTranslation } from '../inventory/topic-translation.ts'
import type { FindQuotation } from '../searching/find-quotation.ts'
import type { Store } from '../stores/store.ts'
import { traceTool } from '../tracing.ts'
import type { AgentOptions, RouterOptions } from './agent-options.ts'
import { chooseSearchMode, createToolRegistry, type ToolsOptions } from './agent-tools.ts'
import { type McpCaller, McpTools, splitServers } from './mcp-tools.ts'
import { createOutsideTools } from './outside-tools.ts'
import { createPageReader } from './page-reader.ts'
import { PastedTexts } from './pasted-texts.ts'
import { type KnowledgeDeps, StoreKnowledge } from './store-knowledge.ts'

const FINDING_TOOLS = [
  'search',
  'retrieval',
  'keyword_search',
  'vector_search',
  'hybrid_search',
  'front_page_search',
  'doc_parser',
  'simple_doc_parser',
  'read_pages',
]

type AgentsDeps = Omit<KnowledgeDeps, 'roots' | 'fetchesUrls' | 'maxDataBytes' | 'collections'> & {
  readonly settings: Settings
  readonly models: ChatModels
  readonly pages: Pages
  readonly parsing: Parsing
  readonly onError: (message: string, error: unknown) => void
  readonly cited: (
    model: ChatModel,
    resolveScope: CitedOptions['resolveScope'],
    how: Pick<CitedOptions, 'effort'>,
  ) => Grounding
  readonly turns: StoredTurns
  readonly elicit?: McpCaller['elicit']
  readonly findQuotation: Pick<FindQuotation, 'run'>
}

type Where = Omit<ToolsOptions, 'tools'>

export class Agents {
  readonly mcp: McpTools
  readonly #deps: AgentsDeps
  readonly #python: PythonSessions
  readonly #topics = new TopicTranslation()

  constructor(parts: AgentsDeps) {
    const { mcpServers: servers, mcpConnectMs, toolTimeoutMs, roots } = parts.settings.agent
    this.#deps = parts
    this.#python = new PythonSessions(parts.settings.tools.python)
    this.mcp = new McpTools({
      servers,
      connectTimeoutMs: mcpConnectMs,
      callTimeoutMs: toolTimeoutMs,
      roots,
      elicit: parts.elicit,
      onFailure: (server, reason) =>
        parts.onError(`The tools of the MCP server ${server} are left out.`, reason),
    })
  }

  async close(): Promise<void> {
    await this.#python.close()
    await this.mcp.close()
  }

  readonly onModelError = (error: unknown): void =>
    this.#deps.onError(
      'The model could not rewrite the query, so the question was searched as written.',
      error,
    )

  createRegistry(
    where: Where,
    { model, observe }: Pick<AgentOptions, 'model' | 'observe'> = {},
  ): ToolRegistry {
    const openKnowledge = (collections = where.collections) =>
      this.#openKnowledge({ ...where, collections })
    const { settings, store, library, pages, parsing, models } = this.#deps
    return createToolRegistry(settings, {
      openKnowledge,
      translate: topic => this.#topics.translate(topic),
      listCollections: () => store.collections.list(),
      pages: createPageReader(pages, library),
      python: this.#python,
      outside: createOutsideTools(settings, parsing, (picture, signal) =>
        this.#findPlaces(picture, where.collections, signal),
      ),
      readTables: ({ id }, signal) => new PresentDocuments(library).readTables(id, signal),
      openModels: () => ({
        reader: observeModel(models.openCached(model), observe),
        writer: observeModel(models.open(model), observe),
      }),
      readBytes: document => readOriginal(store, document),
    })
  }

  /** Remembers its files, the named collections, and files of the conversation. */
  build<Output>(options: AgentOptions<Output>): Agent<Output> {
    const { settings, models } = this.#deps
    const { name, instructions, tools = [], config, toolChoice, onToolError, mcpServers } = options
    const {
      description,
      approve,
      outputSchema,
      observe,
      registry = this.createRegistry(options, options),
    } = options
    const { specs, servers } = splitServers(tools)
    const own = registry.resolve(specs) // reported with or without a model
    const plain = limitModel(models.open(options.model), config)
    const model = options.memory?.keepsFindings
      ? new PinnedFindings(plain, { tools: FINDING_TOOLS })
      : plain
    const { toolTimeoutMs, maxToolTokens, tokens } = models.getToolLimits(model.id, settings)
    return new Agent({
      model,
      name,
      description,
      instructions,
      config,
      toolChoice,
      onToolError,
      toolTimeoutMs,
      maxToolTokens,
      tokens,
      observe: step => {
        traceTool(step)
        observe?.(step)
      },
      turns: this.#deps.turns,
      citations: options.citations,
      tools: own,
      approve,
      outputSchema,
      grounding: this.#createGrounding(options, observeModel(model, observe)),
      moreTools: this.mcp.createFinder({ servers: mcpServers, more: servers }),
      maxModelCalls: options.maxModelCalls ?? settings.answering.maxModelCalls,
      maxToolCalls: options.maxToolCalls ?? settings.answering.maxToolCalls,
    })
  }

  route(agents: readonly AnyAgent[], { model, ...label }: RouterOptions): AnyAgent {
    return createRouter(agents, { ...label, model: this.#deps.models.open(model) })
  }

  #createGrounding(options: AgentOptions, model: ChatModel): Grounding {
    const knowledge = this.#chooseKnowledge(options, model)
    const grounding = options.memory?.searchesHistory ? new DialogueMemory(knowledge) : knowledge
    if (knowledge instanceof ProvidedKnowledge) return grounding // reads no files
    const { settings, models } = this.#deps
    const { citations, collections, files = [] } = options
    const hasSources = citations || collections !== undefined || files.length > 0
    const { contextTokens } = citations ? settings.answering : settings.agent
    return new PastedTexts(grounding, {
      maxTokens: model.maxInputTokens ?? 0,
      contextTokens: hasSources ? contextTokens : 0,
      countTokens: async (text, signal) =>
        await models.countTokens(text, { model: model.id, signal }),
    })
  }

  #chooseKnowledge(options: AgentOptions, model: ChatModel): Grounding {
    const { effort } = options
    if (options.citations) {
      requireNoKnowledge(options.knowledge)
      return this.#deps.cited(model, run => this.#resolveScope(options, run), { effort })
    }
    if (effort)
      throw new AppError('invalid_input', 'effort needs citations: set citations to true as well.')
    if (options.knowledge !== undefined) return new ProvidedKnowledge(options.knowledge)
    return new RecalledKnowledge(this.#createMemory(options, model))
  }

  /** Uses files of the conversation, too; with files alone nothing else. */
  async #resolveScope(
    options: AgentOptions,
    { messages, language, signal }: GroundedRun,
  ): Promise<SearchScope> {
    const { scope, store, settings } = this.#deps
    const { collections, roots = settings.agent.roots, files = [] } = options
    const own = await this.#openKnowledge(
      { ...options, roots: [...roots, ...files] },
      true,
    ).resolve(files, signal)
    const knowledge = this.#openKnowledge(options, settings.agent.urls !== 'none')
    const messageFiles = await knowledge.resolve(listMessageFiles(messages), signal)
    const found = [...own.documents, ...messageFiles.documents]
    const failures = [...own.failures, ...messageFiles.failures]
    const named =
      found.length > 0 && collections === undefined ? [] : await scope.findCollections(collections)
    const listAll = async () =>
      (await Promise.all(named.map(async ({ id }) => await store.documents.list(id))))
        .flat()
        .filter(({ searchable }) => searchable !== undefined)
    return {
      collectionIds: [
        ...new Set([
          ...named.map(({ id }) => id),
          ...found.map(({ collectionId }) => collectionId),
        ]),
      ],
      documents: async () => [...(await listAll()), ...found],
      ...(named.length === 0 && { documentIds: found.map(({ id }) => id) }),
      ...(failures.length > 0 && { notice: describeUnreadable(failures, language) }),
    }
  }

  #createMemory(options: AgentOptions, model: ChatModel): Memory {
    const { settings, models } = this.#deps
    const { contextTokens, searchers, topK, minScore, keywords, keywordModel, urls } =
      settings.agent
    const { files = [], collections, roots = settings.agent.roots } = options
    return new Memory({
      files,
      strategy: keywords,
      maxTokens: fitSources(contextTokens, model.maxInputTokens),
      topK,
      minScore,
      ...chooseSearchMode(searchers),
      knowledge: this.#openKnowledge(options, urls !== 'none'),
      own: this.#openKnowledge({ ...options, roots: [...roots, ...files] }, true),
      hasAll: collections !== undefined,
      model: keywordModel ? observeModel(models.open(keywordModel), options.observe) : model,
      onModelError: this.onModelError,
    })
  }

  async #findPlaces(
    picture: Buffer,
    names: readonly string[] | undefined,
    signal: AbortSignal | undefined,
  ): Promise<readonly PicturePlace[]> {
    const found = await this.#deps.scope.findCollections(names)
    if (found.length === 0) return []
    const file = `data:image/png;base64,${picture.toString('base64')}` // its bytes name its format
    const collections = found.map(({ id }) => id)
    return (await this.#deps.findQuotation.run({ file, collections, signal })).places
  }

  #openKnowledge(
    { collections, roots }: Where,
    fetchesUrls = this.#deps.settings.agent.urls === 'tools',
  ): StoreKnowledge {
    const { settings, store, scope, library, searching, scratch } = this.#deps
    return new StoreKnowledge({
      store,
      scope,
      library,
      searching,
      scratch,
      fetchesUrls,
      maxDataBytes: settings.fetching.maxBytes,
      collections,
      roots: new FileRoots(roots ?? settings.agent.roots),
    })
  }
}

function limitModel(model: ChatModel, { maxInputTokens }: GenerateConfig = {}): ChatModel {
  return maxInputTokens === undefined ? model : configureModel(model, { maxInputTokens })
}

function observeModel(model: ChatModel, observe: AgentOptions['observe']): ChatModel {
  return observe ? new ObservedModel(model, observe) : model
}

async function readOriginal(
  { files, content }: Store,
  { name, fileId }: Document,
): Promise<Buffer> {
  const file = await files.find(fileId)
  if (file) return await buffer(await content.read(file.sha256))
  throw new AppError('not_found', `${name} is gone.`)
}
