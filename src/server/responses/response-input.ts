import { z } from 'zod'
import { type Message, textContent } from '../../agent/message.ts'
import { AppError } from '../../errors.ts'
import { newId } from '../../ingest/digest.ts'
import { type Content, contentSchema, takeFiles, toContent } from '../content-parts.ts'
import type { RequestContext } from '../context.ts'
import { check } from '../input.ts'
import type { KeptResponse } from './output-items.ts'
import { responseIdOf } from './response-builder.ts'

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
/** Clients send back what an answer was made of; these say nothing that the conversation needs. */
const passedOverSchema = z.object({ type: z.enum(['file_search_call', 'reasoning']), id: z.string().optional() })

/** A part of a response that is kept here, instead of the part itself. */
const referenceSchema = z.strictObject({ type: z.literal('item_reference').optional(), id: z.string() })

const itemSchema = z.union([messageSchema, callSchema, outputSchema, passedOverSchema, referenceSchema])
export const inputSchema = z.union([z.string().min(1), z.array(itemSchema).min(1).max(10_000)])

type Input = z.output<typeof inputSchema>
type Item = z.output<typeof itemSchema>

/** The input with every reference in it replaced by what it names, and every file taken in. */
export async function takeInput(c: RequestContext, input: Input): Promise<Input> {
  if (typeof input === 'string') return input
  const items: Item[] = []
  const stored = new Map<string, KeptResponse | undefined>() // each is read once, however often it is referred to
  for (const given of input) {
    const item = isReference(given) ? referenced(c, given.id, stored) : given
    if ('role' in item) items.push({ ...item, content: await takeFiles(c, item.content) })
    else if ('output' in item) items.push({ ...item, output: await takeFiles(c, item.output) })
    else items.push(item)
  }
  return items
}

function isReference(item: Item): item is z.output<typeof referenceSchema> {
  return !('role' in item) && (item.type === undefined || item.type === 'item_reference')
}

function referenced(c: RequestContext, id: string, stored: Map<string, KeptResponse | undefined>): Item {
  const responseId = responseIdOf(id)
  if (!stored.has(responseId))
    stored.set(responseId, c.var.passim.responses.find(responseId)?.body as KeptResponse | undefined) // ResponseRun wrote it
  const found = stored.get(responseId)?.output.find(item => item.id === id)
  if (found) return check(itemSchema, found)
  throw new AppError('not_found', `There is no item ${id}: the response that it is of was not stored, or was deleted.`)
}

/** The conversation that an input adds. */
export function toMessages(input: Input): readonly Message[] {
  if (typeof input === 'string') return [{ role: 'user', content: input }]
  return input.flatMap(item => toMessage(item) ?? [])
}

function toMessage(item: Item): Message | undefined {
  if ('role' in item) {
    return { role: item.role === 'developer' ? 'system' : item.role, content: toContent(item.content) }
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
  const items: readonly Item[] = typeof input === 'string' ? [{ role: 'user', content: input }] : input
  return items.flatMap(item => toInputItem(item) ?? [])
}

function toInputItem(item: Item) {
  const status = 'completed'
  if ('role' in item) {
    const { role } = item
    const id = item.id ?? newId('msg_')
    if (role !== 'assistant') return { id, type: 'message', role, status, content: inputParts(item.content) }
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
    return { id, type: item.type, call_id: item.call_id, name: item.name, arguments: item.arguments, status }
  }
  if (item.type === 'function_call_output') {
    return { id, type: item.type, call_id: item.call_id, output: textOf(item.output), status }
  }
  return undefined
}

function inputParts(content: Content) {
  const parts = toContent(content)
  if (typeof parts === 'string') return [{ type: 'input_text', text: parts }]
  return parts.map(part => {
    if ('image' in part) return { type: 'input_image', image_url: part.image, detail: 'auto' }
    return 'file' in part ? { type: 'input_file', file_id: part.file } : { type: 'input_text', ...part }
  })
}
