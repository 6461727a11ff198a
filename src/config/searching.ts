import { z } from 'zod'

/** How documents are searched. */
export const searchingSchema = z
  .strictObject({
    /** How much each leg says in hybrid search; only their ratio counts. */
    weights: z
      .strictObject({ keyword: z.number().min(0).default(1), vector: z.number().min(0).default(1) })
      .refine(({ keyword, vector }) => keyword + vector > 0, 'one of the weights must be above 0')
      .prefault({}),
    /** How the legs become one list: by their scores, or by ranks alone (reciprocal rank fusion). */
    fusion: z.enum(['scores', 'rrf']).default('scores'),
    /** LanceDB's cache of indexes, of all stores of a service together; a quarter of the memory there is by default. */
    cacheBytes: z
      .int()
      .min(16 * 2 ** 20)
      .optional(),
  })
  .prefault({})
