import { z } from 'zod'
import type { GenerateConfig } from '../agent/generate-config.ts'
import type { ToolChoice } from '../agent/model.ts'
import { unsupported } from './errors.ts'
import type { FileSearch } from './generation.ts'

/** What either surface says of JSON that a model is to write. */
export const jsonSchemaSchema = z.strictObject({
  name: z.string().regex(/^[\w-]{1,64}$/),
  description: z.string().optional(),
  schema: z.record(z.string(), z.unknown()).optional(),
  strict: z.boolean().nullish(),
})

/** Plain text is no format. */
export function toResponseFormat(
  format: { readonly type: 'text' | 'json_object' } | ({ readonly type: 'json_schema' } & JsonSchema),
): Pick<GenerateConfig, 'responseFormat'> {
  if (format.type === 'json_schema') return { responseFormat: { ...format, strict: format.strict ?? undefined } }
  return format.type === 'text' ? {} : { responseFormat: { type: format.type } }
}

type JsonSchema = z.output<typeof jsonSchemaSchema>

/** What chat completions and responses write alike. */
type Config = {
  readonly temperature?: number | null | undefined
  readonly top_p?: number | null | undefined
  readonly seed?: number | null | undefined
  readonly stop?: string | readonly string[] | null | undefined
  readonly parallel_tool_calls?: boolean | null | undefined
}

/** The one `file_search` tool of a request. */
export function fileSearchOf(tools: readonly { readonly type: string }[] | null | undefined): FileSearch | undefined {
  const found = (tools ?? []).filter(isFileSearch)
  if (found.length > 1) throw unsupported('Give one file_search tool with all vector stores in it.', 'tools')
  return found[0]
}

/** Without functions, searching is what is required: it is done anyway. */
export function toToolChoice(
  choice: 'none' | 'auto' | 'required' | null | undefined,
  functions: readonly unknown[],
): ToolChoice {
  return choice === 'required' && functions.length === 0 ? 'auto' : (choice ?? 'auto')
}

export function toConfig(config: Config, maxTokens: number | null | undefined): GenerateConfig {
  const { temperature, top_p, seed, stop, parallel_tool_calls } = config
  return {
    ...(typeof temperature === 'number' && { temperature }),
    ...(typeof top_p === 'number' && { topP: top_p }),
    ...(typeof maxTokens === 'number' && { maxTokens }),
    ...(typeof seed === 'number' && { seed }),
    ...(stop && { stop: [stop].flat() }),
    ...(typeof parallel_tool_calls === 'boolean' && { parallelFunctionCalls: parallel_tool_calls }),
  }
}

function isFileSearch(tool: { readonly type: string }): tool is FileSearch {
  return tool.type === 'file_search'
}
