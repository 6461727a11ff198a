import { z } from 'zod'

const MEBIBYTE = 1024 * 1024

/** A limit in bytes. */
const mebibytes = (count: number) =>
  z
    .int()
    .min(1)
    .default(count * MEBIBYTE)

const tracesSchema = z.strictObject({
  /** A collector's address for OTLP over HTTP, as `http://localhost:4318/v1/traces`. */
  url: z.url(),
  /** Sent with the spans, as a key of the collector. */
  headers: z.record(z.string(), z.string()).default({}),
  /** Share of the traces that begin here and are sent; those of clients go on as the client says. */
  ratio: z.number().min(0).max(1).default(1),
})

/** Origin as browsers send it. */
const originSchema = z.string().transform((text, context) => {
  const fault = findOriginFault(text)
  if (fault === undefined) return toOrigin(new URL(text))
  context.addIssue({ code: 'custom', message: `${JSON.stringify(text)} ${fault}` })
  return z.NEVER
})

/** Returns why an origin cannot be allowed, or undefined if it can. */
function findOriginFault(text: string): string | undefined {
  if (text === 'null') return 'is what pages without an origin send, and these are never allowed'
  if (text === '*') return 'would allow every page: name each origin'
  if (!URL.canParse(text) || !text.includes('://'))
    return 'is no origin such as https://app.example.org'
  const { host, pathname, search, hash, username, password } = new URL(text)
  if (host === '')
    return 'has no host; pages without a host send the origin null, which is never allowed'
  if (host.includes('*')) return 'has * in its host, and patterns are not matched: name each origin'
  if (username || password)
    return 'contains a user name or a password: an origin is a scheme, a host and a port'
  const isBare = pathname.length <= 1 && search === '' && hash === ''
  return isBare ? undefined : `has more than an origin: give ${toOrigin(new URL(text))}`
}

/** Returns the scheme, host and port. `URL.origin` is `null` for schemes that the URL standard does not list, such as those of extensions. */
function toOrigin({ protocol, host, origin }: URL): string {
  return origin === 'null' ? `${protocol}//${host.toLowerCase()}` : origin
}

/** The HTTP service. */
export const serverSchema = z
  .strictObject({
    host: z.string().min(1).default('127.0.0.1'),
    port: z.int().min(0).max(65_535).default(7700),
    /** What clients call it, where a proxy stands before it, as `https://passim.example.org`. */
    publicUrl: z.url().optional(),
    /** Documents that are uploaded are indexed by the service itself; else `passim work` does it, here or on other machines. */
    ingest: z.boolean().default(true),
    /** Largest upload, in bytes. */
    maxUploadBytes: mebibytes(512),
    /** Largest upload in parts, in bytes. */
    maxPartedUploadBytes: mebibytes(8_192),
    /** Largest that a stored conversation may be and be gone on from, in bytes. */
    maxConversationBytes: mebibytes(16),
    /** The store of a tenant is closed so long after its last use, in milliseconds. */
    idleStoreMs: z.int().min(1).default(300_000),
    /** Stores of tenants that are open at a time. */
    maxOpenStores: z.int().min(1).default(64),
    /** Longest that a request may take to be answered, in milliseconds; uploads may take longer. */
    requestMs: z.int().min(1).default(600_000),
    /** A stream of events that has nothing to say sends a comment line so often, in milliseconds. */
    keepAliveMs: z.int().min(1).default(15_000),
    /** Requests of one key in a minute. */
    requestsPerMinute: z.int().min(1).default(6_000),
    /** Requests of one key at a time. */
    maxRequestsPerKey: z.int().min(1).default(128),
    /** Requests at a time, whoever asks. */
    maxRequests: z.int().min(1).default(1_024),
    /** Connections at a time; where there are more, the oldest that asks nothing is closed. */
    maxConnections: z.int().min(1).default(2_048),
    /** Connections at a time of one address; behind a proxy all of them have its address. */
    maxConnectionsPerAddress: z.int().min(1).default(512),
    /** Longest that the headers of a request may take, and a new connection may say nothing, in milliseconds. */
    headersMs: z.int().min(1).default(15_000),
    /** Fewest bytes a second that the body of a request must bring. */
    minBodyRate: z.int().min(0).default(1_024),
    /** Longest that it may bring fewer, or stand still, in milliseconds. */
    slowBodyMs: z.int().min(1).default(30_000),
    /** Where spans of requests are sent by OpenTelemetry; nothing of it is loaded without. */
    traces: tracesSchema.optional(),
    /** Origins of web pages and browser extensions that may use the service, such as `https://app.example.org` or `chrome-extension://ID`. */
    corsOrigins: z.array(originSchema).default([]),
  })
  .prefault({})
