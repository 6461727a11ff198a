import { z } from 'zod'
import type { TurnOptions } from '../../app/ask-options.ts'
import type { Item, NewItem } from '../../conversations/items.ts'
import { localizable } from '../../errors/localizable.ts'
import { AppError } from '../../errors.ts'
import type {
  DeletedThreadJson,
  StoppedThreadJson,
  ThreadMessageJson,
  ThreadMessagesJson,
  ThreadPageJson,
} from '../../wire/thread.ts'
import { requireScope } from '../http/access.ts'
import { getOutsideTools, type RequestContext } from '../http/context.ts'
import { createInvalid, reportError } from '../http/errors.ts'
import { streamEvents } from '../http/event-stream.ts'
import { readBody } from '../http/input.ts'
import { collectPage } from '../http/pagination.ts'
import { readQuery } from '../http/query.ts'
import { streamJson } from '../http/sliced-json.ts'
import type { Routes } from '../route.ts'
import {
  type ClientMessage,
  createHeartbeat,
  messageSchema,
  toStoredExtra,
  toThreadContent,
  toThreadMessage,
} from './thread-messages.ts'
import { readMessagesAfter, streamThread } from './thread-stream.ts'
import {
  createTurnContext,
  findConversation,
  listConversations,
  requireAskable,
  requireSkill,
  startTurn,
  stopLastRun,
  toSeconds,
} from './turn-request.ts'

const listThreadsSchema = z.object({
  after: z.string().optional().describe('Id of the last thread of the previous page.'),
  limit: z
    .int()
    .min(1)
    .max(100)
    .default(20)
    .describe('Maximum number of threads to return (1 to 100, default 20).'),
})
const afterSchema = z.object({
  after: z
    .string()
    .max(100)
    .optional()
    .describe(
      'The `message_id` of the last message that the client received (at most 100 characters). Default: the header `Last-Event-ID`, else from the first message.',
    ),
})
const messagesSchema = afterSchema.extend({
  limit: z
    .int()
    .min(1)
    .max(1_000)
    .default(100)
    .describe('Maximum number of messages to return (1 to 1,000, default 100).'),
})

/** Reasons after which an answer can be resumed. */
const RESUMABLE = ['stopped', 'credits', 'expired', 'interrupted']

export const threadRoutes: Routes = {
  'GET /api/threads': {
    summary: 'List the threads, newest first',
    query: listThreadsSchema,
    answer: 'ThreadPage',
    reply: list,
  },
  'POST /api/threads/messages': {
    summary: 'Send a message to a thread, or start a new thread',
    description: 'Returns the message as stored. Read the answer from the events of the thread.',
    body: messageSchema,
    example: {
      thread_id: '',
      role: 'user',
      content: { type: 'plain', text: 'What may a hotel cost?' },
    },
    answer: 'ThreadMessage',
    mayFailUpstream: true,
    reply: send,
  },
  'GET /api/threads/:id/messages': {
    summary: 'List the messages of a thread',
    query: messagesSchema,
    answer: 'ThreadMessages',
    reply: read,
  },
  'GET /api/threads/:id/events': {
    summary: 'Stream the missed messages and the current answer',
    description:
      'Sends a `message` event for each message, with its `message_id` as the event id, a `delta` event for each piece of the message that is being written, and a `heartbeat` event while nothing else is sent.',
    query: afterSchema,
    events: 'ThreadEvent',
    reply: watch,
  },
  'POST /api/threads/:id/stop': {
    summary: 'Stop the current answer',
    answer: 'StoppedThread',
    reply: stop,
  },
  'DELETE /api/threads/:id': {
    summary: 'Delete a thread permanently',
    answer: 'DeletedThread',
    reply: remove,
  },
}

async function list(c: RequestContext): Promise<Response> {
  const { listed, end } = await listConversations(
    c,
    readQuery(c, listThreadsSchema),
    ({ id: thread_id, title, createdAt, updatedAt }) => ({
      thread_id,
      title,
      created_at: toSeconds(createdAt),
      updated_at: toSeconds(updatedAt),
    }),
  )
  return streamJson<ThreadPageJson>(c, {
    data: listed,
    has_more: end.hasMore,
    last_id: end.last ?? null,
  })
}

/** Returns the stored message; consequences appear in the thread's events. */
async function send(c: RequestContext): Promise<Response> {
  const message = await readBody(c, messageSchema)
  requireScope(c, 'write', 'Threads are stored.')
  const stored = await keep(c, message)
  return c.json(await toThreadMessage(c, stored.threadId, stored.item))
}

type StoredMessage = { readonly threadId: string; readonly item: Item }

async function keep(c: RequestContext, message: ClientMessage): Promise<StoredMessage> {
  if (message.role === 'user') return await ask(c, message)
  if (message.role === 'status') return await resume(c, message)
  const { conversations, conversationService: conversing } = c.var.passim
  const { content, thread_id: threadId } = message
  const item: NewItem = {
    kind: 'message',
    role: 'system',
    content: content.text,
    extra: toStoredExtra(message),
  }
  const { asker } = createTurnContext(c)
  if (threadId) return { threadId, item: (await conversing.addItems(threadId, [item], asker))[0]! }
  const { id } = await conversing.create({ items: [item] }, asker)
  return { threadId: id, item: (await conversations.items(id, { limit: 1, order: 'asc' }))[0]! }
}

