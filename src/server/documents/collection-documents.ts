import { z } from 'zod'
import type { PutDocument } from '../../app/documents/document-puts.ts'
import { MAX_DELETED } from '../../app/documents/external-documents.ts'
import { isOfStore, toAppError } from '../../errors.ts'
import type { Collection } from '../../ingest/store/catalog/collections.ts'
import type { Document } from '../../ingest/store/catalog/document.ts'
import { MAX_EXTERNAL_ID_CHARS } from '../../ingest/store/catalog/external-id.ts'
import { cleanName } from '../../system/data-uri.ts'
import type { DeletedByIdJson } from '../../wire/deletion.ts'
import type {
  DeletedDocumentsJson,
  ExternalDocumentPageJson,
  PutDocumentJson,
  PutDocumentLineJson,
} from '../../wire/document.ts'
import { check } from '../http/check.ts'
import { localizeWarning, type RequestContext } from '../http/context.ts'
import { createInvalid, toErrorJson } from '../http/errors.ts'
import { parseLine, readBody } from '../http/input.ts'
import { type BodyLine, hasLines, LINES_TYPE, readBodyLines } from '../http/lines.ts'
import { receiveBody, receivePart } from '../http/multipart.ts'
import { endPage, limitChars } from '../http/pagination.ts'
import { checkTexts, deleteSchema, readQuery } from '../http/query.ts'
import { streamJson } from '../http/sliced-json.ts'
import type { Routes } from '../route.ts'
import { filterSchema } from '../search/filter.ts'
import {
  addDocumentSchema,
  putDocumentSchema,
  putFormSchema,
  putQuerySchema,
} from './document-request.ts'
import { showDocument, toDocumentJson } from './documents.ts'

/** Same bound as for the name of a vector store. */
const collectionNameSchema = z.string().trim().min(1).max(256)

const externalIdSchema = z.string().min(1).max(MAX_EXTERNAL_ID_CHARS)

/** Keeps one list below 2 MiB. */
const MAX_LISTED = 10_000

/** Unread answers, some 5,000 lines; protects memory. */
const MAX_UNREAD_BYTES = 2 ** 20

const listSchema = z.object({
  after: externalIdSchema
    .optional()
    .describe(
      'Value of `last` in the previous answer (at most 512 characters). Default: start with the first document.',
    ),
  limit: z
    .int()
    .min(1)
    .max(MAX_LISTED)
    .default(1_000)
    .describe('Maximum number of documents to return (1 to 10,000, default 1,000).'),
})

const deleteManySchema = z.strictObject({
  ids: z
    .array(externalIdSchema)
    .min(1)
    .max(MAX_DELETED)
    .optional()
    .describe('Your ids of the documents (at most 1,000).'),
  filter: filterSchema
    .optional()
    .describe('Filter on attributes and metadata, as in `POST /api/search`.'),
  dryRun: z
    .boolean()
    .default(false)
    .describe('If true, count the documents without deleting them. Default false.'),
  now: deleteSchema.shape.now,
})

export const collectionDocumentRoutes: Routes = {
  'POST /api/collections/:id/documents': {
    summary: 'Add texts or records to a collection',
    description:
      'Takes exactly one of `text`, `markdown`, `html` and `records`. The collection is created if it does not exist. JSON Lines add many documents: each line is answered with a line as soon as it is stored, and the error of one does not stop the others. Documents are indexed in the background.',
    body: addDocumentSchema,
    example: {
      id: 'ticket-4711',
      title: 'Printer on floor 2 jams',
      text: 'The printer on floor 2 jams with recycled paper.',
      attributes: { team: 'it' },
    },
    answer: 'PutDocument',
    lines: 'PutDocumentLine',
    reply: add,
  },
  'GET /api/collections/:id/documents': {
    summary: 'List your ids of documents, with hashes',
    query: listSchema,
    answer: 'ExternalDocumentPage',
    reply: list,
  },
  'POST /api/collections/:id/documents/delete': {
    summary: 'Delete documents by ids or by a filter',
    description:
      'Takes `ids` or `filter`. Deletes at most 1,000 documents per request. They can be restored for a week, unless `now` is true.',
    body: deleteManySchema,
    example: { ids: ['ticket-4711'], dryRun: true },
    answer: 'DeletedDocuments',
    reply: removeMany,
  },
  'PUT /api/collections/:id/documents/:externalId': {
    summary: 'Put a document under an id of yours',
    description:
      'Sending the same content and properties again does nothing. Changed ones replace the document; its old version is searched until the new one is indexed. Send a file as a form with the part `file`, or as the body with its own content type and the properties in the query.',
    query: putQuerySchema,
    body: putDocumentSchema,
    example: { title: 'Printer on floor 2 jams', text: 'It jams with recycled paper.' },
    form: { part: 'file', fields: putFormSchema },
    takesBytes: true,
    answer: 'PutDocument',
    reply: put,
  },
  'GET /api/collections/:id/documents/:externalId': {
    summary: 'Get a document by an id of yours',
    answer: 'Document',
    reply: async c => await showDocument(c, await findExternal(c)),
  },
  'DELETE /api/collections/:id/documents/:externalId': {
    summary: 'Delete a document by an id of yours',
    query: deleteSchema,
    answer: 'ForgottenDeletion',
    reply: remove,
  },
}

async function list(c: RequestContext): Promise<Response> {
  const { scope, externalDocuments } = c.var.passim
  const { after, limit } = readQuery(c, listSchema)
  const collection = await scope.findCollection(getName(c))
  const found = await externalDocuments.list(collection, { after, limit: limit + 1 })
  const documents = limitChars(found.slice(0, limit))
  return streamJson<ExternalDocumentPageJson>(c, {
    collection: collection.name,
    documents,
    ...endPage(documents, found.length),
  })
}

