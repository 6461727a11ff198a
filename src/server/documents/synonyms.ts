import { z } from 'zod'
import { MAX_SYNONYM_CHARS } from '../../search/synonyms/synonym-file.ts'
import type { SynonymsJson } from '../../wire/synonyms.ts'
import type { RequestContext } from '../http/context.ts'
import { readBody } from '../http/input.ts'
import { streamJson } from '../http/sliced-json.ts'
import type { Routes } from '../route.ts'

const setSchema = z.strictObject({
  text: z
    .string()
    .max(MAX_SYNONYM_CHARS)
    .describe(
      'Synonyms, one group per line: terms with commas between them, or `a => b` for one direction (at most 262,144 characters, 2,000 groups of 20 terms).',
    ),
})

export const synonymRoutes: Routes = {
  'GET /api/collections/:id/synonyms': {
    summary: 'Get the synonyms of a collection',
    answer: 'Synonyms',
    reply: async c => reply(c, await c.var.passim.synonyms.get(getName(c))),
  },
  'PUT /api/collections/:id/synonyms': {
    summary: 'Replace the synonyms of a collection',
    description: 'The next search uses them; nothing is indexed again.',
    body: setSchema,
    example: { text: 'laptop, notebook, 笔记本电脑\nPC => personal computer' },
    answer: 'Synonyms',
    reply: async c => {
      const { text } = await readBody(c, setSchema)
      return reply(c, await c.var.passim.synonyms.set(text, getName(c)))
    },
  },
  'DELETE /api/collections/:id/synonyms': {
    summary: 'Remove the synonyms of a collection',
    answer: 'Synonyms',
    reply: async c => reply(c, await c.var.passim.synonyms.clear(getName(c))),
  },
}

function getName(c: RequestContext): string {
  return c.req.param('id') ?? ''
}

function reply(c: RequestContext, synonyms: SynonymsJson): Response {
  return streamJson<SynonymsJson>(c, synonyms)
}
