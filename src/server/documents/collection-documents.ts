import { z } from 'zod'
import type { PutDocument } from '../../app/documents/document-puts.ts'
import { isOfStore, toAppError } from '../../errors.ts'
import type { Collection } from '../../ingest/store/catalog/collections.ts'
import type { PutDocumentJson, PutDocumentLineJson } from '../../wire/document.ts'
import { check } from '../http/check.ts'
import type { RequestContext } from '../http/context.ts'
import { createInvalid, toErrorJson } from '../http/errors.ts'
import { parseLine, readBody } from '../http/input.ts'
import { type BodyLine, hasLines, LINES_TYPE, readLines } from '../http/lines.ts'
import type { Routes } from '../route.ts'
import { toDocumentJson } from './documents.ts'
import { addDocumentSchema } from './given-document.ts'

/** Same bound as for the name of a vector store. */
const collectionNameSchema = z.string().trim().min(1).max(256)

/** Maximum bytes of answers that wait for the client, some 5,000 lines; protects memory. */
const MAX_UNREAD_BYTES = 2 ** 20

/** Documents of a collection by ids of the caller. */
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
}

async function add(c: RequestContext): Promise<Response> {
  const nameOrId = check(collectionNameSchema, c.req.param('id'))
  const { documentPuts } = c.var.passim
  if (hasLines(c)) return addLines(c, await documentPuts.findOrCreateCollection(nameOrId))
  const given = await readBody(c, addDocumentSchema)
  const collection = await documentPuts.findOrCreateCollection(nameOrId)
  const put = await documentPuts.putContent(collection, given, c.var.signal)
  return c.json<PutDocumentJson>(toPutJson(c, collection, put))
}

function addLines(c: RequestContext, collection: Collection): Response {
  const { body } = c.req.raw
  if (!body) throw createInvalid('The request has no body: send one JSON object per line.')
  return c.body(readAhead(answerLines(c, collection, body)), 200, { 'content-type': LINES_TYPE })
}

/** Produces answers before they are read, up to a limit: many clients send everything before they read anything. */
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

/** Ends early only with an error of the store or the request, which all later lines would meet. */
async function* answerLines(
  c: RequestContext,
  collection: Collection,
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  for await (const one of readLines(body)) {
    const { answer, isLast } = await answerLine(c, collection, one)
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
    const given = parseLine(bytes, addDocumentSchema)
    const put = await c.var.passim.documentPuts.putContent(collection, given, c.var.signal)
    const { id: documentId, externalId: id, hash } = put.document
    return { answer: { line, id, documentId, hash, result: put.result }, isLast: false }
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
