import { z } from 'zod'

/** Names, each of which is looked up; protects other requests. */
const MAX_NAMED = 256

export const scopeShape = {
  collections: z
    .array(z.string())
    .max(MAX_NAMED)
    .optional()
    .describe(
      'Names or ids of the collections to search (at most 256). Default: the collection `default`.',
    ),
  documents: z
    .array(z.string())
    .max(MAX_NAMED)
    .optional()
    .describe(
      'Ids, sources or base names of the only documents to search (at most 256). Default: all documents of the collections.',
    ),
}

export const modelShape = {
  model: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Name of another chat model on the configured model server. Default: the configured model.',
    ),
  extractive: z
    .boolean()
    .optional()
    .describe(
      'If true, answer with quotations from the documents instead of asking a chat model. Default false.',
    ),
}

export const preciseSchema = z
  .boolean()
  .optional()
  .describe(
    'If true, rank the best hits again by their best sentences. This takes up to a second longer the first time a document is read.',
  )
