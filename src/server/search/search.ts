import { z } from 'zod'
import type { Filter } from '../../search/filter.ts'
import { MAX_HITS, SEARCH_MODES } from '../../search/searcher.ts'
import type { SearchJson } from '../../wire/hit.ts'
import type { RequestContext } from '../http/context.ts'
import { readBody } from '../http/input.ts'
import type { Routes } from '../route.ts'
import { scopeShape } from '../scope-shape.ts'
import { hitsFor } from './hits.ts'

const limitSchema = z.int().min(1).max(MAX_HITS).optional()

const searchSchema = z.strictObject({
  query: z.string().describe('What is looked for.'),
  ...scopeShape,
  filter: z
    .union([z.string(), z.custom<Filter>(value => typeof value === 'object' && value !== null)])
    .optional()
    .describe(
      'An expression as in vector stores, or text as the command line takes it; the library checks it.',
    ),
  pages: z.tuple([z.int(), z.int()]).optional().describe('First and last page.'),
  mode: z.enum(SEARCH_MODES).default('hybrid').describe('How it is searched.'),
  weights: z
    .strictObject({ keyword: z.number(), vector: z.number() })
    .optional()
    .describe('Of the two legs of hybrid search; only their ratio counts.'),
  precise: z.boolean().optional().describe('Put the best hits in order by their best sentences.'),
  explain: z.boolean().optional().describe('Say of each hit how it came about.'),
  why: z
    .string()
    .optional()
    .describe(
      'A document that was expected: the answer says why it is, or is not, among the hits.',
    ),
  limit: limitSchema.describe('Hits at most.'),
  contextTokens: z
    .int()
    .min(1)
    .optional()
    .describe('Adds the hits as text for a model, in at most so many tokens: `context`.'),
  n: limitSchema.describe("The command line's name for `limit`."),
})

/** `POST /api/search`: what `passim search --json` prints. */
export const searchRoutes: Routes = {
  'POST /api/search': {
    summary: 'Search collections',
    description: 'The JSON is that of `passim search --json`.',
    body: searchSchema,
    example: { query: 'What may a hotel cost?', collections: ['travel'], mode: 'hybrid', limit: 5 },
    answer: 'Search',
    asksModel: true,
    reply: search,
  },
}

async function search(c: RequestContext): Promise<Response> {
  const started = performance.now()
  const { n, limit = n, why, contextTokens, ...query } = await readBody(c, searchSchema)
  const options = { ...query, limit, signal: c.var.signal }
  const hits = await c.var.passim.search(options)
  const warnings = await c.var.passim.searchWarnings(options)
  const { texts } = c.var.passim
  const packed =
    contextTokens === undefined ? {} : { context: await texts.context(hits, contextTokens) }
  const reason = why === undefined ? {} : { why: await c.var.passim.why(why, options) }
  const seconds = (performance.now() - started) / 1000
  const told = { ...reason, ...packed, ...(warnings.length > 0 && { warnings }) }
  return c.json<SearchJson>({
    query: query.query,
    mode: query.mode,
    hits: hitsFor(c, hits),
    ...told,
    seconds,
  })
}
