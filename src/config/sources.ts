import { z } from 'zod'

/** How pages of the web are asked for. */
const fetchingSchema = z
  .strictObject({
    /** Longest that one URL may take, in milliseconds. */
    timeMs: z.int().min(1).default(60_000),
    /** Most bytes of one URL, after inflating. */
    maxBytes: z
      .int()
      .min(1)
      .default(100 * 2 ** 20),
    maxRedirects: z.int().min(0).max(20).default(5),
    /** Between two requests to a site that is crawled, in milliseconds. */
    delayMs: z.int().min(0).default(1_000),
    /** Most pages of one site. */
    maxPages: z.int().min(1).default(500),
    /** Also addresses that are not of the public internet. */
    allowPrivate: z.boolean().default(false),
  })
  .prefault({})

/** How files are watched. */
const watchingSchema = z
  .strictObject({
    /** Files that changed are looked at when they have been quiet for so long, in milliseconds. */
    settleMs: z.int().min(1).default(500),
    /** Everything is compared again after so long, in milliseconds. */
    compareMs: z.int().min(1_000).default(600_000),
  })
  .prefault({})

export const sourceSettings = { fetching: fetchingSchema, watching: watchingSchema }
