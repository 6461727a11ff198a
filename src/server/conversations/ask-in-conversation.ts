import { requireQuestion } from '../../agent/message.ts'
import type { TurnOptions } from '../../app/ask-options.ts'
import type { TurnContext } from '../../conversations/next-turn.ts'
import type { NumberedEvent, Run } from '../../conversations/runs.ts'
import { AppError } from '../../errors.ts'
import { answerJson } from '../../wire/answer-json.ts'
import { requireScope } from '../http/access.ts'
import { outsideTools, type RequestContext } from '../http/context.ts'
import { failureAgain, tellError } from '../http/errors.ts'
import { type SentEvent, streamEvents } from '../http/event-stream.ts'
import { placeOf, sentEvents, wireEvent } from './run-events.ts'
import { turnContext } from './turn-context.ts'

/** Ask as the next turn of a conversation, or the first of a new one: it is answered to its end whether or not the client stays. */
export async function askInConversation(
  c: RequestContext,
  asked: TurnOptions,
  { conversation, stream }: { readonly conversation: string; readonly stream: boolean },
): Promise<Response> {
  requireScope(c, 'write', 'Without conversation nothing is kept, and reading is enough.')
  await requireAskable(c, asked)
  const run = await beginTurn(c, asked, conversation)
  return await answerTurn(c, run, { question: asked.question, stream })
}

/** Go on with the last answer of a conversation where it was interrupted. */
export async function resumeConversation(
  c: RequestContext,
  id: string,
  stream: boolean,
): Promise<Response> {
  const { conversing } = c.var.passim
  const run = await conversing.resume(id, { outsideTools: outsideTools(c), ...turnContext(c) })
  return await answerTurn(c, run, { question: '', stream })
}

type Shown = { readonly question: string; readonly stream: boolean }

async function answerTurn(
  c: RequestContext,
  run: Run,
  { question, stream }: Shown,
): Promise<Response> {
  return stream ? await streamTurn(c, run, question) : c.json(await answerOf(c, run))
}

/** What cannot be answered at all is refused before anything is kept of it. */
export async function requireAskable(
  c: RequestContext,
  { question, collections, documents = [] }: TurnOptions,
): Promise<void> {
  const { scope, conversing } = c.var.passim
  requireQuestion(question)
  const found = await scope.collections(collections)
  for (const reference of documents) await scope.document(reference, found)
  conversing.requireRoom()
}

type More = Pick<TurnContext, 'extra' | 'shown' | 'media' | 'replaces'>

export async function beginTurn(
  c: RequestContext,
  asked: TurnOptions,
  conversation: string,
  more: More = {},
): Promise<Run> {
  return await c.var.passim.conversing.ask(asked, conversation, { ...turnContext(c), ...more })
}

async function streamTurn(c: RequestContext, run: Run, question: string): Promise<Response> {
  const start = { type: 'start', question, ...placeOf(run) } as const
  const events = c.var.passim.conversing.events(run.id, run.firstEvent, c.var.signal)
  return await streamEvents(c, {
    opening: [toSent(run.firstEvent, wireEvent(c, start, {}))],
    events: sentEvents(c, run, throwEarlyFailure(c, events)),
    failure: error => [toSent(undefined, { name: 'error', body: tellError(error, c) })],
  })
}

function toSent(
  number: number | undefined,
  { name, body }: { name: string; body: unknown },
): SentEvent {
  return {
    ...(number !== undefined && { id: String(number) }),
    event: name,
    data: JSON.stringify(body),
  }
}

/** What fails before it has begun is answered with a status, where that is still to be sent. */
async function* throwEarlyFailure(
  c: RequestContext,
  events: AsyncIterable<NumberedEvent>,
): AsyncGenerator<NumberedEvent> {
  let isFirst = true
  for await (const numbered of events) {
    if (isFirst && numbered.event.type === 'failed') throw failureAgain(numbered.event.failure, c)
    isFirst = false
    yield numbered
  }
}

async function answerOf(c: RequestContext, run: Run): Promise<object> {
  for await (const { event, at } of c.var.passim.conversing.events(
    run.id,
    run.firstEvent,
    c.var.signal,
  )) {
    if (event.type === 'failed') throw failureAgain(event.failure, c)
    if (event.type === 'stopped')
      throw new AppError('cancelled', event.message ?? 'The answer was stopped.')
    if (event.type === 'finish')
      return { ...answerJson(event.result), seconds: (at - run.createdAt) / 1000, ...placeOf(run) }
  }
  throw new AppError('internal', `The run ${run.id} ended without an answer.`)
}
