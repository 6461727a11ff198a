import { z } from 'zod'

const answeringSchema = z
  .strictObject({
    /** Sources for the model. */
    contextTokens: z.int().min(200).default(6_000),
    /** Required certainty without a model. */
    strictness: z.number().min(0).max(1).default(0.5),
    /** Maximum share of wrong answers without a model and of wrong confirmed sentences. */
    maxRisk: z.number().gt(0).max(1).default(1),
    /** File of `passim eval --calibration`. */
    calibration: z.string().min(1).optional(),
    unsupported: z.enum(['flag', 'remove']).default('flag'),
    /** Checks claims by comparison (`quotes`) or by one more model call. */
    verify: z.enum(['quotes', 'model']).default('quotes'),
    maxModelCalls: z.int().min(1).default(20),
    maxToolCalls: z.int().min(1).default(100),
  })
  .prefault({})

const type = z.enum(['stdio', 'http', 'streamable-http', 'sse']).optional()

const mcpServerSchema = z.union([
  z.strictObject({
    type,
    command: z.string().min(1),
    args: z.array(z.string()).optional(),
    env: z.record(z.string(), z.string()).optional(),
    cwd: z.string().optional(),
  }),
  z.strictObject({ type, url: z.url(), headers: z.record(z.string(), z.string()).optional() }),
])

export const mcpServersSchema = z.record(z.string().regex(/^[\w-]{1,32}$/), mcpServerSchema)

export const KEYWORD_STRATEGIES = [
  'None',
  'GenKeyword',
  'SplitQueryThenGenKeyword',
  'GenKeywordWithKnowledge',
  'SplitQueryThenGenKeywordWithKnowledge',
] as const

export const SEARCHERS = ['keyword_search', 'vector_search', 'front_page_search'] as const

const agentSchema = z
  .strictObject({
    /** Readable folders besides documents. */
    roots: z.array(z.string().min(1)).default([]),
    urls: z.enum(['none', 'messages', 'tools']).default('messages'),
    /** Hits per search. */
    topK: z.int().min(1).max(1_000).default(20),
    minScore: z.number().optional(),
    /** Retrieved per answer. */
    contextTokens: z.int().min(200).default(20_000),
    /** Strategy for search words. */
    keywords: z.enum(KEYWORD_STRATEGIES).default('None'),
    /** The first two together are hybrid search. */
    searchers: z.array(z.enum(SEARCHERS)).min(1).default(['keyword_search', 'vector_search']),
    keywordModel: z.string().min(1).optional(),
    mcpServers: mcpServersSchema.default({}),
    /** For the list of tools. */
    mcpConnectMs: z.int().min(1).default(10_000),
    toolTimeoutMs: z.int().min(1).default(120_000),
    /** Per result. */
    maxToolTokens: z.int().min(100).default(20_000),
  })
  .prefault({})

export const agentSettings = { answering: answeringSchema, agent: agentSchema }
