import { z } from 'zod'

const fetchingSchema = z
  .strictObject({
    /** Maximum milliseconds per URL. */
    timeMs: z.int().min(1).default(60_000),
    /** Maximum bytes per URL, decompressed. */
    maxBytes: z
      .int()
      .min(1)
      .default(100 * 2 ** 20),
    maxRedirects: z.int().min(0).max(20).default(5),
    /** Milliseconds between requests of a crawl. */
    delayMs: z.int().min(0).default(1_000),
    /** Maximum pages of a site. */
    maxPages: z.int().min(1).default(500),
    /** Allows private addresses. */
    allowPrivate: z.boolean().default(false),
  })
  .prefault({})

const watchingSchema = z
  .strictObject({
    /** Milliseconds without changes before a file is read. */
    settleMs: z.int().min(1).default(500),
    /** Milliseconds between complete comparisons. */
    compareMs: z.int().min(1_000).default(600_000),
  })
  .prefault({})

export const sourceSettings = { fetching: fetchingSchema, watching: watchingSchema }
