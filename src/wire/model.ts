import { z } from 'zod'
import { type Json, unixSeconds } from './schema.ts'

export const modelSchema = z.object({
  id: z.string().describe('Name to use as `model` in requests.'),
  object: z.literal('model'),
  created: unixSeconds,
  owned_by: z.string(),
  type: z
    .enum(['chat', 'embedding'])
    .describe('`chat`: for chat completions and responses. `embedding`: for embeddings.'),
  name: z.string().optional().describe('Name of the vector store that this model answers from.'),
  vector_store_id: z
    .string()
    .optional()
    .describe('Id of the vector store that this model answers from.'),
})
export type ModelJson = Json<typeof modelSchema>

export const modelSettingSchema = z.object({
  isFixed: z
    .boolean()
    .describe('True if only the operator can change the model, in a file or the environment.'),
  isShared: z
    .boolean()
    .describe('True if nodes share a database, so that the model is set in the settings of each.'),
  url: z
    .string()
    .optional()
    .describe('Address of the server of the model; only its origin if the operator set it.'),
  name: z.string().optional().describe('Name of the model. Absent if answers quote the documents.'),
  maxInputTokens: z
    .int()
    .optional()
    .describe('Maximum number of tokens of a request; 0 means no limit. Absent without a model.'),
  hasKey: z.boolean().describe('True if requests to the server contain a key.'),
  abilities: z
    .object({ callsTools: z.boolean(), thinks: z.boolean(), reportsUsage: z.boolean() })
    .optional()
    .describe('What the model can do, as tested by a change.'),
})
export type ModelSettingJson = Json<typeof modelSettingSchema>

export const modelListSchema = z.object({ object: z.literal('list'), data: z.array(modelSchema) })
export type ModelListJson = Json<typeof modelListSchema>

export const embeddingsSchema = z.object({
  object: z.literal('list'),
  data: z.array(
    z.object({
      object: z.literal('embedding'),
      index: z.int().describe('Index of the text in the request, from 0.'),
      embedding: z
        .union([z.array(z.number()), z.string()])
        .describe('Vector as numbers, or as base64 of little-endian float32.'),
    }),
  ),
  model: z.string().describe('Name of the embedding model.'),
  usage: z.object({ prompt_tokens: z.int(), total_tokens: z.int() }),
})
export type EmbeddingsJson = Json<typeof embeddingsSchema>

export const rerankedSchema = z.object({
  id: z.string(),
  results: z
    .array(
      z.object({
        index: z.int().describe('Index of the document in the request, from 0.'),
        relevance_score: z.number(),
        document: z.object({ text: z.string() }).optional(),
      }),
    )
    .describe('Results, best first.'),
  meta: z.object({ api_version: z.object({ version: z.string() }) }),
})
export type RerankedJson = Json<typeof rerankedSchema>

/** Dify's external knowledge. */
export const recordsSchema = z.object({
  records: z
    .array(
      z.object({
        content: z.string(),
        score: z.number().describe('Likelihood that the record answers the query (0 to 1).'),
        title: z.string(),
        metadata: z.record(z.string(), z.unknown()),
      }),
    )
    .describe('Results, best first.'),
})
export type RecordsJson = Json<typeof recordsSchema>
