import { z } from 'zod'
import { type ContentItem, isMedia, textContent } from '../../agent/message.ts'
import type { NewItem } from '../../conversations/items.ts'
import type { Run } from '../../conversations/runs.ts'
import { hashParts } from '../../system/digest.ts'
import type { ChatJson, StoppedChatJson, UiPartJson } from '../../wire/conversation.ts'
import { contentSchema, MAX_PARTS, type Part, toContent } from '../generation/content-parts.ts'
import { storeFiles } from '../generation/request-files.ts'
import { requireScope } from '../http/access.ts'
import { check } from '../http/check.ts'
import { getOutsideTools, type RequestContext } from '../http/context.ts'
import { createInvalid, createUnsupported, reportFailure } from '../http/errors.ts'
import { streamEvents } from '../http/event-stream.ts'
import { readBody } from '../http/input.ts'
import { streamJson } from '../http/sliced-json.ts'
import type { Routes } from '../route.ts'
import { modelShape, preciseSchema, scopeShape } from '../scope-shape.ts'
import {
  createTurnContext,
  requireAskable,
  requireSkill,
  startTurn,
  stopLastRun,
} from './turn-request.ts'
import { streamUiMessage } from './ui-message-stream.ts'
import { readPartsBefore, readUiMessages } from './ui-messages.ts'

const MAX_MESSAGES = 1_000

const partSchema = z.looseObject({
  type: z.string().describe('Kind of the part, such as `text`, `file` or `tool-NAME`.'),
  text: z.string().optional().describe('Text of a part of the kind `text`.'),
  url: z.string().optional().describe('Address or data URL of a part of the kind `file`.'),
  mediaType: z.string().optional().describe('Media type of a file, such as `image/png`.'),
  filename: z.string().optional().describe('Name of a file. Default: a name by its type.'),
  state: z.string().optional().describe('State of a tool call, as the stream reported it.'),
  toolCallId: z.string().optional().describe('Id of the tool call that the part belongs to.'),
  approval: z
    .looseObject({
      approved: z.boolean().optional().describe('Whether the tool may be called. Default false.'),
    })
    .optional()
    .describe('Decision of the user about a call that needs approval.'),
})

const messageSchema = z.looseObject({
  id: z.string().optional().describe('Id of the message, which the client chooses.'),
  role: z
    .enum(['system', 'user', 'assistant'])
    .describe('Author of the message: `system`, `user` or `assistant`.'),
  parts: z
    .array(partSchema)
    .max(MAX_PARTS)
    .describe('Parts of the message: texts, files and tool calls (at most 1,000).'),
})

const chatSchema = z.looseObject({
  id: z
    .string()
    .min(1)
    .max(200)
    .describe(
      'Id of the chat: the id of an existing conversation, or any text that the client chooses (1 to 200 characters).',
    ),
  messages: z
    .array(messageSchema)
    .min(1)
    .max(MAX_MESSAGES)
    .describe(
      'Messages of the chat, oldest first (1 to 1,000). The last message of the user is the question.',
    ),
  trigger: z
    .enum(['submit-message', 'regenerate-message'])
    .optional()
    .describe(
      'Reason for the request: `submit-message` for a new question, `regenerate-message` to answer again.',
    ),
  messageId: z
    .string()
    .max(200)
    .optional()
    .describe('Id of the message to answer again or to replace (at most 200 characters).'),
  ...scopeShape,
  ...modelShape,
  skill: z
    .int()
    .min(0)
    .optional()
    .describe('Number of a skill in the setting `conversations.skills`. Default: no skill.'),
  precise: preciseSchema,
})

type Chat = z.output<typeof chatSchema>
type Message = Chat['messages'][number]

/** `/api/chat` for the AI SDK's `useChat`. */
export const uiChatRoutes: Routes = {
  'POST /api/chat': {
    summary: "Answer a chat of the AI SDK's `useChat`",
    description: "Sends the events of the AI SDK's UI message stream, version 1.",
    body: chatSchema,
    example: {
      id: 'travel',
      messages: [{ role: 'user', parts: [{ type: 'text', text: 'What may a hotel cost?' }] }],
    },
    media: ['text/event-stream'],
    mayFailUpstream: true,
    reply: send,
  },
  'GET /api/chat/:id': {
    summary: 'List the messages of a chat',
    answer: 'Chat',
    reply: show,
  },
  'GET /api/chat/:id/stream': {
    summary: 'Stream the current answer from its beginning',
    nothing: 'No answer is being written.',
    media: ['text/event-stream'],
    reply: resume,
  },
  'POST /api/chat/:id/stop': {
    summary: 'Stop the current answer',
    answer: 'StoppedChat',
    reply: stop,
  },
}

