import { z } from 'zod'
import { getMessages } from '../../errors/localizable.ts'
import type { StoredFile } from '../../ingest/store/contents/files.ts'
import type { DeletedFileJson, FileJson } from '../../wire/file.ts'
import { localize, type RequestContext } from '../http/context.ts'
import { download } from '../http/download.ts'
import { buildPage, pageSchema } from '../http/pagination.ts'
import { deleteSchema, readQuery } from '../http/query.ts'
import { streamJson } from '../http/sliced-json.ts'
import type { Routes } from '../route.ts'
import { receiveFile, uploadFormSchema } from './upload-file.ts'

const listUploadedSchema = pageSchema({ limit: 10_000, maxLimit: 10_000 }).extend({
  purpose: z
    .string()
    .optional()
    .describe('Return only files with this purpose. Default: all files.'),
})

const BATCH_UPLOAD = {
  purpose: 'batch',
  file: JSON.stringify({
    custom_id: 'hotel',
    method: 'POST',
    url: '/v1/embeddings',
    body: { model: 'passim-embedder', input: 'What may a hotel cost?' },
  }),
}

export const fileRoutes: Routes = {
  'POST /v1/files': {
    summary: 'Upload a file',
    form: { part: 'file', fields: uploadFormSchema, example: BATCH_UPLOAD },
    answer: 'File',
    reply: async c => c.json(toFileJson(c, await receiveFile(c))),
  },
  'GET /v1/files': {
    summary: 'List the files',
    query: listUploadedSchema,
    answer: 'FilePage',
    reply: list,
  },
  'GET /v1/files/:id': {
    summary: 'Get a file',
    answer: 'File',
    reply: async c => c.json(toFileJson(c, await findFile(c))),
  },
  'GET /v1/files/:id/content': {
    summary: 'Download the bytes of a file',
    headers: ['range'],
    media: ['application/octet-stream'],
    reply: async c => download(c, await findFile(c)),
  },
  'DELETE /v1/files/:id': {
    summary: 'Delete a file, also from every vector store',
    query: deleteSchema,
    answer: 'DeletedFile',
    reply: remove,
  },
}

async function list(c: RequestContext): Promise<Response> {
  const { purpose, ...query } = readQuery(c, listUploadedSchema)
  const files = (await c.var.passim.files.list()).filter(
    file => purpose === undefined || file.purpose === purpose,
  )
  return streamJson(c, await buildPage(files, query, file => toFileJson(c, file)))
}

async function remove(c: RequestContext): Promise<Response> {
  const { id } = await findFile(c)
  await c.var.passim.files.delete(id, readQuery(c, deleteSchema))
  return c.json<DeletedFileJson>({ id, object: 'file', deleted: true })
}

async function findFile(c: RequestContext): Promise<StoredFile> {
  return await c.var.passim.files.get(c.req.param('id')!)
}

const EMPTY = 'The file is empty: it has no bytes.'

/** Reports a stored file as `processed`, for which OpenAI's clients wait. */
export function toFileJson(c: RequestContext, file: StoredFile): FileJson {
  const { id, name, purpose, bytes, createdAt, expiresAt, error } = file
  const problem = bytes > 0 ? error && getMessages(error).message : EMPTY
  return {
    id,
    object: 'file',
    bytes,
    created_at: Math.floor(createdAt / 1000),
    filename: name,
    purpose,
    ...(problem === undefined
      ? { status: 'processed' }
      : { status: 'error', status_details: localize(c, problem) }),
    ...(expiresAt !== undefined && { expires_at: Math.floor(expiresAt / 1000) }),
  }
}
