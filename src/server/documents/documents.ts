import { z } from 'zod'
import { DEFAULT_COLLECTION } from '../../app/documents/scope.ts'
import { getMessages, localizable } from '../../errors/localizable.ts'
import { AppError } from '../../errors.ts'
import { BLOCK_SEPARATOR } from '../../ingest/block.ts'
import { OCR_MODES } from '../../ingest/parse/parser.ts'
import { looksLikeUrl } from '../../ingest/sources/web/web-url.ts'
import type { Document } from '../../ingest/store/catalog/document.ts'
import type { Library } from '../../ingest/store/library.ts'
import type { DocumentJson, DocumentPageJson, ReportedDocumentJson } from '../../wire/document.ts'
import { writeTimes } from '../../wire/schema.ts'
import { findDocument, localizeWarning, type RequestContext } from '../http/context.ts'
import { download } from '../http/download.ts'
import { toFailureJson } from '../http/errors.ts'
import { readBody } from '../http/input.ts'
import { createLostPlace, limitChars, listSchema } from '../http/pagination.ts'
import { readQuery } from '../http/query.ts'
import { isReader, showSource } from '../http/shown-source.ts'
import { streamJson } from '../http/sliced-json.ts'
import type { Routes } from '../route.ts'
import { describeExcluded, EXCLUDED_TEXT, pageRoutes } from './pages.ts'
import { tableRoutes } from './tables.ts'

const listDocumentsSchema = listSchema('documents', 200).extend({
  collection: z
    .string()
    .optional()
    .describe('Name or id of the collection. Default: the collection `default`.'),
})

const addPageSchema = z.strictObject({
  url: z
    .string()
    .max(2_000)
    .refine(looksLikeUrl, { error: 'The address must begin with http:// or https://' })
    .describe(
      'Address of a public web page, beginning with http:// or https:// (at most 2,000 characters).',
    ),
  collection: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Name of the collection, which is created if it does not exist. Default: the collection `default`.',
    ),
})

const indexAgainSchema = z.strictObject({
  ocr: z
    .enum(OCR_MODES)
    .optional()
    .describe(
      'Which pages to read by OCR from now on: `auto`, `off` or `always`. Default: the setting.',
    ),
})

export const documentRoutes: Routes = {
  'GET /api/documents': {
    summary: 'List the documents of a collection',
    query: listDocumentsSchema,
    answer: 'DocumentPage',
    reply: list,
  },
  'POST /api/documents': {
    summary: 'Add a web page to a collection',
    description:
      'The page is fetched at once and indexed in the background. A page that was added before and has not changed is not indexed again.',
    body: addPageSchema,
    example: { url: 'https://example.org/rules.html', collection: 'travel' },
    answer: 'DocumentEntry',
    mayFailUpstream: true,
    reply: addPage,
  },
  'POST /api/documents/:id/index': {
    summary: 'Index a document again',
    description:
      'Use it after indexing failed, or after OCR was installed. A web page is fetched again.',
    body: indexAgainSchema,
    example: { ocr: 'always' },
    answer: 'DocumentEntry',
    reply: indexAgain,
  },
  'GET /api/documents/:id': {
    summary: 'Get a document with its extraction report',
    answer: 'Document',
    reply: async c => await showDocument(c, await findDocument(c)),
  },
  'GET /api/documents/:id/text': {
    summary: 'Get the parsed text of a document',
    description: EXCLUDED_TEXT,
    media: ['text/plain'],
    reply: sendText,
  },
  ...pageRoutes,
  ...tableRoutes,
  'GET /api/documents/:id/file': {
    summary: 'Download the original of a document',
    headers: ['range'],
    media: ['application/octet-stream'],
    reply: async c => download(c, await c.var.passim.files.get((await findDocument(c)).fileId)),
  },
}

async function list(c: RequestContext): Promise<Response> {
  const query = readQuery(c, listDocumentsSchema)
  const { collection = DEFAULT_COLLECTION, after = '', limit } = query
  const start = isReader(c) && after !== '' ? (await findLast(c, after)).source : after
  const found = await c.var.passim.listPage(collection, start, limit + 1).catch(async error => {
    throw query.collection === undefined ? await explainMissingDefault(c, error) : error
  })
  const page = limitChars(found.slice(0, limit).map(document => toDocumentJson(c, document)))
  const end = found[page.length - 1]
  const last = isReader(c) ? end?.id : end?.source
  return streamJson<DocumentPageJson>(c, {
    collection,
    documents: page,
    hasMore: found.length > page.length,
    ...(last !== undefined && { last }),
  })
}

async function findLast(c: RequestContext, id: string): Promise<Document> {
  try {
    return await c.var.passim.scope.findDocumentById(id)
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'not_found')) throw error
    throw createLostPlace(id)
  }
}

async function addPage(c: RequestContext): Promise<Response> {
  const { url, collection } = await readBody(c, addPageSchema)
  return c.json(
    toDocumentJson(
      c,
      await c.var.passim.documents.addPage(url, { collection, signal: c.var.signal }),
    ),
  )
}

async function indexAgain(c: RequestContext): Promise<Response> {
  const { ocr } = await readBody(c, indexAgainSchema)
  return c.json(
    toDocumentJson(
      c,
      await c.var.passim.documents.indexAgain((await findDocument(c)).id, {
        ocr,
        signal: c.var.signal,
      }),
    ),
  )
}

/** Names the parameter to a caller who left it out. */
async function explainMissingDefault(c: RequestContext, error: unknown): Promise<unknown> {
  if (!(error instanceof AppError && error.subject === 'collection')) return error
  if ((await c.var.passim.collections.list()).length === 0) return error
  const { message: reason } = getMessages(error)
  const message = localizable`${reason} The query parameter \`collection\` names the one to list.`
  return new AppError(error.code, message, { cause: error, subject: error.subject })
}

export function toDocumentJson(
  c: RequestContext,
  { error, warnings, earlierFacts: _, ...document }: Document,
): DocumentJson {
  return {
    ...writeTimes(showSource(c, document)),
    warnings: warnings.map(warning => localizeWarning(c, warning)),
    ...(error && { error: toFailureJson(error, c) }),
  }
}

export async function showDocument(c: RequestContext, document: Document): Promise<Response> {
  const { library, collections, chunks } = c.var.passim
  const report = document.indexedAt === undefined ? undefined : await library.report(document.id)
  const chunkEdits = report && (await chunks.countEdits(document.id))
  return streamJson<ReportedDocumentJson>(c, {
    collection: (await collections.get(document.collectionId)).name,
    ...toDocumentJson(c, document),
    ...(report && { characters: report.characters, report: report.pages }),
    ...(chunkEdits && { chunkEdits }),
  })
}

async function sendText(c: RequestContext): Promise<Response> {
  const { library } = c.var.passim
  const document = await findDocument(c)
  const { id } = document
  await library.report(id)
  const body = ReadableStream.from(readText(library, id, c.var.signal))
  return c.body(body, 200, {
    ...(await describeExcluded(c, document)),
    'content-type': 'text/plain; charset=utf-8',
    'x-content-type-options': 'nosniff',
  })
}

/** Yields blocks, because the text may exceed memory. */
async function* readText(
  library: Library,
  documentId: string,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  let separator = ''
  for await (const block of library.readBlocks(documentId, signal)) {
    yield Buffer.from(separator + block.text)
    separator = BLOCK_SEPARATOR
  }
}
