import { z } from 'zod'
import { INDEX_ENGINES } from '../../ingest/store/catalog/collections.ts'
import type { DeletedVectorStoreJson } from '../../wire/vector-store.ts'
import { metadataSchema } from '../generation/metadata.ts'
import { check } from '../http/check.ts'
import type { RequestContext } from '../http/context.ts'
import { readBody } from '../http/input.ts'
import { buildPage, pageSchema } from '../http/pagination.ts'
import { markWithoutEffect } from '../http/parameters.ts'
import { deleteSchema, readQuery } from '../http/query.ts'
import { streamJson } from '../http/sliced-json.ts'
import type { Routes } from '../route.ts'
import { chunkingStrategySchema, toChunking } from './chunking-strategy.ts'
import { answerPolled, findCollection, toVectorStoreJson } from './vector-store.ts'
import { fileBatchRoutes } from './vector-store-file-batches.ts'
import { vectorStoreFileRoutes } from './vector-store-files.ts'
import { vectorStoreSearchRoutes } from './vector-store-search.ts'

/** Metadata key of the index engine, which OpenAI's API lacks. */
const ENGINE = 'passim_engine'
const engineSchema = z.looseObject({
  metadata: z.looseObject({ [ENGINE]: z.enum(INDEX_ENGINES).optional() }),
})

/** Counted from the last use. */
const expirySchema = z.strictObject({
  anchor: z.literal('last_active_at').describe('Time from which the days count: the last use.'),
  days: z
    .int()
    .min(1)
    .max(365)
    .describe('Days without use until the vector store expires (1 to 365).'),
})

const createStoreSchema = z.strictObject({
  name: z
    .string()
    .max(256)
    .optional()
    .describe('Name of the vector store (at most 256 characters).'),
  description: markWithoutEffect(z.string(), 'vector stores have no description in OpenAI answers'),
  file_ids: z
    .array(z.string())
    .max(500)
    .optional()
    .describe('Ids of uploaded files to index in it (at most 500).'),
  chunking_strategy: chunkingStrategySchema
    .optional()
    .describe('How its files are split into passages. Default: `auto`.'),
  metadata: metadataSchema
    .nullish()
    .describe(
      `Up to 16 key-value pairs of yours, stored with the object. \`${ENGINE}\` selects the index engine: ${INDEX_ENGINES.join(' or ')}.`,
    ),
  expires_after: expirySchema
    .nullish()
    .describe(
      'When the vector store expires with its contents: 1 to 365 days after its last use. Default: never.',
    ),
})

const updateStoreSchema = z.strictObject({
  name: z
    .string()
    .max(256)
    .nullish()
    .describe('New name of the vector store (at most 256 characters).'),
  metadata: metadataSchema
    .nullish()
    .describe('Up to 16 key-value pairs that replace the existing ones.'),
  expires_after: expirySchema
    .nullish()
    .describe(
      'When the vector store expires with its contents: 1 to 365 days after its last use. `null`: never.',
    ),
})

const listStoresSchema = pageSchema({ limit: 20, maxLimit: 100 })

export const vectorStoreRoutes: Routes = {
  'POST /v1/vector_stores': {
    summary: 'Create a vector store',
    body: createStoreSchema,
    example: { name: 'travel', metadata: { team: 'office' } },
    answer: 'VectorStore',
    reply: create,
  },
  'GET /v1/vector_stores': {
    summary: 'List the vector stores',
    query: listStoresSchema,
    answer: 'VectorStorePage',
    reply: list,
  },
  'GET /v1/vector_stores/:id': {
    summary: 'Get a vector store',
    answer: 'VectorStore',
    reply: async c => answerPolled(c, await toVectorStoreJson(c, await findCollection(c))),
  },
  'POST /v1/vector_stores/:id': {
    summary: 'Update a vector store',
    body: updateStoreSchema,
    example: { name: 'travel', expires_after: { anchor: 'last_active_at', days: 30 } },
    answer: 'VectorStore',
    reply: update,
  },
  'DELETE /v1/vector_stores/:id': {
    summary: 'Delete a vector store',
    query: deleteSchema,
    answer: 'DeletedVectorStore',
    reply: remove,
  },
  ...vectorStoreSearchRoutes,
  ...vectorStoreFileRoutes,
  ...fileBatchRoutes,
}

async function create(c: RequestContext): Promise<Response> {
  const { collections, files, background } = c.var.passim
  const { name = '', file_ids: fileIds = [], ...body } = await readBody(c, createStoreSchema)
  for (const fileId of fileIds) await files.get(fileId)
  const metadata = body.metadata ?? {}
  const engine = check(engineSchema, { metadata }).metadata[ENGINE]
  const options = {
    chunking: toChunking(body.chunking_strategy),
    idleDays: body.expires_after?.days,
    engine,
  }
  const collection = await collections.create({ name, metadata, ...options }, 'repeatable')
  const entries = fileIds.map(fileId => ({ fileId }))
  await collections.addFiles(collection, entries)
  background.start(collection)
  return answerPolled(c, await toVectorStoreJson(c, collection))
}

async function list(c: RequestContext): Promise<Response> {
  const query = readQuery(c, listStoresSchema)
  return streamJson(
    c,
    await buildPage(
      await c.var.passim.collections.listVisible(),
      query,
      async collection => await toVectorStoreJson(c, collection),
    ),
  )
}

async function update(c: RequestContext): Promise<Response> {
  const { name, metadata, expires_after } = await readBody(c, updateStoreSchema)
  const idleDays = expires_after === null ? null : expires_after?.days
  const changes = { name: name ?? undefined, metadata: metadata === null ? {} : metadata, idleDays }
  return answerPolled(
    c,
    await toVectorStoreJson(
      c,
      await c.var.passim.collections.update(await findCollection(c), changes),
    ),
  )
}

async function remove(c: RequestContext): Promise<Response> {
  const { collections, background } = c.var.passim
  const collection = await findCollection(c)
  await background.stop(collection)
  await collections.delete(collection, readQuery(c, deleteSchema))
  return c.json<DeletedVectorStoreJson>({
    id: collection.id,
    deleted: true,
    object: 'vector_store.deleted',
  })
}
