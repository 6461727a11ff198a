import { createPublicKey } from 'node:crypto'
import { z } from 'zod'
import { localizable, type Sentence } from '../errors/localizable.ts'

const MEBIBYTE = 1024 * 1024

const createByteLimit = (count: number) =>
  z
    .int()
    .min(1)
    .default(count * MEBIBYTE)

const tracesSchema = z.strictObject({
  /** OTLP endpoint such as `http://localhost:4318/v1/traces`. */
  url: z.url(),
  /** For example the collector's key. */
  headers: z.record(z.string(), z.string()).default({}),
  /** Share of new traces; clients decide about theirs. */
  ratio: z.number().min(0).max(1).default(1),
})

const auditSchema = z.strictObject({
  keepDays: z.number().min(1).max(36_500).default(365),
  /** Also writes the texts of passages. */
  text: z.boolean().default(false),
})

/** Origin as browsers send it. */
const originSchema = z.string().transform((text, context) => {
  const fault = findOriginFault(text)
  if (fault === undefined) return toOrigin(new URL(text))
  const reason = localizable`${JSON.stringify(text)} ${fault}`
  context.addIssue({ code: 'custom', message: `${reason}`, params: { reason } })
  return z.NEVER
})

function findOriginFault(text: string): Sentence | undefined {
  if (text === 'null') return 'is what pages without an origin send, and these are never allowed'
  if (text === '*') return 'would allow every page: name each origin'
  if (!URL.canParse(text) || !text.includes('://'))
    return 'is not an origin such as https://app.example.org'
  const { host, pathname, search, hash, username, password } = new URL(text)
  if (host === '')
    return 'has no host; pages without a host send the origin null, which is never allowed'
  if (host.includes('*')) return 'has * in its host, and patterns are not matched: name each origin'
  if (username || password)
    return 'contains a user name or a password: an origin is a scheme, a host and a port'
  const isBare = pathname.length <= 1 && search === '' && hash === ''
  return isBare ? undefined : localizable`has more than an origin: give ${toOrigin(new URL(text))}`
}

/** Returns what `URL.origin` does, which is `null` for schemes of extensions. */
function toOrigin({ protocol, host, origin }: URL): string {
  return origin === 'null' ? `${protocol}//${host.toLowerCase()}` : origin
}

/** Protects the signature from being guessed (RFC 7518, section 3.2). */
const MIN_SECRET_BYTES = 32

const tokensSchema = z
  .strictObject({
    algorithm: z.enum(['HS256', 'EdDSA']),
    /** Secret for HS256, public key in PEM for EdDSA. */
    key: z.string().min(1),
    tenant: z.string().min(1).default('default'),
    issuer: z.string().min(1).optional(),
    audience: z.string().min(1).optional(),
  })
  .superRefine(({ algorithm, key }, context) => {
    const reason = findTokenKeyFault(algorithm, key)
    if (reason === undefined) return
    context.addIssue({ code: 'custom', path: ['key'], message: `${reason}`, params: { reason } })
  })

function findTokenKeyFault(algorithm: 'HS256' | 'EdDSA', key: string): Sentence | undefined {
  if (algorithm === 'HS256')
    return Buffer.byteLength(key) < MIN_SECRET_BYTES
      ? localizable`it has fewer than ${MIN_SECRET_BYTES} bytes`
      : undefined
  try {
    const { type, asymmetricKeyType } = createPublicKey(key)
    if (type === 'public' && asymmetricKeyType === 'ed25519') return undefined
  } catch {
    // told below
  }
  return 'it has to be an Ed25519 public key in PEM'
}

export const serverSchema = z
  .strictObject({
    host: z.string().min(1).default('127.0.0.1'),
    port: z.int().min(0).max(65_535).default(7700),
    /** Behind a proxy, such as `https://passim.example.org`. */
    publicUrl: z.url().optional(),
    /** Path below which a proxy forwards requests unchanged, such as `/passim`. */
    basePath: z
      .string()
      .regex(/^(?:\/[\w.~-]+)+$/, 'has to be a path such as /passim, without a slash at its end')
      .optional(),
    /** Names such as `text-embedding-3-small` that `/v1/embeddings` answers with the embedder. */
    embeddingAliases: z.array(z.string().min(1)).default([]),
    /** Indexes uploads itself; otherwise `passim work` does. */
    ingest: z.boolean().default(true),
    maxUploadBytes: createByteLimit(512),
    maxPartedUploadBytes: createByteLimit(8_192),
    maxConversationBytes: createByteLimit(16),
    /** Idle time until a tenant's store closes. */
    idleStoreMs: z.int().min(1).default(300_000),
    maxOpenStores: z.int().min(1).default(64),
    /** Per answer, uploads excepted. */
    requestMs: z.int().min(1).default(600_000),
    /** Between comment lines of a silent stream. */
    keepAliveMs: z.int().min(1).default(15_000),
    /** Per key. */
    requestsPerMinute: z.int().min(1).default(6_000),
    /** Concurrent. */
    maxRequestsPerKey: z.int().min(1).default(128),
    /** Concurrent. */
    maxRequests: z.int().min(1).default(1_024),
    /** Requests of batches at a time, which models may answer together. */
    batchRequests: z.int().min(1).default(2),
    /** The oldest unused one is closed. */
    maxConnections: z.int().min(1).default(2_048),
    /** A proxy is one address. */
    maxConnectionsPerAddress: z.int().min(1).default(512),
    /** For headers and initial silence. */
    headersMs: z.int().min(1).default(15_000),
    /** Bytes per second of a body. */
    minBodyRate: z.int().min(0).default(1_024),
    /** Below that rate. */
    slowBodyMs: z.int().min(1).default(30_000),
    /** OpenTelemetry; its packages load only if set. */
    traces: tracesSchema.optional(),
    tokens: tokensSchema.optional(),
    audit: auditSchema.optional(),
    /** Days that a link to a conversation is valid; 0 allows none. */
    sharedLinkDays: z.number().min(0).max(3_650).default(0),
    /** Origins such as `https://app.example.org` or `chrome-extension://ID`. */
    corsOrigins: z.array(originSchema).default([]),
  })
  .prefault({})
