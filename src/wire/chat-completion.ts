import { z } from 'zod'
import { addedWarningsSchema } from './error.ts'
import { type Json, metadataSchema, unixSeconds } from './schema.ts'

const usageSchema = z.object({
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  total_tokens: z.int(),
})
export type TokenUsageJson = Json<typeof usageSchema>

const toolCallSchema = z.object({
  id: z.string(),
  type: z.literal('function'),
  function: z.object({
    name: z.string(),
    arguments: z.string().describe('Arguments as JSON, exactly as the model wrote them.'),
  }),
})

export type FunctionCallJson = Json<typeof toolCallSchema>

const urlCitationSchema = z.object({
  type: z.literal('url_citation'),
  url_citation: z.object({
    start_index: z.int(),
    end_index: z.int(),
    title: z.string(),
    url: z.string(),
  }),
})

export type UrlCitationJson = Json<typeof urlCitationSchema>

const finishReasonSchema = z.enum(['stop', 'length', 'tool_calls', 'content_filter'])
export type FinishReasonJson = Json<typeof finishReasonSchema>

export const chatCompletionSchema = z.object({
  id: z.string(),
  object: z.literal('chat.completion'),
  created: unixSeconds,
  model: z.string(),
  system_fingerprint: z
    .enum(['passim-model', 'passim-extractive'])
    .describe('Whether a chat model wrote the answer, or it consists of quotations.'),
  metadata: metadataSchema,
  choices: z.array(
    z.object({
      index: z.int(),
      message: z.looseObject({
        role: z.literal('assistant'),
        content: z.string().nullable(),
        refusal: z.string().nullable(),
        reasoning_content: z.string().optional().describe('Reasoning of the model.'),
        annotations: z.array(urlCitationSchema).optional(),
        tool_calls: z.array(toolCallSchema).optional(),
        passim_warnings: addedWarningsSchema,
      }),
      logprobs: z.null(),
      finish_reason: finishReasonSchema,
    }),
  ),
  usage: usageSchema.optional(),
})

export type ChatCompletionJson = Json<typeof chatCompletionSchema>

export const chatCompletionChunkSchema = z.object({
  id: z.string(),
  object: z.literal('chat.completion.chunk'),
  created: unixSeconds,
  model: z.string(),
  system_fingerprint: z.string().optional(),
  metadata: metadataSchema
    .optional()
    .describe(
      "The request's entries, mode of the answer, counts of claims and codes of warnings. In the last chunk with a choice.",
    ),
  choices: z.array(
    z.object({
      index: z.int(),
      delta: z.looseObject({
        role: z.literal('assistant').optional(),
        content: z.string().optional(),
        reasoning_content: z.string().optional(),
        tool_calls: z
          .array(
            z.object({
              index: z.int(),
              id: z.string().optional(),
              type: z.literal('function').optional(),
              function: z.object({ name: z.string().optional(), arguments: z.string() }),
            }),
          )
          .optional()
          .describe('Pieces of tool calls. Join the arguments of pieces with the same index.'),
        passim_warnings: addedWarningsSchema,
      }),
      finish_reason: finishReasonSchema.nullable(),
    }),
  ),
  usage: usageSchema.optional(),
})

export type ChatCompletionChunkJson = Json<typeof chatCompletionChunkSchema>

/** Older form of a completion, plain or in pieces. */
export const completionSchema = z.object({
  id: z.string(),
  object: z.literal('text_completion'),
  created: unixSeconds,
  model: z.string(),
  metadata: metadataSchema
    .optional()
    .describe(
      'Mode of the answer, counts of claims and codes of warnings. In the last piece with a choice.',
    ),
  choices: z.array(
    z.looseObject({
      index: z.int(),
      text: z.string(),
      logprobs: z.null(),
      finish_reason: z.enum(['stop', 'length', 'content_filter']).nullable(),
      passim_warnings: addedWarningsSchema,
    }),
  ),
  usage: usageSchema.optional(),
})
export type CompletionJson = Json<typeof completionSchema>
