import path from 'node:path'
import { z } from 'zod'
import type { KnowledgeBase } from '../../agent/memory/knowledge-base.ts'
import type { RetrievalLimits } from '../../agent/memory/retrieve.ts'
import type { ChatModel } from '../../agent/model.ts'
import type { Tool } from '../../agent/tool.ts'
import { createDocParserTools } from '../../agent/tools/doc-parser.ts'
import { createCodeInterpreterTool, createPythonExecutorTool } from '../../agent/tools/python.ts'
import type { PythonSessions } from '../../agent/tools/python-sessions.ts'
import { createQueryTablesTool } from '../../agent/tools/query-tables.ts'
import { createReadPagesTool, type PageReader } from '../../agent/tools/read-pages.ts'
import { createRetrievalTools } from '../../agent/tools/retrieval.ts'
import { storageTool } from '../../agent/tools/storage.ts'
import { createSummariseTool } from '../../agent/tools/summarise.ts'
import { type ToolFactory, ToolRegistry, type ToolSpec } from '../../agent/tools/tool-registry.ts'
import { SEARCHERS } from '../../config/agents.ts'
import type { Settings } from '../../config.ts'
import type { Table } from '../../ingest/parse/tables/table.ts'
import type { Document } from '../../ingest/store/catalog/document.ts'
import type { InventoryScope } from '../inventory/document-list.ts'
import { createDocumentsTool } from '../inventory/documents-tool.ts'
import { addTimeout, anyTool, parseToolSettings, type ToolConfig } from './tool-settings.ts'

export type ToolsOptions = {
  /** Names or ids; by default the default collection. */
  readonly collections?: readonly string[] | undefined
  /** Folders with readable files besides documents; none by default. */
  readonly roots?: readonly string[] | undefined
  /** Default `retrieval` and `simple_doc_parser`. `{ name, ...settings }` configures one tool. */
  readonly tools?: readonly ToolSpec[] | undefined
}

const tokens = z.int().min(100).optional()
const searchers = z.array(z.enum(SEARCHERS)).min(1).optional()

/** Tools for reading documents; similar ones would only make the model choose. */
export const DEFAULT_TOOLS: readonly string[] = ['retrieval', 'simple_doc_parser']

export function chooseSearchMode(
  searchers: Settings['agent']['searchers'],
): Required<Pick<RetrievalLimits, 'mode' | 'frontFirst'>> {
  const frontFirst = searchers.includes('front_page_search')
  const keyword = searchers.includes('keyword_search')
  const vector = searchers.includes('vector_search')
  if (keyword) return { mode: vector ? 'hybrid' : 'keyword', frontFirst }
  return vector ? { mode: 'vector', frontFirst } : { mode: 'front-page', frontFirst: false }
}

type OpenKnowledge = (collections?: readonly string[]) => KnowledgeBase

type ToolDeps = {
  readonly openKnowledge: OpenKnowledge
  readonly translate: InventoryScope['translate']
  readonly listCollections: InventoryScope['listCollections']
  readonly readTables: (document: Document, signal?: AbortSignal) => Promise<readonly Table[]>
  readonly pages: PageReader
  readonly readBytes: (document: Document) => Promise<Buffer>
  readonly python: PythonSessions
  /**
   * Opens the models for complete documents and for answers from notes. Throws
   * `model_unavailable`.
   */
  readonly openModels: () => { readonly reader: ChatModel; readonly writer: ChatModel }
  readonly outside: readonly (readonly [string, ToolFactory])[]
}

export function createToolRegistry(settings: Settings, parts: ToolDeps): ToolRegistry {
  const { openKnowledge } = parts
  return new ToolRegistry([
    ['retrieval', config => createRetrieval(settings, openKnowledge, config)],
    ...['keyword_search', 'vector_search', 'hybrid_search', 'front_page_search'].map(name => {
      const createFactory: ToolFactory = config =>
        createSearch(name, settings, openKnowledge, config)
      return [name, createFactory] as const
    }),
    ...['doc_parser', 'simple_doc_parser'].map(name => {
      const factory: ToolFactory = config => createDocParser(name, settings, openKnowledge, config)
      return [name, factory] as const
    }),
    ['documents', config => createDocuments(parts, config)],
    ['query_tables', config => createQueryTables(settings, parts, config)],
    ['read_pages', config => createReadPages(settings, parts, config)],
    ['summarise', config => createSummarise(settings, parts, config)],
    ['code_interpreter', config => createPython('code_interpreter', settings, parts, config)],
    ['python_executor', config => createPython('python_executor', settings, parts, config)],
    ...parts.outside,
    ['storage', config => createStorage(settings, config)],
  ])
}

function createRetrieval(
  { agent }: Settings,
  openKnowledge: OpenKnowledge,
  config: ToolConfig,
): Tool {
  const own = parseToolSettings('retrieval', retrievalSchema, config)
  const how = chooseSearchMode(own.searchers ?? own.rag_searchers ?? agent.searchers)
  return addTimeout(
    findTool(
      'retrieval',
      createRetrievalTools({
        ...mergeLimits(agent, own),
        ...how,
        knowledge: openKnowledge(own.collections),
      }),
    ),
    own,
  )
}

