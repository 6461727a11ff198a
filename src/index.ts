export { type Agent, type AgentStep, run, runJson, runToEnd } from './agent/agent.ts'
export { type AgentEvent, type Answer, type Citation, collectAnswer } from './agent/answer.ts'
export { type ContentItem, isMedia, itemExtension, itemType, itemValue } from './agent/content-item.ts'
export { defineTool } from './agent/define-tool.ts'
export { DiskCache } from './agent/disk-cache.ts'
export { toAISDK } from './agent/export/ai-sdk.ts'
export { toLangChain } from './agent/export/langchain.ts'
export { toMCP } from './agent/export/mcp.ts'
export { toOpenAI } from './agent/export/openai.ts'
export { basicAgent, FnCallAgent } from './agent/fn-call-agent.ts'
export { type FunctionCall, parseArguments, withArgument } from './agent/function-call.ts'
export { type GenerateConfig, mergeConfigs } from './agent/generate-config.ts'
export { connectMcpServers } from './agent/mcp-client.ts'
export { isMultimodal, type Message, textContent, withTextBefore } from './agent/message.ts'
export { type MessageJson, messageJson, parseMessage } from './agent/message-json.ts'
export type { ChatModel, ModelEvent, ModelRequest, ToolCall, ToolDefinition } from './agent/model.ts'
export { collectResponse, type ModelResponse } from './agent/model-response.ts'
export { MemoryCache, type TextCache } from './agent/text-cache.ts'
export { callTool, closeTools, type Tool } from './agent/tool.ts'
export { withCache, withRetries, withTimeout } from './agent/tool-limits.ts'
export { ToolRegistry, type ToolSpec } from './agent/tool-registry.ts'
export { storageTool } from './agent/tools/storage.ts'
export { transcript } from './agent/transcript.ts'
export { addUsage, type Usage } from './agent/usage.ts'
export type { ToolsOptions } from './app/agent-tools.ts'
export type { AgentOptions } from './app/agents.ts'
export type { AskOptions } from './app/answering.ts'
export type { IndexedDocument, IndexOptions, IndexResult } from './app/index-documents.ts'
export type { SearchOptions } from './app/search-documents.ts'
export type { WatchOptions, WatchResult } from './app/watching.ts'
export { type OpenOptions, open, Passim } from './app.ts'
export { AppError, ERROR_CODES, type ErrorCode } from './errors.ts'
export { type Block, type Box, tableText } from './ingest/block.ts'
export type { Attributes, Document } from './ingest/document.ts'
export type {
  Attachment,
  FileHead,
  Metadata,
  PageReport,
  Parser,
  ParserEvent,
  ParserInput,
  Warning,
} from './ingest/parser.ts'
export { builtinParsers } from './ingest/parsers/index.ts'
export type { Reason } from './search/explanation.ts'
export { type AttributeFilter, type Filter, parseFilter } from './search/filter.ts'
export { readFilter } from './search/filter-text.ts'
export type { Hit } from './search/searcher.ts'
