import { z } from 'zod'
import type { Conversation } from '../../conversations/conversations.ts'
import type { Item } from '../../conversations/items.ts'
import { localizable } from '../../errors/localizable.ts'
import { AppError } from '../../errors.ts'
import type {
  DeletedOpenaiConversationJson,
  ItemJson,
  ItemPageJson,
  OpenaiConversationJson,
} from '../../wire/response.ts'
import { metadataSchema } from '../generation/metadata.ts'
import type { RequestContext } from '../http/context.ts'
import { createInvalid } from '../http/errors.ts'
import { readBody } from '../http/input.ts'
import { collectPage } from '../http/pagination.ts'
import { readQuery } from '../http/query.ts'
import { streamJson } from '../http/sliced-json.ts'
import type { Routes } from '../route.ts'
import { inputItemSchema, takeInput, toNewItems } from './openai-input.ts'
import { INCLUDE_NOTE, includeSchema, SEARCH_RESULTS, toItemJson } from './openai-items.ts'
import { createTurnContext, findConversation, toSeconds } from './turn-request.ts'

const MAX_NEW_ITEMS = 20

const newItemsSchema = z
  .array(inputItemSchema)
  .max(MAX_NEW_ITEMS, 'has more than 20 items; add them in turns')

const createConversationSchema = z.strictObject({
  metadata: metadataSchema
    .nullish()
    .describe(
      'Up to 16 key-value pairs of yours, stored with the object (keys up to 64 characters, values up to 512).',
    ),
  items: newItemsSchema
    .nullish()
    .describe('Messages that the conversation begins with. Default: none.'),
})
const updateConversationSchema = z.strictObject({
  metadata: metadataSchema
    .nullable()
    .describe('Up to 16 key-value pairs that replace the existing ones; `null` removes them.'),
})
const addItemsSchema = z.strictObject({
  items: newItemsSchema.describe('Items to append to the conversation, in order (1 to 20).'),
})
const includeItemsSchema = z.object({
  include: includeSchema.optional().describe(INCLUDE_NOTE),
})
const listItemsSchema = includeItemsSchema.extend({
  after: z.string().optional().describe('Id of the last item of the previous page.'),
  limit: z
    .int()
    .min(1)
    .max(100)
    .default(20)
    .describe('Maximum number of items to return (1 to 100, default 20).'),
  order: z
    .enum(['asc', 'desc'])
    .default('desc')
    .describe(
      'Sort order by creation time: `asc` (oldest first) or `desc` (newest first, the default).',
    ),
})

export const openaiConversationRoutes: Routes = {
  'POST /v1/conversations': {
    summary: 'Create a conversation',
    body: createConversationSchema,
    example: {
      items: [{ role: 'user', content: 'What may a hotel cost?' }],
      metadata: { team: 'office' },
    },
    answer: 'OpenAIConversation',
    reply: create,
  },
  'GET /v1/conversations/:id': {
    summary: 'Get a conversation',
    answer: 'OpenAIConversation',
    reply: async c => c.json(toConversationJson(await findConversation(c))),
  },
  'POST /v1/conversations/:id': {
    summary: 'Update the metadata of a conversation',
    body: updateConversationSchema,
    example: { metadata: { team: 'office' } },
    answer: 'OpenAIConversation',
    reply: update,
  },
  'DELETE /v1/conversations/:id': {
    summary: 'Delete a conversation',
    answer: 'DeletedOpenAIConversation',
    reply: remove,
  },
  'POST /v1/conversations/:id/items': {
    summary: 'Add items to a conversation',
    query: includeItemsSchema,
    body: addItemsSchema,
    example: { items: [{ role: 'user', content: 'And a taxi?' }] },
    answer: 'ItemPage',
    reply: addItems,
  },
  'GET /v1/conversations/:id/items': {
    summary: 'List the items of a conversation',
    query: listItemsSchema,
    answer: 'ItemPage',
    reply: listItems,
  },
  'GET /v1/conversations/:id/items/:itemId': {
    summary: 'Get an item of a conversation',
    query: includeItemsSchema,
    answer: 'Item',
    reply: showItem,
  },
  'DELETE /v1/conversations/:id/items/:itemId': {
    summary: 'Delete an item of a conversation',
    answer: 'OpenAIConversation',
    reply: removeItem,
  },
}

