import { z } from 'zod'
import {
  attributesSchema,
  createDeletedSchema,
  createPageSchema,
  type Json,
  metadataSchema,
  unixSeconds,
} from './schema.ts'

const fileCountsSchema = z.object({
  in_progress: z.int(),
  completed: z.int(),
  failed: z.int(),
  cancelled: z.int(),
  total: z.int(),
})

export const vectorStoreSchema = z.object({
  id: z.string(),
  object: z.literal('vector_store'),
  created_at: unixSeconds,
  name: z.string(),
  usage_bytes: z.int(),
  file_counts: fileCountsSchema,
  status: z.enum(['expired', 'in_progress', 'completed']),
  expires_after: z.object({ anchor: z.literal('last_active_at'), days: z.int() }).optional(),
  expires_at: unixSeconds.optional(),
  last_active_at: unixSeconds,
  metadata: metadataSchema,
})
export type VectorStoreJson = Json<typeof vectorStoreSchema>

export const vectorStorePageSchema = createPageSchema(vectorStoreSchema)
export type VectorStorePageJson = Json<typeof vectorStorePageSchema>
export const deletedVectorStoreSchema = createDeletedSchema('vector_store.deleted')
export type DeletedVectorStoreJson = Json<typeof deletedVectorStoreSchema>

const chunkingStrategySchema = z.object({
  type: z.enum(['static', 'other']),
  static: z.object({ max_chunk_size_tokens: z.int(), chunk_overlap_tokens: z.int() }).optional(),
})
export type ChunkingStrategyJson = Json<typeof chunkingStrategySchema>

const nullableAttributes = attributesSchema.nullable()

export const vectorStoreFileSchema = z.object({
  id: z.string().describe('Id of the file.'),
  object: z.literal('vector_store.file'),
  created_at: unixSeconds,
  vector_store_id: z.string(),
  usage_bytes: z.int(),
  status: z.enum(['in_progress', 'completed', 'failed', 'cancelled']),
  last_error: z
    .object({
      code: z.enum(['server_error', 'unsupported_file', 'invalid_file']),
      message: z.string(),
    })
    .nullable(),
  attributes: nullableAttributes,
  chunking_strategy: chunkingStrategySchema.describe('Chunking values in use.'),
})
export type VectorStoreFileJson = Json<typeof vectorStoreFileSchema>

export const vectorStoreFilePageSchema = createPageSchema(vectorStoreFileSchema)
export const deletedVectorStoreFileSchema = createDeletedSchema('vector_store.file.deleted')
export type DeletedVectorStoreFileJson = Json<typeof deletedVectorStoreFileSchema>

export const fileBatchSchema = z.object({
  id: z.string(),
  object: z.literal('vector_store.files_batch'),
  created_at: unixSeconds,
  vector_store_id: z.string(),
  status: z.enum(['in_progress', 'completed', 'cancelled', 'failed']),
  file_counts: fileCountsSchema,
})
export type FileBatchJson = Json<typeof fileBatchSchema>

const textContentSchema = z.object({ type: z.literal('text'), text: z.string() })

export const fileContentSchema = z.object({
  object: z.literal('vector_store.file_content.page'),
  data: z.array(textContentSchema).describe('Complete parsed text.'),
  has_more: z.boolean(),
  next_page: z.string().nullable(),
})
export type FileContentJson = Json<typeof fileContentSchema>

const searchResultSchema = z.object({
  file_id: z.string(),
  filename: z.string(),
  score: z.number().describe('Likelihood that the passage answers the query (0 to 1).'),
  attributes: nullableAttributes.describe(
    'Attributes of the file. With `X-Passim-Spans: 1` also the place of the passage, under names that begin with `passim_`.',
  ),
  content: z.array(textContentSchema),
})
export type SearchResultJson = Json<typeof searchResultSchema>

export const searchResultsSchema = z.object({
  object: z.literal('vector_store.search_results.page'),
  search_query: z.array(z.string()),
  data: z.array(searchResultSchema).describe('Passages, best first.'),
  has_more: z.boolean(),
  next_page: z.string().nullable(),
})
export type SearchResultsJson = Json<typeof searchResultsSchema>
