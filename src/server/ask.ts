import { type SSEStreamingApi, streamSSE } from 'hono/streaming'
import { z } from 'zod'
import { type AnswerEvent, collectAnswer, throwFailures } from '../agent/answer.ts'
import { answerJson } from '../app/answer-json.ts'
import type { RequestContext } from './context.ts'
import { tellError } from './errors.ts'
import { firstEvent } from './first-event.ts'
import { hitsFor } from './hits.ts'
import { readBody } from './input.ts'
import { outsideTools } from './operator.ts'

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
  const first = await firstEvent(events)
  return streamSSE(c, async sse => {
    try {
      await send(c, sse, first, started)
      for await (const event of events) await send(c, sse, event, started)
    } catch (error) {
      if (c.req.raw.signal.aborted) return // nobody listens any more
      await sse.writeSSE({ event: 'error', data: JSON.stringify(tellError(error, c)) })
    }
  })
}

async function send(c: RequestContext, sse: SSEStreamingApi, event: AnswerEvent, started: number): Promise<void> {
  const { name, body } = wireEvent(c, event, started)
  await sse.writeSSE({ event: name, data: JSON.stringify(body) })
}

function wireEvent(
  c: RequestContext,
  event: AnswerEvent,
  started: number,
): { readonly name: string; readonly body: unknown } {
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
