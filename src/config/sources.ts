import { z } from 'zod'
import { localizable } from '../errors/localizable.ts'
import { s3Schema } from './storage.ts'

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

/** Credentials have fields of their own: addresses are shown. */
const addressSchema = (protocol: RegExp) =>
  z
    .url({ protocol, hostname: /^(?!-)/ })
    .refine(isWithoutLogin, { error: `${LOGIN}`, params: { reason: LOGIN } })

const LOGIN = localizable`it has to be without a user name and password, which have settings of their own`

function isWithoutLogin(text: string): boolean {
  const { username, password } = new URL(text)
  return username === '' && password === ''
}

const sourceFields = {
  collection: z.string().min(1).default('default'),
  /** Between the end of a run and the next one; 0 runs it on request only. */
  everyMinutes: z
    .number()
    .min(0)
    .max(7 * 24 * 60)
    .default(60),
  include: z.array(z.string()).optional(),
  exclude: z.array(z.string()).optional(),
  tenant: z.string().min(1).default('default'),
}

const folderSource = z.strictObject({
  ...sourceFields,
  type: z.literal('folder'),
  path: z.string().regex(/^(\/|[A-Za-z]:)/, 'must be an absolute path'),
})

const siteSource = z.strictObject({
  ...sourceFields,
  type: z.literal('site'),
  url: addressSchema(/^https?$/),
  crawl: z.union([z.literal('sitemap'), z.int().min(0).max(20)]).optional(),
  maxPages: z.int().min(1).optional(),
  allowPrivate: z.boolean().optional(),
})

/** No option of git or ssh. */
const GIT_NAME = /^[\p{L}\p{N}_](?!.*\.\.)[\p{L}\p{N} _.@+/-]*$/u

const gitFile = z
  .string()
  .regex(/^\/[\p{L}\p{N}._@+/-]+$/u)
  .optional()

const listedFields = {
  ...sourceFields,
  maxItems: z.int().min(1).max(1_000_000).default(100_000),
  /** Default: `fetching.allowPrivate`. */
  allowPrivate: z.boolean().optional(),
}

const s3Source = z.strictObject({
  ...listedFields,
  ...s3Schema.shape,
  type: z.literal('s3'),
  url: addressSchema(/^https?$/),
})

const gitSource = z.strictObject({
  ...listedFields,
  type: z.literal('git'),
  url: addressSchema(/^(https?|ssh|file)$/),
  /** Default: the repository's own. */
  branch: z.string().regex(GIT_NAME).optional(),
  folder: z.string().regex(GIT_NAME).optional(),
  /** Limits a fetch, compressed. */
  maxBytes: z
    .int()
    .min(1)
    .default(2 ** 30),
  user: z.string().regex(GIT_NAME).optional(),
  password: z.string().min(1).optional(),
  keyFile: gitFile,
  knownHostsFile: gitFile,
  caFile: gitFile,
})

const webdavSource = z.strictObject({
  ...listedFields,
  type: z.literal('webdav'),
  url: addressSchema(/^https?$/),
  user: z.string().min(1).optional(),
  password: z.string().default(''),
})

const imapSource = z.strictObject({
  ...listedFields,
  type: z.literal('imap'),
  url: addressSchema(/^imaps?$/),
  folder: z.string().min(1).max(255).default('INBOX'),
  user: z.string().min(1),
  password: z.string().min(1),
})

const sourceSchema = z.discriminatedUnion('type', [
  folderSource,
  siteSource,
  s3Source,
  gitSource,
  webdavSource,
  imapSource,
])

const sourcesSchema = z
  .record(z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}$/), sourceSchema)
  .prefault({})

export const sourceSettings = {
  fetching: fetchingSchema,
  watching: watchingSchema,
  sources: sourcesSchema,
}
