import { z } from 'zod'
import { failureSchema } from './error.ts'
import { type Json, pageEnd, time } from './schema.ts'

export const jobSchema = z.object({
  id: z.string(),
  documentId: z
    .string()
    .optional()
    .describe('Id of the document; absent if the job is about a complete collection.'),
  collectionId: z.string(),
  source: z
    .string()
    .describe('Source of the document, or `collection` and the name of the collection.'),
  state: z.enum(['queued', 'running', 'completed', 'failed', 'cancelled']),
  stage: z.enum(['parse', 'chunk', 'embed', 'write']).optional(),
  done: z.int().describe('Number of pages, chunks or rows done in this stage.'),
  total: z
    .int()
    .optional()
    .describe('Number of pages, chunks or rows in this stage, once it is determined.'),
  secondsLeft: z.number().optional().describe('Estimated seconds until the end of this stage.'),
  startedAt: time.optional(),
  finishedAt: time.optional(),
  error: failureSchema.optional(),
})
export type JobJson = Json<typeof jobSchema>

export const jobListSchema = z.object({
  jobs: z.array(jobSchema).describe('Jobs, newest first.'),
  ...pageEnd,
  total: z.int().describe('Number of all jobs, also of those not listed here.'),
  unattended: z.int().describe('Number of queued jobs that no process works on.'),
})
export type JobListJson = Json<typeof jobListSchema>

export const reEmbeddingSchema = z.object({
  collection: z.string().describe('Name of the collection.'),
  id: z.string(),
  before: z.string().optional().describe('Previous model or index engine.'),
  job: jobSchema.optional().describe('Job that does the work; absent if there is nothing to do.'),
})
export type ReEmbeddingJson = Json<typeof reEmbeddingSchema>

export const reEmbedResultSchema = reEmbeddingSchema.extend({
  before: z.string().describe('Model before the change.'),
  embedder: z.string(),
  engine: z.enum(['lance', 'weaviate']),
  documents: z.int(),
  chunks: z.int(),
  seconds: z.number(),
})
export type ReEmbedResultJson = Json<typeof reEmbedResultSchema>
