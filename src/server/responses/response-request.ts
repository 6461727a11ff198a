import { z } from 'zod'
import type { GenerateConfig } from '../../agent/generate-config.ts'
import type { ToolChoice } from '../../agent/model.ts'
import { unsupported } from '../errors.ts'
import { type CallerFunction, fileSearchSchema, functionSchema } from '../generation.ts'
import { jsonSchemaSchema, toConfig, toResponseFormat, toToolChoice } from '../generation-request.ts'
import { metadataSchema } from '../metadata.ts'
import { inputSchema } from './response-input.ts'

const toolSchema = z.discriminatedUnion('type', [
  fileSearchSchema,
  functionSchema.extend({ type: z.literal('function') }),
])

const choiceSchema = z.union([
  z.enum(['none', 'auto', 'required']),
  z.strictObject({ type: z.literal('function'), name: z.string() }),
  z.strictObject({ type: z.literal('file_search') }),
])

const formatSchema = z.discriminatedUnion('type', [
  z.object({ type: z.enum(['text', 'json_object']) }),
  jsonSchemaSchema.required({ schema: true }).extend({ type: z.literal('json_schema') }),
])

const INCLUDABLE = ['file_search_call.results', 'message.output_text.logprobs', 'reasoning.encrypted_content'] as const

export const responseRequestSchema = z.strictObject({
  model: z.string().min(1).optional(),
  input: inputSchema,
  instructions: z.string().nullish(),
  tools: z.array(toolSchema).max(64).nullish(),
  tool_choice: choiceSchema.nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  include: z.array(z.enum(INCLUDABLE)).nullish(),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({}).nullish(),
  store: z.boolean().nullish(),
  background: z.boolean().nullish(),
  previous_response_id: z.string().nullish(),
  max_output_tokens: z.int().min(16).nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  metadata: metadataSchema.nullish(),
  text: z.looseObject({ format: formatSchema.optional() }).nullish(),
  truncation: z.enum(['auto', 'disabled']).nullish(),
  user: z.string().nullish(),
  safety_identifier: z.string().nullish(),
  prompt_cache_key: z.string().nullish(),
  service_tier: z.string().nullish(),
})

export type ResponseRequest = z.output<typeof responseRequestSchema>

export function functionsOf({ tools }: ResponseRequest): readonly CallerFunction[] {
  return (tools ?? []).filter(tool => tool.type === 'function')
}

/** Naming `file_search` asks for what is done anyway: documents are searched before the model is asked. */
export function toolChoiceOf(request: ResponseRequest): ToolChoice {
  const { tool_choice: choice } = request
  if (!choice || typeof choice === 'string') return toToolChoice(choice, functionsOf(request))
  return choice.type === 'function' ? { name: choice.name } : 'auto'
}

export function configOf(request: ResponseRequest): GenerateConfig {
  const format = request.text?.format
  return { ...toConfig(request, request.max_output_tokens), ...(format && toResponseFormat(format)) }
}

/** Throws for what would be passed over otherwise. */
export function refuseUnsupported({ background, stream, store, include }: ResponseRequest): void {
  if (background && stream) throw unsupported('Stream the answer, or fetch it when it is done.', 'stream')
  if (background && store === false) throw unsupported('A background answer has to be stored.', 'store')
  const logprobs = include?.find(name => name !== 'file_search_call.results')
  if (logprobs) throw unsupported(`There is no ${logprobs} here.`, 'include')
}
