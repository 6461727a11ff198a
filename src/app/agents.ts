import type { Agent } from '../agent/agent.ts'
import { FnCallAgent } from '../agent/fn-call-agent.ts'
import type { GenerateConfig } from '../agent/generate-config.ts'
import type { KnowledgeItem } from '../agent/knowledge.ts'
import type { KnowledgeBase } from '../agent/knowledge-base.ts'
import { Memory } from '../agent/memory.ts'
import type { ChatModel, ToolChoice } from '../agent/model.ts'
import type { Tool, ToolErrorListener } from '../agent/tool.ts'
import type { Settings } from '../config.ts'
import { searchBy, type ToolsOptions } from './agent-tools.ts'
import type { ChatModels } from './chat-models.ts'
import type { McpTools } from './mcp-tools.ts'

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

export type AgentParts = {
  readonly settings: Settings
  readonly models: ChatModels
  readonly knowledge: KnowledgeBase
  /** Reads the agent's own files, too. */
  readonly own: KnowledgeBase
  readonly tools: readonly Tool[]
  /** Told why a model could not help to search. */
  readonly onModelError: (error: unknown) => void
  readonly mcp: McpTools
}

/** An agent by the settings. Its memory holds its files, all documents of the collections if any are named, and what a conversation brings. */
export function buildAgent(options: AgentOptions, parts: AgentParts): Agent {
  const { settings, models, knowledge, own, tools, onModelError, mcp } = parts
  const { contextTokens, searchers, topK, minScore, keywords, keywordModel, toolTimeoutMs } = settings.agent
  const { name, system, knowledge: given, files, collections, config, toolChoice, onToolError } = options
  const model = typeof options.model === 'object' ? options.model : models.open(options.model)
  const memory = new Memory({
    ...{
      knowledge,
      own,
      onModelError,
      strategy: keywords,
      maxTokens: contextTokens,
      topK,
      minScore,
      ...searchBy(searchers),
    },
    ...(files && { files }),
    hasAll: collections !== undefined,
    model: keywordModel ? models.open(keywordModel) : model,
  })
  return new FnCallAgent({
    ...{ model, tools, memory, knowledge: given, config, toolChoice, onToolError, toolTimeoutMs },
    moreTools: mcp.more({ servers: options.mcpServers }),
    maxModelCalls: options.maxModelCalls ?? settings.answering.maxModelCalls,
    ...(name !== undefined && { name }),
    ...(system !== undefined && { system }),
  })
}
