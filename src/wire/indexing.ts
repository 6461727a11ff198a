import { z } from 'zod'
import { ownFailureSchema, warningSchema } from './error.ts'
import type { Json } from './schema.ts'

const indexStatusSchema = z.enum([
  'indexed',
  'unchanged',
  'replaced',
  'moved',
  'removed',
  'failed',
  'skipped',
])
export type IndexStatus = z.output<typeof indexStatusSchema>

const indexedDocumentSchema = z.object({
  id: z.string().optional(),
  source: z.string(),
  parentId: z.string().optional().describe('Id of the document that this one is attached to.'),
  status: indexStatusSchema.describe('Outcome of the document in this run.'),
  pages: z.int().optional(),
  chunks: z.int(),
  tokens: z.int(),
  warnings: z.array(warningSchema),
  error: ownFailureSchema.optional(),
})
export type IndexedDocument = Json<typeof indexedDocumentSchema>

/** Outcome of `passim index`. */
export const indexResultSchema = z.object({
  collection: z.string(),
  documents: z.array(indexedDocumentSchema),
  totals: z.record(z.enum([...indexStatusSchema.options, 'chunks']), z.int()),
  warnings: z
    .array(warningSchema)
    .optional()
    .describe('Warnings of the complete run, such as an empty path. Absent if there are none.'),
  seconds: z.number(),
})
export type IndexResult = Json<typeof indexResultSchema>
