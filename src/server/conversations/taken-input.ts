import type { Message } from '../../agent/message.ts'
import { AppError } from '../../errors.ts'
import { type Content, isOfBytes } from '../generation/content-parts.ts'
import { takeFiles } from '../generation/taken-files.ts'
import { check } from '../http/check.ts'
import type { RequestContext } from '../http/context.ts'
import { MAX_BODY_BYTES } from '../http/input.ts'
import { itemJson } from './openai-items.ts'
import type { KeptResponse } from './output-items.ts'
import { responseIdOf } from './response-builder.ts'
import {
  type Input,
  type InputItem,
  inputItemSchema,
  isReference,
  toMessages,
} from './response-input.ts'

/** The input with every reference in it replaced by what it names, and every file taken in. */
export async function takeInput(c: RequestContext, input: Input): Promise<Input> {
  if (typeof input === 'string') return input
  const items = await withReferences(c, input)
  const contents = await takeFiles(c, items.map(contentOf))
  return items.map((item, at) => withContent(item, contents[at]!)) // one each
}

/** The conversation that an input adds, as far as it is text: nothing is stored, fetched or looked up for it. */
export async function textOfInput(c: RequestContext, input: Input): Promise<readonly Message[]> {
  if (typeof input === 'string') return toMessages(input)
  return toMessages(
    (await withReferences(c, input)).map(item => withContent(item, withoutFiles(contentOf(item)))),
  )
}

/** What is referred to counts as often as it is: with all of it, an input is no larger than a body may be, and no more is read. */
async function withReferences(
  c: RequestContext,
  input: readonly InputItem[],
): Promise<readonly InputItem[]> {
  const found = new References(c)
  const items: InputItem[] = []
  for (const item of input) items.push(isReference(item) ? await found.take(item.id) : item)
  return items
}

function contentOf(item: InputItem): Content {
  if ('role' in item) return item.content
  return 'output' in item ? item.output : ''
}

function withContent(item: InputItem, content: Content): InputItem {
  if ('role' in item) return { ...item, content }
  return 'output' in item ? { ...item, output: content } : item
}

type Referenced = { readonly item: InputItem; readonly bytes: number }

/** What is kept under the ids that an input names. Each is read once, however often it is referred to. */
class References {
  readonly #c: RequestContext
  readonly #items = new Map<string, Referenced>()
  readonly #responses = new Map<string, KeptResponse | undefined>()
  #bytes = 0

  constructor(c: RequestContext) {
    this.#c = c
  }

  /** Throws `not_found`, and `too_large` for more than a body may have. */
  async take(id: string): Promise<InputItem> {
    const { item, bytes } = this.#items.get(id) ?? (await this.#read(id))
    this.#bytes += bytes
    if (this.#bytes <= MAX_BODY_BYTES) return item
    const message = `What the input refers to has more than ${MAX_BODY_BYTES} bytes. Refer to less of it, or go on with the conversation itself.`
    throw new AppError('too_large', message)
  }

  async #read(id: string): Promise<Referenced> {
    const found = await this.#find(id)
    if (!found)
      throw new AppError(
        'not_found',
        `There is no item ${id}: what it is of was not stored, or was deleted.`,
      )
    const referenced = {
      item: check(inputItemSchema, found),
      bytes: Buffer.byteLength(JSON.stringify(found)),
    }
    this.#items.set(id, referenced)
    return referenced
  }

  async #find(id: string): Promise<object | undefined> {
    const found = (await this.#response(responseIdOf(id)))?.output.find(item => item.id === id)
    if (found) return found
    const item = await this.#c.get('passim').conversations.findItemAnywhere(id)
    return item && itemJson(this.#c, item)
  }

  async #response(id: string): Promise<KeptResponse | undefined> {
    if (!this.#responses.has(id)) {
      const found = await this.#c.get('passim').responses.find(id)
      this.#responses.set(id, found?.body as KeptResponse | undefined) // ResponseRun wrote it
    }
    return this.#responses.get(id)
  }
}

/** The content without its files and images, to count what it says. */
function withoutFiles(content: Content): Content {
  return typeof content === 'string' ? content : content.filter(part => !isOfBytes(part))
}
