import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import type { ToolChoice } from '../../agent/model.ts'
import type { GenerateConfig } from '../../agent/models/generate-config.ts'
import { createUnsupported } from '../http/errors.ts'
import { MAX_TOOLS } from '../http/parameters.ts'

const MAX_STORES = 16

export const answererSchema = z
  .string()
  .min(1)
  .describe(
    'Name of a chat model, `passim-extractive` to answer by quotation, or the id or name of a vector store to answer from.',
  )

export function createToolsShape<Tool extends z.ZodType, Choice extends z.ZodType>(
  tool: Tool,
  choice: Choice,
) {
  return {
    tools: z
      .array(tool)
      .max(MAX_TOOLS)
      .nullish()
      .describe(
        'Tools the model may call (at most 128): `file_search` over vector stores, and functions that your client runs.',
      ),
    tool_choice: choice
      .nullish()
      .describe(
        'Which tools the model may or must call first. `none` calls no tool and searches nothing.',
      ),
  }
}

const weightSchema = z.number().min(0)

export const fileSearchSchema = z.strictObject({
  type: z.literal('file_search'),
  vector_store_ids: z.array(z.string()).min(1).max(MAX_STORES),
  max_num_results: z.int().min(1).max(50).optional(),
  filters: z.unknown().optional(),
  ranking_options: z
    .strictObject({
      ranker: z.enum(['auto', 'default-2024-11-15']).optional(),
      score_threshold: z.number().min(0).max(1).optional(),
      hybrid_search: z
        .strictObject({ embedding_weight: weightSchema, text_weight: weightSchema })
        .optional(),
    })
    .optional(),
})

export type FileSearch = z.output<typeof fileSearchSchema>

export const functionSchema = z.object({
  name: z.string().regex(/^[\w-]{1,64}$/),
  description: z.string().nullish(),
  parameters: z.record(z.string(), z.unknown()).nullish(),
  strict: z.boolean().nullish(),
})

export type CallerFunction = z.output<typeof functionSchema>

export const jsonSchemaSchema = z.strictObject({
  name: z.string().regex(/^[\w-]{1,64}$/),
  description: z.string().optional(),
  schema: z.record(z.string(), z.unknown()).optional(),
  strict: z.boolean().nullish(),
})

export function toResponseFormat(
  format:
    | { readonly type: 'text' | 'json_object' }
    | ({ readonly type: 'json_schema' } & JsonSchema),
): Pick<GenerateConfig, 'responseFormat'> {
  if (format.type === 'json_schema')
    return { responseFormat: { ...format, strict: format.strict ?? undefined } }
  return format.type === 'text' ? {} : { responseFormat: { type: format.type } }
}

type JsonSchema = z.output<typeof jsonSchemaSchema>

type Config = {
  readonly temperature?: number | null | undefined
  readonly top_p?: number | null | undefined
  readonly seed?: number | null | undefined
  readonly stop?: string | readonly string[] | null | undefined
  readonly parallel_tool_calls?: boolean | null | undefined
}

export function joinFileSearch(
  tools: readonly { readonly type: string }[],
): FileSearch | undefined {
  const found = tools.filter(isFileSearch)
  const [first, ...more] = found
  if (!first) return undefined
  if (more.some(other => !isDeepStrictEqual(toSettings(other), toSettings(first)))) {
    const message =
      'Several file_search tools may differ in their vector stores only: filters and ranking apply to the complete answer.'
    throw createUnsupported(message, 'tools')
  }
  return { ...first, vector_store_ids: [...new Set(found.flatMap(tool => tool.vector_store_ids))] }
}

function toSettings({ vector_store_ids: _, ...settings }: FileSearch) {
  return settings
}

/** Tools of a choice; protects the parser. */
const MAX_ALLOWED = 256

export const allowedSchema = z.object({
  mode: z.enum(['auto', 'required']),
  tools: z
    .array(
      z.looseObject({
        type: z.string(),
        name: z.string().optional(),
        function: z.looseObject({ name: z.string() }).optional(),
      }),
    )
    .max(MAX_ALLOWED),
})

type Allowed = z.output<typeof allowedSchema>

export function getAllowed<Tool extends { readonly type: string }>(
  tools: readonly Tool[] | null | undefined,
  allowed: Allowed | undefined,
): readonly Tool[] {
  if (!allowed) return tools ?? []
  const keys = new Set(allowed.tools.map(getToolKey))
  return (tools ?? []).filter(tool => keys.has(getToolKey(tool)))
}

function getToolKey({
  type,
  ...tool
}: {
  readonly type: string
  readonly name?: unknown
  readonly function?: unknown
}) {
  const { name } = (tool.function ?? tool) as { readonly name?: unknown }
  return type === 'function' ? `${type} ${name}` : type
}

/** Takes `required` without functions for the search, which happens anyway. */
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
