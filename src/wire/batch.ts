import { z } from 'zod'
import { createPageSchema, type Json, metadataSchema, unixSeconds } from './schema.ts'

const batchErrorSchema = z.object({
  code: z.string(),
  message: z.string(),
  line: z.int().nullable().describe('Line of the input file, from 1.'),
  param: z.string().nullable(),
})

const reached = unixSeconds.optional()

const batchUsageSchema = z.object({
  input_tokens: z.int(),
  input_tokens_details: z.object({ cached_tokens: z.int() }),
  output_tokens: z.int(),
  output_tokens_details: z.object({ reasoning_tokens: z.int() }),
  total_tokens: z.int(),
})

export const batchSchema = z.object({
  id: z.string(),
  object: z.literal('batch'),
  endpoint: z.string(),
  errors: z
    .object({ object: z.literal('list'), data: z.array(batchErrorSchema) })
    .nullable()
    .describe('Why the input file cannot be used.'),
  model: z.string().optional().describe('Model that the first request names.'),
  input_file_id: z.string(),
  completion_window: z.literal('24h'),
  status: z.enum([
    'validating',
    'failed',
    'in_progress',
    'finalizing',
    'completed',
    'expired',
    'cancelling',
    'cancelled',
  ]),
  output_file_id: z.string().optional().describe('File of the answers, one per line.'),
  error_file_id: z.string().optional().describe('File of the requests that failed, one per line.'),
  created_at: unixSeconds,
  in_progress_at: reached,
  expires_at: unixSeconds,
  finalizing_at: reached,
  completed_at: reached,
  failed_at: reached,
  expired_at: reached,
  cancelling_at: reached,
  cancelled_at: reached,
  request_counts: z.object({ total: z.int(), completed: z.int(), failed: z.int() }),
  usage: batchUsageSchema.describe('Number of tokens of the requests answered so far.'),
  metadata: metadataSchema.nullable(),
})
export type BatchJson = Json<typeof batchSchema>

export const batchPageSchema = createPageSchema(batchSchema)
export type BatchPageJson = Json<typeof batchPageSchema>
