import { z } from 'zod'
import type { AgentEvent } from '../agent/event.ts'
import { EFFORTS } from '../agent/groundings/research.ts'
import { readResult } from '../agent/run.ts'
import { toElapsedSeconds } from '../app/answer-json.ts'
import type { AskEventJson } from '../wire/ask-event.ts'
import {
  askInConversation,
  isVisible,
  showAnswer,
  toAskEvent,
  type VisibleEvent,
} from './conversations/api-answers.ts'
import type { RequestContext } from './http/context.ts'
import { getOutsideTools } from './http/context.ts'
import { reportError } from './http/errors.ts'
import { type SentEvent, streamEvents } from './http/event-stream.ts'
import { readBody } from './http/input.ts'
import { streamJson } from './http/sliced-json.ts'
import type { Routes } from './route.ts'
import { modelShape, preciseSchema, scopeShape } from './scope-shape.ts'

const askSchema = z.strictObject({
  question: z.string().describe('Question to answer from the documents, in any language.'),
  ...scopeShape,
  ...modelShape,
  strictness: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe(
      'How certain an extractive answer has to be (0 to 1). At 0 even unlikely quotations are returned. Default: the setting `answering.strictness` (0.5).',
    ),
  maxRisk: z
    .number()
    .gt(0)
    .max(1)
    .optional()
    .describe(
      'Maximum share of wrong ones among extractive answers and among confirmed sentences of a model (above 0, 1 for any). Less certain answers become refusals with the warning `too_unsure`; less certain sentences are not confirmed (`claims_too_unsure`). Default: the setting `answering.maxRisk` (1).',
    ),
  precise: preciseSchema,
  effort: z
    .enum(EFFORTS)
    .optional()
    .describe(
      'How thoroughly to search: `low`, `medium` or `high` splits the question into parts, searches for each, and checks drafts of the answer. Default: one search and no drafts.',
    ),
  stream: z
    .boolean()
    .default(false)
    .describe('If true, send server-sent events while the answer is written. Default false.'),
  conversation: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Id of the conversation to continue, or `new` to start one. Without it the answer is not stored.',
    ),
})

/** A client that leaves stops the model, except in a conversation. */
export const askRoutes: Routes = {
  'POST /api/ask': {
    summary: 'Answer a question from collections',
    description:
      'Returns the same JSON as `passim ask --json`. With `stream: true` it sends server-sent events: `start`, `retrieval`, `token`, `token_reset` (the tokens so far were reasoning), `reasoning`, `tool_call`, `tool_result`, `approval`, `citation`, `usage`, `notice`, `agent` and `answer`. The last event is `error` if the answer failed, and `stopped` if it was stopped.',
    body: askSchema,
    example: { question: 'What may a hotel cost?', collections: ['travel'] },
    answer: 'Answer',
    events: 'AskEvent',
    mayFailUpstream: true,
    reply: ask,
  },
}

async function ask(c: RequestContext): Promise<Response> {
  const started = performance.now()
  const { stream, conversation, ...options } = await readBody(c, askSchema)
  const request = { ...options, outsideTools: getOutsideTools(c) }
  if (conversation !== undefined)
    return await askInConversation(c, request, { conversation, stream })
  const run = c.var.passim.ask({ ...request, signal: c.var.signal })
  if (!stream)
    return streamJson(c, {
      ...showAnswer(c, await readResult(run.onlyEvents)),
      ...toElapsedSeconds(started),
    })
  let number = 0
  const toSent = (event: AskEventJson): SentEvent => ({ id: String(++number), ...event })
  return await streamEvents(c, {
    opening: [toSent({ event: 'start', data: { question: options.question } })],
    events: encodeEvent(run.onlyEvents, event =>
      toSent(toAskEvent(c, event, toElapsedSeconds(started))),
    ),
    failure: error => [toSent({ event: 'error', data: reportError(error, c) })],
  })
}

async function* encodeEvent(
  events: AsyncIterable<AgentEvent>,
  toSent: (event: VisibleEvent) => SentEvent,
): AsyncGenerator<SentEvent> {
  for await (const event of events) if (isVisible(event)) yield toSent(event)
}
