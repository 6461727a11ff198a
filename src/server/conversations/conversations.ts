import { z } from 'zod'
import type { Conversation } from '../../conversations/conversations.ts'
import type { Run } from '../../conversations/runs.ts'
import type { Turn } from '../../conversations/turns.ts'
import { localizable } from '../../errors/localizable.ts'
import { AppError } from '../../errors.ts'
import type {
  ConversationHeadJson,
  ConversationJson,
  ConversationPageJson,
  DeletedConversationJson,
  StoppedConversationJson,
  TurnJson,
} from '../../wire/conversation.ts'
import { writeTimes } from '../../wire/schema.ts'
import type { RequestContext } from '../http/context.ts'
import { readStoredFailure, reportError } from '../http/errors.ts'
import { streamEvents } from '../http/event-stream.ts'
import { readBody } from '../http/input.ts'
import { limitBackward } from '../http/pagination.ts'
import { readQuery } from '../http/query.ts'
import { showSources } from '../http/shown-source.ts'
import { streamJson } from '../http/sliced-json.ts'
import type { Routes } from '../route.ts'
import { encodeEvents, resumeConversation } from './api-answers.ts'
import { findConversation, listConversations, turnsSchema } from './turn-request.ts'

const listConversationsSchema = z.object({
  after: z.string().optional().describe('Id of the last conversation of the previous page.'),
  limit: z
    .int()
    .min(1)
    .max(100)
    .default(20)
    .describe('Maximum number of conversations to return (1 to 100, default 20).'),
  title: z
    .string()
    .max(200)
    .optional()
    .describe(
      'Part of the title (at most 200 characters): return only such conversations. Default: all.',
    ),
  pinned: z
    .boolean()
    .default(false)
    .describe('If true, return only pinned conversations. Default false.'),
})
const eventsSchema = z.object({
  after: z
    .int()
    .min(0)
    .optional()
    .describe(
      'Number of the last event that the client received. The stream continues after it. Default: the header `Last-Event-ID`, else from the first event of the turn.',
    ),
})
const resumeSchema = z.strictObject({
  stream: z
    .boolean()
    .default(false)
    .describe('If true, send the events of `/api/ask` while the answer is written. Default false.'),
})
const updateSchema = z.strictObject({
  title: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .optional()
    .describe('New title of the conversation (1 to 200 characters). Default: unchanged.'),
  pinned: z
    .boolean()
    .optional()
    .describe(
      'Whether it is kept on top of lists; `metadata.pinned` under `/v1`. Default: unchanged.',
    ),
})

export const conversationRoutes: Routes = {
  'GET /api/conversations': {
    summary: 'List the conversations, newest first',
    query: listConversationsSchema,
    answer: 'ConversationPage',
    reply: list,
  },
  'GET /api/conversations/:id': {
    summary: 'Get a conversation with its turns',
    query: turnsSchema,
    answer: 'Conversation',
    reply: show,
  },
  'PATCH /api/conversations/:id': {
    summary: 'Rename or pin a conversation',
    body: updateSchema,
    example: { title: 'Travel costs', pinned: true },
    answer: 'ConversationHead',
    reply: update,
  },
  'DELETE /api/conversations/:id': {
    summary: 'Delete a conversation permanently',
    answer: 'DeletedConversation',
    reply: remove,
  },
  'GET /api/conversations/:id/events': {
    summary: 'Stream the events of the current turn',
    description:
      'Sends the events of `/api/ask`, each with its number as the id, until the turn ends.',
    query: eventsSchema,
    events: 'AskEvent',
    reply: watch,
  },
  'POST /api/conversations/:id/stop': {
    summary: 'Stop the current turn',
    answer: 'StoppedConversation',
    reply: stop,
  },
  'POST /api/conversations/:id/resume': {
    summary: 'Resume the last answer where it was interrupted',
    body: resumeSchema,
    example: { stream: false },
    answer: 'Answer',
    events: 'AskEvent',
    mayFailUpstream: true,
    reply: resume,
  },
}

async function list(c: RequestContext): Promise<Response> {
  const query = readQuery(c, listConversationsSchema)
  const { listed, end } = await listConversations(c, query, toConversationJson)
  return streamJson<ConversationPageJson>(c, {
    conversations: listed,
    sharedLinkDays: c.var.passim.settings.server.sharedLinkDays,
    ...end,
  })
}

async function show(c: RequestContext): Promise<Response> {
  const query = readQuery(c, turnsSchema)
  const conversation = await findConversation(c)
  const found = await c.var.passim.conversationService.listTurns(conversation.id, query)
  const turns = limitBackward(found.map(turn => toTurnJson(turn, c)))
  const { turns: count, pinned: _, ...rest } = toConversationJson(conversation)
  const hasMore = (turns[0]?.turn ?? 1) > 1
  return streamJson<ConversationJson>(c, {
    ...rest,
    turnCount: count,
    turns,
    hasMore,
  })
}

async function update(c: RequestContext): Promise<Response> {
  const { title, pinned } = await readBody(c, updateSchema)
  const { id, metadata } = await findConversation(c)
  const { pinned: _, ...others } = metadata
  const marked = { ...others, ...(pinned && { pinned: 'true' }) }
  const fields = { title, ...(pinned !== undefined && { metadata: marked }) }
  return c.json(toConversationJson(await c.var.passim.conversations.update(id, fields)))
}

async function remove(c: RequestContext): Promise<Response> {
  const { id } = await findConversation(c)
  await c.var.passim.conversationService.delete(id)
  return c.json<DeletedConversationJson>({ id, deleted: true })
}

async function watch(c: RequestContext): Promise<Response> {
  const { after } = readQuery(c, eventsSchema)
  const run = await findLastRun(c)
  const from = after ?? readLastEventId(c) ?? 0
  return await streamEvents(c, {
    events: encodeEvents(
      c,
      run,
      c.var.passim.conversationService.readTurnEvents(run, from, c.var.signal),
    ),
    failure: error => [{ event: 'error', data: reportError(error, c) }],
  })
}

function readLastEventId(c: RequestContext): number | undefined {
  const number = Number(c.req.header('last-event-id') ?? Number.NaN)
  return Number.isSafeInteger(number) && number >= 0 ? number : undefined
}

async function stop(c: RequestContext): Promise<Response> {
  const { id, turn } = await findLastRun(c)
  const stopped = await c.var.passim.conversationService.stop(id)
  return c.json<StoppedConversationJson>({ conversation: c.req.param('id') ?? '', turn, stopped })
}

async function resume(c: RequestContext): Promise<Response> {
  const { stream } = await readBody(c, resumeSchema)
  return await resumeConversation(c, (await findConversation(c)).id, stream)
}

async function findLastRun(c: RequestContext): Promise<Run> {
  const { id } = await findConversation(c)
  const run = await c.var.passim.conversationService.findLastRun(id)
  if (run) return run
  throw new AppError('not_found', localizable`The conversation ${id} has no turns yet.`, {
    about: id,
  })
}

function toConversationJson({
  id,
  title,
  createdAt,
  updatedAt,
  turns,
  metadata,
}: Conversation): ConversationHeadJson {
  const pinned = metadata.pinned === 'true'
  return writeTimes({ id, title, createdAt, updatedAt, turns, pinned })
}

export function toTurnJson({ failure, ...turn }: Turn, c: RequestContext): TurnJson {
  return {
    ...writeTimes(turn),
    citations: showSources(c, turn.citations),
    ...(failure && { error: readStoredFailure(failure, c) }),
  }
}
