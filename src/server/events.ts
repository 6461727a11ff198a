import { z } from 'zod'
import { toEventJson } from '../app/events/event-json.ts'
import { OLDEST } from '../app/events/watch-events.ts'
import type { StoreEvent } from '../ingest/store/catalog/events.ts'
import { EVENT_TYPES } from '../wire/event.ts'
import type { RequestContext } from './http/context.ts'
import { reportError, toFailureJson } from './http/errors.ts'
import { type SentEvent, streamEvents } from './http/event-stream.ts'
import { readQuery } from './http/query.ts'
import { showSource } from './http/shown-source.ts'
import type { Routes } from './route.ts'

const watchSchema = z.object({
  after: z
    .string()
    .max(64)
    .optional()
    .describe(
      `Id of the last event that the client received, or \`${OLDEST}\` (at most 64 characters). Default: the header \`Last-Event-ID\`, else new events only.`,
    ),
  types: z.array(z.enum(EVENT_TYPES)).optional().describe('Types of events to send. Default: all.'),
})

export const eventRoutes: Routes = {
  'GET /api/events': {
    summary: 'Stream what happens in the store',
    description:
      'Sends stored events after `after`, then new ones, each named after its type. The last 100,000 events of a week are stored. ' +
      'The stream ends after `server.requestMs`; a client continues with `Last-Event-ID`, as `EventSource` does. ' +
      'A restricted key receives the events of documents that it may see.',
    query: watchSchema,
    events: 'Event',
    reply: watch,
  },
}

async function watch(c: RequestContext): Promise<Response> {
  const { after, types } = readQuery(c, watchSchema)
  const { passim, signal } = c.var
  const last = c.req.header('last-event-id') ?? after
  const events = await passim.watchEvents({ after: last, types, signal })
  return await streamEvents(c, {
    events: encodeEvents(c, events),
    failure: error => [{ event: 'error', data: reportError(error, c) }],
  })
}

async function* encodeEvents(
  c: RequestContext,
  events: AsyncIterable<StoreEvent>,
): AsyncGenerator<SentEvent> {
  for await (const event of events) {
    const { data, ...head } = toEventJson(event)
    const error = event.error && { error: toFailureJson(event.error, c) }
    const eventJson = { ...head, data: { ...showSource(c, data), ...error } }
    yield { id: head.id, event: head.type, data: eventJson }
  }
}
