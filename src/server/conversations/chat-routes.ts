import { Hono } from 'hono'
import { z } from 'zod'
import type { NewItem } from '../../agent/conversations/items.ts'
import type { Run } from '../../agent/conversations/runs.ts'
import { skillOf } from '../../app/skills.ts'
import { digestOf } from '../../ingest/digest.ts'
import { requireScope } from '../access.ts'
import { MAX_PARTS } from '../content-parts.ts'
import { outsideTools, type RequestContext, type Routes, type ServerEnv } from '../context.ts'
import { invalid, tellFailure } from '../errors.ts'
import { streamEvents } from '../event-stream.ts'
import { readBody } from '../input.ts'
import { scopeShape } from '../scope-shape.ts'
import { turnContext } from '../turn-context.ts'
import { beginTurn, requireAskable } from './ask-in-conversation.ts'
import { type Part, uiMessageStream } from './ui-message-stream.ts'
import { partsBefore, uiMessages } from './ui-messages.ts'

const MAX_MESSAGES = 1_000

const partSchema = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  state: z.string().optional(),
  toolCallId: z.string().optional(),
  approval: z.looseObject({ approved: z.boolean().optional() }).optional(),
})

const messageSchema = z.looseObject({
  id: z.string().optional(),
  role: z.enum(['system', 'user', 'assistant']),
  parts: z.array(partSchema).max(MAX_PARTS),
})

export const chatSchema = z.looseObject({
  id: z.string().min(1).max(200).describe('Of the chat: a conversation of ours, or any text that the client chooses.'),
  messages: z.array(messageSchema).min(1).max(MAX_MESSAGES).describe('The last one of the user is the question.'),
  trigger: z.enum(['submit-message', 'regenerate-message']).optional().describe('Why the client sends it.'),
  ...scopeShape,
  model: z.string().min(1).optional().describe('Another model of the configured server.'),
  extractive: z.boolean().optional().describe('Quote instead of asking a model.'),
  skill: z.int().min(0).optional().describe('One of `conversations.skills`.'),
  precise: z.boolean().optional().describe('Put the best hits in order by their best sentences.'),
})

type Chat = z.output<typeof chatSchema>
type Message = Chat['messages'][number]

/** `/api/chat`: what `useChat` of the AI SDK talks to, over the same conversations. */
export function uiChatRoutes(): Routes {
  return new Hono<ServerEnv>().post('/', chat).get('/:id', show).get('/:id/stream', resume).post('/:id/stop', stop)
}

async function chat(c: RequestContext): Promise<Response> {
  const { id, messages, collections, documents, model, extractive, precise, skill } = await readBody(c, chatSchema)
  requireScope(c, 'write', 'A chat is kept.')
  const last = messages.at(-1)! // there is one
  const approvals = approvalsIn(last)
  if (approvals.length > 0) return await goOn(c, id, { message: last, approvals })
  const question = textOf(questionOf(messages))
  if (skill !== undefined) skillOf(c.var.passim.settings, skill) // before anything is kept
  const how = { collections, documents, model, extractive, precise, skill, outsideTools: outsideTools(c) }
  const asked = { question, ...how, canApprove: true }
  requireAskable(c, asked)
  return await stream(c, beginTurn(c, asked, await conversationOf(c, id, messages)))
}

type Approval = readonly [callId: string, isApproved: boolean]

/** What was decided in the answer so far of calls that wait for it. */
function approvalsIn({ role, parts }: Message): readonly Approval[] {
  if (role !== 'assistant') return []
  return parts.flatMap(({ state, toolCallId, approval }): Approval[] =>
    state === 'approval-responded' && toolCallId !== undefined ? [[toolCallId, approval?.approved ?? false]] : [],
  )
}

/** The same answer goes on under the id that its message has at the client. */
async function goOn(
  c: RequestContext,
  chatId: string,
  { message, approvals }: { readonly message: Message; readonly approvals: readonly Approval[] },
): Promise<Response> {
  const before = message.parts.flatMap(({ state, toolCallId }) => (state === 'output-denied' ? (toolCallId ?? []) : []))
  const denied = [...before, ...approvals.flatMap(([callId, isApproved]) => (isApproved ? [] : [callId]))]
  const shown = { messageId: message.id, denied }
  const how = { outsideTools: outsideTools(c), approvals: Object.fromEntries(approvals), shown }
  const run = c.var.passim.conversing.resume(conversationIdOf(chatId), { ...turnContext(c), ...how })
  return await stream(c, run)
}

function questionOf(messages: readonly Message[]): Message {
  const last = messages.findLast(({ role }) => role === 'user')
  if (last) return last
  throw invalid('There is no question: the messages need one of the user.', 'messages')
}

function textOf({ parts }: Message): string {
  return parts.flatMap(({ type, text }) => (type === 'text' && text !== undefined ? [text] : [])).join('\n')
}

/** What is not known here begins with what the client has of it. */
async function conversationOf(c: RequestContext, chatId: string, messages: readonly Message[]): Promise<string> {
  const { conversations, conversing } = c.var.passim
  const id = conversationIdOf(chatId)
  if (id === chatId || conversations.find(id)) return conversations.get(id).id
  const earlier = messages.slice(0, messages.indexOf(questionOf(messages)))
  const items = earlier.map((message): NewItem => ({ kind: 'message', role: message.role, content: textOf(message) }))
  const said = items.filter(item => item.kind !== 'message' || item.content !== '')
  return (await conversing.create({ id, items: said }, turnContext(c).asker)).id
}

/** A chat that the client named itself has the conversation that is named after it. */
function conversationIdOf(chatId: string): string {
  return /^conv_[0-9a-f]{24}$/.test(chatId) ? chatId : `conv_${digestOf('chat', chatId)}${digestOf(chatId).slice(0, 8)}`
}

async function stream(c: RequestContext, run: Run, before: readonly Part[] = []): Promise<Response> {
  c.header('x-vercel-ai-ui-message-stream', 'v1')
  const events = c.var.passim.conversing.events(run.id, run.firstEvent - 1, c.var.signal)
  return await streamEvents(c, {
    events: uiMessageStream(c, { run, events, before }),
    failure: error => [{ data: JSON.stringify({ type: 'error', errorText: tellFailure(error, c).message }) }],
  })
}

/** The answer that is being made, from its beginning; 204 where none is. */
async function resume(c: RequestContext): Promise<Response> {
  const run = c.var.passim.conversing.run(conversationIdOf(c.req.param('id')!)) // the route has one
  if (run?.status !== 'in_progress') return c.body(null, 204)
  return await stream(c, run, partsBefore(c, run))
}

async function stop(c: RequestContext): Promise<Response> {
  const run = c.var.passim.conversing.run(conversationIdOf(c.req.param('id')!)) // the route has one
  return c.json({ stopped: run ? await c.var.passim.conversing.stop(run.id) : false })
}

/** The messages so far, for a page that was loaded again: also what waits for approval. */
function show(c: RequestContext): Response {
  const { id } = c.var.passim.conversations.get(conversationIdOf(c.req.param('id')!)) // the route has one
  return c.json({ id, messages: uiMessages(c, id) })
}
