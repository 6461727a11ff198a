import path from 'node:path'
import { z } from 'zod'
import type { KnowledgeBase } from '../../agent/memory/knowledge-base.ts'
import type { RetrievalLimits } from '../../agent/memory/retrieve.ts'
import type { ChatModel } from '../../agent/model.ts'
import type { Tool } from '../../agent/tool.ts'
import { docParserTools } from '../../agent/tools/doc-parser.ts'
import { codeInterpreterTool, pythonExecutorTool } from '../../agent/tools/python.ts'
import type { PythonSessions } from '../../agent/tools/python-sessions.ts'
import { queryTablesTool } from '../../agent/tools/query-tables.ts'
import { type PageReader, readPagesTool } from '../../agent/tools/read-pages.ts'
import { retrievalTools } from '../../agent/tools/retrieval.ts'
import { storageTool } from '../../agent/tools/storage.ts'
import { summariseTool } from '../../agent/tools/summarise.ts'
import { type ToolFactory, ToolRegistry, type ToolSpec } from '../../agent/tools/tool-registry.ts'
import { SEARCHERS } from '../../config/agents.ts'
import type { Settings } from '../../config.ts'
import type { Table } from '../../ingest/parse/tables/table.ts'
import type { Document } from '../../ingest/store/catalog/document.ts'
import { anyTool, type ToolConfig, timed, toolSettings } from './tool-settings.ts'

export type ToolsOptions = {
  /** Names or ids; the default collection when there are none. */
  readonly collections?: readonly string[] | undefined
  /** Folders whose files may be read besides documents; none by default. */
  readonly roots?: readonly string[] | undefined
  /** Which tools; `retrieval` and `simple_doc_parser` when left out. `{ name, ...settings }` gives one settings of its own. */
  readonly tools?: readonly ToolSpec[] | undefined
}

const tokens = z.int().min(100).optional()
const searchers = z.array(z.enum(SEARCHERS)).min(1).optional()

/** What a model needs to read documents; more tools that do nearly the same would only make it choose. */
export const DEFAULT_TOOLS: readonly string[] = ['retrieval', 'simple_doc_parser']

/** The one search that does what all of them would; with others, the front page of a single document comes first. */
export function searchBy(
  searchers: Settings['agent']['searchers'],
): Required<Pick<RetrievalLimits, 'mode' | 'frontFirst'>> {
  const frontFirst = searchers.includes('front_page_search')
  const [keyword, vector] = [
    searchers.includes('keyword_search'),
    searchers.includes('vector_search'),
  ]
  if (keyword) return { mode: vector ? 'hybrid' : 'keyword', frontFirst }
  return vector ? { mode: 'vector', frontFirst } : { mode: 'front-page', frontFirst: false }
}

/** The documents of some collections, or those that the registry is for. */
type KnowledgeOf = (collections?: readonly string[]) => KnowledgeBase

type ToolParts = {
  readonly knowledgeOf: KnowledgeOf
  readonly tablesOf: (document: Document, signal?: AbortSignal) => Promise<readonly Table[]>
  readonly pages: PageReader
  readonly bytesOf: (document: Document) => Promise<Buffer>
  readonly python: PythonSessions
  /** What reads whole documents, and what answers from its notes. Throws `model_unavailable` where there is none. */
  readonly modelsOf: () => { readonly reader: ChatModel; readonly writer: ChatModel }
  /** The tools that ask others. */
  readonly outside: readonly (readonly [string, ToolFactory])[]
}

/** The built-in tools by name, over the documents that may be read. */
export function toolRegistry(settings: Settings, parts: ToolParts): ToolRegistry {
  const { knowledgeOf } = parts
  return new ToolRegistry([
    ['retrieval', config => retrieval(settings, knowledgeOf, config)],
    ...['keyword_search', 'vector_search', 'hybrid_search', 'front_page_search'].map(name => {
      const factory: ToolFactory = config => search(name, settings, knowledgeOf, config)
      return [name, factory] as const
    }),
    ...['doc_parser', 'simple_doc_parser'].map(name => {
      const factory: ToolFactory = config => docParser(name, settings, knowledgeOf, config)
      return [name, factory] as const
    }),
    ['query_tables', config => queryTables(settings, parts, config)],
    ['read_pages', config => readPages(settings, parts, config)],
    ['summarise', config => summarise(settings, parts, config)],
    ['code_interpreter', config => python('code_interpreter', settings, parts, config)],
    ['python_executor', config => python('python_executor', settings, parts, config)],
    ...parts.outside,
    ['storage', config => storage(settings, config)],
  ])
}

function retrieval({ agent }: Settings, knowledgeOf: KnowledgeOf, config: ToolConfig): Tool {
  const own = toolSettings('retrieval', retrievalSchema, config)
  const how = searchBy(own.searchers ?? own.rag_searchers ?? agent.searchers)
  return timed(
    named(
      'retrieval',
      retrievalTools({ ...limits(agent, own), ...how, knowledge: knowledgeOf(own.collections) }),
    ),
    own,
  )
}

