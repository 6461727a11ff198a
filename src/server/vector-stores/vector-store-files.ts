import { stream } from 'hono/streaming'
import { z } from 'zod'
import type { FileEntry } from '../../app/documents/collection-admin.ts'
import { localizable } from '../../errors/localizable.ts'
import { AppError, type ErrorCode, type Failure } from '../../errors.ts'
import type { Collection } from '../../ingest/store/catalog/collections.ts'
import type { Document } from '../../ingest/store/catalog/document.ts'
import type {
  DeletedVectorStoreFileJson,
  FileContentJson,
  VectorStoreFileJson,
} from '../../wire/vector-store.ts'
import { attributesInputSchema } from '../documents/attributes.ts'
import type { RequestContext } from '../http/context.ts'
import { toPublicMessage } from '../http/errors.ts'
import { readBody } from '../http/input.ts'
import { buildPage, pageSchema } from '../http/pagination.ts'
import { deleteSchema, readQuery } from '../http/query.ts'
import { streamJson } from '../http/sliced-json.ts'
import type { Routes } from '../route.ts'
import { chunkingStrategySchema, toChunking, toChunkingStrategyJson } from './chunking-strategy.ts'
import { answerPolled, findCollection } from './vector-store.ts'

export const addFileSchema = z.strictObject({
  file_id: z.string().describe('Id of a file uploaded to `/v1/files` before.'),
  attributes: attributesInputSchema
    .nullish()
    .describe(
      'Attributes of the file, to filter by (at most 16). With `external_id`, your own id, the file replaces the one that has it.',
    ),
  chunking_strategy: chunkingStrategySchema
    .optional()
    .describe('How the file is split into passages. Default: `auto`.'),
})

/** UTF-16 units per write, so that a long document does not fill the memory. */
const CONTENT_CHARS = 64 * 1024

const updateFileSchema = z.strictObject({
  attributes: attributesInputSchema
    .nullable()
    .describe('Attributes that replace the existing ones (at most 16); `null` removes them.'),
})

export const listFilesSchema = pageSchema({ limit: 20, maxLimit: 100 }).extend({
  filter: z
    .enum(['in_progress', 'completed', 'failed', 'cancelled'])
    .optional()
    .describe('Return only files with this status. Default: all files.'),
})

export const vectorStoreFileRoutes: Routes = {
  'POST /v1/vector_stores/:id/files': {
    summary: 'Index a file in a vector store',
    body: addFileSchema,
    example: { file_id: 'file-0123456789abcdef0123456789abcdef', attributes: { year: 2026 } },
    answer: 'VectorStoreFile',
    reply: add,
  },
  'GET /v1/vector_stores/:id/files': {
    summary: 'List the files of a vector store',
    query: listFilesSchema,
    answer: 'VectorStoreFilePage',
    reply: list,
  },
  'GET /v1/vector_stores/:id/files/:fileId': {
    summary: 'Get a file of a vector store and its progress',
    answer: 'VectorStoreFile',
    reply: retrieve,
  },
  'POST /v1/vector_stores/:id/files/:fileId': {
    summary: 'Update the attributes of a file',
    body: updateFileSchema,
    example: { attributes: { year: 2026 } },
    answer: 'VectorStoreFile',
    reply: update,
  },
  'DELETE /v1/vector_stores/:id/files/:fileId': {
    summary: 'Remove a file from a vector store',
    query: deleteSchema,
    answer: 'DeletedVectorStoreFile',
    reply: remove,
  },
  'GET /v1/vector_stores/:id/files/:fileId/content': {
    summary: 'Get the parsed text of a file',
    answer: 'VectorStoreFileContent',
    reply: sendContent,
  },
}

type LastErrorJson = NonNullable<VectorStoreFileJson['last_error']>

type Entry = { readonly collection: Collection; readonly document: Document }

async function add(c: RequestContext): Promise<Response> {
  const { collections, background } = c.var.passim
  const collection = await findCollection(c)
  const { fileId, ...options } = toEntry(await readBody(c, addFileSchema))
  const document = await collections.addFile(collection, fileId, options)
  background.start(collection)
  return answerPolled(c, await toVectorStoreFileJson(c, { collection, document }))
}

export function toEntry({
  file_id: fileId,
  attributes,
  chunking_strategy,
}: z.output<typeof addFileSchema>): FileEntry {
  return { fileId, attributes: attributes ?? undefined, chunking: toChunking(chunking_strategy) }
}

