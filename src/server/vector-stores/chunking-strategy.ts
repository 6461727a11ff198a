import { z } from 'zod'
import type { Chunking } from '../../ingest/chunk/chunker.ts'
import type { ChunkingStrategyJson } from '../../wire/vector-store.ts'

const MIN_TOKENS = 100
const MAX_TOKENS = 4096

const staticSchema = z
  .strictObject({
    max_chunk_size_tokens: z
      .int()
      .min(MIN_TOKENS)
      .max(MAX_TOKENS)
      .describe('Maximum number of tokens in a chunk (100 to 4,096).'),
    chunk_overlap_tokens: z
      .int()
      .min(0)
      .describe(
        'Tokens that a chunk repeats of the one before (0 to half of `max_chunk_size_tokens`).',
      ),
  })
  .refine(
    ({ max_chunk_size_tokens, chunk_overlap_tokens }) =>
      chunk_overlap_tokens * 2 <= max_chunk_size_tokens,
    {
      path: ['chunk_overlap_tokens'],
      message: 'must be at most half of max_chunk_size_tokens',
    },
  )

const TYPE = '`auto` chooses the size of the chunks; `static` takes your own.'

export const chunkingStrategySchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('auto').describe(TYPE) }),
  z.strictObject({
    type: z.literal('static').describe(TYPE),
    static: staticSchema.describe('Size and overlap of the chunks, in tokens.'),
  }),
])

export function toChunking(
  strategy: z.output<typeof chunkingStrategySchema> | undefined,
): Chunking | undefined {
  if (strategy?.type !== 'static') return undefined
  const { max_chunk_size_tokens: tokens, chunk_overlap_tokens: overlap } = strategy.static
  return { tokens, overlap: overlap / tokens }
}

/** Encodes `other` for sizes outside of OpenAI's range. */
export function toChunkingStrategyJson({ tokens, overlap }: Chunking): ChunkingStrategyJson {
  if (tokens < MIN_TOKENS || tokens > MAX_TOKENS) return { type: 'other' }
  return {
    type: 'static',
    static: { max_chunk_size_tokens: tokens, chunk_overlap_tokens: Math.round(tokens * overlap) },
  }
}
