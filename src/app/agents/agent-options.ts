import type { AgentDeps } from '../../agent/agent.ts'
import type { GenerateConfig } from '../../agent/generate-config.ts'
import type { KnowledgeItem } from '../../agent/groundings/recalled.ts'
import type { Effort } from '../../agent/groundings/research.ts'
import type { ChatModel, ToolChoice } from '../../agent/model.ts'
import type { ToolErrorListener } from '../../agent/tool.ts'
import type { ToolRegistry } from '../../agent/tools/tool-registry.ts'
import type { ToolsOptions } from './agent-tools.ts'

/** How an agent over a store is made. */
export type AgentOptions<Output = unknown> = ToolsOptions & {
  readonly name?: string
  /** What it is for: by it, whoever calls chooses among agents. */
  readonly description?: string | undefined
  readonly instructions?: string
  /** The agent's own documents: names, ids, or paths, which need not lie under the roots. */
  readonly files?: readonly string[] | undefined
  /** What it knows for each answer, instead of looking anything up. */
  readonly knowledge?: string | readonly KnowledgeItem[] | undefined
  /** Another model of the configured server, or any. */
  readonly model?: string | ChatModel | undefined
  readonly maxModelCalls?: number | undefined
  readonly maxToolCalls?: number | undefined
  readonly config?: GenerateConfig | undefined
  /** Of the first model call of each run: a named tool is called then. */
  readonly toolChoice?: ToolChoice | undefined
  /** Told what a tool threw, with stack and paths; the model is told the sentence alone. */
  readonly onToolError?: ToolErrorListener | undefined
  /** Answer from its collections and files with citations that are checked; else they are knowledge without numbers. */
  readonly citations?: boolean | undefined
  /** Of answers with citations: how many parts of a question are searched for, and how often a draft is checked. */
  readonly effort?: Effort | undefined
  /** Of long conversations. */
  readonly memory?: ConversationMemory | undefined
  /** Asked of every call that needs approval; without it, the run pauses there. */
  readonly approve?: AgentDeps['approve']
  /** The answer as data, by zod or a JSON Schema. */
  readonly outputSchema?: AgentDeps<Output>['outputSchema']
  /** Told of each model call and tool call as it begins and ends. */
  readonly observe?: AgentDeps['observe']
  /** Where tools that are named come from, in place of the built-in ones. */
  readonly registry?: ToolRegistry | undefined
  /** Which of the configured MCP servers give it their tools; all when left out. */
  readonly mcpServers?: readonly string[] | undefined
}

type ConversationMemory = {
  /** All but the last three turns are searched for what bears on the question, instead of being sent. */
  readonly searchesHistory?: boolean
  /** What tools find in documents stays in the system message. */
  readonly keepsFindings?: boolean
}
