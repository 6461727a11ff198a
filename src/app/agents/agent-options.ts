import type { AgentDeps } from '../../agent/agent.ts'
import type { Knowledge } from '../../agent/groundings/recalled.ts'
import type { Effort } from '../../agent/groundings/research.ts'
import type { ToolChoice } from '../../agent/model.ts'
import type { GenerateConfig } from '../../agent/models/generate-config.ts'
import type { ToolErrorListener } from '../../agent/tool.ts'
import type { ToolRegistry, ToolSpec } from '../../agent/tools/tool-registry.ts'
import type { ModelChoice } from '../chat-models.ts'
import type { ToolsOptions } from './agent-tools.ts'
import type { ServersSpec } from './mcp-tools.ts'

export type AgentOptions<Output = unknown> = Omit<ToolsOptions, 'tools'> & {
  /** None by default. `{ mcpServers }` adds servers. */
  readonly tools?: readonly (ToolSpec | ServersSpec)[] | undefined
  readonly name?: string
  readonly description?: string | undefined
  readonly instructions?: string
  /** Names, ids or paths, also outside of the roots. */
  readonly files?: readonly string[] | undefined
  readonly knowledge?: Knowledge | undefined
  readonly model?: ModelChoice | undefined
  readonly maxModelCalls?: number | undefined
  readonly maxToolCalls?: number | undefined
  readonly config?: GenerateConfig | undefined
  readonly toolChoice?: ToolChoice | undefined
  readonly onToolError?: ToolErrorListener | undefined
  /** Checks citations of collections and files; otherwise they are unnumbered knowledge. */
  readonly citations?: boolean | undefined
  /** Parts of a question and checks of a draft, with citations. */
  readonly effort?: Effort | undefined
  readonly memory?: ConversationMemory | undefined
  readonly approve?: AgentDeps['approve']
  /** Zod or JSON Schema of the answer. */
  readonly outputSchema?: AgentDeps<Output>['outputSchema']
  readonly observe?: AgentDeps['observe']
  readonly registry?: ToolRegistry | undefined
  /** Configured servers to use; all by default. */
  readonly mcpServers?: readonly string[] | undefined
}

export type RouterOptions = {
  readonly name?: string | undefined
  readonly description?: string | undefined
  readonly model?: ModelChoice | undefined
}

type ConversationMemory = {
  /** Searches turns before the last three instead of sending them. */
  readonly searchesHistory?: boolean
  /** Keeps documents found by tools in the system message. */
  readonly keepsFindings?: boolean
}
