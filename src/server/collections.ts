import { z } from 'zod'
import type { Passim } from '../app/passim.ts'
import { parseEngine } from '../ingest/store/catalog/collections.ts'
import type { CollectionJson, CollectionPageJson } from '../wire/collection.ts'
import type { RequestContext } from './http/context.ts'
import { createInvalid } from './http/errors.ts'
import { limitChars } from './http/pagination.ts'
import { readQuery } from './http/query.ts'
import { streamJson } from './http/sliced-json.ts'
import type { Routes } from './route.ts'

const listSchema = z.object({
  after: z
    .string()
    .optional()
    .describe('Id of the last collection of the previous page. Default: start with the first.'),
  limit: z
    .int()
    .min(1)
    .max(1_000)
    .default(200)
    .describe('Maximum number of collections to return (1 to 1,000, default 200).'),
})

export const collectionListRoutes: Routes = {
  'GET /api/collections': {
    summary: 'List the collections',
    description: 'Returns the collections of `passim collections --json`, one page at a time.',
    query: listSchema,
    answer: 'CollectionPage',
    reply: list,
  },
  'GET /api/collections/:id': {
    summary: 'Get a collection by its id or name',
    answer: 'Collection',
    reply: async c => {
      const { collections } = c.var.passim
      return c.json(toCollectionJson(await collections.summarize(await findCollection(c))))
    },
  },
}

async function findCollection(c: RequestContext) {
  return await c.var.passim.collections.get(c.req.param('id')!)
}

async function list(c: RequestContext): Promise<Response> {
  const { after, limit } = readQuery(c, listSchema)
  const { collections } = c.var.passim
  const visible = await collections.listVisible()
  const start = after === undefined ? 0 : visible.findIndex(({ id }) => id === after) + 1
  if (after !== undefined && start === 0)
    throw createInvalid(
      `There is no ${after} in this list: it may have been deleted. List again from the start.`,
      'after',
    )
  const page = await Promise.all(
    visible
      .slice(start, start + limit)
      .map(async collection => toCollectionJson(await collections.summarize(collection))),
  )
  const shown = limitChars(page)
  const last = shown.at(-1)?.id
  return streamJson<CollectionPageJson>(c, {
    collections: shown,
    has_more: visible.length > start + shown.length,
    ...(last !== undefined && { last }),
  })
}

function toCollectionJson({
  tableId,
  hidden: _,
  epoch: __,
  ...collection
}: Awaited<ReturnType<Passim['collections']['summarize']>>): CollectionJson {
  return { ...collection, engine: parseEngine(tableId) }
}
