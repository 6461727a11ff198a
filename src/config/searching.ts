import { z } from 'zod'
import { KEYWORD_STRATEGIES, SEARCHERS } from './agents.ts'

export const searchingSchema = z
  .strictObject({
    /** Only the ratio counts. */
    weights: z
      .strictObject({ keyword: z.number().min(0).default(1), vector: z.number().min(0).default(1) })
      .refine(({ keyword, vector }) => keyword + vector > 0, 'one of the weights must be above 0')
      .prefault({}),
    /** LanceDB's cache for all stores; default a quarter of the memory. */
    cacheBytes: z
      .int()
      .min(16 * 2 ** 20)
      .optional(),
  })
  .prefault({})

const ragCfgSchema = z.strictObject({
  max_ref_token: z.int().min(200).optional(),
  parser_page_size: z.int().min(16).optional(),
  rag_keygen_strategy: z.enum(KEYWORD_STRATEGIES).optional(),
  rag_searchers: z.array(z.enum(SEARCHERS)).min(1).optional(),
})

/**
 * Qwen-Agent's `rag_cfg`. `max_ref_token` sets the tokens of retrieved text per question,
 * memory and tool result.
 */
export const ragCfg = ragCfgSchema.transform(named => ({
  chunking: { tokens: named.parser_page_size },
  answering: { contextTokens: named.max_ref_token },
  agent: {
    contextTokens: named.max_ref_token,
    maxToolTokens: named.max_ref_token,
    keywords: named.rag_keygen_strategy,
    searchers: named.rag_searchers,
  },
}))

export type RagCfg = z.input<typeof ragCfg>
