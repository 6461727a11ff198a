import { z } from 'zod'

/** `query_tables`: SQL over the tables of documents. */
const queryTables = z
  .strictObject({
    /** Rows of one answer. */
    maxRows: z.int().min(1).max(10_000).default(100),
    /** Cells of all tables that one question is put to. */
    maxCells: z.int().min(1).max(2_000_000).default(200_000),
    /** Longest that one query may take, in milliseconds. */
    timeMs: z.int().min(1).default(10_000),
    /** Largest that the process of one query may grow. */
    memoryBytes: z
      .int()
      .min(128 * 2 ** 20)
      .default(512 * 2 ** 20),
  })
  .prefault({})

/** `read_pages`: pages of documents as text and pictures. */
const readPages = z
  .strictObject({
    /** Of one call. */
    maxPages: z.int().min(1).max(200).default(20),
    /** Of one call: each costs a model about a thousand tokens. */
    maxPictures: z.int().min(1).max(50).default(4),
    /** Of a picture, in pixels. */
    pictureWidth: z.int().min(200).max(2_400).default(1_200),
  })
  .prefault({})

/** `code_interpreter` and `python_executor`: Python in a sandbox. */
const python = z
  .strictObject({
    /** The system's, or one of an environment in one of the folders. */
    path: z.string().startsWith('/').default('/usr/bin/python3'),
    /** Folders of this machine that code may read, besides `/usr`. */
    folders: z.array(z.string().startsWith('/')).default([]),
    /** Longest that one call may take, in milliseconds. */
    timeMs: z.int().min(1).default(60_000),
    /** Largest that all processes of one sandbox may grow together. */
    memoryBytes: z
      .int()
      .min(64 * 2 ** 20)
      .default(512 * 2 ** 20),
    /** Of what code writes to files, which are in memory. */
    diskBytes: z
      .int()
      .min(2 * 2 ** 20)
      .default(64 * 2 ** 20),
    /** Of documents that are given to one call. */
    maxFileBytes: z
      .int()
      .min(0)
      .default(16 * 2 ** 20),
    /** Processes and threads of one sandbox. */
    processes: z.int().min(1).max(1_000).default(32),
    /** Text of one answer. */
    outputBytes: z.int().min(100).max(1_000_000).default(20_000),
    /** Sandboxes at a time, each with what a conversation keeps. */
    maxSessions: z.int().min(1).default(4),
    /** A sandbox that is not used for so long ends, in milliseconds. */
    idleMs: z.int().min(1_000).default(600_000),
  })
  .prefault({})

/** `summarise`: whole documents, read part by part. */
const summarise = z
  .strictObject({
    /** Model calls of one answer; what would take more is refused before the first. */
    maxCalls: z.int().min(1).max(10_000).default(60),
    /** Tokens of a document that one model call reads. */
    partTokens: z.int().min(200).default(4_000),
    /** Tokens of notes that one model call puts together. */
    contextTokens: z.int().min(1_000).default(12_000),
    /** Model calls at a time. */
    parallel: z.int().min(1).max(64).default(4),
  })
  .prefault({})

const key = z.string().min(1).optional()

/** Search services that are no more, and what is there instead. */
const ENDED: Readonly<Record<string, string>> = {
  bing: "Bing's search API ended in August 2025",
  google: "Google's search of the whole web by programs ends",
  duckduckgo: 'DuckDuckGo has no API for its results',
}

/** `web_search`: the web, by a service. */
const webSearch = z
  .strictObject({
    /** SearXNG needs an address and no key, the others a key. */
    provider: z
      .string()
      .superRefine((name, context) => {
        const ended = ENDED[name.toLowerCase()]
        const message = `${ended}; use searxng (a server of your own), brave, tavily or serper`
        if (ended) context.addIssue({ code: 'custom', message })
      })
      .pipe(z.enum(['searxng', 'brave', 'tavily', 'serper']))
      .optional(),
    /** Of a SearXNG server, or in place of a provider's own address. */
    url: z.url().optional(),
    key,
    maxResults: z.int().min(1).max(50).default(8),
  })
  .prefault({})

/** `image_search`: pictures on the web, by Serper. */
const imageSearch = z
  .strictObject({ url: z.url().optional(), key, maxResults: z.int().min(1).max(50).default(8) })
  .prefault({})

/** `image_gen`: pictures from words, by a server with OpenAI's images API. */
const imageGen = z
  .strictObject({ url: z.url().optional(), key, model: z.string().min(1).default('gpt-image-1') })
  .prefault({})

/** `amap_weather`: the weather in China, by Amap. */
const amapWeather = z.strictObject({ url: z.url().optional(), key }).prefault({})

/** What single tools may use, and whom they ask. */
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
