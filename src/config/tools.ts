import { z } from 'zod'

const queryTables = z
  .strictObject({
    maxRows: z.int().min(1).max(10_000).default(100),
    /** All tables of a query. */
    maxCells: z.int().min(1).max(2_000_000).default(200_000),
    timeMs: z.int().min(1).default(10_000),
    memoryBytes: z
      .int()
      .min(128 * 2 ** 20)
      .default(512 * 2 ** 20),
  })
  .prefault({})

const readPages = z
  .strictObject({
    /** Per call. */
    maxPages: z.int().min(1).max(200).default(20),
    /** Per call; each costs about a thousand tokens. */
    maxPictures: z.int().min(1).max(50).default(4),
    /** Pixels. */
    pictureWidth: z.int().min(200).max(2_400).default(1_200),
  })
  .prefault({})

const python = z
  .strictObject({
    /** Interpreter of the system or of an environment in `folders`. */
    path: z.string().startsWith('/').default('/usr/bin/python3'),
    /** Readable, besides `/usr`. */
    folders: z.array(z.string().startsWith('/')).default([]),
    /** Per call. */
    timeMs: z.int().min(1).default(60_000),
    /** Per sandbox. */
    memoryBytes: z
      .int()
      .min(64 * 2 ** 20)
      .default(512 * 2 ** 20),
    /** Written files, which are in memory. */
    diskBytes: z
      .int()
      .min(2 * 2 ** 20)
      .default(64 * 2 ** 20),
    /** Given documents. */
    maxFileBytes: z
      .int()
      .min(0)
      .default(16 * 2 ** 20),
    processes: z.int().min(1).max(1_000).default(32),
    /** Text of a result. */
    outputBytes: z.int().min(100).max(1_000_000).default(20_000),
    /** Concurrent sandboxes. */
    maxSessions: z.int().min(1).default(4),
    /** Until a sandbox ends. */
    idleMs: z.int().min(1_000).default(600_000),
  })
  .prefault({})

const summarise = z
  .strictObject({
    /** Larger tasks are refused first. */
    maxCalls: z.int().min(1).max(10_000).default(60),
    /** Part of a document per call. */
    partTokens: z.int().min(200).default(4_000),
    /** Notes per call. */
    contextTokens: z.int().min(1_000).default(12_000),
    /** Concurrent calls. */
    parallel: z.int().min(1).max(64).default(4),
  })
  .prefault({})

const key = z.string().min(1).optional()

/** Discontinued search services and their replacements. */
const ENDED: Readonly<Record<string, string>> = {
  bing: "Bing's search API ended in August 2025",
  google: "Google's search of the whole web by programs ends",
  duckduckgo: 'DuckDuckGo has no API for its results',
}

const webSearch = z
  .strictObject({
    /** SearXNG needs an address, the others a key. */
    provider: z
      .string()
      .superRefine((name, context) => {
        const ended = ENDED[name.toLowerCase()]
        const message = `${ended}; use searxng (a server of your own), brave, tavily or serper`
        if (ended) context.addIssue({ code: 'custom', message })
      })
      .pipe(z.enum(['searxng', 'brave', 'tavily', 'serper']))
      .optional(),
    /** SearXNG server, or replacement of a provider's address. */
    url: z.url().optional(),
    key,
    maxResults: z.int().min(1).max(50).default(8),
  })
  .prefault({})

const imageSearch = z
  .strictObject({ url: z.url().optional(), key, maxResults: z.int().min(1).max(50).default(8) })
  .prefault({})

const imageGen = z
  .strictObject({
    url: z.url().optional(),
    key,
    model: z.string().min(1).default('gpt-image-1'),
    /** For servers with sizes of their own; the first is the default. */
    sizes: z
      .array(z.string().regex(/^\d{2,5}[x*]\d{2,5}$/))
      .min(1)
      .max(50)
      .optional(),
  })
  .prefault({})

const amapWeather = z.strictObject({ url: z.url().optional(), key }).prefault({})

export const toolsSchema = z
  .strictObject({
    queryTables,
    readPages,
    summarise,
    python,
    webSearch,
    imageSearch,
    imageGen,
    amapWeather,
  })
  .prefault({})
