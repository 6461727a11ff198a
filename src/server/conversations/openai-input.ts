import { z } from 'zod'
import type { Message } from '../../agent/message.ts'
import type { NewItem } from '../../conversations/items.ts'
import { localizable } from '../../errors/localizable.ts'
import { AppError } from '../../errors.ts'
import { createId } from '../../system/digest.ts'
import type { ItemJson, ResponseJson } from '../../wire/response.ts'
import {
  type Content,
  contentSchema,
  isFileOrImage,
  toContent,
} from '../generation/content-parts.ts'
import { storeFiles } from '../generation/request-files.ts'
import { check } from '../http/check.ts'
import type { RequestContext } from '../http/context.ts'
import { MAX_BODY_BYTES } from '../http/input.ts'
import { ITEMS_SERVED } from '../http/parameters.ts'
import { readThoughtMark, toItemJson, toResponseId } from './openai-items.ts'

const TYPE =
  'Kind of the item: a message, a call, a result, a search, reasoning or a reference. Default: a message.'
const ID = 'Id of the item, as an earlier response returned it.'
const CALL_ID = 'Id of the call, which a result names.'
const CONTENT = 'Content of the item: a text, or a list of parts.'

const messageSchema = z.object({
  type: z.literal('message').optional().describe(TYPE),
  id: z.string().optional().describe(ID),
  role: z
    .enum(['user', 'assistant', 'system', 'developer'])
    .describe('Author of the message: `user`, `assistant`, `system` or `developer`.'),
  content: contentSchema.describe(CONTENT),
})
const callSchema = z.object({
  type: z.literal('function_call').describe(TYPE),
  id: z.string().nullish().describe(ID),
  call_id: z.string().describe(CALL_ID),
  name: z.string().describe('Name of the function that the model called.'),
  arguments: z.string().describe('Arguments of the call, as a JSON object in a string.'),
})
const outputSchema = z.object({
  type: z.literal('function_call_output').describe(TYPE),
  id: z.string().nullish().describe(ID),
  call_id: z.string().describe(CALL_ID),
  output: contentSchema.describe('Result of the call: a text, or a list of parts.'),
})
const textsSchema = z
  .array(z.object({ text: z.string().describe('One piece of the reasoning of the model.') }))
  .nullish()

/** Output that clients return; models do not get it. */
const searchSchema = z.object({
  type: z.literal('file_search_call').describe(TYPE),
  id: z.string().optional().describe(ID),
  queries: z
    .array(z.string())
    .nullish()
    .describe('Queries of an earlier search. The model does not get them.'),
})
const reasoningSchema = z.object({
  type: z.literal('reasoning').describe(TYPE),
  id: z.string().optional().describe(ID),
  summary: textsSchema.describe(
    'Reasoning of an earlier answer, for servers that return summaries.',
  ),
  content: textsSchema.describe(CONTENT),
  encrypted_content: z
    .string()
    .nullish()
    .describe('Origin of the reasoning, unchanged from an earlier response.'),
})

const referenceSchema = z.strictObject({
  type: z.literal('item_reference').optional().describe(TYPE),
  id: z.string().describe(ID),
})

export const inputItemSchema = z.union(
  [messageSchema, callSchema, outputSchema, searchSchema, reasoningSchema, referenceSchema],
  { error: ITEMS_SERVED },
)
export const inputSchema = z.union([z.string().min(1), z.array(inputItemSchema).min(1).max(10_000)])

export type Input = z.output<typeof inputSchema>
type InputItem = z.output<typeof inputItemSchema>

function isReference(item: InputItem): item is z.output<typeof referenceSchema> {
  return !('role' in item) && (item.type === undefined || item.type === 'item_reference')
}

export function toMessages(input: Input): readonly Message[] {
  if (typeof input === 'string') return [{ role: 'user', content: input }]
  return input.flatMap((item, index) => {
    const message = toMessage(item)
    if (!message) return []
    return message.role === 'assistant'
      ? { ...message, ...readReturnedThoughts(input[index - 1]) }
      : message
  })
}

/** Puts thoughts of this server and model before their consequence. */
function readReturnedThoughts(item: InputItem | undefined): Partial<Message> {
  if (!item || 'role' in item || item.type !== 'reasoning') return {}
  const server = readThoughtMark(item.encrypted_content)
  if (server === undefined) return {}
  const reasoningContent = (item.content ?? []).map(({ text }) => text).join('\n')
  return {
    reasoningContent,
    reasoningOrigin: { server, fields: ['reasoning_content'], isFromClient: true },
  }
}

