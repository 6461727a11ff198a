import { z } from 'zod'
import { type Json, metadataSchema, pageEnd, time } from './schema.ts'

const headShape = {
  id: z.string().describe('Id, which is also the id of the vector store.'),
  name: z.string(),
  embedderId: z.string().describe('Id of the embedding model, or `none` for keyword search only.'),
  dimensions: z.int().describe('Length of the vectors; 0 without vectors.'),
}

const chunkingSchema = z.object({
  tokens: z.int().describe('Maximum number of tokens of a passage.'),
  overlap: z.number().describe('Share of a passage that the next one repeats, 0 to 0.5.'),
})

const sizeShape = {
  documents: z
    .object({
      in_progress: z.int(),
      completed: z.int(),
      failed: z.int(),
      cancelled: z.int(),
    })
    .describe('Number of documents by status.'),
  chunks: z.int().describe('Number of indexed passages.'),
  bytes: z.int().describe('Total size of the files in bytes.'),
}

const timesShape = {
  createdAt: time,
  usedAt: time,
  idleDays: z
    .number()
    .optional()
    .describe('Days after the last use until the collection expires. Absent: never.'),
}

export const collectionSchema = z.object({
  ...headShape,
  engine: z.enum(['lance', 'weaviate']).describe('Index engine of the collection.'),
  chunking: chunkingSchema,
  metadata: metadataSchema,
  ...sizeShape,
  ...timesShape,
})
export type CollectionJson = Json<typeof collectionSchema>

export const collectionPageSchema = z.object({
  collections: z.array(collectionSchema).describe('Collections by name.'),
  ...pageEnd,
})
export type CollectionPageJson = Json<typeof collectionPageSchema>

/** Written by `passim collections create --json`. */
export const storedCollectionSchema = z.object({
  ...headShape,
  tableId: z.string().describe('Id of its table in the index.'),
  chunking: chunkingSchema.extend({
    overlap: z.number().describe('Share of each chunk that the next one repeats.'),
  }),
  hidden: z.boolean(),
  epoch: z.int().describe('Increases with every publication and removal.'),
  metadata: metadataSchema,
  ...timesShape,
})
export type StoredCollectionJson = Json<typeof storedCollectionSchema>

export const collectionListSchema = z.object({
  collections: z.array(storedCollectionSchema.extend(sizeShape)),
})
export type CollectionListJson = Json<typeof collectionListSchema>
