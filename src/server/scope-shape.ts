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