function toMessage(item: InputItem): Message | undefined {
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

export function toNewItems(input: Input): readonly NewItem[] {
  if (typeof input === 'string') return [{ kind: 'message', role: 'user', content: input }]
  return input.flatMap(item => toNewItem(item) ?? [])
}

function toNewItem(item: InputItem): NewItem | undefined {
  if ('role' in item) return { kind: 'message', role: item.role, content: toContent(item.content) }
  switch (item.type) {
    case 'function_call': {
      const { call_id: callId, name, arguments: text } = item
      return { kind: 'call', callId, name, arguments: text, isCallers: true }
    }
    case 'function_call_output':
      return {
        kind: 'result',
        callId: item.call_id,
        content: toContent(item.output),
        isCallers: true,
      }
    case 'file_search_call':
      return { kind: 'search', query: item.queries?.[0] ?? '', results: [] }
    case 'reasoning': {
      const texts = [...(item.summary ?? []), ...(item.content ?? [])].map(({ text }) => text)
      return { kind: 'reasoning', text: texts.join('\n') }
    }
    default:
      return undefined // references are resolved already
  }
}

export function toInputItems(c: RequestContext, input: Input): readonly ItemJson[] {
  const items: readonly InputItem[] =
    typeof input === 'string' ? [{ role: 'user', content: input }] : input
  return items.flatMap(item => {
    const added = toNewItem(item)
    if (!added || added.kind === 'search' || added.kind === 'reasoning') return []
    const id = item.id ?? createId(added.kind === 'message' ? 'msg_' : 'item_')
    return toItemJson(c, { ...added, id }) ?? []
  })
}

export async function takeInput(c: RequestContext, input: Input, place = 'input'): Promise<Input> {
  if (typeof input === 'string') return input
  const items = await resolveReferences(c, input)
  const contents = await storeFiles(c, items.map(getContent), ([item, ...path]) =>
    [place, item, 'content', ...path].join('.'),
  )
  return items.map((item, index) => replaceContent(item, contents[index]!))
}

/** Stores and fetches nothing. */
export async function readInputText(c: RequestContext, input: Input): Promise<readonly Message[]> {
  if (typeof input === 'string') return toMessages(input)
  return toMessages(
    (await resolveReferences(c, input)).map(item =>
      replaceContent(item, omitFiles(getContent(item))),
    ),
  )
}

/** Counts references each time, within the limit of a body. */
async function resolveReferences(
  c: RequestContext,
  input: readonly InputItem[],
): Promise<readonly InputItem[]> {
  const found = new References(c)
  const items: InputItem[] = []
  for (const item of input) items.push(isReference(item) ? await found.take(item.id) : item)
  return items
}

function getContent(item: InputItem): Content {
  if ('role' in item) return item.content
  return 'output' in item ? item.output : ''
}

function replaceContent(item: InputItem, content: Content): InputItem {
  if ('role' in item) return { ...item, content }
  return 'output' in item ? { ...item, output: content } : item
}

type Referenced = { readonly item: InputItem; readonly bytes: number }

class References {
  readonly #c: RequestContext
  readonly #items = new Map<string, Referenced>()
  readonly #responses = new Map<string, ResponseJson | undefined>()
  #bytes = 0

  constructor(c: RequestContext) {
    this.#c = c
  }

  /** Throws `not_found`, `too_large`. */
  async take(id: string): Promise<InputItem> {
    const { item, bytes } = this.#items.get(id) ?? (await this.#read(id))
    this.#bytes += bytes
    if (this.#bytes <= MAX_BODY_BYTES) return item
    const message = localizable`The items that the input refers to have more than ${MAX_BODY_BYTES} bytes. Refer to fewer, or continue the conversation itself.`
    throw new AppError('too_large', message)
  }

  async #read(id: string): Promise<Referenced> {
    const found = await this.#find(id)
    if (!found)
      throw new AppError(
        'not_found',
        localizable`There is no item ${id}: its response or conversation was not stored, or was deleted.`,
        { about: id },
      )
    const referenced = {
      item: check(inputItemSchema, found),
      bytes: Buffer.byteLength(JSON.stringify(found)),
    }
    this.#items.set(id, referenced)
    return referenced
  }

  async #find(id: string): Promise<ItemJson | undefined> {
    const found = (await this.#findResponse(toResponseId(id)))?.output.find(item => item.id === id)
    if (found) return found
    const item = await this.#c.get('passim').conversations.findItemAnywhere(id)
    return item && toItemJson(this.#c, item)
  }

  async #findResponse(id: string): Promise<ResponseJson | undefined> {
    if (!this.#responses.has(id)) {
      const found = await this.#c.get('passim').responses.find(id)
      this.#responses.set(id, found?.body as ResponseJson | undefined)
    }
    return this.#responses.get(id)
  }
}

function omitFiles(content: Content): Content {
  return typeof content === 'string' ? content : content.filter(part => !isFileOrImage(part))
}
