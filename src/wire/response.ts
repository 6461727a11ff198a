import { z } from 'zod'
import {
  attributesSchema,
  createDeletedSchema,
  createPageSchema,
  metadataSchema,
  unixSeconds,
} from './schema.ts'

const scoreSchema = z
  .number()
  .describe('Score of the passage (0 to 1); comparable only within one response.')

const itemStatusSchema = z.enum(['in_progress', 'searching', 'completed', 'incomplete', 'failed'])

const outputMessageSchema = z.object({
  id: z.string(),
  type: z.literal('message'),
  role: z.literal('assistant'),
  status: itemStatusSchema,
  content: z.array(
    z.looseObject({
      type: z.literal('output_text'),
      text: z.string(),
      annotations: z.array(
        z.looseObject({
          type: z.literal('file_citation'),
          file_id: z.string(),
          filename: z.string(),
          index: z.int(),
        }),
      ),
    }),
  ),
})

const fileSearchCallSchema = z.object({
  id: z.string(),
  type: z.literal('file_search_call'),
  status: itemStatusSchema,
  queries: z.array(z.string()),
  results: z
    .array(
      z.object({
        file_id: z.string(),
        filename: z.string(),
        score: scoreSchema,
        text: z.string(),
        attributes: attributesSchema.nullable(),
      }),
    )
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

const reasoningSchema = z.object({
  id: z.string(),
  type: z.literal('reasoning'),
  status: itemStatusSchema,
  summary: z.array(z.unknown()),
  content: z.array(z.object({ type: z.literal('reasoning_text'), text: z.string() })),
  encrypted_content: z
    .string()
    .optional()
    .describe(
      'Identifies the model that wrote the reasoning, so that the item can be sent back to it.',
    ),
})

export const responseSchema = z.looseObject({
  id: z.string(),
  object: z.literal('response'),
  created_at: unixSeconds,
  status: z.enum(['in_progress', 'completed', 'incomplete', 'failed', 'cancelled']),
  model: z.string(),
  output: z.array(
    z.discriminatedUnion('type', [
      outputMessageSchema,
      fileSearchCallSchema,
      functionCallSchema,
      reasoningSchema,
    ]),
  ),
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
})

/** Each kind has more fields, by OpenAI's contract. */
export const responseEventSchema = z.looseObject({
  type: z
    .string()
    .describe(
      'Type of the event, such as `response.output_text.delta`; also the name of the server-sent event.',
    ),
  sequence_number: z.int(),
})

/** Item of a conversation or of a request; each kind has more fields, by OpenAI's contract. */
export const itemSchema = z.looseObject({ id: z.string(), type: z.string() })

export const deletedResponseSchema = createDeletedSchema('response')
export const itemPageSchema = createPageSchema(itemSchema)

export const inputTokensSchema = z.object({
  object: z.literal('response.input_tokens'),
  input_tokens: z.int(),
})

export const openaiConversationSchema = z.object({
  id: z.string(),
  object: z.literal('conversation'),
  created_at: unixSeconds,
  metadata: metadataSchema,
})
export const deletedOpenaiConversationSchema = createDeletedSchema('conversation.deleted')
