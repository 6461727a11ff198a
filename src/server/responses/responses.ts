import { Hono } from 'hono'
import { z } from 'zod'
import type { StoredResponse } from '../../agent/stored-responses.ts'
import { AppError } from '../../errors.ts'
import { requireScope } from '../access.ts'
import type { RequestContext, Routes, ServerEnv } from '../context.ts'
import { unsupported } from '../errors.ts'
import { type SentEvent, streamEvents } from '../event-stream.ts'
import { readBody, readQueries, readQuery } from '../input.ts'
import { pageSchema, paginate } from '../pagination.ts'
import { paddingSchema, withoutEffect } from '../parameters.ts'
import { countInput } from './input-tokens.ts'
import { type KeptResponse, type WireEvent, withoutResults } from './output-items.ts'
import { takeInput } from './response-input.ts'
import { includeSchema, refuseUnsupported, responseRequestSchema, SEARCH_RESULTS } from './response-request.ts'
import { ResponseRun } from './response-run.ts'

export const retrieveSchema = z.object({
  include: includeSchema.optional(),
  stream: z.string().optional().describe('Only false: an answer is streamed while it is made.'),
  starting_after: withoutEffect(z.string(), 'no stream is gone on with'),
  include_obfuscation: paddingSchema,
})
export const itemsSchema = pageSchema({ limit: 20, maxLimit: 100 }).extend({
  include: withoutEffect(z.string(), 'items are shown whole'),
})

/** `/v1/responses`: answers from vector stores and from a chat model, kept for going on from. */
export function responseRoutes(): Routes {
  return new Hono<ServerEnv>()
    .post('/', create)
    .post('/input_tokens', countInput)
    .get('/:id', retrieve)
    .delete('/:id', remove)
    .post('/:id/cancel', cancel)
    .get('/:id/input_items', inputItems)
}

async function create(c: RequestContext): Promise<Response> {
  const request = await readBody(c, responseRequestSchema)
  refuseUnsupported(request)
  if (request.store !== false) requireScope(c, 'write', 'With store: false nothing is kept, and reading is enough.')
  const run = new ResponseRun(c, { ...request, input: await takeInput(c, request.input) })
  if (request.background) return startInBackground(c, run)
  const signal = c.var.signal
  const events = run.events(signal)
  if (request.stream) return await streamRun(c, run, events)
  for await (const _ of events); // the response is what they add up to
  return c.json(run.builder.response)
}

async function streamRun(c: RequestContext, run: ResponseRun, events: AsyncIterable<WireEvent>): Promise<Response> {
  let number = 0
  const toSent = ({ type, ...event }: WireEvent): SentEvent => {
    return { event: type, data: JSON.stringify({ type, sequence_number: number++, ...event }) }
  }
  return await streamEvents(c, {
    opening: [...run.builder.begin()].map(toSent),
    events: mapped(events, toSent),
    failure: error => run.fail(error).map(toSent),
  })
}

async function* mapped(
  events: AsyncIterable<WireEvent>,
  toSent: (event: WireEvent) => SentEvent,
): AsyncGenerator<SentEvent> {
  for await (const event of events) yield toSent(event)
}

function startInBackground(c: RequestContext, run: ResponseRun): Response {
  const { runs } = c.var.passim
  runs.requireRoom() // or what is kept would never end
  run.keep()
  runs.start(run.id, async signal => {
    try {
      for await (const _ of run.events(signal)); // kept when they end
    } catch (error) {
      if (signal.aborted) run.builder.cancel()
      else run.fail(error)
    }
    run.keep()
  })
  return c.json(run.builder.response)
}

function retrieve(c: RequestContext): Response {
  const { stream, include = [] } = readQueries(c, retrieveSchema, ['include'])
  if (stream === 'true') throw unsupported('An answer is streamed while it is made: ask with stream.', 'stream')
  return c.json(shown(responseOf(c), include))
}

function shown({ body }: StoredResponse, include: readonly string[] = []) {
  const kept = body as KeptResponse // ResponseRun wrote it
  return include.includes(SEARCH_RESULTS) ? kept : withoutResults(kept)
}

async function remove(c: RequestContext): Promise<Response> {
  const { id } = responseOf(c)
  await c.var.passim.runs.cancel(id)
  c.var.passim.responses.delete(id)
  return c.json({ id, object: 'response', deleted: true })
}

/** Only what runs in the background can be cancelled; for anything else its client just leaves. */
async function cancel(c: RequestContext): Promise<Response> {
  const response = responseOf(c)
  if (response.body.background !== true) {
    throw new AppError('invalid_input', `Response ${response.id} was not made in the background, and has ended.`)
  }
  await c.var.passim.runs.cancel(response.id)
  return c.json(shown(responseOf(c)))
}

function inputItems(c: RequestContext): Response {
  const query = readQuery(c, itemsSchema)
  const input = responseOf(c).input as readonly { readonly id: string }[] // ResponseRun wrote them
  const items = input.map((item, at) => ({ id: item.id, createdAt: at, item }))
  return c.json(paginate(items, query, ({ item }) => item))
}

function responseOf(c: RequestContext): StoredResponse {
  const id = c.req.param('id')! // every route that asks has one
  const response = c.var.passim.responses.find(id)
  if (response) return isLeftBehind(c, response) ? failed(c, response) : response
  throw new AppError('not_found', `There is no response ${id}: it was not stored, or it was deleted.`)
}

/** Its process was killed while it was made. */
function isLeftBehind(c: RequestContext, response: StoredResponse): boolean {
  return response.status === 'in_progress' && !c.var.passim.runs.isUnderWay(response.id)
}

function failed(c: RequestContext, response: StoredResponse): StoredResponse {
  const error = { code: 'server_error', message: 'The server ended while it made this answer. Ask again.' }
  const body = { ...response.body, status: 'failed', error }
  c.var.passim.responses.save({ ...response, status: 'failed', body }, 'progress')
  return { ...response, status: 'failed', body }
}
