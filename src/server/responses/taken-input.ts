import { AppError } from '../../errors.ts'
import { takeFiles } from '../content-parts.ts'
import type { RequestContext } from '../context.ts'
import { check } from '../input.ts'
import { itemJson } from './conversation-items.ts'
import type { KeptResponse } from './output-items.ts'
import { responseIdOf } from './response-builder.ts'
import { type Input, type InputItem, inputItemSchema, isReference } from './response-input.ts'

/** The input with every reference in it replaced by what it names, and every file taken in. */
export async function takeInput(c: RequestContext, input: Input): Promise<Input> {
  if (typeof input === 'string') return input
  const items: InputItem[] = []
  const stored = new Map<string, KeptResponse | undefined>() // each is read once, however often it is referred to
  for (const given of input) {
    const item = isReference(given) ? referenced(c, given.id, stored) : given
    if ('role' in item) items.push({ ...item, content: await takeFiles(c, item.content) })
    else if ('output' in item) items.push({ ...item, output: await takeFiles(c, item.output) })
    else items.push(item)
  }
  return items
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
