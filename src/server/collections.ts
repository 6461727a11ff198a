import type { Passim } from '../app/passim.ts'
import { parseEngine } from '../ingest/store/catalog/collections.ts'
import type { CollectionJson, CollectionPageJson } from '../wire/collection.ts'
import { writeTimes } from '../wire/schema.ts'
import type { RequestContext } from './http/context.ts'
import { listSchema, selectPage } from './http/pagination.ts'
import { readQuery } from './http/query.ts'
import { streamJson } from './http/sliced-json.ts'
import type { Routes } from './route.ts'
import { findCollection } from './vector-stores/vector-store.ts'

const collectionsSchema = listSchema('collections', 200)

export const collectionListRoutes: Routes = {
  'GET /api/collections': {
    summary: 'List the collections',
    description: 'Returns the collections of `passim collections --json`, one page at a time.',
    query: collectionsSchema,
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

async function list(c: RequestContext): Promise<Response> {
  const { collections } = c.var.passim
  const query = readQuery(c, collectionsSchema)
  const { page, end } = await selectPage(await collections.listVisible(), query, async collection =>
    toCollectionJson(await collections.summarize(collection)),
  )
  return streamJson<CollectionPageJson>(c, { collections: page, ...end })
}

function toCollectionJson({
  tableId,
  hidden: _,
  epoch: __,
  ...collection
}: Awaited<ReturnType<Passim['collections']['summarize']>>): CollectionJson {
  return { ...writeTimes(collection), engine: parseEngine(tableId) }
}
