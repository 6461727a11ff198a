import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { z } from 'zod'
import type { Document } from '../../ingest/store/catalog/document.ts'
import { MAX_PICTURE_WIDTH } from '../../ingest/store/page-pictures.ts'
import type { BlocksJson, ReadPageJson } from '../../wire/document.ts'
import { findDocument, localizeWarning, type RequestContext } from '../http/context.ts'
import { readQuery } from '../http/query.ts'
import { streamJson } from '../http/sliced-json.ts'
import type { Routes } from '../route.ts'

const DEFAULT_WIDTH = 1_200

export const EXCLUDED_TEXT =
  'Includes chunks that are switched off. The header `x-passim-excluded` counts their parts of the document, if there are any.'
const DEFAULT_BLOCKS = 200

const pictureSchema = z.object({
  width: z
    .int()
    .min(1)
    .max(MAX_PICTURE_WIDTH)
    .default(DEFAULT_WIDTH)
    .describe(
      'Width of the picture in pixels (1 to 2,400, default 1,200). It is rounded up to one of a few widths.',
    ),
})

const blocksSchema = z.object({
  after: z
    .int()
    .min(0)
    .default(0)
    .describe(
      'Offset in the parsed text in UTF-16 units: return the blocks that end after it (default 0).',
    ),
  limit: z
    .int()
    .min(1)
    .max(500)
    .default(DEFAULT_BLOCKS)
    .describe('Maximum number of blocks to return (1 to 500, default 200).'),
})

export const pageRoutes: Routes = {
  'GET /api/documents/:id/pages/:page{[0-9]+}': {
    summary: 'Get the text of a page with its boxes',
    answer: 'Page',
    reply: showPage,
  },
  'GET /api/documents/:id/pages/:page{[0-9]+\\.png}': {
    summary: 'Get a picture of a page',
    description: EXCLUDED_TEXT,
    query: pictureSchema,
    media: ['image/png'],
    reply: sendPicture,
  },
  'GET /api/documents/:id/blocks': {
    summary: 'List the blocks of a document',
    query: blocksSchema,
    answer: 'Blocks',
    reply: showBlocks,
  },
}

async function showPage(c: RequestContext): Promise<Response> {
  const document = await findDocument(c)
  const page = Number(c.req.param('page'))
  const { size, warnings, ...read } = await c.var.passim.pages.read(document, page, c.var.signal)
  const drawn = size && { size, picture: `/api/documents/${document.id}/pages/${page}.png` }
  return streamJson<ReadPageJson>(c, {
    document: document.id,
    doc: document.name,
    pages: document.pages,
    ...read,
    ...drawn,
    warnings: warnings.map(warning => localizeWarning(c, warning)),
  })
}

/** Revalidates always, because access may change. */
async function sendPicture(c: RequestContext): Promise<Response> {
  const document = await findDocument(c)
  const page = Number.parseInt(c.req.param('page') ?? '', 10)
  const { width } = readQuery(c, pictureSchema)
  const file = await c.var.passim.pages.drawPicture(document, page, width, c.var.signal)
  const { size, mtimeMs } = await stat(file)
  const etag = `"${document.fileId}-${page}-${size}-${Math.round(mtimeMs)}"`
  const headers = { etag, 'cache-control': 'private, no-cache', 'content-type': 'image/png' }
  if (c.req.header('if-none-match') === etag) return c.body(null, 304, headers)
  return c.body(ReadableStream.from(createReadStream(file)), 200, {
    ...headers,
    ...(await describeExcluded(c, document)),
    'content-length': String(size),
  })
}

/** Number of spans that only chunks which are switched off have. */
export const EXCLUDED_HEADER = 'x-passim-excluded'

/** States in a header that an answer has text which searches and answers leave out. */
export async function describeExcluded(
  c: RequestContext,
  { id }: Pick<Document, 'id'>,
): Promise<Readonly<Record<string, string>>> {
  const { length } = await c.var.passim.library.listExcluded(id)
  return length > 0 ? { [EXCLUDED_HEADER]: String(length) } : {}
}

async function showBlocks(c: RequestContext): Promise<Response> {
  const document = await findDocument(c)
  const { after, limit } = readQuery(c, blocksSchema)
  return streamJson<BlocksJson>(
    c,
    await c.var.passim.pages.readBlocks(document, after, limit, c.var.signal),
  )
}
