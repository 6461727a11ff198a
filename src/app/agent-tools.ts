import path from 'node:path'
import type { KnowledgeBase, KnowledgeMode } from '../agent/knowledge-base.ts'
import type { Tool } from '../agent/tool.ts'
import { ToolRegistry, type ToolSpec } from '../agent/tool-registry.ts'
import { docParserTools } from '../agent/tools/doc-parser.ts'
import { retrievalTools } from '../agent/tools/retrieval.ts'
import { storageTool } from '../agent/tools/storage.ts'
import type { Settings } from '../config.ts'

export type ToolsOptions = {
  /** Names or ids; the default collection when there are none. */
  readonly collections?: readonly string[] | undefined
  /** Folders whose files may be read besides documents; none by default. */
  readonly roots?: readonly string[] | undefined
  /** Which tools; `retrieval` and `simple_doc_parser` when left out. */
  readonly tools?: readonly ToolSpec[] | undefined
}

/** What a model needs to read documents; more tools that do nearly the same would only make it choose. */
export const DEFAULT_TOOLS: readonly string[] = ['retrieval', 'simple_doc_parser']

/** The one search that does what all of them would. */
export function modeOf(searchers: Settings['agent']['searchers']): KnowledgeMode {
  if (searchers.includes('front_page_search')) return 'front-page'
  if (searchers.includes('keyword_search')) return searchers.includes('vector_search') ? 'hybrid' : 'keyword'
  return 'vector'
}

/** The built-in tools by name, over the documents that may be read. */
export function toolRegistry(settings: Settings, knowledge: KnowledgeBase): ToolRegistry {
  const { topK, maxToolTokens, minScore, searchers } = settings.agent
  const limits = {
    topK,
    maxTokens: maxToolTokens,
    mode: modeOf(searchers),
    ...(minScore !== undefined && { minScore }),
  }
  const readers = [
    ...retrievalTools({ knowledge, ...limits }),
    ...docParserTools({ knowledge, maxTokens: maxToolTokens }),
  ]
  const storage = (): Tool => storageTool({ root: path.join(settings.home, 'storage') })
  return new ToolRegistry([...readers.map(tool => [tool.name, () => tool] as const), ['storage', storage]])
}
