import { z } from 'zod'
import { MAX_HITS, SEARCH_MODES } from '../../search/searcher.ts'
import type { SearchJson } from '../../wire/hit.ts'
import { localizeWarning, type RequestContext } from '../http/context.ts'
import { readBody } from '../http/input.ts'
import { showSources } from '../http/shown-source.ts'
import { streamJson } from '../http/sliced-json.ts'
import type { Routes } from '../route.ts'
import { preciseSchema, scopeShape } from '../scope-shape.ts'
import { filterSchema } from './filter.ts'
import { toClientHits } from './hits.ts'

const limitSchema = z.int().min(1).max(MAX_HITS).optional()

const searchSchema = z.strictObject({
  query: z.string().describe('Question or words to search for, in any language.'),
  ...scopeShape,
  filter: filterSchema
    .optional()
    .describe(
      'Filter on attributes and metadata: a filter object of vector stores, or a filter text as in `passim search --filter`.',
    ),
  pages: z
    .tuple([z.int(), z.int()])
    .optional()
    .describe('The 2 numbers of the first and last page to search, from 1. Default: all pages.'),
  mode: z
    .enum(SEARCH_MODES)
    .default('hybrid')
    .describe(
      'Search mode: `hybrid` (keywords and vectors, the default), `keyword`, `vector` or `front-page`.',
    ),
  weights: z
    .strictObject({
      keyword: z.number().describe('Weight of the ranking by keyword, 0 or more.'),
      vector: z.number().describe('Weight of the ranking by meaning, 0 or more.'),
    })
    .optional()
    .describe(
      'Weights of both rankings in hybrid mode, not both 0. Only their ratio matters. Default: the setting `searching.weights`, 1 each unless changed.',
    ),
  precise: preciseSchema,
  explain: z
    .boolean()
    .optional()
    .describe('If true, add to each hit how it was ranked. Default false.'),
  why: z
    .string()
    .optional()
    .describe(
      'Id, source or base name of an expected document. The response explains why it is, or is not, among the hits.',
    ),
  limit: limitSchema.describe('Maximum number of hits to return (1 to 1,000, default 10).'),
  contextTokens: z
    .int()
    .min(1)
    .optional()
    .describe(
      'Maximum number of tokens of `context`, which contains the hits as text for a model. Default: no `context`.',
    ),
  n: limitSchema.describe('Another name for `limit` (1 to 1,000), as on the command line.'),
})

export const searchRoutes: Routes = {
  'POST /api/search': {
    summary: 'Search collections',
    description: 'Returns the same JSON as `passim search --json`.',
    body: searchSchema,
    example: { query: 'What may a hotel cost?', collections: ['travel'], mode: 'hybrid', limit: 5 },
    answer: 'Search',
    mayFailUpstream: true,
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
    contextTokens === undefined
      ? {}
      : { context: showContext(c, await texts.context(hits, contextTokens)) }
  const reason =
    why === undefined ? {} : { why: localizeWarning(c, await c.var.passim.why(why, options)) }
  const seconds = (performance.now() - started) / 1000
  const details = {
    ...reason,
    ...packed,
    ...(warnings.length > 0 && { warnings: warnings.map(warning => localizeWarning(c, warning)) }),
  }
  return streamJson<SearchJson>(c, {
    query: query.query,
    mode: query.mode,
    hits: toClientHits(c, hits),
    ...details,
    seconds,
  })
}

function showContext(
  c: RequestContext,
  context: NonNullable<SearchJson['context']>,
): NonNullable<SearchJson['context']> {
  const { passages, omitted } = context
  return { ...context, passages: showSources(c, passages), omitted: showSources(c, omitted) }
}
