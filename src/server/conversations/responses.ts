import { textContent } from '../../agent/message.ts'
import type { Run } from '../../conversations/runs.ts'
import type { StoredResponse } from '../../conversations/stored-responses.ts'
import { localizable } from '../../errors/localizable.ts'
import { AppError } from '../../errors.ts'
import type {
  DeletedResponseJson,
  InputTokensJson,
  ResponseEventJson,
  ResponseJson,
} from '../../wire/response.ts'
import { requireScope } from '../http/access.ts'
import { localize, type RequestContext } from '../http/context.ts'
import { createUnsupported, readStoredFailure, reportError, toPublicError } from '../http/errors.ts'
import { type SentEvent, streamEvents } from '../http/event-stream.ts'
import { readBody } from '../http/input.ts'
import { buildPage } from '../http/pagination.ts'
import { readQuery } from '../http/query.ts'
import { streamJson } from '../http/sliced-json.ts'
import type { Routes } from '../route.ts'
import { readInputText, takeInput } from './openai-input.ts'
import { omitResults, SEARCH_RESULTS } from './openai-items.ts'
import {
  getFunctions,
  inputTokensSchema,
  itemsSchema,
  type ResponseRequest,
  refuseUnsupported,
  responseRequestSchema,
  retrieveSchema,
} from './response-request.ts'
import {
  ResponseRun,
  readMessagesBefore,
  readStoredEvents,
  rebuildResponse,
} from './response-run.ts'

export const responseRoutes: Routes = {
  'POST /v1/responses': {
    summary: 'Create a response from vector stores, by a model or by quotation',
    description:
      'With `stream: true` the answer is sent as server-sent events. With `background: true` the request returns at once, and the response is fetched later.',
    body: responseRequestSchema,
    example: {
      input: 'What may a hotel cost?',
      tools: [{ type: 'file_search', vector_store_ids: ['vs_0123456789abcdef0123456789abcdef'] }],
      include: ['file_search_call.results'],
    },
    headers: ['spans'],
    answer: 'Response',
    events: 'ResponseEvent',
    mayFailUpstream: true,
    reply: create,
  },
  'POST /v1/responses/input_tokens': {
    summary: 'Count the tokens of an input',
    body: inputTokensSchema,
    example: { model: 'gpt-4o', input: 'What may a hotel cost?' },
    answer: 'InputTokens',
    reply: countInput,
  },
  'GET /v1/responses/:id': {
    summary: 'Get a stored response, or replay its events',
    query: retrieveSchema,
    answer: 'Response',
    events: 'ResponseEvent',
    reply: retrieve,
  },
  'DELETE /v1/responses/:id': {
    summary: 'Delete a stored response',
    answer: 'DeletedResponse',
    reply: remove,
  },
  'POST /v1/responses/:id/cancel': {
    summary: 'Cancel a background response',
    answer: 'Response',
    reply: cancel,
  },
  'GET /v1/responses/:id/input_items': {
    summary: 'List the input items of a response',
    query: itemsSchema,
    answer: 'ItemPage',
    reply: listInputItems,
  },
}

async function create(c: RequestContext): Promise<Response> {
  const request = await readBody(c, responseRequestSchema)
  refuseUnsupported(request)
  const { background, stream, conversation } = request
  if (request.store !== false || conversation) {
    requireScope(
      c,
      'write',
      'With store: false and without a conversation nothing is stored, and the scope read is enough.',
    )
  }
  const run = await ResponseRun.create(c, { ...request, input: await takeInput(c, request.input) })
  if (background || conversation) return await answerStored(c, run, { background, stream })
  const signal = c.get('signal')
  const events = run.streamEvents(signal)
  if (stream) return await streamRun(c, run, events)
  for await (const _ of events); // events build the response
  return streamJson(c, run.builder.response)
}

type How = Pick<ResponseRequest, 'background' | 'stream'>

/** Continues without its client; events can be repeated. */
async function answerStored(
  c: RequestContext,
  run: ResponseRun,
  { background, stream }: How,
): Promise<Response> {
  const startedRun = await run.start()
  if (stream) return await streamStored(c, startedRun)
  if (background) return streamJson(c, run.builder.response)
  for await (const { event } of c
    .get('passim')
    .conversationService.readEvents(startedRun.id, startedRun.firstEvent, c.get('signal'))) {
    if (event.type === 'failed') throw toPublicError(event.failure, c)
    if (event.type === 'stopped') for (const _ of run.builder.stop(event)); // the run itself learns it later
  }
  return streamJson(c, run.builder.response)
}

/** `after`: last event number of the client. */
async function streamStored(c: RequestContext, run: Run, after = -1): Promise<Response> {
  return await streamEvents(c, {
    events: numberEvents(readStoredEvents(c, run), after),
    failure: error => [{ event: 'error', data: { type: 'error', ...toErrorEvent(error, c) } }],
  })
}

async function* numberEvents(
  events: AsyncIterable<ResponseEventJson>,
  after: number,
): AsyncGenerator<SentEvent> {
  let number = 0
  for await (const { type, ...event } of events) {
    const sequence_number = number++
    if (sequence_number > after) yield { event: type, data: { type, sequence_number, ...event } }
  }
}

/** Encodes a failed stream, which is no part of the response. */
function toErrorEvent(error: unknown, c: RequestContext) {
  const { type: _, ...failure } = reportError(error, c).error
  return { ...failure, sequence_number: 0 }
}

