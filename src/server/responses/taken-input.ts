import type { Message } from '../../agent/message.ts'
import { AppError } from '../../errors.ts'
import { type Content, takeFiles, withoutFiles } from '../content-parts.ts'
import type { RequestContext } from '../context.ts'
import { check } from '../input.ts'
import { itemJson } from './conversation-items.ts'
import type { KeptResponse } from './output-items.ts'
import { responseIdOf } from './response-builder.ts'
import { type Input, type InputItem, inputItemSchema, isReference, toMessages } from './response-input.ts'

/** The input with every reference in it replaced by what it names, and every file taken in. */
export async function takeInput(c: RequestContext, input: Input): Promise<Input> {
  if (typeof input === 'string') return input
  const items = withReferences(c, input)
  const contents = await takeFiles(c, items.map(contentOf))
  return items.map((item, at) => withContent(item, contents[at]!)) // one each
}

/** The conversation that an input adds, as far as it is text: nothing is stored, fetched or looked up for it. */
export function textOfInput(c: RequestContext, input: Input): readonly Message[] {
  if (typeof input === 'string') return toMessages(input)
  return toMessages(withReferences(c, input).map(item => withContent(item, withoutFiles(contentOf(item)))))
}

function withReferences(c: RequestContext, input: readonly InputItem[]): readonly InputItem[] {
  const stored = new Map<string, KeptResponse | undefined>() // each is read once, however often it is referred to
  return input.map(item => (isReference(item) ? referenced(c, item.id, stored) : item))
}

function contentOf(item: InputItem): Content {
  if ('role' in item) return item.content
  return 'output' in item ? item.output : ''
}

function withContent(item: InputItem, content: Content): InputItem {
  if ('role' in item) return { ...item, content }
  return 'output' in item ? { ...item, output: content } : item
}

function referenced(c: RequestContext, id: string, stored: Map<string, KeptResponse | undefined>): InputItem {
  const responseId = responseIdOf(id)
  if (!stored.has(responseId))
    stored.set(responseId, c.var.passim.responses.find(responseId)?.body as KeptResponse | undefined) // ResponseRun wrote it
  const found = stored.get(responseId)?.output.find(item => item.id === id)
  if (found) return check(inputItemSchema, found)
  const item = c.var.passim.conversations.findItemAnywhere(id)
  const shown = item && itemJson(c, item)
  if (shown) return check(inputItemSchema, shown)
  throw new AppError('not_found', `There is no item ${id}: what it is of was not stored, or was deleted.`)
}