function createSearch(
  name: string,
  { agent }: Settings,
  openKnowledge: OpenKnowledge,
  config: ToolConfig,
): Tool {
  const own = parseToolSettings(name, searchSchema, config)
  return addTimeout(
    findTool(
      name,
      createRetrievalTools({
        ...mergeLimits(agent, own),
        knowledge: openKnowledge(own.collections),
      }),
    ),
    own,
  )
}

function createDocParser(
  name: string,
  { agent }: Settings,
  openKnowledge: OpenKnowledge,
  config: ToolConfig,
): Tool {
  const own = parseToolSettings(name, readerSchema, config)
  const { maxTokens } = mergeLimits(agent, own)
  return addTimeout(
    findTool(name, createDocParserTools({ maxTokens, knowledge: openKnowledge(own.collections) })),
    own,
  )
}

function createDocuments(
  { openKnowledge, translate, listCollections }: ToolDeps,
  config: ToolConfig,
): Tool {
  const own = parseToolSettings('documents', documentsSchema, config)
  const knowledge = openKnowledge(own.collections)
  const listDocuments = async () => (await knowledge.resolve(undefined)).documents
  const tool = createDocumentsTool({
    listDocuments,
    translate,
    listCollections,
    search: async ({ text, documentIds, limit }, signal) => {
      const documents = await listDocuments()
      const chosen = documentIds && new Set(documentIds)
      const among = chosen ? documents.filter(({ id }) => chosen.has(id)) : documents
      return await knowledge.search({ text, mode: 'hybrid', documents: among, limit }, signal)
    },
  })
  return addTimeout(tool, own)
}

function createQueryTables(
  { agent, tools }: Settings,
  { openKnowledge, readTables }: ToolDeps,
  config: ToolConfig,
): Tool {
  const own = parseToolSettings('query_tables', queryTablesSchema, config)
  const { maxTokens } = mergeLimits(agent, own)
  const limits = { ...tools.queryTables, ...(own.maxRows && { maxRows: own.maxRows }) }
  return addTimeout(
    createQueryTablesTool({
      ...limits,
      maxTokens,
      readTables,
      knowledge: openKnowledge(own.collections),
    }),
    own,
  )
}

function createReadPages(
  { agent, tools }: Settings,
  { openKnowledge, pages }: ToolDeps,
  config: ToolConfig,
): Tool {
  const own = parseToolSettings('read_pages', readerSchema, config)
  const { maxTokens } = mergeLimits(agent, own)
  return addTimeout(
    createReadPagesTool({
      ...tools.readPages,
      maxTokens,
      pages,
      knowledge: openKnowledge(own.collections),
    }),
    own,
  )
}

function createSummarise(
  { tools }: Settings,
  { openKnowledge, openModels }: ToolDeps,
  config: ToolConfig,
): Tool {
  const { collections, timeoutMs, ...own } = parseToolSettings('summarise', summariseSchema, config)
  const limits = { ...tools.summarise, ...(own.maxCalls && { maxCalls: own.maxCalls }) }
  return addTimeout(
    createSummariseTool({ ...limits, ...openModels(), knowledge: openKnowledge(collections) }),
    {
      timeoutMs,
    },
  )
}

function createPython(
  name: string,
  { tools }: Settings,
  parts: ToolDeps,
  config: ToolConfig,
): Tool {
  const { collections, ...own } = parseToolSettings(name, pythonSchema, config)
  const { python: sessions, readBytes, openKnowledge } = parts
  const options = {
    sessions,
    readBytes,
    knowledge: openKnowledge(collections),
    maxFileBytes: tools.python.maxFileBytes,
  }
  return addTimeout(
    name === 'code_interpreter'
      ? createCodeInterpreterTool(options)
      : createPythonExecutorTool(options),
    own,
  )
}

function createStorage({ home }: Settings, config: ToolConfig): Tool {
  const {
    timeoutMs,
    root = path.join(home, 'storage'),
    ...own
  } = parseToolSettings('storage', storageSchema, config)
  return addTimeout(storageTool({ root, ...own }), { timeoutMs })
}

type OwnLimits = {
  readonly topK?: number | undefined
  readonly minScore?: number | undefined
  readonly maxTokens?: number | undefined
  readonly max_ref_token?: number | undefined
}

function mergeLimits(agent: Settings['agent'], own: OwnLimits) {
  return {
    topK: own.topK ?? agent.topK,
    maxTokens: own.maxTokens ?? own.max_ref_token ?? agent.maxToolTokens,
    minScore: own.minScore ?? agent.minScore,
  }
}

function findTool(name: string, tools: readonly Tool[]): Tool {
  return tools.find(tool => tool.name === name)!
}

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
  ...anyTool,
  collections: reader.collections,
  maxCalls: z.int().min(1).max(10_000).optional(),
})
const documentsSchema = z.strictObject({ ...anyTool, collections: reader.collections })
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