async function streamRun(
  c: RequestContext,
  run: ResponseRun,
  events: AsyncIterable<ResponseEventJson>,
): Promise<Response> {
  let number = 0
  const toSent = ({ type, ...event }: ResponseEventJson): SentEvent => {
    const sequence_number = number++
    return { event: type, data: { type, sequence_number, ...event } }
  }
  return await streamEvents(c, {
    opening: [...run.builder.start()].map(toSent),
    events: mapEvents(events, toSent),
    failure: error => run.fail(error).map(toSent),
  })
}

async function* mapEvents(
  events: AsyncIterable<ResponseEventJson>,
  toSent: (event: ResponseEventJson) => SentEvent,
): AsyncGenerator<SentEvent> {
  for await (const event of events) yield toSent(event)
}

async function retrieve(c: RequestContext): Promise<Response> {
  const { stream, starting_after: after, include = [] } = readQuery(c, retrieveSchema)
  const response = await findResponse(c)
  if (stream) return await streamStored(c, await findReadableRun(c, response.id), after)
  return streamJson(c, await toVisibleBody(c, response, include))
}

/** Throws if events were not stored or have expired. */
async function findReadableRun(c: RequestContext, id: string): Promise<Run> {
  const { conversationService: conversing } = c.get('passim')
  const run = await conversing.findRun(id)
  if (run && (await conversing.runs.readEventsAfter(id, 0)).length > 0) return run
  const message = run
    ? 'Its events were stored for a day only. Fetch the complete response.'
    : 'Only responses made in the background or in a conversation store their events.'
  throw createUnsupported(message, 'stream')
}

async function toVisibleBody(
  c: RequestContext,
  { id, body }: StoredResponse,
  include: readonly string[] = [],
): Promise<ResponseJson> {
  const stored = body as ResponseJson
  const { error } = stored
  const shown = error ? { ...stored, error: await translateFailure(c, id, error) } : stored
  return include.includes(SEARCH_RESULTS) ? shown : omitResults(shown)
}

/** Uses the failure of the run while it is stored, which has its values apart. */
async function translateFailure(
  c: RequestContext,
  id: string,
  error: NonNullable<ResponseJson['error']>,
): Promise<ResponseJson['error']> {
  const run = await c.get('passim').conversationService.findRun(id)
  const message = run?.failure
    ? readStoredFailure(run.failure, c).message
    : localize(c, error.message)
  return { ...error, message }
}

async function remove(c: RequestContext): Promise<Response> {
  const { id } = await findResponse(c)
  await c.get('passim').conversationService.deleteResponse(id)
  return c.json<DeletedResponseJson>({ id, object: 'response', deleted: true })
}

/** Accepts background and conversation responses only. */
async function cancel(c: RequestContext): Promise<Response> {
  const { conversationService: conversing } = c.get('passim')
  const { id } = await findResponse(c)
  if (!(await conversing.findRun(id))) {
    throw new AppError(
      'invalid_input',
      localizable`Response ${id} cannot be cancelled: it was not made in the background, and it has ended.`,
    )
  }
  await conversing.stop(id)
  return streamJson(c, await toVisibleBody(c, await findResponse(c)))
}

async function listInputItems(c: RequestContext): Promise<Response> {
  const query = readQuery(c, itemsSchema)
  const input = (await findResponse(c)).input as readonly { readonly id: string }[]
  const items = input.map((item, index) => ({ id: item.id, createdAt: index, item }))
  return streamJson(c, await buildPage(items, query, ({ item }) => item))
}

async function findResponse(c: RequestContext): Promise<StoredResponse> {
  const id = c.req.param('id')!
  const response = await c.get('passim').responses.find(id)
  if (!response)
    throw new AppError(
      'not_found',
      localizable`There is no response ${id}: it was not stored, or it was deleted.`,
      { about: id },
    )
  if (response.status !== 'in_progress') return response
  const run = await c.get('passim').conversationService.findRun(id)
  return run?.status === 'in_progress' ? response : await saveEnded(c, response, run)
}

/** Completes a response whose process died, from its events. */
async function saveEnded(
  c: RequestContext,
  response: StoredResponse,
  run: Run | undefined,
): Promise<StoredResponse> {
  const found = run ? await rebuildResponse(c, response, run) : undefined
  const saved = found ?? {
    ...response,
    status: 'failed',
    body: { ...response.body, status: 'failed', error: FORGOTTEN },
  }
  await c.get('passim').responses.save(saved, 'progress')
  return saved
}

const FORGOTTEN = {
  code: 'server_error',
  message: 'The server ended while it made this answer. Ask again.',
}

/** Overhead of a message, by OpenAI's counting (cookbook, 2023). */
const TOKENS_OF_A_MESSAGE = 4

/** Counts text and functions, without passages, files and images. */
async function countInput(c: RequestContext): Promise<Response> {
  const request = await readBody(c, inputTokensSchema)
  const messages = [
    ...(await readMessagesBefore(c, request)),
    ...(await readInputText(c, request.input ?? [])),
  ]
  const texts = messages.flatMap(message => [
    textContent(message),
    message.functionCall?.arguments ?? '',
  ])
  const functions = getFunctions(request).map(({ name, description, parameters }) =>
    JSON.stringify({ name, description, parameters }),
  )
  const text = [...texts, ...functions].filter(Boolean).join('\n')
  const tokens = await c
    .get('passim')
    .countTokens(text, { model: request.model, signal: c.get('signal') })
  return c.json<InputTokensJson>({
    object: 'response.input_tokens',
    input_tokens: tokens + TOKENS_OF_A_MESSAGE * messages.length,
  })
}
