import { z } from 'zod'
import { type Json, unixMilliseconds } from './schema.ts'

const kindSchema = z.enum(['collection', 'document', 'file'])

const deletionSchema = z.object({
  id: z.string(),
  kind: kindSchema,
  subjectId: z.string().describe('Id of the deleted collection, document or file.'),
  name: z
    .string()
    .describe(
      'Name of the deleted collection or file, or of the collection that the document was in.',
    ),
  collectionId: z.string().optional().describe('Id of the collection; absent for a file.'),
  source: z
    .string()
    .optional()
    .describe('Source of a document: absolute path, URL, `upload:NAME` or `id:ID`.'),
  documents: z.int(),
  chunks: z.int(),
  bytes: z.int(),
  deletedAt: unixMilliseconds,
  expiresAt: unixMilliseconds.describe(
    'Time in Unix milliseconds after which it cannot be restored.',
  ),
})

export const deletionListSchema = z.object({ deletions: z.array(deletionSchema) })
export type DeletionListJson = Json<typeof deletionListSchema>

export const restoredSchema = z.object({
  restored: z.string().describe('Id of the restored collection, document or file.'),
  kind: kindSchema,
  collection: z.string().describe('Name of the collection.'),
  source: z
    .string()
    .optional()
    .describe('Source of a document: absolute path, URL, `upload:NAME` or `id:ID`.'),
  documents: z.int(),
})
export type RestoredJson = Json<typeof restoredSchema>

/** A deletion, as `passim delete --json` prints it. */
export const deletedSchema = z.object({
  deleted: z.string().describe('Id of the deleted collection, document or file.'),
  collection: z.string().describe('Name of the collection.'),
  source: z.string().optional().describe('Source of a document.'),
  documents: z.int().optional().describe('Number of documents of a deleted collection.'),
  chunks: z.int().optional().describe('Number of chunks of a deleted collection.'),
  bytes: z.int().optional().describe('Bytes of the files of a deleted collection.'),
})
export type DeletedJson = Json<typeof deletedSchema>

/** Answer of our own routes to a deletion. */
export const deletedByIdSchema = z.object({ id: z.string(), deleted: z.literal(true) })
export type DeletedByIdJson = Json<typeof deletedByIdSchema>
