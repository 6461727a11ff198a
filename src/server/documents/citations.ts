import { z } from 'zod'
import { readPassage } from '../../app/documents/passage.ts'
import type { PassageJson } from '../../wire/document.ts'
import { findDocument, type RequestContext } from '../http/context.ts'
import { readQuery } from '../http/query.ts'
import type { Routes } from '../route.ts'

const position = z.int().min(0)
const spanSchema = z.object({
  start: position.describe(
    'Offset of the first character in the parsed text, in UTF-16 units, from 0.',
  ),
  end: position.describe('Offset after the last character in the parsed text, in UTF-16 units.'),
})

export const citationRoutes: Routes = {
  'GET /api/citations/:id': {
    summary: 'Get the text of a span and its boxes on the page',
    query: spanSchema,
    answer: 'Passage',
    reply: showCitation,
  },
}

async function showCitation(c: RequestContext): Promise<Response> {
  const { id, source, name, title } = await findDocument(c)
  const { start, end } = readQuery(c, spanSchema)
  const span = { charStart: start, charEnd: end }
  const passage = await readPassage(c.var.passim.library, id, span, c.var.signal)
  return c.json<PassageJson>({ source, doc: name, title, ...passage })
}
