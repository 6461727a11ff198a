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
  type: z.literal('file_search').describe('Kind of the tool: search in vector stores.'),
  vector_store_ids: z
    .array(z.string())
    .min(1)
    .max(MAX_STORES)
    .describe('Ids of the vector stores to search (1 to 16).'),
  max_num_results: z
    .int()
    .min(1)
    .max(50)
    .optional()
    .describe(
      'Maximum number of passages for each search (1 to 50). Default: the number configured for answers.',
    ),
  filters: z
    .unknown()
    .optional()
    .describe('Conditions on the attributes of files. Default: all files.'),
  ranking_options: z
    .strictObject({
      ranker: z
        .enum(['auto', 'default-2024-11-15'])
        .optional()
        .describe('No effect: there is only one ranker.'),
      score_threshold: z
        .number()
        .min(0)
        .max(1)
        .optional()
        .describe('Minimum score of a passage (0 to 1, default 0).'),
      hybrid_search: z
        .strictObject({
          embedding_weight: weightSchema.describe('Weight of the search by meaning (0 or more).'),
          text_weight: weightSchema.describe('Weight of the search by keyword (0 or more).'),
        })
        .optional()
        .describe(
          'Weights of the two kinds of search, not both 0. Only their ratio matters. Default: the setting `searching.weights`, 1 each unless changed.',
        ),
    })
    .optional()
    .describe('How to rank and filter the passages found.'),
})

export type FileSearch = z.output<typeof fileSearchSchema>

export const functionSchema = z.object({
  name: z
    .string()
    .regex(/^[\w-]{1,64}$/)
    .describe('Name of the function: letters, digits, `_` and `-` (1 to 64).'),
  description: z
    .string()
    .nullish()
    .describe('Description for the model: what the function does and when to call it.'),
  parameters: z
    .record(z.string(), z.unknown())
    .nullish()
    .describe('JSON Schema of the arguments. Default: no arguments.'),
  strict: z
    .boolean()
    .nullish()
    .describe(
      'Whether the arguments must match the schema exactly. Default: as the chat model decides.',
    ),
})

export type CallerFunction = z.output<typeof functionSchema>

export const jsonSchemaSchema = z.strictObject({
  name: z
    .string()
    .regex(/^[\w-]{1,64}$/)
    .describe('Name of the format: letters, digits, `_` and `-` (1 to 64).'),
  description: z.string().optional().describe('Description for the model: what the format is for.'),
  schema: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('JSON Schema that the answer must match.'),
  strict: z
    .boolean()
    .nullish()
    .describe(
      'Whether the answer must match the schema exactly. Default: as the chat model decides.',
    ),
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
  readonly temperature?: number | null
  readonly top_p?: number | null
  readonly seed?: number | null
  readonly stop?: string | readonly string[] | null
  readonly parallel_tool_calls?: boolean | null
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
  mode: z
    .enum(['auto', 'required'])
    .describe('Whether the model may call one of the tools or must.'),
  tools: z
    .array(
      z.looseObject({
        type: z.string().describe('Kind of the tool: `function` or `file_search`.'),
        name: z.string().optional().describe('Name of the function, in a request for a response.'),
        function: z
          .looseObject({ name: z.string().describe('Name of the function that may be called.') })
          .optional()
          .describe('Name of the function, in a chat request.'),
      }),
    )
    .max(MAX_ALLOWED)
    .describe('Tools of the request that the model may call (at most 256).'),
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
