import type { AgentRun } from './agent/run.ts'
import type { AskOptions } from './app/ask-options.ts'
import type { OpenOptions as StoreOptions } from './app/open-search.ts'
import type { Passim as Store } from './app/passim.ts'
import { open as openStore } from './app.ts'

export type { RunOptions } from './agent/agent.ts'
export { type AnyAgent, agentTool } from './agent/agents/agent-tool.ts'
export { writeFromScratch } from './agent/agents/write-from-scratch.ts'
export type { AgentEvent, AgentResult } from './agent/event.ts'
export { toAISDK } from './agent/export/ai-sdk.ts'
export { toLangChain } from './agent/export/langchain.ts'
export { toMCP } from './agent/export/mcp.ts'
export { toOpenAI } from './agent/export/openai.ts'
export type { ContentItem } from './agent/message.ts'
export { type Message, textContent } from './agent/message.ts'
export type { FunctionCall } from './agent/messages/function-call.ts'
export { collectResponse, type ModelResponse } from './agent/messages/model-response.ts'
export type {
  ChatModel,
  ModelEvent,
  ModelRequest,
  ToolCall,
  ToolDefinition,
  Usage,
} from './agent/model.ts'
export type { GenerateConfig } from './agent/models/generate-config.ts'
export { DiskCache, MemoryCache, type TextCache } from './agent/models/text-cache.ts'
export type { AgentRun } from './agent/run.ts'
export {
  callTool,
  closeTools,
  type FunctionToolCall,
  type Tool,
  type ToolRun,
} from './agent/tool.ts'
export { defineTool } from './agent/tools/define-tool.ts'
export { connectMcpServers } from './agent/tools/mcp-client.ts'
export { storageTool } from './agent/tools/storage.ts'
export { withCache, withRetries, withTimeout } from './agent/tools/tool-limits.ts'
export { ToolRegistry, type ToolSpec } from './agent/tools/tool-registry.ts'
export type { Citation, ToolCitation } from './answer/citations/citation.ts'
export type { AgentOptions } from './app/agents/agent-options.ts'
export type { ToolsOptions } from './app/agents/agent-tools.ts'
export { Agent, type AgentParts, groupChat } from './app/agents/library-agents.ts'
export type { AskOptions } from './app/ask-options.ts'
export { openChatModel as chatModel } from './app/chat-models.ts'
export type { PutOptions } from './app/documents/document-puts.ts'
export type { IndexOptions } from './app/indexing/index-documents.ts'
export type { WatchOptions, WatchResult } from './app/indexing/watching.ts'
export type { SearchOptions } from './app/searching/search-documents.ts'
export type { BackupOptions } from './app/stores/backup.ts'
export { type ImportOptions, importStore } from './app/stores/import-store.ts'
export type { Charge, ConversationHooks, Owner } from './conversations/hooks.ts'
export { AppError, ERROR_CODES, type ErrorCode } from './errors.ts'
export { type Block, type Box, formatTableText as tableText } from './ingest/block.ts'
export type { TokenCounter } from './ingest/chunk/tokens.ts'
export type { Embedder, EmbeddingRole } from './ingest/embed/embedder.ts'
export type {
  Attachment,
  FileHead,
  Metadata,
  PageReport,
  Parser,
  ParserEvent,
  ParserInput,
  Warning,
} from './ingest/parse/parser.ts'
export { builtinParsers } from './ingest/parse/parsers/index.ts'
export type { Attributes, Document } from './ingest/store/catalog/document.ts'
export { type AttributeFilter, type Filter, parseFilter } from './search/filter.ts'
export { readFilter } from './search/filter-text.ts'
export type { Reason } from './search/reasons.ts'
export type { Hit } from './search/searcher.ts'
export type { BackupSummary } from './wire/backup.ts'
export type { IndexedDocument, IndexResult } from './wire/indexing.ts'

/** Public methods of a store. */
const USE_CASES = [
  ...([
    'settings',
    'index',
    'watch',
    'search',
    'find',
    'searchWarnings',
    'why',
    'ask',
    'agent',
    'router',
    'tools',
  ] as const),
  ...([
    'toolRegistry',
    'connectMcp',
    'countTokens',
    'model',
    'list',
    'show',
    'delete',
    'setAttributes',
    'retryJob',
  ] as const),
  ...(['doctor', 'export', 'resume', 'close'] as const),
] as const

/** Public methods of its parts. */
const PARTS = {
  collections: ['list', 'get', 'create', 'update', 'delete'],
  documents: ['put', 'deleteMany'],
  conversations: ['list', 'get', 'create', 'items'],
  jobs: ['list', 'find', 'cancel'],
  synonyms: ['get', 'set', 'clear'],
  texts: ['context'],
  verify: ['run', 'repair'],
} as const

/** Options without those whose values only Passim has. */
export type OpenOptions = Omit<
  StoreOptions,
  'embedders' | 'indexCache' | 'parserProcesses' | 'acceptsFailingStorage'
>

/** Public interface of a store. */
export type Passim = Pick<Store, Exclude<(typeof USE_CASES)[number], 'ask'>> & {
  ask(options: AskOptions): AgentRun
} & {
  readonly [Part in keyof typeof PARTS]: Pick<
    Store[Part],
    Extract<(typeof PARTS)[Part][number], keyof Store[Part]>
  >
}

/** Opens the store in `home`; creates it if it does not exist. */
export async function open(options?: OpenOptions): Promise<Passim> {
  const store = await openStore(options)
  return {
    ...pickMembers(store, USE_CASES),
    collections: pickMembers(store.collections, PARTS.collections),
    documents: pickMembers(store.documents, PARTS.documents),
    conversations: pickMembers(store.conversations, PARTS.conversations),
    jobs: pickMembers(store.jobs, PARTS.jobs),
    synonyms: pickMembers(store.synonyms, PARTS.synonyms),
    texts: pickMembers(store.texts, PARTS.texts),
    verify: pickMembers(store.verify, PARTS.verify),
  }
}

/** Exposes only these members, at run time too. */
function pickMembers<Target extends object, Name extends keyof Target>(
  target: Target,
  names: readonly Name[],
): Pick<Target, Name> {
  const members = names.map(name => {
    const member = target[name]
    return [name, typeof member === 'function' ? member.bind(target) : member]
  })
  return Object.fromEntries(members)
}
