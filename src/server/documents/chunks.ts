import { z } from 'zod'
import { MAX_LISTED_CHUNKS, MAX_NOTE_CHARS } from '../../app/documents/chunk-admin.ts'
import type { Document } from '../../ingest/store/catalog/document.ts'
import type { ChunkJson, ChunkPageJson } from '../../wire/document.ts'
import { findDocument, type RequestContext } from '../http/context.ts'
import { readBody } from '../http/input.ts'
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

const changeSchema = z.strictObject({
  isExcluded: z
    .boolean()
    .optional()
    .describe('True: no search or answer finds the chunk. False: they do. Default: unchanged.'),
  note: z
    .string()
    .max(MAX_NOTE_CHARS)
    .optional()
    .describe(
      'Note that is searched with the chunk and never quoted (at most 1,000 characters). Empty: remove it. Default: unchanged.',
    ),
})

const CHANGE = {
  description:
    'The change stays when the document is indexed again, as long as a chunk has the same text. Searches use it as soon as the document is indexed again, which starts at once and uses what is stored.',
  body: changeSchema,
  example: { note: 'Valid for the branch in Bern only.' },
  answer: 'Chunk',
} as const

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
  'PATCH /api/documents/:id/chunks/:chunkId': {
    summary: 'Switch a chunk off, or add a note to it',
    ...CHANGE,
    reply: async c => await updateChunk(c, await findDocument(c)),
  },
  'PATCH /api/collections/:id/documents/:externalId/chunks/:chunkId': {
    summary: 'Change a chunk of a document by an id of yours',
    ...CHANGE,
    reply: async c => await updateChunk(c, await findExternal(c)),
  },
}

async function list(c: RequestContext, document: Document): Promise<Response> {
  const { after, limit } = readQuery(c, listSchema)
  const options = { after, limit, signal: c.var.signal }
  return streamJson<ChunkPageJson>(c, await c.var.passim.chunks.list(document, options))
}

async function updateChunk(c: RequestContext, document: Document): Promise<Response> {
  const change = await readBody(c, changeSchema)
  const id = c.req.param('chunkId') ?? ''
  return c.json<ChunkJson>(await c.var.passim.chunks.update(document, id, change, c.var.signal))
}
