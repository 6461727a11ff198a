import { z } from 'zod'
import {
  type Collection,
  INDEX_ENGINES,
  parseEngine,
} from '../../ingest/store/catalog/collections.ts'
import type { ReEmbeddingJson } from '../../wire/job.ts'
import type { RequestContext } from '../http/context.ts'
import { readBody } from '../http/input.ts'
import type { Routes } from '../route.ts'
import { toJobJson } from './jobs.ts'

const reEmbedSchema = z.strictObject({
  embedder: z
    .string()
    .min(1)
    .describe(
      'Name of the embedding model, as in `--embedder`: one of the settings `embedder` and `embedders`, the built-in model, or `none` for keyword search only.',
    ),
})

const moveSchema = z.strictObject({
  engine: z.enum(INDEX_ENGINES).describe('Index engine to move the collection to.'),
})

/** Operations that OpenAI's routes lack. */
export const collectionRoutes: Routes = {
  'POST /api/collections/:id/re-embed': {
    summary: 'Re-embed a collection with another model',
    body: reEmbedSchema,
    example: { embedder: 'multilingual-e5-small' },
    answer: 'ReEmbedding',
    reply: startReEmbedding,
  },
  'POST /api/collections/:id/move': {
    summary: 'Move a collection to another index engine',
    body: moveSchema,
    example: { engine: 'weaviate' },
    answer: 'ReEmbedding',
    reply: move,
  },
}

/** Starts no job if there is nothing to do. */
async function startReEmbedding(c: RequestContext): Promise<Response> {
  const { embedder } = await readBody(c, reEmbedSchema)
  const collection = await findNamed(c)
  const jobId = await c.var.passim.reEmbed.requestEmbedder(collection, embedder, c.var.signal)
  return await toStarted(c, collection, { before: collection.embedderId, jobId })
}

async function move(c: RequestContext): Promise<Response> {
  const { engine } = await readBody(c, moveSchema)
  const collection = await findNamed(c)
  const jobId = await c.var.passim.reEmbed.requestEngine(collection, engine)
  return await toStarted(c, collection, { before: parseEngine(collection.tableId), jobId })
}

async function findNamed(c: RequestContext): Promise<Collection> {
  return await c.var.passim.scope.findCollection(c.req.param('id')!)
}

async function toStarted(
  c: RequestContext,
  collection: Collection,
  { before, jobId }: { readonly before: string; readonly jobId: string | undefined },
): Promise<Response> {
  const { background, jobs } = c.var.passim
  const job = jobId === undefined ? undefined : await jobs.find(jobId)
  background.start(collection)
  return c.json<ReEmbeddingJson>({
    collection: collection.name,
    id: collection.id,
    before,
    ...(job && { job: toJobJson(job, c) }),
  })
}
