import { z } from 'zod'
import type { Json } from './schema.ts'

const intervalSchema = z.tuple([z.number(), z.number()]).describe('Of 95 %.')

export const evaluationSchema = z.object({
  results: z.array(
    z.looseObject({
      mode: z.string(),
      precise: z.boolean().optional(),
      recall10: z.number().describe('Share of the questions whose first right hit is among ten.'),
      mrr10: z
        .number()
        .describe('Mean of one through the place of the first right hit, 0 beyond the tenth.'),
      ndcg10: z.number(),
      ci95: z.object({ recall10: intervalSchema, mrr10: intervalSchema, ndcg10: intervalSchema }),
      p50Ms: z.number(),
      p95Ms: z.number(),
    }),
  ),
  comparison: z
    .object({
      difference: z.number().describe('What the second gains over the first in `mrr10`.'),
      ci95: intervalSchema,
      p: z.number(),
      queries: z.int(),
    })
    .optional(),
  questions: z.array(
    z.object({
      question: z.string(),
      document: z.string().optional(),
      words: z.string().optional(),
      places: z
        .array(z.int().nullable())
        .describe('Of the first right hit, for each of the settings; null beyond 50.'),
    }),
  ),
})

export type EvaluationJson = Json<typeof evaluationSchema>
