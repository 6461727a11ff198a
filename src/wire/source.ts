import { z } from 'zod'
import { failureSchema } from './error.ts'
import { type Json, pageEnd, time } from './schema.ts'

export const sourceSchema = z.object({
  id: z.string().describe('Id of its job, which shows, cancels and retries the last run.'),
  name: z.string().describe('Name of the source in the settings.'),
  type: z.string().describe('Kind of the source, such as `folder` or `s3`.'),
  collection: z.string().describe('Name of the collection that the source is kept in.'),
  everyMinutes: z
    .number()
    .describe('Minutes between the end of a run and the next one; 0 if it runs on request only.'),
  state: z.enum(['new', 'queued', 'running', 'completed', 'failed', 'cancelled']),
  done: z.int().describe('Number of documents that the last run compared.'),
  startedAt: time.optional().describe('Start of the last run.'),
  finishedAt: time.optional().describe('End of the last run.'),
  nextAt: time.optional().describe('Start of the next run; absent if none is planned.'),
  totals: z
    .record(z.string(), z.int())
    .optional()
    .describe('Number of documents of each outcome in the last run.'),
  failures: z
    .array(z.object({ source: z.string(), error: failureSchema }))
    .describe('Documents that failed in the last run (the first 20).'),
  error: failureSchema.optional().describe('Why the last run failed.'),
})
export type SourceJson = Json<typeof sourceSchema>

/** Of `passim sync remove`. */
const removedSourceSchema = z.object({
  name: z.string(),
  removed: z.int().describe('Number of deleted documents.'),
})
export type RemovedSourceJson = Json<typeof removedSourceSchema>

export const sourceListSchema = z.object({
  sources: z.array(sourceSchema).describe('Sources, in the order of the settings.'),
  ...pageEnd,
})
export type SourceListJson = Json<typeof sourceListSchema>
