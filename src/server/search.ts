import { z } from 'zod'
import { SEARCH_MODES } from '../app/search-modes.ts'
import type { Filter } from '../search/filter.ts'
import type { RequestContext } from './context.ts'
import { hitsFor } from './hits.ts'
import { readBody } from './input.ts'

export const searchSchema = z.strictObject({
  query: z.string(),
  /** Names or ids; the default collection when there are none. */
  collections: z.array(z.string()).optional(),
  /** Ids, sources or base names. */
  documents: z.array(z.string()).optional(),
  /** An expression as in vector stores, or text as the command line takes it; the library checks it. */
  filter: z.union([z.string(), z.custom<Filter>(value => typeof value === 'object' && value !== null)]).optional(),
  /** First and last page. */
  pages: z.tuple([z.int(), z.int()]).optional(),
  mode: z.enum(SEARCH_MODES).default('hybrid'),
  /** Of the two legs of hybrid search; only their ratio counts. */
  weights: z.strictObject({ keyword: z.number(), vector: z.number() }).optional(),
  /** Put the best hits in order by their best sentences. */
  precise: z.boolean().optional(),
  fold: z.boolean().optional(),
  merge: z.boolean().optional(),
  diversity: z.number().optional(),
  /** Say of each hit how it came about. */
  explain: z.boolean().optional(),
  /** A document that was expected: the answer says why it is, or is not, among the hits. */
  why: z.string().optional(),
  limit: z.int().optional(),
  /** Adds the hits as text for a model, in at most so many tokens: `context`. */
  contextTokens: z.int().min(1).optional(),
  /** The command line's name for `limit`. */
  n: z.int().optional(),
})

/** `POST /api/search`: what `passim search --json` prints. */
export async function search(c: RequestContext): Promise<Response> {
  const started = performance.now()
  const { n, limit = n, why, contextTokens, ...query } = await readBody(c, searchSchema)
  const options = { ...query, limit, signal: c.var.signal }
  const hits = await c.var.passim.search(options)
  const warnings = c.var.passim.searchWarnings(options)
  const { texts } = c.var.passim
  const packed = contextTokens === undefined ? {} : { context: await texts.context(hits, contextTokens) }
  const reason = why === undefined ? {} : { why: await c.var.passim.why(why, options) }
  const seconds = (performance.now() - started) / 1000
  const told = { ...reason, ...packed, ...(warnings.length > 0 && { warnings }) }
  return c.json({ query: query.query, mode: query.mode, hits: hitsFor(c, hits), ...told, seconds })
}
