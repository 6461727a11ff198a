import { Hono } from 'hono'
import { z } from 'zod'
import type { StoredFile } from '../ingest/stored/files.ts'
import type { RequestContext, Routes, ServerEnv } from './context.ts'
import { download } from './download.ts'
import { deleteSchema, readQuery } from './input.ts'
import { pageSchema, paginate } from './pagination.ts'
import { receiveFile } from './upload-file.ts'

export const listUploadedSchema = pageSchema({ limit: 10_000, maxLimit: 10_000 }).extend({
  purpose: z.string().optional().describe('Only files of this purpose.'),
})

/** `/v1/files`: stored bytes. */
export function fileRoutes(): Routes {
  return new Hono<ServerEnv>()
    .post('/', async c => c.json(fileJson(await receiveFile(c))))
    .get('/', list)
    .get('/:id', async c => c.json(fileJson(await fileOf(c))))
    .get('/:id/content', async c => download(c, await fileOf(c)))
    .delete('/:id', remove)
}

async function list(c: RequestContext): Promise<Response> {
  const { purpose, ...query } = readQuery(c, listUploadedSchema)
  const files = (await c.var.passim.files.list()).filter(file => purpose === undefined || file.purpose === purpose)
  return c.json(await paginate(files, query, fileJson))
}

async function remove(c: RequestContext): Promise<Response> {
  const { id } = await fileOf(c)
  await c.var.passim.files.delete(id, readQuery(c, deleteSchema))
  return c.json({ id, object: 'file', deleted: true })
}

async function fileOf(c: RequestContext): Promise<StoredFile> {
  return await c.var.passim.files.get(c.req.param('id')!) // every route that asks has an id
}

const EMPTY = 'The file is empty: it has no bytes.'

/**
 * A file as OpenAI's clients see it. `processed`: its bytes are stored and, so far as they were read, good; clients wait for it or
 * for `error`, so that a file of which no document is wanted must not stay `uploaded`.
 */
export function fileJson({ id, name, purpose, bytes, createdAt, expiresAt, error }: StoredFile) {
  const problem = bytes > 0 ? error?.message : EMPTY
  return {
    id,
    object: 'file',
    bytes,
    created_at: Math.floor(createdAt / 1000),
    filename: name,
    purpose,
    ...(problem === undefined ? { status: 'processed' } : { status: 'error', status_details: problem }),
    ...(expiresAt !== undefined && { expires_at: Math.floor(expiresAt / 1000) }),
  }
}