async function create(c: RequestContext): Promise<Response> {
  const { metadata, items } = await readBody(c, createConversationSchema)
  const added = toNewItems(await takeInput(c, items ?? [], 'items'))
  const created = await c.var.passim.conversationService.create(
    { metadata: metadata ?? {}, items: added },
    createTurnContext(c).asker,
  )
  return c.json(toConversationJson(created))
}

async function update(c: RequestContext): Promise<Response> {
  const { metadata } = await readBody(c, updateConversationSchema)
  const { id } = await findConversation(c)
  return c.json(
    toConversationJson(await c.var.passim.conversations.update(id, { metadata: metadata ?? {} })),
  )
}

async function remove(c: RequestContext): Promise<Response> {
  const { id } = await findConversation(c)
  await c.var.passim.conversationService.delete(id)
  return c.json<DeletedOpenaiConversationJson>({
    id,
    object: 'conversation.deleted',
    deleted: true,
  })
}

async function addItems(c: RequestContext): Promise<Response> {
  const include = parseDetail(readQuery(c, includeItemsSchema))
  const { id } = await findConversation(c)
  const { items } = await readBody(c, addItemsSchema)
  const newItems = toNewItems(await takeInput(c, items, 'items'))
  const added = await c.var.passim.conversationService.addItems(
    id,
    newItems,
    createTurnContext(c).asker,
  )
  const data = added.flatMap(item => toItemJson(c, item, include) ?? [])
  return streamJson(c, toListJson(data, false))
}

async function listItems(c: RequestContext): Promise<Response> {
  const query = readQuery(c, listItemsSchema)
  const { id } = await findConversation(c)
  await c.var.passim.conversationService.findLastRun(id) // ends a run whose process died
  const { limit, order } = query
  const range = { order, after: await findAfter(c, id, query.after) }
  const visibleItems = readVisibleItems(c, id, range, parseDetail(query))
  const { data, hasMore } = await collectPage(visibleItems, limit)
  return streamJson(c, toListJson(data, hasMore))
}

type From = { readonly order: 'asc' | 'desc'; readonly after: number | undefined }

async function* readVisibleItems(
  c: RequestContext,
  id: string,
  { order, after }: From,
  include: ItemDetail,
): AsyncIterable<ItemJson> {
  const { conversations } = c.var.passim
  const withdrawn = await conversations.findWithdrawn(id)
  const range = order === 'asc' ? { after, order } : { before: after, order }
  for await (const item of conversations.readItems(id, range)) {
    const form = withdrawn.has(item.id) ? undefined : toItemJson(c, item, include)
    if (form) yield form
  }
}

async function findAfter(
  c: RequestContext,
  id: string,
  itemId: string | undefined,
): Promise<number | undefined> {
  if (itemId === undefined) return undefined
  const item = await c.var.passim.conversations.findItem(id, itemId)
  if (item) return item.number
  throw createInvalid(
    localizable`There is no ${itemId} in this list: it may have been deleted. List again from the start.`,
    'after',
  )
}

async function showItem(c: RequestContext): Promise<Response> {
  const include = parseDetail(readQuery(c, includeItemsSchema))
  return streamJson(c, { ...toItemJson(c, await findItem(c), include) })
}

async function removeItem(c: RequestContext): Promise<Response> {
  const { id } = await findConversation(c)
  await c.var.passim.conversationService.deleteItem(id, (await findItem(c)).id)
  return c.json(toConversationJson(await findConversation(c)))
}

async function findItem(c: RequestContext): Promise<Item> {
  const { id } = await findConversation(c)
  const itemId = c.req.param('itemId')!
  const item = await c.var.passim.conversations.findItem(id, itemId)
  if (
    item &&
    toItemJson(c, item) &&
    !(await c.var.passim.conversations.findWithdrawn(id)).has(itemId)
  )
    return item
  throw new AppError('not_found', localizable`There is no item ${itemId} in this conversation.`, {
    about: itemId,
  })
}

type ItemDetail = { readonly showsResults: boolean }

function parseDetail({ include = [] }: z.output<typeof includeItemsSchema>): ItemDetail {
  return { showsResults: include.includes(SEARCH_RESULTS) }
}

function toListJson(data: readonly ItemJson[], has_more: boolean): ItemPageJson {
  const [first, last] = [data[0]?.id ?? '', data.at(-1)?.id ?? '']
  return { object: 'list', data, first_id: first, last_id: last, has_more }
}

function toConversationJson({ id, metadata, createdAt }: Conversation): OpenaiConversationJson {
  return { id, object: 'conversation', metadata, created_at: toSeconds(createdAt) }
}
