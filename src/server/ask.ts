import { z } from 'zod'
import { type AnswerEvent, collectAnswer, throwFailures } from '../agent/answer.ts'
import { answerJson } from '../app/answer-json.ts'
import type { RequestContext } from './context.ts'
import { outsideTools } from './context.ts'
import { tellError } from './errors.ts'
import { type SentEvent, streamEvents } from './event-stream.ts'
import { hitsFor } from './hits.ts'
import { readBody } from './input.ts'

export const askSchema = z.strictObject({
  question: z.string(),
  /** Names or ids; the default collection when there are none. */
  collections: z.array(z.string()).optional(),
  /** Ids, sources or base names. */
  documents: z.array(z.string()).optional(),
  /** Another model of the configured server. */
  model: z.string().min(1).optional(),
  extractive: z.boolean().optional(),
  /** How sure an extractive answer has to be. */
  strictness: z.number().min(0).max(1).optional(),
  precise: z.boolean().optional(),
  stream: z.boolean().default(false),
})

/** `POST /api/ask`: what `passim ask --json` prints, or the events on the way to it. A client that leaves stops the model. */
export async function ask(c: RequestContext): Promise<Response> {
  const started = performance.now()
  const { stream, ...options } = await readBody(c, askSchema)
  const signal = c.var.signal
  const events = throwFailures(c.var.passim.ask({ ...options, signal, outsideTools: outsideTools(c) }))
  if (!stream) return c.json(answerJson(await collectAnswer(events), started))
  return await streamEvents(c, {
    opening: [toSent({ name: 'start', body: { question: options.question } })],
    events: wireEvents(c, events, started),
    failure: error => [toSent({ name: 'error', body: tellError(error, c) })],
  })
}

type ShownEvent = Exclude<AnswerEvent, { type: 'tool-call-delta' }>
type WireEvent = { readonly name: string; readonly body: unknown }

function toSent({ name, body }: WireEvent): SentEvent {
  return { event: name, data: JSON.stringify(body) }
}

async function* wireEvents(
  c: RequestContext,
  events: AsyncIterable<AnswerEvent>,
  started: number,
): AsyncGenerator<SentEvent> {
  for await (const event of events) {
    if (event.type !== 'tool-call-delta') yield toSent(wireEvent(c, event, started)) // the tools are ours
  }
}

function wireEvent(c: RequestContext, event: ShownEvent, started: number): WireEvent {
  switch (event.type) {
    case 'retrieval':
      return { name: 'retrieval', body: { query: event.query, hits: hitsFor(c, event.hits) } }
    case 'text-delta':
      return { name: 'token', body: { text: event.text } }
    case 'reasoning-delta':
      return { name: 'reasoning', body: { text: event.text } }
    case 'tool-call':
      return { name: 'tool_call', body: event.call }
    case 'tool-result':
      return { name: 'tool_result', body: { id: event.call.id, name: event.call.name, text: event.text } }
    case 'citation':
      return { name: 'citation', body: event.citation }
    case 'usage':
      return { name: 'usage', body: event.usage }
    case 'answer':
      return { name: 'answer', body: answerJson(event.answer, started) }
  }
}
