import type { Agent } from '../../agent/agent.ts'
import { FnCallAgent } from '../../agent/fn-call-agent.ts'
import type { GenerateConfig } from '../../agent/generate-config.ts'
import type { KnowledgeItem } from '../../agent/memory/knowledge.ts'
import { Memory } from '../../agent/memory/memory.ts'
import type { ChatModel, ToolChoice } from '../../agent/model.ts'
import type { ToolErrorListener } from '../../agent/tool.ts'
import type { ToolRegistry } from '../../agent/tools/tool-registry.ts'
import type { Settings } from '../../config.ts'
import type { ChatModels } from '../chat-models.ts'
import { FileRoots } from '../file-roots.ts'
import { searchBy, type ToolsOptions, toolRegistry } from './agent-tools.ts'
import { type KnowledgeParts, StoreKnowledge } from './knowledge.ts'
import { McpTools } from './mcp-tools.ts'

export type AgentOptions = ToolsOptions & {
  readonly name?: string
  readonly system?: string
  /** The agent's own documents: names, ids, or paths, which need not lie under the roots. */
  readonly files?: readonly string[] | undefined
  /** What it knows for each answer, instead of looking anything up. */
  readonly knowledge?: string | readonly KnowledgeItem[] | undefined
  /** Another model of the configured server, or any. */
  readonly model?: string | ChatModel | undefined
  readonly maxModelCalls?: number | undefined
  readonly config?: GenerateConfig | undefined
  /** Of the first model call of each run: a named tool is called then. */
  readonly toolChoice?: ToolChoice | undefined
  /** Told what a tool threw, with stack and paths; the model is told the sentence alone. */
  readonly onToolError?: ToolErrorListener | undefined
  /** Which of the configured MCP servers give it their tools; all when left out. */
  readonly mcpServers?: readonly string[] | undefined
}

export type AgentsParts = Omit<KnowledgeParts, 'roots' | 'fetchesUrls' | 'maxDataBytes' | 'collections'> & {
  readonly settings: Settings
  readonly models: ChatModels
  readonly onError: (message: string, error: unknown) => void
}

type Where = Omit<ToolsOptions, 'tools'>

/** The agents over a store, and the tools that they have. */
export class Agents {
  readonly mcp: McpTools
  readonly #parts: AgentsParts

  constructor(parts: AgentsParts) {
    const { mcpServers: servers, mcpConnectMs, toolTimeoutMs } = parts.settings.agent
    this.#parts = parts
    this.mcp = new McpTools({
      ...{ servers, connectTimeoutMs: mcpConnectMs, callTimeoutMs: toolTimeoutMs },
      onFailure: (server, reason) => parts.onError(`The tools of the MCP server ${server} are left out.`, reason),
    })
  }

  /** Told why a model could not help to search. */
  readonly onModelError = (error: unknown): void =>
    this.#parts.onError('The model could not help to search: the question was searched for as it is.', error)

  /** The built-in tools by name, over the documents that may be read. */
  registry(where: Where = {}): ToolRegistry {
    const knowledgeOf = (collections = where.collections) => this.#knowledge({ ...where, collections })
    return toolRegistry(this.#parts.settings, knowledgeOf)
  }

  /** An agent by the settings. Its memory holds its files, all documents of the collections if any are named, and what a conversation brings. */
  build(options: AgentOptions): Agent {
    const { settings, models } = this.#parts
    const { name, system, knowledge, tools = [], config, toolChoice, onToolError, mcpServers, maxModelCalls } = options
    const own = this.registry(options).resolve(tools) // what is wrong with them is told whether or not there is a model
    const model = typeof options.model === 'object' ? options.model : models.open(options.model)
    return new FnCallAgent({
      ...{ model, knowledge, config, toolChoice, onToolError, toolTimeoutMs: settings.agent.toolTimeoutMs },
      tools: own,
      memory: this.#memory(options, model),
      moreTools: this.mcp.more({ servers: mcpServers }),
      maxModelCalls: maxModelCalls ?? settings.answering.maxModelCalls,
      ...(name !== undefined && { name }),
      ...(system !== undefined && { system }),
    })
  }

  #memory(options: AgentOptions, model: ChatModel): Memory {
    const { settings, models } = this.#parts
    const { contextTokens: maxTokens, searchers, topK, minScore, keywords, keywordModel, urls } = settings.agent
    const { files = [], collections, roots = settings.agent.roots } = options
    return new Memory({
      ...{ files, strategy: keywords, maxTokens, topK, minScore, ...searchBy(searchers) },
      knowledge: this.#knowledge(options, urls !== 'none'),
      own: this.#knowledge({ ...options, roots: [...roots, ...files] }, true),
      hasAll: collections !== undefined,
      model: keywordModel ? models.open(keywordModel) : model,
      onModelError: this.onModelError,
    })
  }

  #knowledge({ collections, roots }: Where, fetchesUrls = this.#parts.settings.agent.urls === 'tools'): StoreKnowledge {
    const { agent, fetching } = this.#parts.settings
    const limits = { fetchesUrls, maxDataBytes: fetching.maxBytes }
    return new StoreKnowledge({ ...this.#parts, ...limits, collections, roots: new FileRoots(roots ?? agent.roots) })
  }
}
