import { z } from 'zod'
import type { BatchUsage } from '../../ingest/store/catalog/batches.ts'

const tokens = z.int().default(0)

const usageSchema = z
  .object({
    input_tokens: tokens,
    output_tokens: tokens,
    input_tokens_details: z.object({ cached_tokens: tokens }).optional(),
    output_tokens_details: z.object({ reasoning_tokens: tokens }).optional(),
    prompt_tokens: tokens,
    completion_tokens: tokens,
    prompt_tokens_details: z.object({ cached_tokens: tokens }).optional(),
    completion_tokens_details: z.object({ reasoning_tokens: tokens }).optional(),
  })
  .transform(
    (usage): BatchUsage => ({
      inputTokens: usage.input_tokens + usage.prompt_tokens,
      cachedTokens: (usage.input_tokens_details ?? usage.prompt_tokens_details)?.cached_tokens ?? 0,
      outputTokens: usage.output_tokens + usage.completion_tokens,
      reasoningTokens:
        (usage.output_tokens_details ?? usage.completion_tokens_details)?.reasoning_tokens ?? 0,
    }),
  )

const USAGE = '"usage":'

/** Parses the usage without megabytes of vectors. Strings in JSON escape quotes, so no text looks like it. */
export function readUsage(answer: string): BatchUsage | undefined {
  const start = answer.lastIndexOf(USAGE)
  const [, json] = /^(\{(?:[^{}]|\{[^{}]*\})*\})/.exec(answer.slice(start + USAGE.length)) ?? []
  if (start < 0 || json === undefined) return undefined
  return usageSchema.safeParse(JSON.parse(json)).data
}
