import { z } from 'zod'
import { answerSchema } from './answer.ts'
import { ratingSchema } from './conversation.ts'
import type { Json } from './schema.ts'

const intervalSchema = z.tuple([z.number(), z.number()]).describe('95 % interval.')

const timesShape = {
  p50Ms: z.number().describe('Median duration in milliseconds.'),
  p95Ms: z.number().describe('95th percentile of the duration in milliseconds.'),
}

const modeMetricsSchema = z.object({
  ndcg10: z.number(),
  recall10: z.number(),
  mrr10: z.number(),
  ci95: z.object({ ndcg10: intervalSchema, recall10: intervalSchema, mrr10: intervalSchema }),
  ...timesShape,
  compared: z
    .object({
      difference: z.number().describe('Mean difference; above 0 if this run is better.'),
      ci95: intervalSchema,
      p: z.number().describe("Two-sided p of Fisher's randomisation test."),
      queries: z.int(),
    })
    .optional()
    .describe('Difference in nDCG@10 to the compared run.'),
})

const evaluationModeSchema = z.enum(['keyword', 'vector', 'hybrid'])
export type EvaluationMode = z.output<typeof evaluationModeSchema>

const metricsByModeSchema = z.partialRecord(evaluationModeSchema, modeMetricsSchema)
export type MetricsByMode = Json<typeof metricsByModeSchema>

/** Result of `passim eval` on queries. */
export const evaluationSchema = z.object({
  modes: metricsByModeSchema,
  embedders: z
    .array(z.object({ embedder: z.string(), modes: metricsByModeSchema }))
    .optional()
    .describe('Metrics of each model, if several are compared.'),
})
export type EvaluationResult = Json<typeof evaluationSchema>

/** Fields of what is measured of each answer; inapplicable measures are absent. */
function createMeasures<Value extends z.ZodType>(value: Value) {
  return {
    correct: value.optional(),
    wronglyAbstained: value.optional(),
    rightlyAbstained: value.optional(),
    documentHit: value.optional(),
    pageHit: value.optional(),
    evidenceHit: value.optional(),
  }
}

const judgementShape = createMeasures(z.boolean())
const judgementSchema = z.object(judgementShape)
export type AnswerJudgement = Json<typeof judgementSchema>

const rateSchema = z.object({
  rate: z.number().describe('Share of the answers (0 to 1).'),
  count: z.int().describe('Number of answers that the measure applies to.'),
  ci95: intervalSchema,
})
export type Rate = Json<typeof rateSchema>

/** Result of `passim eval` on questions. */
export const answerEvaluationSchema = z.object({
  answers: z.object({ ...createMeasures(rateSchema), ...timesShape }),
  questions: z.array(z.object({ id: z.string(), answer: answerSchema, ...judgementShape })),
})
export type AnswerEvaluationResult = Json<typeof answerEvaluationSchema>

/** Line of `passim conversations judged`. */
export const judgedAnswerSchema = z.object({
  id: z.string(),
  question: z.string(),
  ...ratingSchema.shape,
  answerable: z.boolean().optional().describe('Absent if the judgement does not say.'),
  doc: z.string().optional(),
  pages_ok: z.array(z.int()).optional(),
  evidence: z.string().optional().describe('Words that the answer cited first.'),
  answer: z.string().describe('Judged answer; not compared.'),
  history: z
    .array(z.object({ role: z.enum(['user', 'assistant']), content: z.string() }))
    .optional()
    .describe('Earlier turns, oldest first.'),
})
export type JudgedAnswerJson = Json<typeof judgedAnswerSchema>
