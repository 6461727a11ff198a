import { z } from 'zod'
import { type Hit, measureLikelihood } from '../../search/searcher.ts'
import type { SearchResultJson, SearchResultsJson } from '../../wire/vector-store.ts'
import { toAttributesJson } from '../generation/passim-fields.ts'
import type { RequestContext } from '../http/context.ts'
import { readBody } from '../http/input.ts'
import { markWithoutEffect } from '../http/parameters.ts'
import { streamJson } from '../http/sliced-json.ts'
import type { Routes } from '../route.ts'
import { parseFilters } from '../search/filter.ts'

const MAX_QUERIES = 32

const vectorSearchSchema = z.strictObject({
  query: z
    .union([z.string(), z.array(z.string()).min(1).max(MAX_QUERIES)])
    .describe('Question or words to search for, or several of them (at most 32).'),
  max_num_results: z
    .int()
    .min(1)
    .max(50)
    .default(10)
    .describe('Maximum number of passages to return (1 to 50, default 10).'),
  ranking_options: z
    .strictObject({
      ranker: z
        .enum(['none', 'auto', 'default-2024-11-15'])
        .optional()
        .describe('No effect: there is only one ranker.'),
      score_threshold: z
        .number()
        .min(0)
        .max(1)
        .optional()
        .describe('Minimum score of a result (0 to 1, default 0).'),
    })
    .optional()
    .describe(
      '`score_threshold` is the minimum `score` of a result (0 to 1, default 0): how likely it answers the query. There is only one ranker, so `ranker` has no effect.',
    ),
  rewrite_query: markWithoutEffect(
    z.boolean(),
    'queries are searched as written, and `search_query` returns them',
  ),
  filters: z
    .unknown()
    .optional()
    .describe('Filter on attributes: comparisons, combined with `and` and `or`.'),
})

export const vectorStoreSearchRoutes: Routes = {
  'POST /v1/vector_stores/:id/search': {
    summary: 'Search a vector store',
    body: vectorSearchSchema,
    example: {
      query: 'What may a hotel cost?',
      max_num_results: 5,
      filters: { type: 'eq', key: 'year', value: 2026 },
    },
    headers: ['spans'],
    answer: 'VectorStoreSearchResults',
    mayFailUpstream: true,
    reply: searchVectorStore,
  },
}

async function searchVectorStore(c: RequestContext): Promise<Response> {
  const collection = await c.var.passim.collections.getSearched(c.req.param('id')!)
  const {
    query,
    max_num_results: limit,
    ranking_options,
    filters,
  } = await readBody(c, vectorSearchSchema)
  const queries = typeof query === 'string' ? [query] : query
  const where = {
    collections: [collection.id],
    filter: parseFilters(filters),
    limit,
    signal: c.var.signal,
  }
  const found = await Promise.all(
    queries.map(text => c.var.passim.search({ query: text, ...where }, 'every')),
  )
  const threshold = ranking_options?.score_threshold ?? 0
  const hits = selectBest(found.flat()).filter(hit => measureLikelihood(hit) >= threshold)
  return streamJson<SearchResultsJson>(c, {
    object: 'vector_store.search_results.page',
    search_query: queries,
    data: hits.slice(0, limit).map(hit => toResultJson(c, hit)),
    has_more: false,
    next_page: null,
  })
}

function selectBest(hits: readonly Hit[]): readonly Hit[] {
  const best = new Map<string, Hit>()
  for (const hit of hits.toSorted((a, b) => b.score - a.score)) {
    const key = `${hit.documentId} ${hit.chunkId}`
    if (!best.has(key)) best.set(key, hit)
  }
  return [...best.values()]
}

function toResultJson(c: RequestContext, hit: Hit): SearchResultJson {
  return {
    file_id: hit.fileId,
    filename: hit.name,
    score: measureLikelihood(hit),
    attributes: toAttributesJson(c, hit),
    content: [{ type: 'text', text: hit.text }],
  }
}
