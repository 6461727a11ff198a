import { z } from 'zod'
import { addedWarningsSchema } from './error.ts'
import {
  attributesSchema,
  createDeletedSchema,
  createPageSchema,
  type Json,
  metadataSchema,
  unixSeconds,
} from './schema.ts'

const scoreSchema = z
  .number()
  .describe('Score of the passage (0 to 1); comparable only within one response.')

const fileSearchResultSchema = z.object({
  file_id: z.string(),
  filename: z.string(),
  score: scoreSchema,
  text: z.string(),
  attributes: attributesSchema.nullable(),
})
export type FileSearchResultJson = Json<typeof fileSearchResultSchema>

const itemStatusSchema = z.enum(['in_progress', 'searching', 'completed', 'incomplete', 'failed'])

const fileCitationSchema = z.looseObject({
  type: z.literal('file_citation'),
  file_id: z.string(),
  filename: z.string(),
  index: z.int(),
})
export type FileCitationJson = Json<typeof fileCitationSchema>

const outputMessageSchema = z.object({
  id: z.string(),
  type: z.literal('message'),
  role: z.literal('assistant'),
  status: itemStatusSchema,
  content: z.array(
    z.looseObject({
      type: z.literal('output_text'),
      text: z.string(),
      annotations: z.array(fileCitationSchema),
    }),
  ),
})

type OutputMessageJson = Json<typeof outputMessageSchema>
export type TextPartJson = OutputMessageJson['content'][number]

const fileSearchCallSchema = z.object({
  id: z.string(),
  type: z.literal('file_search_call'),
  status: itemStatusSchema,
  queries: z.array(z.string()),
  results: z
    .array(fileSearchResultSchema)
    .nullable()
    .describe('Results of the search; only with `include: ["file_search_call.results"]`.'),
})

const functionCallSchema = z.object({
  id: z.string(),
  type: z.literal('function_call'),
  status: itemStatusSchema,
  call_id: z.string().describe('Id of the call, to be repeated in `function_call_output`.'),
  name: z.string(),
  arguments: z.string().describe('Arguments as JSON, exactly as the model wrote them.'),
})

const reasoningPartSchema = z.object({ type: z.literal('reasoning_text'), text: z.string() })
export type ReasoningPartJson = Json<typeof reasoningPartSchema>

const reasoningSchema = z.object({
  id: z.string(),
  type: z.literal('reasoning'),
  status: itemStatusSchema,
  summary: z.array(z.unknown()),
  content: z.array(reasoningPartSchema),
  encrypted_content: z
    .string()
    .optional()
    .describe(
      'Identifies the model that wrote the reasoning, so that the item can be sent back to it.',
    ),
})

const outputItemSchema = z.discriminatedUnion('type', [
  outputMessageSchema,
  fileSearchCallSchema,
  functionCallSchema,
  reasoningSchema,
])
export type OutputItemJson = Json<typeof outputItemSchema>

export const responseSchema = z.looseObject({
  id: z.string(),
  object: z.literal('response'),
  created_at: unixSeconds,
  status: z.enum(['in_progress', 'completed', 'incomplete', 'failed', 'cancelled']),
  model: z.string(),
  output: z.array(outputItemSchema),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  incomplete_details: z.object({ reason: z.string().optional() }).nullable(),
  instructions: z.string().nullable(),
  metadata: metadataSchema,
  previous_response_id: z.string().nullable(),
  background: z.boolean(),
  usage: z
    .looseObject({ input_tokens: z.int(), output_tokens: z.int(), total_tokens: z.int() })
    .optional()
    .describe('Number of tokens, if a chat model answered.'),
  passim_warnings: addedWarningsSchema,
})

export type ResponseJson = Json<typeof responseSchema>

const responseHeadSchema = responseSchema.omit({ status: true, output: true })
/** A response before it has a status and output. */
export type ResponseHeadJson = Json<typeof responseHeadSchema>

/** Each kind has more fields, by OpenAI's contract. */
export const responseEventSchema = z.looseObject({
  type: z
    .string()
    .describe(
      'Type of the event, such as `response.output_text.delta`; also the name of the server-sent event.',
    ),
  sequence_number: z.int(),
})
const unnumberedEventSchema = responseEventSchema.omit({ sequence_number: true })
export type ResponseEventJson = Json<typeof unnumberedEventSchema>

/** Each kind has more fields, by OpenAI's contract. */
export const itemSchema = z.looseObject({ id: z.string(), type: z.string() })
export type ItemJson = Json<typeof itemSchema>

export const deletedResponseSchema = createDeletedSchema('response')
export type DeletedResponseJson = Json<typeof deletedResponseSchema>
export const itemPageSchema = createPageSchema(itemSchema)
export type ItemPageJson = Json<typeof itemPageSchema>

export const inputTokensSchema = z.object({
  object: z.literal('response.input_tokens'),
  input_tokens: z.int(),
})
export type InputTokensJson = Json<typeof inputTokensSchema>

export const openaiConversationSchema = z.object({
  id: z.string(),
  object: z.literal('conversation'),
  created_at: unixSeconds,
  metadata: metadataSchema,
})
export type OpenaiConversationJson = Json<typeof openaiConversationSchema>
export const deletedOpenaiConversationSchema = createDeletedSchema('conversation.deleted')
export type DeletedOpenaiConversationJson = Json<typeof deletedOpenaiConversationSchema>
