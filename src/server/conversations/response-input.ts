import { z } from 'zod'
import { type Message, textContent } from '../../agent/message.ts'
import { newId } from '../../system/digest.ts'
import { type Content, contentSchema, toContent } from '../generation/content-parts.ts'
import { ITEMS_SERVED } from '../http/parameters.ts'
import { readThoughtMark } from './output-items.ts'

const messageSchema = z.object({
  type: z.literal('message').optional(),
  id: z.string().optional(),
  role: z.enum(['user', 'assistant', 'system', 'developer']),
  content: contentSchema,
})
const callSchema = z.object({
  type: z.literal('function_call'),
  id: z.string().nullish(),
  call_id: z.string(),
  name: z.string(),
  arguments: z.string(),
})
const outputSchema = z.object({
  type: z.literal('function_call_output'),
  id: z.string().nullish(),
  call_id: z.string(),
  output: contentSchema,
})
const textsSchema = z.array(z.object({ text: z.string() })).nullish()

/** Clients send back what an answer was made of; a model is told nothing of these. */
const searchSchema = z.object({
  type: z.literal('file_search_call'),
  id: z.string().optional(),
  queries: z.array(z.string()).nullish(),
})
const reasoningSchema = z.object({
  type: z.literal('reasoning'),
  id: z.string().optional(),
  summary: textsSchema,
  content: textsSchema,
  encrypted_content: z.string().nullish(),
})

/** A part of a response or a conversation that is kept here, instead of the part itself. */
const referenceSchema = z.strictObject({
  type: z.literal('item_reference').optional(),
  id: z.string(),
})

export const inputItemSchema = z.union(
  [messageSchema, callSchema, outputSchema, searchSchema, reasoningSchema, referenceSchema],
  { error: ITEMS_SERVED },
)
export const inputSchema = z.union([z.string().min(1), z.array(inputItemSchema).min(1).max(10_000)])

export type Input = z.output<typeof inputSchema>
export type InputItem = z.output<typeof inputItemSchema>
type Item = InputItem

export function isReference(item: InputItem): item is z.output<typeof referenceSchema> {
  return !('role' in item) && (item.type === undefined || item.type === 'item_reference')
}

/** The conversation that an input adds. */
export function toMessages(input: Input): readonly Message[] {
  if (typeof input === 'string') return [{ role: 'user', content: input }]
  return input.flatMap((item, index) => {
    const message = toMessage(item)
    if (!message) return []
    return message.role === 'assistant'
      ? { ...message, ...returnedThoughts(input[index - 1]) }
      : message
  })
}

/** Returns thoughts that a client sends back before what they led to, if they name the server and the model that they came from. */
function returnedThoughts(item: Item | undefined): Partial<Message> {
  if (!item || 'role' in item || item.type !== 'reasoning') return {}
  const server = readThoughtMark(item.encrypted_content)
  if (server === undefined) return {}
  const reasoningContent = (item.content ?? []).map(({ text }) => text).join('\n')
  return {
    reasoningContent,
    reasoningOrigin: { server, fields: ['reasoning_content'], isFromClient: true },
  }
}

function toMessage(item: Item): Message | undefined {
  if ('role' in item) {
    return {
      role: item.role === 'developer' ? 'system' : item.role,
      content: toContent(item.content),
    }
  }
  if (item.type === 'function_call') {
    const { name, call_id: functionId, arguments: text } = item
    return { role: 'assistant', content: '', functionCall: { name, arguments: text }, functionId }
  }
  if (item.type !== 'function_call_output') return undefined
  return { role: 'function', functionId: item.call_id, content: toContent(item.output) }
}

function textOf(content: Content): string {
  return textContent({ content: toContent(content) })
}

/** What came in, as it is listed afterwards: every item with an id. */
export function toInputItems(input: Input): readonly { readonly id: string }[] {
  const items: readonly Item[] =
    typeof input === 'string' ? [{ role: 'user', content: input }] : input
  return items.flatMap(item => toInputItem(item) ?? [])
}

function toInputItem(item: Item) {
  const status = 'completed'
  if ('role' in item) {
    const { role } = item
    const id = item.id ?? newId('msg_')
    if (role !== 'assistant')
      return { id, type: 'message', role, status, content: inputParts(toContent(item.content)) }
    const text = textOf(item.content)
    return {
      id,
      type: 'message',
      role,
      status,
      content: [{ type: 'output_text', text, annotations: [], logprobs: [] }],
    }
  }
  const id = item.id ?? newId('item_')
  if (item.type === 'function_call') {
    return {
      id,
      type: item.type,
      call_id: item.call_id,
      name: item.name,
      arguments: item.arguments,
      status,
    }
  }
  if (item.type === 'function_call_output') {
    return { id, type: item.type, call_id: item.call_id, output: textOf(item.output), status }
  }
  return undefined
}

/** The content of a message that was not the model's, as it is listed. */
export function inputParts(parts: Message['content']) {
  if (typeof parts === 'string') return [{ type: 'input_text', text: parts }]
  return parts.map(part => {
    if ('image' in part) return { type: 'input_image', image_url: part.image, detail: 'auto' }
    return 'file' in part
      ? { type: 'input_file', file_id: part.file }
      : { type: 'input_text', ...part }
  })
}
