import { Hono } from 'hono'
import { streamSSE } from 'hono/streaming'
import { z } from 'zod'
import type { StoredResponse } from '../../agent/stored-responses.ts'
import { AppError } from '../../errors.ts'
import { requireScope } from '../access.ts'
import type { RequestContext, Routes, ServerEnv } from '../context.ts'
import { unsupported } from '../errors.ts'
import { readBody, readQuery } from '../input.ts'
import { pageSchema, paginate } from '../pagination.ts'
import type { WireEvent } from './response-builder.ts'
import { refuseUnsupported, responseRequestSchema } from './response-request.ts'
import { ResponseRun } from './response-run.ts'

const retrieveSchema = z.object({ stream: z.string().optional() })
const itemsSchema = pageSchema({ limit: 20, maxLimit: 100 })

/** `/v1/responses`: answers from vector stores and from a chat model, kept for going on from. */
export function responseRoutes(): Routes {
  return new Hono<ServerEnv>()
    .post('/', create)
    .get('/:id', retrieve)
    .delete('/:id', remove)
    .post('/:id/cancel', cancel)
    .get('/:id/input_items', inputItems)
}

async function create(c: RequestContext): Promise<Response> {
  const request = await readBody(c, responseRequestSchema)
  refuseUnsupported(request)
  if (request.store !== false) requireScope(c, 'write', 'With store: false nothing is kept, and reading is enough.')
  const run = new ResponseRun(c, request)
  if (request.background) return startInBackground(c, run)
  const signal = c.var.signal
  const events = run.events(signal)
  if (request.stream) return await streamEvents(c, run, events)
  for await (const _ of events); // the response is what they add up to
  return c.json(run.builder.response)
}

/** What fails before anything was said has a status, as without a stream. */
async function streamEvents(c: RequestContext, run: ResponseRun, events: AsyncGenerator<WireEvent>): Promise<Response> {
  const beginning: WireEvent[] = []
  for (let next = await events.next(); !next.done; next = await events.next()) {
    beginning.push(next.value)
    if (beginning.length > 2) break
  }
  return streamSSE(c, async sse => {
    let number = 0
    const send = ({ type, ...event }: WireEvent) =>
      sse.writeSSE({ event: type, data: JSON.stringify({ type, sequence_number: number++, ...event }) })
    try {
      for (const event of beginning) await send(event)
      for await (const event of events) await send(event)
    } catch (error) {
      if (c.req.raw.signal.aborted) return // nobody listens any more
      for (const event of run.fail(error)) await send(event)
    }
  })
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
  const { stream } = readQuery(c, retrieveSchema)
  if (stream === 'true') throw unsupported('An answer is streamed while it is made: ask with stream.', 'stream')
  return c.json(responseOf(c).body)
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
  return c.json(responseOf(c).body)
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
