import { z } from 'zod'
import { listMessageFiles, textContent } from '../../agent/message.ts'
import { type Item, parseArguments, type StatusCode } from '../../conversations/items.ts'
import type { ThreadEventJson, ThreadMessageJson } from '../../wire/thread.ts'
import { localize, type RequestContext } from '../http/context.ts'
import { showSources } from '../http/shown-source.ts'
import { scopeShape } from '../scope-shape.ts'
import { toSeconds } from './turn-request.ts'

const id = z.string().max(100)

/** Attachments of a message, so that storing them stays cheap. */
const MAX_ATTACHMENTS = 64

const plainSchema = z.strictObject({
  type: z.literal('plain').describe('Kind of the content. Only `plain` text exists.'),
  text: z.string().min(1).describe('Text of the message: a question or a note.'),
})
const resumeSchema = z.strictObject({
  code: z.literal(-2001).describe('Code of the protocol for a resumption: -2001.'),
  message: z.string().optional().describe('Text of the client, stored with the message.'),
  extra: z
    .looseObject({
      message_id: id
        .min(1)
        .describe('Id of the message that reported the interruption (at most 100 characters).'),
    })
    .describe('Facts about the interruption: the id of its message.'),
})
const attachmentSchema = z.looseObject({
  file_id: z
    .string()
    .min(1)
    .max(100)
    .describe('Id of a file uploaded to `/v1/files` (at most 100 characters).'),
  filename: z
    .string()
    .optional()
    .describe('Name to show for the file. It is stored and returned unchanged.'),
})

const ROLE =
  'Kind of the message: `user` asks, `system` is stored without an answer, `status` resumes an answer.'

const clientsFields = {
  thread_id: id
    .default('')
    .describe(
      'Id of the thread; empty for the first message of a new thread (at most 100 characters; default: empty).',
    ),
  local_thread_id: id
    .optional()
    .describe(
      "The client's own id of the thread. It is stored and returned unchanged (at most 100 characters).",
    ),
  local_message_id: id
    .optional()
    .describe("The client's own id of the message (at most 100 characters), returned unchanged."),
  extra: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('Any JSON object of the client. It is stored and returned unchanged.'),
}

/** Question, unanswered message, or resumption. */
export const messageSchema = z.discriminatedUnion('role', [
  z.strictObject({
    ...clientsFields,
    role: z.literal('user').describe(ROLE),
    content: plainSchema.describe('Content of the message, always as plain text.'),
    input_skill_id: z
      .int()
      .min(0)
      .optional()
      .describe('Number of a skill in the setting `conversations.skills`. Default: no skill.'),
    attachments: z
      .array(attachmentSchema)
      .max(
        MAX_ATTACHMENTS,
        `has more than ${MAX_ATTACHMENTS} files: ask about them in several turns, or index them in a collection`,
      )
      .default([])
      .describe(
        'Files that the message is about, uploaded to `/v1/files` before (at most 64). Default: none.',
      ),
    ...scopeShape,
  }),
  z.strictObject({
    ...clientsFields,
    role: z.literal('system').describe(ROLE),
    content: plainSchema.describe('Content of the message, always as plain text.'),
  }),
  z.strictObject({
    ...clientsFields,
    thread_id: id
      .min(1, 'must name the thread whose answer to resume')
      .describe('Id of the thread whose answer is to be resumed (1 to 100 characters).'),
    role: z.literal('status').describe(ROLE),
    content: resumeSchema.describe('Facts that name the interrupted answer to resume.'),
  }),
])

export type ClientMessage = z.output<typeof messageSchema>

/** Protocol codes; others are -1000 with `extra.reason`. */
const CODES: Partial<Readonly<Record<StatusCode, number>>> = {
  stopped: -1001,
  credits: -1002,
  limit: -1003,
  expired: -1004,
  revoked: -1006,
  warning: -1007,
  resumed: -2001,
}
const OTHER = -1000
const HEARTBEAT = -1005

