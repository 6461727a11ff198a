import { ResourceTemplate } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { Passim } from '../app/passim.ts'
import { AppError } from '../errors.ts'
import type { Document } from '../ingest/store/catalog/document.ts'
import { readReadableAfter, take } from './document-pages.ts'
import { MAX_CHARS, readDocument, requireReadable } from './fetch.ts'
import {
  type AddToServer,
  type McpOptions,
  toDocumentUri,
  toPassageUri,
  toProtocolError,
} from './offer.ts'

/** Documents per page, so that responses stay small. */
const PAGE = 50

export const addResources: AddToServer = (server, passim, scope) => {
  const read =
    (text: (variables: Variables) => Promise<readonly string[]>) =>
    async (uri: URL, variables: unknown) => {
      try {
        const parts = await text(variablesSchema.parse(variables))
        return {
          contents: parts.map(part => ({ uri: uri.href, mimeType: 'text/plain', text: part })),
        }
      } catch (error) {
        throw toProtocolError(error, scope)
      }
    }
  const about = { mimeType: 'text/plain' }
  server.registerResource(
    'document',
    new ResourceTemplate(toDocumentUri('{id}'), { list: undefined }),
    { ...about, title: 'Document', description: 'Text of a document.' },
    read(({ id }) => readDocumentText(passim, scope, id)),
  )
  server.registerResource(
    'passage',
    new ResourceTemplate(`${toDocumentUri('{id}')}/passages/{start}-{end}`, { list: undefined }),
    {
      ...about,
      title: 'Passage',
      description: 'Passage of a document, as returned by search and ask.',
    },
    read(async ({ id, start, end }) => [await readPassageText(passim, scope, { id, start, end })]),
  )
  // The SDK lists everything at once; a store has too many documents for that.
  server.server.setRequestHandler('resources/list', ({ params }) =>
    listPage(passim, scope, params?.cursor),
  )
}

const variablesSchema = z.object({
  id: z.string(),
  start: z.coerce.number().int().min(0).default(0),
  end: z.coerce.number().int().min(0).default(0),
})

type Variables = z.infer<typeof variablesSchema>

/** Takes the previous document's id for the cursor. */
async function listPage(passim: Passim, scope: McpOptions, cursor: string | undefined) {
  try {
    const { page, hasMore } = await take(readReadableAfter(passim, scope, cursor), PAGE)
    const last = page.at(-1)
    return { resources: page.map(toResource), ...(last && hasMore && { nextCursor: last.id }) }
  } catch (error) {
    throw toProtocolError(error, scope)
  }
}

function toResource({ id, name, title, indexedAt }: Document) {
  return {
    uri: toDocumentUri(id),
    name,
    title: title || name,
    mimeType: 'text/plain',
    ...(indexedAt !== undefined && {
      annotations: { lastModified: new Date(indexedAt).toISOString() },
    }),
  }
}

async function readDocumentText(
  passim: Passim,
  scope: McpOptions,
  id: string,
): Promise<readonly string[]> {
  const { text, metadata } = await readDocument(passim, scope, { id, start: 0 })
  const { characters, next } = metadata
  if (next === undefined) return [text]
  const rest = toPassageUri(id, {
    charStart: next,
    charEnd: Math.min(characters, next + MAX_CHARS),
  })
  const way = `For the rest, call fetch with id ${id} and start ${next}, or read ${rest} and what follows it.`
  return [text, `[These are ${next} of ${characters} characters. ${way}]`]
}

async function readPassageText(
  passim: Passim,
  scope: McpOptions,
  { id, start, end }: Variables,
): Promise<string> {
  const document = await requireReadable(passim, scope, id)
  const { characters } = await passim.library.report(document.id)
  if (start >= end || start >= characters || end - start > MAX_CHARS)
    throw new AppError(
      'invalid_input',
      `There is no passage ${start}-${end}: the document has ${characters} characters, and a passage at most ${MAX_CHARS}.`,
    )
  return await passim.library.readIncluded(document.id, start, Math.min(end, characters))
}