function search(
  name: string,
  { agent }: Settings,
  knowledgeOf: KnowledgeOf,
  config: ToolConfig,
): Tool {
  const own = toolSettings(name, searchSchema, config)
  return timed(
    named(name, retrievalTools({ ...limits(agent, own), knowledge: knowledgeOf(own.collections) })),
    own,
  )
}

function docParser(
  name: string,
  { agent }: Settings,
  knowledgeOf: KnowledgeOf,
  config: ToolConfig,
): Tool {
  const own = toolSettings(name, readerSchema, config)
  const { maxTokens } = limits(agent, own)
  return timed(
    named(name, docParserTools({ maxTokens, knowledge: knowledgeOf(own.collections) })),
    own,
  )
}

function queryTables(
  { agent, tools }: Settings,
  { knowledgeOf, tablesOf }: ToolParts,
  config: ToolConfig,
): Tool {
  const own = toolSettings('query_tables', queryTablesSchema, config)
  const { maxTokens } = limits(agent, own)
  const most = { ...tools.queryTables, ...(own.maxRows && { maxRows: own.maxRows }) }
  return timed(
    queryTablesTool({ ...most, maxTokens, tablesOf, knowledge: knowledgeOf(own.collections) }),
    own,
  )
}

function readPages(
  { agent, tools }: Settings,
  { knowledgeOf, pages }: ToolParts,
  config: ToolConfig,
): Tool {
  const own = toolSettings('read_pages', readerSchema, config)
  const { maxTokens } = limits(agent, own)
  return timed(
    readPagesTool({
      ...tools.readPages,
      maxTokens,
      pages,
      knowledge: knowledgeOf(own.collections),
    }),
    own,
  )
}

function summarise(
  { tools }: Settings,
  { knowledgeOf, modelsOf }: ToolParts,
  config: ToolConfig,
): Tool {
  const { collections, timeoutMs, ...own } = toolSettings('summarise', summariseSchema, config)
  const limits = { ...tools.summarise, ...(own.maxCalls && { maxCalls: own.maxCalls }) }
  return timed(summariseTool({ ...limits, ...modelsOf(), knowledge: knowledgeOf(collections) }), {
    timeoutMs,
  })
}

function python(name: string, { tools }: Settings, parts: ToolParts, config: ToolConfig): Tool {
  const { collections, ...own } = toolSettings(name, pythonSchema, config)
  const { python: sessions, bytesOf, knowledgeOf } = parts
  const options = {
    sessions,
    bytesOf,
    knowledge: knowledgeOf(collections),
    maxFileBytes: tools.python.maxFileBytes,
  }
  return timed(
    name === 'code_interpreter' ? codeInterpreterTool(options) : pythonExecutorTool(options),
    own,
  )
}

function storage({ home }: Settings, config: ToolConfig): Tool {
  const {
    timeoutMs,
    root = path.join(home, 'storage'),
    ...own
  } = toolSettings('storage', storageSchema, config)
  return timed(storageTool({ root, ...own }), { timeoutMs })
}

type OwnLimits = {
  readonly topK?: number | undefined
  readonly minScore?: number | undefined
  readonly maxTokens?: number | undefined
  readonly max_ref_token?: number | undefined
}

/** A tool's own before those of all. */
function limits(agent: Settings['agent'], own: OwnLimits) {
  return {
    topK: own.topK ?? agent.topK,
    maxTokens: own.maxTokens ?? own.max_ref_token ?? agent.maxToolTokens,
    minScore: own.minScore ?? agent.minScore,
  }
}

function named(name: string, tools: readonly Tool[]): Tool {
  return tools.find(tool => tool.name === name)! // the caller asks for one of them
}

/** Of tools that read documents; `max_ref_token` and the like are Qwen-Agent's names. */
const reader = {
  ...anyTool,
  collections: z.array(z.string().min(1)).min(1).optional(),
  maxTokens: tokens,
  max_ref_token: tokens,
}
const searching = {
  ...reader,
  topK: z.int().min(1).max(1_000).optional(),
  minScore: z.number().optional(),
}

const readerSchema = z.strictObject(reader)
const searchSchema = z.strictObject(searching)
const retrievalSchema = z.strictObject({ ...searching, searchers, rag_searchers: searchers })
const summariseSchema = z.strictObject({
  ...{
    ...anyTool,
    collections: reader.collections,
    maxCalls: z.int().min(1).max(10_000).optional(),
  },
})
const pythonSchema = z.strictObject({ ...anyTool, collections: reader.collections })
const queryTablesSchema = z.strictObject({
  ...reader,
  maxRows: z.int().min(1).max(10_000).optional(),
})
const storageSchema = z.strictObject({
  ...anyTool,
  root: z.string().min(1).optional(),
  maxValueBytes: z.int().min(1).optional(),
  maxScanned: z.int().min(1).optional(),
})
