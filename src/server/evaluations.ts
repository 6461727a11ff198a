import { z } from 'zod'
import { OWN_QUESTIONS } from '../app/evaluation/own-questions.ts'
import type {
  ComparisonProgress,
  SettingsComparison,
} from '../app/evaluation/settings-comparison.ts'
import { SEARCH_MODES } from '../search/searcher.ts'
import type { RequestContext } from './http/context.ts'
import { tellError } from './http/errors.ts'
import { type SentEvent, streamEvents } from './http/event-stream.ts'
import { readBody } from './http/input.ts'
import type { Routes } from './route.ts'

/** Each is searched for under each of the settings. */
const MAX_QUESTIONS = 500

const questionSchema = z.strictObject({
  question: z.string().trim().min(1).describe('What is asked.'),
  document: z
    .string()
    .min(1)
    .optional()
    .describe('Id, source or base name of the document that should be found.'),
  words: z.string().min(1).optional().describe('Words that the passage should hold.'),
})

const settingsSchema = z.strictObject({
  mode: z.enum(SEARCH_MODES).default('hybrid').describe('How it is searched.'),
  precise: z.boolean().optional().describe('Put the best hits in order by their best sentences.'),
})

const evaluationSchema = z.strictObject({
  collection: z.string().optional().describe('A name or id; `default` without.'),
  questions: z
    .union([z.array(questionSchema).min(1).max(MAX_QUESTIONS), z.enum(OWN_QUESTIONS)])
    .describe(
      'Your own, or those that the documents give: `sentences` of theirs, or their `titles`.',
    ),
  settings: z.array(settingsSchema).min(1).max(2).describe('One to measure, or two to compare.'),
  limit: z
    .int()
    .min(1)
    .max(MAX_QUESTIONS)
    .default(100)
    .describe('Of questions that the documents give, at most so many.'),
  stream: z.boolean().default(false).describe('Send events while it is measured.'),
})

/** `POST /api/evaluations`: how well a collection is searched, under one or two settings. A client that leaves ends it. */
export const evaluationRoutes: Routes = {
  'POST /api/evaluations': {
    summary: 'Measure how well a collection is searched, under one or two settings',
    description:
      'Each question is searched for, and the first hit of the expected document, with the expected words, counts. With `stream: true` the result comes as server-sent events: `progress`, and `result` or `error` as the last.',
    body: evaluationSchema,
    example: {
      questions: [
        { question: 'What may a hotel cost?', document: 'travel.md', words: '120 euros' },
      ],
      settings: [{ mode: 'keyword' }, { mode: 'hybrid' }],
    },
    answer: 'Evaluation',
    events: 'EvaluationEvent',
    asksModel: true,
    reply: evaluate,
  },
}

async function evaluate(c: RequestContext): Promise<Response> {
  const { stream, ...options } = await readBody(c, evaluationSchema)
  const run = c.var.passim.evaluations.compare({ ...options, signal: c.var.signal })
  if (!stream) return c.json(await resultOf(run))
  return await streamEvents(c, {
    events: sent(run),
    failure: error => [{ event: 'error', data: JSON.stringify(tellError(error, c)) }],
  })
}

type Run = AsyncGenerator<ComparisonProgress, SettingsComparison>

async function resultOf(run: Run): Promise<SettingsComparison> {
  for (;;) {
    const { done, value } = await run.next()
    if (done) return value
  }
}

async function* sent(run: Run): AsyncGenerator<SentEvent> {
  for (;;) {
    const { done, value } = await run.next()
    yield { event: done ? 'result' : 'progress', data: JSON.stringify(value) }
    if (done) return
  }
}