async function list(c: RequestContext): Promise<Response> {
  return await listFiles(c, await c.var.passim.list(await findCollection(c)))
}

export async function listFiles(
  c: RequestContext,
  documents: readonly Document[],
): Promise<Response> {
  const collection = await findCollection(c)
  const { filter, ...query } = readQuery(c, listFilesSchema)
  const files = documents
    .filter(document => filter === undefined || document.status === filter)
    .map(document => ({ id: document.fileId, createdAt: document.createdAt, document }))
  return streamJson(
    c,
    await buildPage(
      files,
      query,
      async ({ document }) => await toVectorStoreFileJson(c, { collection, document }),
    ),
  )
}

/** Reports a cancelled file as failed, which ends OpenAI's polling helper. */
async function retrieve(c: RequestContext): Promise<Response> {
  const file = await toVectorStoreFileJson(c, await findEntry(c))
  const isMisread =
    file.status === 'cancelled' && c.req.header('x-stainless-poll-helper') !== undefined
  const cancelled: LastErrorJson = {
    code: 'server_error',
    message: 'Indexing was cancelled. Add the file again to index it.',
  }
  return answerPolled(c, isMisread ? { ...file, status: 'failed', last_error: cancelled } : file)
}

async function update(c: RequestContext): Promise<Response> {
  const { passim } = c.var
  const { attributes } = await readBody(c, updateFileSchema)
  await passim.setAttributes((await findEntry(c)).document.id, attributes ?? {})
  return answerPolled(c, await toVectorStoreFileJson(c, await findEntry(c)))
}

/** Leaves the uploaded file. */
async function remove(c: RequestContext): Promise<Response> {
  const { collection, document } = await findEntry(c)
  await c.var.passim.delete(document, readQuery(c, deleteSchema))
  c.var.passim.background.start(collection)
  return c.json<DeletedVectorStoreFileJson>({
    id: document.fileId,
    deleted: true,
    object: 'vector_store.file.deleted',
  })
}

/** Streams one text, because OpenAI's clients read no second page. */
async function sendContent(c: RequestContext): Promise<Response> {
  const { library } = c.var.passim
  const { document } = await findEntry(c)
  const { characters } = await library.report(document.id)
  const page: FileContentJson = {
    object: 'vector_store.file_content.page',
    data: [{ type: 'text', text: '' }],
    has_more: false,
    next_page: null,
  }
  const [before, after] = JSON.stringify(page).split('""')
  c.header('content-type', 'application/json')
  return stream(c, async out => {
    await out.write(`${before}"`)
    for (let start = 0; start < characters && !out.aborted; start += CONTENT_CHARS) {
      const part = await library.read(
        document.id,
        start,
        Math.min(characters, start + CONTENT_CHARS),
      )
      await out.write(JSON.stringify(part).slice(1, -1)) // half a surrogate pair is escaped, so the client joins the pair
    }
    await out.write(`"${after}`)
  })
}

async function findEntry(c: RequestContext): Promise<Entry> {
  const collection = await findCollection(c)
  const fileId = c.req.param('fileId')!
  const document = await c.var.passim.findDocumentByFile(collection, fileId)
  if (document) return { collection, document }
  throw new AppError(
    'not_found',
    localizable`There is no file ${fileId} in vector store ${collection.id}.`,
    {
      about: fileId,
    },
  )
}

async function toVectorStoreFileJson(
  c: RequestContext,
  { collection, document }: Entry,
): Promise<VectorStoreFileJson> {
  return {
    id: document.fileId,
    object: 'vector_store.file',
    created_at: Math.floor(document.createdAt / 1000),
    vector_store_id: collection.id,
    usage_bytes: document.bytes,
    status: document.status,
    last_error: document.error ? toLastErrorJson(document.error, c) : null,
    attributes: document.attributes,
    chunking_strategy: toChunkingStrategyJson(
      await c.var.passim.collections.getChunking(collection, document),
    ),
  }
}

const FILE_ERRORS: Partial<Readonly<Record<ErrorCode, LastErrorJson['code']>>> = {
  unsupported_format: 'unsupported_file',
  empty: 'invalid_file',
  no_text: 'invalid_file',
  encrypted: 'invalid_file',
  corrupt: 'invalid_file',
  too_large: 'invalid_file',
}

function toLastErrorJson(failure: Failure, c: RequestContext): LastErrorJson {
  return { code: FILE_ERRORS[failure.code] ?? 'server_error', message: toPublicMessage(failure, c) }
}
