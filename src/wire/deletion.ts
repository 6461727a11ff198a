import { z } from 'zod'
import { type Json, unixMilliseconds } from './schema.ts'

const kindSchema = z.enum(['collection', 'document', 'file'])

const deletionSchema = z.object({
  id: z.string(),
  kind: kindSchema,
  subjectId: z.string().describe('Of the collection, document or file.'),
  name: z
    .string()
    .describe('Of the collection, of that which the document was in, or of the file.'),
  collectionId: z.string().optional().describe('Absent for a file.'),
  source: z.string().optional().describe('Of a document.'),
  documents: z.int(),
  chunks: z.int(),
  bytes: z.int(),
  deletedAt: unixMilliseconds,
  expiresAt: unixMilliseconds.describe('In Unix milliseconds; it cannot be restored later.'),
})

export const deletionListSchema = z.object({ deletions: z.array(deletionSchema) })
export type DeletionListJson = Json<typeof deletionListSchema>

export const restoredSchema = z.object({
  restored: z.string().describe('The id of the collection, document or file.'),
  kind: kindSchema,
  collection: z.string().describe('Its name.'),
  source: z.string().optional().describe('Of a document.'),
  documents: z.int(),
})
export type RestoredJson = Json<typeof restoredSchema>

/** Answer of our own routes to a deletion. */
export const deletedByIdSchema = z.object({ id: z.string(), deleted: z.literal(true) })
export type DeletedByIdJson = Json<typeof deletedByIdSchema>
