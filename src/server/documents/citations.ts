import type { MiddlewareHandler } from 'hono'
import { z } from 'zod'
import { readPassage } from '../../app/documents/passage.ts'
import type { PassageJson } from '../../wire/document.ts'
import { findDocument, type RequestContext } from '../http/context.ts'
import { readQuery } from '../http/query.ts'
import { showSource } from '../http/shown-source.ts'
import type { Routes } from '../route.ts'

const position = z.int().min(0)
const spanSchema = z.object({
  start: position.describe(
    'Offset of the first character in the parsed text, in UTF-16 units, from 0.',
  ),
  end: position.describe(
    'Offset after the last character, in UTF-16 units: 1 to 100,000 more than `start`. Beyond the text, it means its end.',
  ),
  page: z
    .int()
    .min(1)
    .optional()
    .describe('Number of the page, from 1, to show to a browser. No other effect.'),
})

export const citationRoutes: Routes = {
  'GET /api/citations/:id': {
    summary: 'Get the text of a span and its boxes on the page',
    description: 'Redirects a browser (`Accept: text/html`) to the document in the web page.',
    query: spanSchema,
    answer: 'Passage',
    reply: showCitation,
  },
}

/** Sends browsers to the page. Relative, since a proxy may cut the path. */
export const showInBrowser: MiddlewareHandler = async (c, next) => {
  if (c.req.method !== 'GET' || !/^text\/html\b/.test(c.req.header('accept') ?? ''))
    return await next()
  const { searchParams } = new URL(c.req.url)
  const id = encodeURIComponent(c.req.param('id') ?? '')
  return c.redirect(`../../#/documents/${id}?${searchParams}`, 303)
}

async function showCitation(c: RequestContext): Promise<Response> {
  const { id, source, name, title } = await findDocument(c)
  const { start, end } = readQuery(c, spanSchema)
  const span = { charStart: start, charEnd: end }
  const passage = await readPassage(c.var.passim.library, id, span, c.var.signal)
  return c.json<PassageJson>({ ...showSource(c, { source }), doc: name, title, ...passage })
}
