import type { NumberedEvent, Run, RunEvent } from '../../conversations/runs.ts'
import { answerJson, callJson } from '../../wire/answer-json.ts'
import type { RequestContext } from '../http/context.ts'
import { errorBody, keptFailure, statusOf } from '../http/errors.ts'
import type { SentEvent } from '../http/event-stream.ts'
import { hitsFor } from '../search/hits.ts'

/** What happens while a question is answered, in the words of `/api`. */
type WireEvent = { readonly name: string; readonly body: unknown }

const HIDDEN = ['tool-call-delta', 'tool-start', 'overview', 'reasoning-end'] as const

/** The arguments of a call are shown whole; that it begins, and what was read unasked, is for whoever goes on with the answer. */
export type ShownEvent = Exclude<RunEvent, { readonly type: (typeof HIDDEN)[number] }>

export function isShown(event: RunEvent): event is ShownEvent {
  return HIDDEN.every(type => type !== event.type)
}

/** Events of a kept run as `/api` sends them: each with its number, by which a client asks for what comes after it. */
export async function* sentEvents(
  c: RequestContext,
  run: Pick<Run, 'createdAt' | 'conversationId' | 'turn'>,
  events: AsyncIterable<NumberedEvent>,
): AsyncGenerator<SentEvent> {
  for await (const { number, event, at } of events) {
    if (!isShown(event)) continue
    const { name, body } = wireEvent(c, event, {
      seconds: (at - run.createdAt) / 1000,
      ...placeOf(run),
    })
    yield { id: String(number), event: name, data: JSON.stringify(body) }
  }
}

/** Where an answer stands, beside what it says. */
export function placeOf({
  conversationId: conversation,
  turn,
}: Pick<Run, 'conversationId' | 'turn'>) {
  return conversation === undefined ? {} : { conversation, turn }
}

/** `facts` are of the answer. */
export function wireEvent(c: RequestContext, event: ShownEvent, facts: object): WireEvent {
  switch (event.type) {
    case 'start': {
      const { type: _, ...body } = event
      return { name: 'start', body }
    }
    case 'retrieval':
      return { name: 'retrieval', body: { query: event.query, hits: hitsFor(c, event.hits) } }
    case 'text-delta':
      return { name: 'token', body: { text: event.text } }
    case 'reasoning-delta':
      return { name: 'reasoning', body: { text: event.text } }
    case 'text-as-reasoning':
      return { name: 'token_reset', body: { reasoning: event.text } }
    case 'tool-call':
      return { name: 'tool_call', body: callJson(event.call) }
    case 'tool-result':
      return {
        name: 'tool_result',
        body: { id: event.call.id, name: event.call.name, text: event.text },
      }
    case 'citation':
      return { name: 'citation', body: event.citation }
    case 'usage':
      return { name: 'usage', body: event.usage }
    case 'approval':
      return { name: 'approval', body: { call: callJson(event.call) } }
    case 'plan':
    case 'notice':
    case 'agent': {
      const { type: name, ...body } = event
      return { name, body }
    }
    case 'finish':
      return { name: 'answer', body: { ...answerJson(event.result), ...facts } }
    case 'stopped':
      return {
        name: 'stopped',
        body: { ...(event.code && { reason: event.code, message: event.message }) },
      }
    case 'failed': {
      const failure = keptFailure(event.failure, c)
      return { name: 'error', body: errorBody(statusOf(failure), failure) }
    }
  }
}
