import { z } from 'zod'
import type { GenerateConfig } from '../../agent/generate-config.ts'
import type { Message } from '../../agent/message.ts'
import type { ToolChoice } from '../../agent/model.ts'
import { contentSchema, toContent } from '../content-parts.ts'
import { type CallerFunction, fileSearchSchema, functionSchema } from '../generation.ts'
import { jsonSchemaSchema, toConfig, toResponseFormat, toToolChoice } from '../generation-request.ts'
import { metadataSchema } from '../metadata.ts'

const callSchema = z.object({
  id: z.string(),
  type: z.literal('function'),
  function: z.object({ name: z.string(), arguments: z.string() }),
})

const messageSchema = z.discriminatedUnion('role', [
  z.object({ role: z.enum(['system', 'developer', 'user']), content: contentSchema, name: z.string().optional() }),
  z.object({
    role: z.literal('assistant'),
    content: contentSchema.nullish(),
    tool_calls: z.array(callSchema).nullish(),
    name: z.string().optional(),
  }),
  z.object({ role: z.literal('tool'), content: contentSchema, tool_call_id: z.string() }),
])

const toolSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('function'), function: functionSchema }),
  fileSearchSchema,
])

const choiceSchema = z.union([
  z.enum(['none', 'auto', 'required']),
  z.object({ type: z.literal('function'), function: z.object({ name: z.string() }) }),
])

const formatSchema = z.discriminatedUnion('type', [
  z.object({ type: z.enum(['text', 'json_object']) }),
  z.object({ type: z.literal('json_schema'), json_schema: jsonSchemaSchema }),
])

export const chatRequestSchema = z.strictObject({
  model: z.string().min(1),
  messages: z.array(messageSchema).min(1).max(10_000),
  tools: z.array(toolSchema).max(64).nullish(),
  tool_choice: choiceSchema.nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  stream: z.boolean().nullish(),
  stream_options: z.object({ include_usage: z.boolean().nullish() }).nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  max_tokens: z.int().min(1).nullish(),
  max_completion_tokens: z.int().min(1).nullish(),
  stop: z.union([z.string(), z.array(z.string()).max(4)]).nullish(),
  seed: z.int().nullish(),
  n: z.literal(1).nullish(),
  metadata: metadataSchema.nullish(),
  response_format: formatSchema.nullish(),
  store: z.literal(false).nullish(),
  logprobs: z.literal(false).nullish(),
  /** Taken and passed over: they change nothing that a client could miss. */
  user: z.string().nullish(),
  safety_identifier: z.string().nullish(),
  prompt_cache_key: z.string().nullish(),
  service_tier: z.string().nullish(),
  frequency_penalty: z.literal(0).nullish(),
  presence_penalty: z.literal(0).nullish(),
})

export type ChatRequest = z.output<typeof chatRequestSchema>

export function toMessages({ messages }: ChatRequest): readonly Message[] {
  return messages.flatMap((message): readonly Message[] => {
    const content = toContent(message.content ?? '')
    if (message.role === 'tool') return [{ role: 'function', functionId: message.tool_call_id, content }]
    if (message.role !== 'assistant') return [{ role: message.role === 'developer' ? 'system' : message.role, content }]
    const calls = (message.tool_calls ?? []).map(
      ({ id, function: functionCall }): Message => ({ role: 'assistant', content: '', functionCall, functionId: id }),
    )
    return content || calls.length === 0 ? [{ role: 'assistant', content }, ...calls] : calls
  })
}

export function functionsOf({ tools }: ChatRequest): readonly CallerFunction[] {
  return (tools ?? []).flatMap(tool => (tool.type === 'function' ? [tool.function] : []))
}

export function toolChoiceOf(request: ChatRequest): ToolChoice {
  const { tool_choice: choice } = request
  return choice && typeof choice === 'object'
    ? { name: choice.function.name }
    : toToolChoice(choice, functionsOf(request))
}

export function configOf(request: ChatRequest): GenerateConfig {
  const { response_format: format, max_completion_tokens, max_tokens } = request
  const config = toConfig(request, max_completion_tokens ?? max_tokens)
  if (!format) return config
  const flat = format.type === 'json_schema' ? { type: format.type, ...format.json_schema } : format
  return { ...config, ...toResponseFormat(flat) }
}
