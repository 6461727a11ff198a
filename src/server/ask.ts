import { z } from 'zod'
import type { AgentEvent } from '../agent/event.ts'
import { EFFORTS } from '../agent/groundings/research.ts'
import { readResult } from '../agent/run.ts'
import { secondsSince, toAnswerJson } from '../app/answer-json.ts'
import {
  askInConversation,
  isShown,
  type ShownEvent,
  wireEvent,
} from './conversations/api-answers.ts'
import type { RequestContext } from './http/context.ts'
import { outsideTools } from './http/context.ts'
import { tellError } from './http/errors.ts'
import { type SentEvent, streamEvents } from './http/event-stream.ts'
import { readBody } from './http/input.ts'
import type { Routes } from './route.ts'
import { scopeShape } from './scope-shape.ts'

const askSchema = z.strictObject({
  question: z.string().describe('What is asked.'),
  ...scopeShape,
  model: z.string().min(1).optional().describe('Another model of the configured server.'),
  extractive: z.boolean().optional().describe('Quote instead of asking a model.'),
  strictness: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe('How sure an extractive answer has to be.'),
  precise: z.boolean().optional().describe('Put the best hits in order by their best sentences.'),
  effort: z
    .enum(EFFORTS)
    .optional()
    .describe('Search for the parts of the question, and check drafts of the answer.'),
  stream: z.boolean().default(false).describe('Send events while the answer is made.'),
  conversation: z
    .string()
    .min(1)
    .optional()
    .describe('The id of a conversation to go on with, or `new`.'),
})

/**
 * `POST /api/ask`: what `passim ask --json` prints, or the events on the way to it. A client that leaves stops the model,
 * unless the answer belongs to a conversation.
 */
export const askRoutes: Routes = {
  'POST /api/ask': {
    summary: 'Answer a question from collections',
    description:
      'The JSON is that of `passim ask --json`. With `stream: true` the answer comes as server-sent events: `start`, `retrieval`, `token`, `token_reset` (the tokens so far were reasoning), `reasoning`, `tool_call`, `tool_result`, `approval`, `citation`, `usage`, `notice`, `agent`, `answer`, and `error` as the last where something goes wrong, or `stopped`.',
    body: askSchema,
    example: { question: 'What may a hotel cost?', collections: ['travel'] },
    answer: 'Answer',
    events: 'AskEvent',
    asksModel: true,
    reply: ask,
  },
}

async function ask(c: RequestContext): Promise<Response> {
  const started = performance.now()
  const { stream, conversation, ...options } = await readBody(c, askSchema)
  const asked = { ...options, outsideTools: outsideTools(c) }
  if (conversation !== undefined) return await askInConversation(c, asked, { conversation, stream })
  const run = c.var.passim.ask({ ...asked, signal: c.var.signal })
  if (!stream)
    return c.json({ ...toAnswerJson(await readResult(run.onlyEvents)), ...secondsSince(started) })
  let number = 0
  const toSent = ({ name, body }: { name: string; body: unknown }): SentEvent => {
    return { id: String(++number), event: name, data: JSON.stringify(body) }
  }
  return await streamEvents(c, {
    opening: [toSent({ name: 'start', body: { question: options.question } })],
    events: sent(run.onlyEvents, event => toSent(wireEvent(c, event, secondsSince(started)))),
    failure: error => [toSent({ name: 'error', body: tellError(error, c) })],
  })
}

async function* sent(
  events: AsyncIterable<AgentEvent>,
  toSent: (event: ShownEvent) => SentEvent,
): AsyncGenerator<SentEvent> {
  for await (const event of events) if (isShown(event)) yield toSent(event)
}
