import { z } from 'zod'
import type { Passim } from '../app/passim.ts'
import { AppError } from '../errors.ts'
import type { Document } from '../ingest/store/catalog/document.ts'
import {
  type AddToServer,
  answer,
  explainFaults,
  type McpOptions,
  READ_ONLY,
  toDocumentUri,
} from './offer.ts'

const inputSchema = z.object({
  id: z.string().min(1).describe('Id of a document, as returned by search, or its name.'),
  start: z
    .int()
    .min(0)
    .default(0)
    .describe(
      'Offset in the text from which to read, in UTF-16 units (default 0). Use `metadata.next` of the previous part.',
    ),
})

const outputSchema = z.object({
  id: z.string(),
  title: z.string(),
  text: z.string().describe('Text of the document, or a part of it, without what is switched off.'),
  url: z.string().describe('URI of the resource that contains the text.'),
  metadata: z.object({
    name: z.string(),
    pages: z.number().optional().describe('Number of pages, in formats that have pages.'),
    characters: z.number().describe('Length of the complete text in UTF-16 units.'),
    next: z.number().optional().describe('Value of `start` for the next part; absent at the end.'),
  }),
})

/** UTF-16 units of a result, so that it fits models' contexts. */
export const MAX_CHARS = 100_000

export const addFetch: AddToServer = (server, passim, scope) => {
  const about = {
    title: 'Read a document',
    description:
      'Read the text of a document. A long text comes in parts of 100,000 characters: pass `metadata.next` as `start` to read the next part.',
    annotations: READ_ONLY,
  }
  server.registerTool(
    'fetch',
    { ...about, inputSchema: explainFaults(inputSchema), outputSchema },
    ({ id, start }) => answer(scope, () => readDocument(passim, scope, { id, start })),
  )
}

type Part = { readonly id: string; readonly start: number; readonly maxChars?: number }

export async function readDocument(
  passim: Passim,
  scope: McpOptions,
  { id, start, maxChars = MAX_CHARS }: Part,
) {
  const document = await requireReadable(passim, scope, id)
  const { characters } = await passim.library.report(document.id)
  const end = Math.min(characters, start + maxChars)
  const text = start < end ? await passim.library.readIncluded(document.id, start, end) : ''
  const { name, title, pages } = document
  const place = {
    name,
    ...(pages !== undefined && { pages }),
    characters,
    ...(end < characters && { next: end }),
  }
  return {
    id: document.id,
    title: title || name,
    text,
    url: toDocumentUri(document.id),
    metadata: place,
  }
}

export async function requireReadable(
  passim: Passim,
  scope: McpOptions,
  id: string,
): Promise<Document> {
  const document = await passim.scope.findDocument(
    id,
    await passim.scope.findCollections(scope.collections),
  )
  if (document.searchable) return document
  throw new AppError('not_found', `${document.name} is not indexed: ${document.status}.`)
}