export function toStoredExtra(message: ClientMessage): Readonly<Record<string, unknown>> {
  const { local_thread_id, local_message_id, extra } = message
  const { input_skill_id, attachments } = message.role === 'user' ? message : {}
  return JSON.parse(
    JSON.stringify({
      thread: { local_thread_id, local_message_id, extra, input_skill_id, attachments },
    }),
  ) // drops undefined
}

/** Shows only the status of a revoked item. */
export async function toThreadMessage(
  c: RequestContext,
  threadId: string,
  item: Item,
): Promise<ThreadMessageJson> {
  const { local_thread_id = '', local_message_id = '', ...shownExtra } = readStoredExtra(item)
  return {
    thread_id: threadId,
    message_id: item.id,
    local_thread_id,
    local_message_id,
    role: toThreadRole(item),
    content: localizeStatus(c, toThreadContent(item)),
    ...(shownExtra.input_skill_id !== undefined && { input_skill_id: shownExtra.input_skill_id }),
    attachments: shownExtra.attachments ?? (await findAttachments(c, item)),
    extra: { ...shownExtra.extra, ...toThreadFacts(c, item) },
    created_at: toSeconds(item.createdAt),
  }
}

type StoredThread = {
  readonly local_thread_id?: string
  readonly local_message_id?: string
  readonly input_skill_id?: number
  readonly attachments?: ThreadMessageJson['attachments']
  readonly extra?: object
}

function readStoredExtra(item: Item): StoredThread {
  return (('extra' in item ? item.extra?.thread : undefined) ?? {}) as StoredThread
}

function toThreadRole(item: Item): ThreadMessageJson['role'] {
  if (item.kind === 'message') return item.role === 'developer' ? 'system' : item.role
  if (item.kind === 'search' || item.kind === 'result') return 'function'
  return item.kind === 'status' ? 'status' : 'assistant'
}

function localizeStatus(
  c: RequestContext,
  content: ThreadMessageJson['content'],
): ThreadMessageJson['content'] {
  const { message } = content
  return typeof message === 'string' ? { ...content, message: localize(c, message) } : content
}

export function toThreadContent(item: Item): ThreadMessageJson['content'] {
  switch (item.kind) {
    case 'message':
      return { type: 'plain', text: textContent(item) }
    case 'reasoning':
      return { type: 'reasoning', text: item.text }
    case 'search':
      return {
        type: 'function_response',
        text: { tool_name: 'search', query: item.query, result: item.results },
      }
    case 'call':
      return {
        type: 'function_call',
        text: {
          tool_name: item.name,
          parameters: parseArguments(item.arguments),
          call_id: item.callId,
        },
      }
    case 'result':
      return {
        type: 'function_response',
        text: { tool_name: item.name ?? '', result: textContent(item), call_id: item.callId },
      }
    case 'status': {
      const { thread: _, ...extra } = item.extra ?? {}
      const code = CODES[item.code]
      if (code !== undefined) return { code, message: item.message, extra }
      return { code: OTHER, message: item.message, extra: { reason: item.code, ...extra } }
    }
  }
}

async function findAttachments(
  c: RequestContext,
  item: Item,
): Promise<ThreadMessageJson['attachments']> {
  if (item.kind !== 'message') return []
  const ids = listMessageFiles([{ role: 'user', content: item.content }])
  const files = await c.var.passim.files.findByIds(ids)
  return ids.map(file_id => {
    const filename = files.get(file_id)?.name
    return { file_id, ...(filename !== undefined && { filename }) }
  })
}

function toThreadFacts(c: RequestContext, item: Item): object {
  if (item.kind !== 'message' || !item.answer) return {}
  const { abstained, mode, citations, unsupported, unconfirmed } = item.answer
  return {
    abstained,
    mode,
    citations: showSources(c, citations),
    ...(unsupported && { unsupported }),
    ...(unconfirmed && { unconfirmed }),
  }
}

export function createHeartbeat(threadId: string): ThreadEventJson {
  const content = { code: HEARTBEAT, message: '', extra: {} }
  const ids = { message_id: '', local_thread_id: '', local_message_id: '' }
  return { thread_id: threadId, ...ids, role: 'heartbeat', content, attachments: [], extra: {} }
}
