import { z } from 'zod'
import { failureSchema } from './error.ts'
import { type Json, unixMilliseconds } from './schema.ts'

export const jobSchema = z.object({
  id: z.string(),
  documentId: z.string().optional().describe('Absent if it is about a complete collection.'),
  collectionId: z.string(),
  source: z.string().describe('Of the document, or `collection` and its name.'),
  state: z.enum(['queued', 'running', 'completed', 'failed', 'cancelled']),
  stage: z.enum(['parse', 'chunk', 'embed', 'write']).optional(),
  done: z.int().describe('Pages, chunks or rows done in this stage.'),
  total: z.int().optional().describe('Pages, chunks or rows of this stage, once it is known.'),
  secondsLeft: z.number().optional().describe('Of this stage, by its speed so far.'),
  startedAt: unixMilliseconds.optional(),
  finishedAt: unixMilliseconds.optional(),
  error: failureSchema.optional(),
})
export type JobJson = Json<typeof jobSchema>

export const jobListSchema = z.object({
  jobs: z.array(jobSchema).describe('Newest first.'),
  total: z.int().describe('Number of all jobs.'),
  unattended: z.int().describe('Number of queued jobs that no process works on.'),
})
export type JobListJson = Json<typeof jobListSchema>

export const reEmbeddingSchema = z.object({
  collection: z.string().describe('Its name.'),
  id: z.string(),
  before: z.string().optional().describe('The model, or the engine, until now.'),
  job: jobSchema.optional().describe('Absent where nothing is to be done.'),
})
export type ReEmbeddingJson = Json<typeof reEmbeddingSchema>
