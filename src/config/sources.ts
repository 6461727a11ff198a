import { z } from 'zod'

const fetchingSchema = z
  .strictObject({
    /** Per URL. */
    timeMs: z.int().min(1).default(60_000),
    /** Per URL, decompressed. */
    maxBytes: z
      .int()
      .min(1)
      .default(100 * 2 ** 20),
    maxRedirects: z.int().min(0).max(20).default(5),
    /** Between requests of a crawl. */
    delayMs: z.int().min(0).default(1_000),
    /** Per site. */
    maxPages: z.int().min(1).default(500),
    allowPrivate: z.boolean().default(false),
  })
  .prefault({})

const watchingSchema = z
  .strictObject({
    /** Time without changes before a file is read. */
    settleMs: z.int().min(1).default(500),
    /** Between complete comparisons. */
    compareMs: z.int().min(1_000).default(600_000),
  })
  .prefault({})

export const sourceSettings = { fetching: fetchingSchema, watching: watchingSchema }