async function removeMany(c: RequestContext): Promise<Response> {
  const request = await readBody(c, deleteManySchema)
  const options = { ...request, collection: getName(c), signal: c.var.signal }
  const done = await c.var.passim.documents.deleteMany(options)
  const hasMore = !request.dryRun && done.matched > done.deleted
  const warnings = done.warnings.map(warning => localizeWarning(c, warning))
  return c.json<DeletedDocumentsJson>({ ...done, warnings, hasMore })
}

async function remove(c: RequestContext): Promise<Response> {
  const { now } = readQuery(c, deleteSchema)
  const { id } = await findExternal(c)
  await c.var.passim.delete(id, { now })
  return c.json<DeletedByIdJson>({ id, deleted: true })
}

export async function findExternal(c: RequestContext): Promise<Document> {
  const { scope, externalDocuments } = c.var.passim
  return await externalDocuments.get(await scope.findCollection(getName(c)), getExternalId(c))
}

function getName(c: RequestContext): string {
  return check(collectionNameSchema, c.req.param('id'), () => ['id'])
}

function getExternalId(c: RequestContext): string {
  return check(externalIdSchema, c.req.param('externalId'), () => ['externalId'])
}

async function put(c: RequestContext): Promise<Response> {
  const type = (c.req.header('content-type') ?? '').replace(/\s*;.*$/s, '').toLowerCase()
  const id = getExternalId(c)
  const { documentPuts, background } = c.var.passim
  const isContent = type === 'application/json'
  const content = isContent ? await readBody(c, putDocumentSchema) : undefined
  const collection = await documentPuts.findOrCreateCollection(getName(c))
  const done = content
    ? await documentPuts.putContent(collection, { ...content, id }, c.var.signal)
    : await putFile(c, collection, { id, type })
  background.start(collection)
  return c.json<PutDocumentJson>(toPutJson(c, collection, done))
}

async function putFile(
  c: RequestContext,
  collection: Collection,
  { id, type }: { readonly id: string; readonly type: string },
): Promise<PutDocument> {
  const { documentPuts, settings } = c.var.passim
  const { maxUploadBytes: maxBytes } = settings.server
  if (type === 'multipart/form-data')
    return await receivePart(
      c,
      { part: 'file', maxBytes },
      async ({ name, mediaType, bytes, fields }) => {
        const describe = async () => checkTexts(putFormSchema, Object.fromEntries(await fields))
        const file = { bytes, name: cleanName(name ?? ''), declaredType: mediaType }
        return await documentPuts.putFile(collection, { ...file, id }, describe, c.var.signal)
      },
    )
  const { name = '', ...facts } = readQuery(c, putQuerySchema)
  const declaredType = type === 'application/octet-stream' ? undefined : type || undefined
  const file = { bytes: receiveBody(c, maxBytes), name: cleanName(name), declaredType }
  return await documentPuts.putFile(collection, { ...file, id }, async () => facts, c.var.signal)
}

async function add(c: RequestContext): Promise<Response> {
  const nameOrId = getName(c)
  const { documentPuts, background } = c.var.passim
  if (hasLines(c)) return addLines(c, await documentPuts.findOrCreateCollection(nameOrId))
  const body = await readBody(c, addDocumentSchema)
  const collection = await documentPuts.findOrCreateCollection(nameOrId)
  const done = await documentPuts.putContent(collection, body, c.var.signal)
  background.start(collection)
  return c.json<PutDocumentJson>(toPutJson(c, collection, done))
}

function addLines(c: RequestContext, collection: Collection): Response {
  const { body } = c.req.raw
  if (!body) throw createInvalid('The request has no body: send one JSON object per line.')
  return c.body(readAhead(answerLines(c, collection, body)), 200, { 'content-type': LINES_TYPE })
}

/** Produces answers ahead, up to a limit: many clients send everything first. */
function readAhead(answers: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await answers.next()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: async reason => void (await answers.return(reason)),
    },
    { highWaterMark: MAX_UNREAD_BYTES, size: answer => answer.length },
  )
}

/** Ends early only with an error that all later lines would meet. */
async function* answerLines(
  c: RequestContext,
  collection: Collection,
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  for await (const line of readBodyLines(body)) {
    const { answer, isLast } = await answerLine(c, collection, line)
    yield Buffer.from(`${JSON.stringify(answer)}\n`)
    if (isLast) return
  }
}

async function answerLine(
  c: RequestContext,
  collection: Collection,
  { line, bytes }: BodyLine,
): Promise<{ readonly answer: PutDocumentLineJson; readonly isLast: boolean }> {
  try {
    if (bytes instanceof Error) throw bytes
    const content = parseLine(bytes, addDocumentSchema)
    const { documentPuts, background } = c.var.passim
    const { document, result } = await documentPuts.putContent(collection, content, c.var.signal)
    background.start(collection)
    const { id: documentId, externalId: id, hash } = document
    return { answer: { line, id, documentId, hash, result }, isLast: false }
  } catch (error) {
    const isLast = c.var.signal.aborted || isOfStore(toAppError(error).code)
    return { answer: { line, error: toErrorJson(error, c) }, isLast }
  }
}

function toPutJson(
  c: RequestContext,
  { name }: Collection,
  { document, result }: PutDocument,
): PutDocumentJson {
  return { ...toDocumentJson(c, document), collection: name, result }
}
