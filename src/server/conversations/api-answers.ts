import type { AgentResult } from '../../agent/event.ts'
import { toAnswerJson, toCallJson } from '../../app/answer-json.ts'
import type { TurnOptions } from '../../app/ask-options.ts'
import type { NumberedEvent, Run, RunEvent } from '../../conversations/runs.ts'
import { getNotice, localizable } from '../../errors/localizable.ts'
import { AppError } from '../../errors.ts'
import type { AnswerJson, TimedAnswerJson } from '../../wire/answer.ts'
import type { AskEventJson } from '../../wire/ask-event.ts'
import { requireScope } from '../http/access.ts'
import { getOutsideTools, localize, localizeWarning, type RequestContext } from '../http/context.ts'
import {
  getStatus,
  readStoredFailure,
  reportError,
  toErrorBody,
  toPublicError,
} from '../http/errors.ts'
import { type SentEvent, streamEvents } from '../http/event-stream.ts'
import { showSource, showSources } from '../http/shown-source.ts'
import { streamJson } from '../http/sliced-json.ts'
import { toClientHits } from '../search/hits.ts'
import { createTurnContext, getPlace, requireAskable, startTurn } from './turn-request.ts'

/** Asks the next turn, which completes without its client. */
export async function askInConversation(
  c: RequestContext,
  options: TurnOptions,
  { conversation, stream }: { readonly conversation: string; readonly stream: boolean },
): Promise<Response> {
  requireScope(c, 'write', 'Without conversation nothing is stored, and the scope read is enough.')
  await requireAskable(c, options)
  const run = await startTurn(c, options, conversation)
  return await answerTurn(c, run, { question: options.question, stream })
}

export async function resumeConversation(
  c: RequestContext,
  id: string,
  stream: boolean,
): Promise<Response> {
  const { conversationService: conversing } = c.var.passim
  const run = await conversing.resume(id, {
    outsideTools: getOutsideTools(c),
    ...createTurnContext(c),
  })
  return await answerTurn(c, run, { question: '', stream })
}

type AnswerForm = { readonly question: string; readonly stream: boolean }

async function answerTurn(
  c: RequestContext,
  run: Run,
  { question, stream }: AnswerForm,
): Promise<Response> {
  return stream ? await streamTurn(c, run, question) : streamJson(c, await readAnswer(c, run))
}

async function streamTurn(c: RequestContext, run: Run, question: string): Promise<Response> {
  const events = c.var.passim.conversationService.readEvents(run.id, run.firstEvent, c.var.signal)
  return await streamEvents(c, {
    opening: [{ id: String(run.firstEvent), event: 'start', data: { question, ...getPlace(run) } }],
    events: encodeEvents(c, run, throwEarlyFailure(c, events)),
    failure: error => [{ event: 'error', data: reportError(error, c) }],
  })
}

async function* throwEarlyFailure(
  c: RequestContext,
  events: AsyncIterable<NumberedEvent>,
): AsyncGenerator<NumberedEvent> {
  let isFirst = true
  for await (const numbered of events) {
    if (isFirst && numbered.event.type === 'failed') throw toPublicError(numbered.event.failure, c)
    isFirst = false
    yield numbered
  }
}

async function readAnswer(c: RequestContext, run: Run): Promise<TimedAnswerJson> {
  for await (const { event, at } of c.var.passim.conversationService.readEvents(
    run.id,
    run.firstEvent,
    c.var.signal,
  )) {
    if (event.type === 'failed') throw toPublicError(event.failure, c)
    if (event.type === 'stopped')
      throw new AppError('cancelled', event.message ?? 'The answer was stopped.')
    if (event.type === 'finish')
      return {
        ...showAnswer(c, event.result),
        seconds: (at - run.createdAt) / 1000,
        ...getPlace(run),
      }
  }
  throw new AppError('internal', localizable`The run ${run.id} ended without an answer.`)
}

const HIDDEN = ['tool-call-delta', 'tool-start', 'overview', 'reasoning-end'] as const

/** Hides pieces of arguments, call starts, and findings for resumption. */
export type VisibleEvent = Exclude<RunEvent, { readonly type: (typeof HIDDEN)[number] }>

export function isVisible(event: RunEvent): event is VisibleEvent {
  return HIDDEN.every(type => type !== event.type)
}

export async function* encodeEvents(
  c: RequestContext,
  run: Pick<Run, 'createdAt' | 'conversationId' | 'turn'>,
  events: AsyncIterable<NumberedEvent>,
): AsyncGenerator<SentEvent> {
  for await (const { number, event, at } of events) {
    if (!isVisible(event)) continue
    const facts = { seconds: (at - run.createdAt) / 1000, ...getPlace(run) }
    yield { id: String(number), ...toAskEvent(c, event, facts) }
  }
}

export function showAnswer(c: RequestContext, result: AgentResult): AnswerJson {
  const warnings = result.warnings?.map(warning => localizeWarning(c, warning))
  const answer = toAnswerJson({ ...result, ...(warnings && { warnings }) })
  return { ...answer, citations: showSources(c, answer.citations) }
}

export function toAskEvent(
  c: RequestContext,
  event: VisibleEvent,
  facts: Omit<TimedAnswerJson, keyof AnswerJson>,
): AskEventJson {
  switch (event.type) {
    case 'start': {
      const { type: _, ...data } = event
      return { event: 'start', data }
    }
    case 'retrieval':
      return { event: 'retrieval', data: { query: event.query, hits: toClientHits(c, event.hits) } }
    case 'text-delta':
      return { event: 'token', data: { text: event.text } }
    case 'reasoning-delta':
      return { event: 'reasoning', data: { text: event.text } }
    case 'text-as-reasoning':
      return { event: 'token_reset', data: { reasoning: event.text } }
    case 'tool-call':
      return { event: 'tool_call', data: toCallJson(event.call) }
    case 'tool-result':
      return {
        event: 'tool_result',
        data: { id: event.call.id, name: event.call.name, text: event.text },
      }
    case 'citation':
      return { event: 'citation', data: showSource(c, event.citation) }
    case 'usage':
      return { event: 'usage', data: event.usage }
    case 'approval':
      return { event: 'approval', data: { call: toCallJson(event.call) } }
    case 'plan':
      return { event: 'plan', data: { questions: event.questions } }
    case 'notice':
      return { event: 'notice', data: { name: event.name, text: localize(c, getNotice(event)) } }
    case 'agent':
      return { event: 'agent', data: { name: event.name, event: event.event } }
    case 'finish':
      return { event: 'answer', data: { ...showAnswer(c, event.result), ...facts } }
    case 'stopped':
      return {
        event: 'stopped',
        data: {
          ...(event.code && { reason: event.code, message: localize(c, event.message ?? '') }),
        },
      }
    case 'failed': {
      const failure = readStoredFailure(event.failure, c)
      return { event: 'error', data: toErrorBody(getStatus(failure), failure) }
    }
  }
}
