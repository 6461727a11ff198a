import { z } from 'zod'
import { type Json, pageEnd, time } from './schema.ts'

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
  deletedAt: time,
  expiresAt: time.describe('Time in RFC 3339 after which it cannot be restored.'),
})

export const deletionListSchema = z.object({
  deletions: z.array(deletionSchema).describe('Deletions, newest first.'),
  ...pageEnd,
})
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

const placeSchema = z.enum([
  'documents',
  'jobs',
  'files',
  'originals',
  'texts',
  'vectors',
  'pictures',
  'index',
  'bucket',
  'caches',
  'conversations',
  'responses',
  'runs',
  'hits',
  'events',
])
export type DeletionPlace = Json<typeof placeSchema>

const unprovedSchema = z.enum([
  'disk',
  'backups',
  'outside',
  'source',
  'retries',
  'log',
  'database',
  'bucket',
  'machines',
  'weaviate',
])
export type Unproved = Json<typeof unprovedSchema>

export const deletionReportSchema = z
  .object({
    kind: z.enum(['collection', 'document', 'file', 'store']),
    ids: z.array(z.string()).describe('Ids of what was deleted; none for a whole store.'),
    at: time,
    proved: z
      .boolean()
      .describe('True if nothing is left in any place, and the scan found nothing.'),
    places: z.array(
      z.object({
        place: placeSchema,
        removed: z.int().describe('Number of rows, files, lists of hits or objects removed.'),
        left: z.int().describe('Number that remains, such as bytes that another document has.'),
      }),
    ),
    conversations: z
      .array(z.string())
      .describe('Ids of the deleted conversations that cited the documents.'),
    scan: z
      .object({
        files: z.int(),
        bytes: z.int(),
        texts: z.int().describe('Phrases looked for, in UTF-8, UTF-16 and base64.'),
        vectors: z.int().describe('Pieces of vectors looked for.'),
        originals: z.int().describe('Pieces of original bytes looked for.'),
        shared: z.int().describe('Those that other documents have, too: not counted as found.'),
        found: z
          .array(z.object({ file: z.string(), traces: z.int() }))
          .describe('Files of the home that contain any, at most 100.'),
      })
      .describe('Search of every file of the home for samples of what was deleted.'),
    unproved: z
      .array(unprovedSchema)
      .describe(
        'What the report cannot prove: `disk` (blocks and snapshots of the file system), `backups`, `outside` (logs, receipts and answers given out, model servers), `source` (the file still exists), `retries` (answers kept 24 hours for an Idempotency-Key), `log` (the catalog was read meanwhile), `database` (log, column statistics and replicas of PostgreSQL), `bucket` (object versions), `machines` (copies on other machines), `weaviate`.',
      ),
  })
  .describe('Proof of a permanent deletion.')
export type DeletionReportJson = Json<typeof deletionReportSchema>

/** A deletion, as `passim delete --json` prints it. */
export const deletedSchema = z.object({
  deleted: z.string().describe('Id of the deleted collection, document or file.'),
  collection: z.string().describe('Name of the collection.'),
  source: z.string().optional().describe('Source of a document.'),
  documents: z.int().optional().describe('Number of documents of a deleted collection.'),
  chunks: z.int().optional().describe('Number of chunks of a deleted collection.'),
  bytes: z.int().optional().describe('Bytes of the files of a deleted collection.'),
  report: deletionReportSchema.optional().describe('Proof, if it was requested.'),
})
export type DeletedJson = Json<typeof deletedSchema>

/** Answer of our own routes to a deletion. */
export const deletedByIdSchema = z.object({ id: z.string(), deleted: z.literal(true) })
export type DeletedByIdJson = Json<typeof deletedByIdSchema>