async function send(c: RequestContext): Promise<Response> {
  const chat = await readBody(c, chatSchema)
  const { id, messages, collections, documents, model, extractive, precise, skill } = chat
  requireScope(c, 'write', 'Chats are stored.')
  const last = messages.at(-1)!
  const approvals = readApprovals(last)
  if (approvals.length > 0) return await resumeChat(c, id, { message: last, approvals })
  requireSkill(c, skill, 'skill') // before anything is stored
  const how = {
    collections,
    documents,
    model,
    extractive,
    precise,
    skill,
    outsideTools: getOutsideTools(c),
  }
  const message = findQuestion(messages)
  const request = { question: getText(message), ...how, canApprove: true }
  await requireAskable(c, request)
  const { media, fileIds } = divideContent(await readContent(c, messages, message))
  if (media.length > 0) requireEyes(c, { model, extractive })
  const conversation = await ensureConversation(c, id, messages)
  const replaces = await findReplacedTurn(c, conversation, chat)
  await stopLastRun(c, conversation) // a new question stops the current answer
  const more = { media, replaces, ...(message.id !== undefined && { extra: { chat: message.id } }) }
  const run = await startTurn(
    c,
    { ...request, ...(fileIds.length > 0 && { fileIds }) },
    conversation,
    more,
  )
  return await stream(c, run)
}

async function findReplacedTurn(
  c: RequestContext,
  conversation: string,
  { messages, trigger, messageId }: Chat,
): Promise<number | undefined> {
  const { conversations } = c.var.passim
  const { turns } = await conversations.get(conversation)
  const { id = '' } = findQuestion(messages)
  const isAgain = trigger === 'regenerate-message'
  if (turns === 0 || (!isAgain && messageId === undefined)) return undefined
  const numbered = /^(\d+)q$/.exec(id)?.[1] // as `uiMessages` names it
  const turn = numbered
    ? Number(numbered)
    : (await conversations.findQuestionByChatId(conversation, id))?.turn
  if (turn !== undefined && turn >= 1 && turn <= turns) return turn
  return isAgain ? turns : undefined
}

/** Refuses pictures without a model. */
function requireEyes(
  c: RequestContext,
  { model, extractive }: Pick<Chat, 'model' | 'extractive'>,
): void {
  if (!extractive && (c.var.passim.settings.model || model)) return
  throw createUnsupported(
    'Images need a chat model: answers by quotation only read text.',
    'messages',
  )
}

const WRITTEN: Readonly<Record<string, string>> = {
  image_url: 'url',
  file_url: 'url',
  file_data: 'url',
}

async function readContent(
  c: RequestContext,
  messages: readonly Message[],
  message: Message,
): Promise<readonly ContentItem[]> {
  const parts = ['messages', messages.indexOf(message), 'parts'] as const
  const sentParts = message.parts.flatMap((part, index) =>
    toPart(part, [...parts, index, 'url'].join('.')).map(made => ({ made, at: index })),
  )
  const toWritten = ([part, key, ...rest]: readonly PropertyKey[]) => {
    const at = sentParts[Number(part)]?.at ?? []
    return [...parts, at, key === undefined ? [] : (WRITTEN[String(key)] ?? key), rest].flat()
  }
  const checked = check(
    contentSchema,
    sentParts.map(({ made }) => made),
    toWritten,
  )
  const [content] = await storeFiles(c, [checked], ([, ...path]) => toWritten(path).join('.'))
  const items = toContent(content ?? '')
  return typeof items === 'string' ? [{ text: items }] : items
}

function divideContent(items: readonly ContentItem[]) {
  return {
    media: items.filter(isMedia),
    fileIds: items.flatMap(item => ('file' in item ? [item.file] : [])),
  }
}

