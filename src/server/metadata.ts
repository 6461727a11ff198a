import { z } from 'zod'

const MAX_KEYS = 16

/** OpenAI's notes on a thing: at most 16, each short. */
export const metadataSchema = z
  .record(z.string().max(64), z.string().max(512))
  .refine(metadata => Object.keys(metadata).length <= MAX_KEYS, `has more than ${MAX_KEYS} keys`)

/** Who answered, beside the caller's own notes while there is room; the caller's win. */
export function withMode(metadata: Readonly<Record<string, string>>, mode: 'extractive' | 'model') {
  if (mode === 'model' || Object.keys(metadata).length >= MAX_KEYS) return metadata
  return { passim_mode: mode, ...metadata }
}
