import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { z } from 'zod'
import type { Document } from '../ingest/catalog/document.ts'
import { MAX_PICTURE_WIDTH } from '../ingest/page-pictures.ts'
import type { RequestContext } from './context.ts'
import { readQuery } from './input.ts'

const DEFAULT_WIDTH = 1_200
const DEFAULT_BLOCKS = 200

export const pictureSchema = z.object({
  width: z.coerce.number().int().min(1).max(MAX_PICTURE_WIDTH).default(DEFAULT_WIDTH).describe('In pixels.'),
})

export const blocksSchema = z.object({
  start: z.coerce.number().int().min(0).default(0).describe('A place in the text, in UTF-16 units.'),
  limit: z.coerce.number().int().min(1).max(500).default(DEFAULT_BLOCKS).describe('Blocks at most.'),
})

/** `GET /api/documents/{id}/pages/{n}`: what was read of a page, with its boxes. */
export async function showPage(c: RequestContext, document: Document): Promise<Response> {
  const page = Number(c.req.param('page'))
  const { size, ...read } = await c.var.passim.pages.read(document, page, c.var.signal)
  const drawn = size && { size, picture: `/api/documents/${document.id}/pages/${page}.png` }
  return c.json({ document: document.id, doc: document.name, pages: document.pages, ...read, ...drawn })
}

/**
 * `GET /api/documents/{id}/pages/{n}.png?width=`: the page as a picture. Private and always asked for again, by its tag:
 * whether a key may see it may change.
 */
export async function sendPicture(c: RequestContext, document: Document): Promise<Response> {
  const page = Number.parseInt(c.req.param('page') ?? '', 10)
  const { width } = readQuery(c, pictureSchema)
  const file = await c.var.passim.pages.picture(document, page, width, c.var.signal)
  const { size, mtimeMs } = await stat(file)
  const etag = `"${document.fileId}-${page}-${size}-${Math.round(mtimeMs)}"`
  const headers = { etag, 'cache-control': 'private, no-cache', 'content-type': 'image/png' }
  if (c.req.header('if-none-match') === etag) return c.body(null, 304, headers)
  return c.body(ReadableStream.from(createReadStream(file)), 200, { ...headers, 'content-length': String(size) })
}

/** `GET /api/documents/{id}/blocks?start=&limit=`: the document block by block, from a place on. */
export async function showBlocks(c: RequestContext, document: Document): Promise<Response> {
  const { start, limit } = readQuery(c, blocksSchema)
  return c.json(await c.var.passim.pages.blocks(document, start, limit, c.var.signal))
}