/** Hands pictures to the model; other files are read here. */
function toPart(
  { type, text, url = '', mediaType = '', filename }: Message['parts'][number],
  place: string,
): readonly Part[] {
  if (type === 'text' && text !== undefined) return [{ type: 'text', text }]
  if (type !== 'file') return []
  if (/^image\//i.test(mediaType)) return [{ type: 'input_image', image_url: url }]
  if (/^data:/i.test(url)) return [{ type: 'input_file', file_data: url, filename }]
  if (/^https?:/i.test(url)) return [{ type: 'input_file', file_url: url, filename }]
  throw createInvalid(
    'A file of a message needs a data URL, or an http(s) URL to fetch it from.',
    place,
  )
}

type Approval = readonly [callId: string, isApproved: boolean]

function readApprovals({ role, parts }: Message): readonly Approval[] {
  if (role !== 'assistant') return []
  return parts.flatMap(({ state, toolCallId, approval }): Approval[] =>
    state === 'approval-responded' && toolCallId !== undefined
      ? [[toolCallId, approval?.approved ?? false]]
      : [],
  )
}

async function resumeChat(
  c: RequestContext,
  chatId: string,
  { message, approvals }: { readonly message: Message; readonly approvals: readonly Approval[] },
): Promise<Response> {
  const before = message.parts.flatMap(({ state, toolCallId }) =>
    state === 'output-denied' ? (toolCallId ?? []) : [],
  )
  const denied = [
    ...before,
    ...approvals.flatMap(([callId, isApproved]) => (isApproved ? [] : [callId])),
  ]
  const shown = { messageId: message.id, denied }
  const how = { outsideTools: getOutsideTools(c), approvals: Object.fromEntries(approvals), shown }
  const run = await c.var.passim.conversationService.resume(toConversationId(chatId), {
    ...createTurnContext(c),
    ...how,
  })
  return await stream(c, run)
}

function findQuestion(messages: readonly Message[]): Message {
  const last = messages.findLast(({ role }) => role === 'user')
  if (last) return last
  throw createInvalid(
    'There is no question: messages must contain a message of the user.',
    'messages',
  )
}

function getText({ parts }: Message): string {
  return parts
    .flatMap(({ type, text }) => (type === 'text' && text !== undefined ? [text] : []))
    .join('\n')
}

async function ensureConversation(
  c: RequestContext,
  chatId: string,
  messages: readonly Message[],
): Promise<string> {
  const { conversations, conversationService: conversing } = c.var.passim
  const id = toConversationId(chatId)
  const conversation = id === chatId ? await conversations.get(id) : await conversations.find(id)
  if (conversation) return conversation.id
  const earlier = messages.slice(0, messages.indexOf(findQuestion(messages)))
  const items: NewItem[] = []
  for (const message of earlier) {
    const content = await readContent(c, messages, message)
    const isText = content.every(item => 'text' in item)
    const plainContent = isText ? textContent({ content }) : content
    if (plainContent.length > 0)
      items.push({ kind: 'message', role: message.role, content: plainContent })
  }
  return (await conversing.create({ id, items }, createTurnContext(c).asker)).id
}

function toConversationId(chatId: string): string {
  return /^conv_[0-9a-f]{24}$/.test(chatId)
    ? chatId
    : `conv_${hashParts('chat', chatId)}${hashParts(chatId).slice(0, 8)}`
}

async function stream(
  c: RequestContext,
  run: Run,
  before: readonly UiPartJson[] = [],
): Promise<Response> {
  c.header('x-vercel-ai-ui-message-stream', 'v1')
  const events = c.var.passim.conversationService.readEvents(
    run.id,
    run.firstEvent - 1,
    c.var.signal,
  )
  return await streamEvents(c, {
    events: streamUiMessage(c, { run, events, before }),
    failure: error => [{ data: { type: 'error', errorText: reportFailure(error, c).message } }],
  })
}

/** Streams the current answer from its start, or answers 204. */
async function resume(c: RequestContext): Promise<Response> {
  const run = await c.var.passim.conversationService.findLastRun(
    toConversationId(c.req.param('id') ?? ''),
  )
  if (run?.status !== 'in_progress') return c.body(null, 204)
  return await stream(c, run, await readPartsBefore(c, run))
}

async function stop(c: RequestContext): Promise<Response> {
  return c.json<StoppedChatJson>({
    stopped: await stopLastRun(c, toConversationId(c.req.param('id') ?? '')),
  })
}

/** Returns messages for a reload, with waiting approvals. */
async function show(c: RequestContext): Promise<Response> {
  const { id } = await c.var.passim.conversations.get(toConversationId(c.req.param('id') ?? ''))
  return streamJson<ChatJson>(c, { id, messages: await readUiMessages(c, id) })
}
