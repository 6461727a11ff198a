import { z } from 'zod'
import { MAX_LISTED_CHUNKS } from '../../app/documents/chunk-admin.ts'
import type { Document } from '../../ingest/store/catalog/document.ts'
import type { ChunkPageJson } from '../../wire/document.ts'
import { findDocument, type RequestContext } from '../http/context.ts'
import { readQuery } from '../http/query.ts'
import { streamJson } from '../http/sliced-json.ts'
import type { Routes } from '../route.ts'
import { findExternal } from './collection-documents.ts'

const listSchema = z.object({
  after: z
    .int()
    .min(0)
    .default(0)
    .describe('Number of chunks to skip: the value of `last` in the previous answer (default 0).'),
  limit: z
    .int()
    .min(1)
    .max(MAX_LISTED_CHUNKS)
    .default(50)
    .describe('Maximum number of chunks to return (1 to 200, default 50).'),
})

export const chunkRoutes: Routes = {
  'GET /api/documents/:id/chunks': {
    summary: 'List the chunks of a document',
    query: listSchema,
    answer: 'ChunkPage',
    reply: async c => await list(c, await findDocument(c)),
  },
  'GET /api/collections/:id/documents/:externalId/chunks': {
    summary: 'List the chunks of a document by an id of yours',
    query: listSchema,
    answer: 'ChunkPage',
    reply: async c => await list(c, await findExternal(c)),
  },
}

async function list(c: RequestContext, document: Document): Promise<Response> {
  const { after, limit } = readQuery(c, listSchema)
  const options = { after, limit, signal: c.var.signal }
  return streamJson<ChunkPageJson>(c, await c.var.passim.chunks.list(document, options))
}
