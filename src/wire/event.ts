import { z } from 'zod'
import { failureSchema } from './error.ts'
import { type Json, time } from './schema.ts'

export const EVENT_TYPES = [
  'document.completed',
  'document.failed',
  'document.deleted',
  'collection.deleted',
  'job.completed',
  'job.failed',
  'job.cancelled',
  'response.completed',
  'response.failed',
  'response.incomplete',
  'response.cancelled',
] as const

export const eventSchema = z.object({
  id: z
    .string()
    .describe('Id of the event. The header `Last-Event-ID` or `after` continues after it.'),
  type: z.enum(EVENT_TYPES),
  timestamp: time.describe('Time of the change in RFC 3339.'),
  data: z.object({
    collectionId: z.string().optional(),
    documentId: z.string().optional(),
    externalId: z.string().optional().describe("Caller's own id of the document."),
    source: z.string().optional(),
    jobId: z.string().optional(),
    responseId: z.string().optional(),
    error: failureSchema.optional(),
  }),
})
export type EventJson = Json<typeof eventSchema>