async function ask(
  c: RequestContext,
  message: Extract<ClientMessage, { role: 'user' }>,
): Promise<StoredMessage> {
  const { input_skill_id: skill, attachments, collections, documents, thread_id } = message
  if (thread_id) await c.var.passim.conversations.get(thread_id)
  requireSkill(c, skill, 'input_skill_id')
  const fileIds = await Promise.all(
    attachments.map(async ({ file_id }) => (await c.var.passim.files.get(file_id)).id),
  )
  const options: TurnOptions = {
    question: message.content.text,
    collections,
    documents,
    outsideTools: getOutsideTools(c),
    ...(skill !== undefined && { skill }),
    ...(fileIds.length > 0 && { fileIds }),
  }
  await requireAskable(c, options) // before anything is stored
  const run = await startTurn(c, options, thread_id || 'new', { extra: toStoredExtra(message) })
  const threadId = run.conversationId!
  const items = await c.var.passim.conversations.readTurnItems(threadId, run.turn, run.turn)
  return {
    threadId,
    item: items.findLast(item => item.kind === 'message' && item.role === 'user')!,
  }
}

async function resume(
  c: RequestContext,
  message: Extract<ClientMessage, { role: 'status' }>,
): Promise<StoredMessage> {
  const { conversations, conversationService: conversing } = c.var.passim
  const threadId = (await conversations.get(message.thread_id)).id
  const { message_id: interruption } = message.content.extra
  await requireResumable(c, threadId, interruption)
  const how = {
    outsideTools: getOutsideTools(c),
    ...createTurnContext(c),
    extra: toStoredExtra(message),
    interruption,
  }
  const run = await conversing.resume(threadId, how)
  const items = await conversations.readTurnItems(threadId, run.turn, run.turn)
  return {
    threadId,
    item: items.findLast(item => item.kind === 'status' && item.code === 'resumed')!,
  }
}

async function requireResumable(
  c: RequestContext,
  threadId: string,
  messageId: string,
): Promise<void> {
  const { conversations } = c.var.passim
  const status = await conversations.findItem(threadId, messageId)
  const what = localizable`The message ${messageId} of the thread ${threadId}`
  if (!status)
    throw new AppError('not_found', localizable`${what} does not exist.`, { about: messageId })
  if (status.kind !== 'status')
    throw createInvalid(
      localizable`${what} is not a status message, so there is nothing to resume.`,
      'content.extra.message_id',
    )
  if (!RESUMABLE.includes(status.code)) {
    const code = toThreadContent(status)
    throw createInvalid(
      localizable`${what} cannot be resumed after: its status is ${JSON.stringify(code)}.`,
      'content.extra.message_id',
    )
  }
  const items = await conversations.readTurnItems(threadId, status.turn, status.turn)
  const isResumed = items.some(
    item => item.number > status.number && item.kind === 'status' && item.code === 'resumed',
  )
  if (isResumed) throw new AppError('conflict', localizable`${what} was already resumed.`)
}

async function read(c: RequestContext): Promise<Response> {
  const { after, limit } = readQuery(c, messagesSchema)
  const { id: threadId } = await findConversation(c)
  await c.var.passim.conversationService.findLastRun(threadId) // ends a run whose process died
  const from = await findNumber(c, threadId, after)
  const { data, hasMore } = await collectPage(readMessages(c, threadId, from), limit)
  return streamJson<ThreadMessagesJson>(c, { data, has_more: hasMore })
}

async function* readMessages(
  c: RequestContext,
  threadId: string,
  after: number,
): AsyncIterable<ThreadMessageJson> {
  for await (const item of readMessagesAfter(c, threadId, after))
    yield await toThreadMessage(c, threadId, item)
}

/** Yields missed messages, then live ones until the answer ends. */
async function watch(c: RequestContext): Promise<Response> {
  const { after } = readQuery(c, afterSchema)
  const { id: threadId } = await findConversation(c)
  const from = await findNumber(c, threadId, after ?? c.req.header('last-event-id'))
  const run = await c.var.passim.conversationService.findLastRun(threadId)
  return await streamEvents(c, {
    events: streamThread(c, { threadId, after: from, run }),
    heartbeat: { event: 'heartbeat', data: createHeartbeat(threadId) },
    failure: error => [{ event: 'error', data: reportError(error, c) }],
  })
}

/** Reports the stop by -1001. */
async function stop(c: RequestContext): Promise<Response> {
  const { id } = await findConversation(c)
  return c.json<StoppedThreadJson>({ thread_id: id, stopped: await stopLastRun(c, id) })
}

async function remove(c: RequestContext): Promise<Response> {
  const { id: thread_id } = await findConversation(c)
  await c.var.passim.conversationService.delete(thread_id)
  return c.json<DeletedThreadJson>({ thread_id, deleted: true })
}

async function findNumber(
  c: RequestContext,
  threadId: string,
  messageId: string | undefined,
): Promise<number> {
  if (!messageId) return 0
  const item = await c.var.passim.conversations.findItem(threadId, messageId)
  if (item) return item.number
  throw new AppError(
    'not_found',
    localizable`There is no message ${messageId} in the thread ${threadId}. Read it from its beginning.`,
    { about: messageId },
  )
}
