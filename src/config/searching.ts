import { z } from 'zod'
import { KEYWORD_STRATEGIES, SEARCHERS } from './agents.ts'

/** How documents are searched. */
export const searchingSchema = z
  .strictObject({
    /** How much each leg says in hybrid search; only their ratio counts. */
    weights: z
      .strictObject({ keyword: z.number().min(0).default(1), vector: z.number().min(0).default(1) })
      .refine(({ keyword, vector }) => keyword + vector > 0, 'one of the weights must be above 0')
      .prefault({}),
    /** LanceDB's cache of indexes, of all stores of a service together; a quarter of the memory there is by default. */
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
 * `rag_cfg` as Qwen-Agent's agents take it, in the settings' own names. `max_ref_token` has one meaning: tokens of retrieved
 * text that a model is shown at a time, for a question, by an agent's memory or by one tool's answer.
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
