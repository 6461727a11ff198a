import type { MiddlewareHandler } from 'hono'
import { AppError } from '../errors.ts'
import { isOpen } from './access.ts'
import type { Rate, RequestContext, ServerEnv } from './context.ts'
import { refusal } from './errors.ts'

type Limits = {
  /** Of one key; without keys there is only this machine, and no such limit. */
  readonly requestsPerMinute: number
  readonly maxRequestsPerKey: number
  /** At a time, whoever asks. */
  readonly maxRequests: number
  /** Longest that an answer may take, in milliseconds. */
  readonly requestMs: number
}

const MINUTE_MS = 60_000

/** These take bytes in for as long as they come. */
const UPLOADING = /^\/v1\/(?:files|uploads\/[^/]+\/parts)$/

/** Tokens of one key: full at first, filled again evenly, one a request. */
type Bucket = { tokens: number; filledAt: number; running: number }

/** How much one client may ask, and all of them together. Who is refused is told when to come back. */
export function limits({ requestsPerMinute, maxRequestsPerKey, maxRequests }: Limits): MiddlewareHandler<ServerEnv> {
  const buckets = new Map<string, Bucket>()
  let running = 0
  return async (c, next) => {
    if (isOpen(c)) return await next() // a full service is alive
    const id = c.var.key?.id
    const bucket = id === undefined ? undefined : bucketOf(buckets, id, requestsPerMinute)
    if (running >= maxRequests) throw tooMany(`${maxRequests} requests are under way`, 1_000)
    if (bucket && bucket.running >= maxRequestsPerKey) {
      throw tooMany(`${maxRequestsPerKey} requests of this key are under way`, 1_000)
    }
    if (bucket && bucket.tokens < 1) {
      c.set('rate', rateOf(bucket, requestsPerMinute))
      throw tooMany(`This key has asked ${requestsPerMinute} times in a minute`, MINUTE_MS / requestsPerMinute)
    }
    running++
    if (bucket) {
      bucket.tokens--
      bucket.running++
      c.set('rate', rateOf(bucket, requestsPerMinute))
    }
    whenAnswered(c, await attempt(next), () => {
      running--
      if (bucket) bucket.running--
    })
  }
}

/**
 * Ends what a request has begun once its time is over; streams end with an error then, the rest with a status. An upload
 * takes as long as its bytes take, as long as they do not drip (`cutSlowBodies`).
 */
export function deadline({ requestMs }: Pick<Limits, 'requestMs'>): MiddlewareHandler<ServerEnv> {
  return async (c, next) => {
    const controller = new AbortController()
    const reason = new AppError(
      'timeout',
      `The answer took longer than ${requestMs} ms. Ask for less, or raise server.requestMs.`,
    )
    const isUpload = c.req.method === 'POST' && UPLOADING.test(c.req.path)
    const timer = isUpload ? undefined : setTimeout(() => controller.abort(reason), requestMs)
    c.set('signal', AbortSignal.any([c.req.raw.signal, c.var.closing, controller.signal]))
    whenAnswered(c, await attempt(next), () => clearTimeout(timer))
  }
}

type Outcome = { readonly error?: unknown }

async function attempt(next: () => Promise<void>): Promise<Outcome> {
  try {
    await next()
    return {}
  } catch (error) {
    return { error }
  }
}

/** After the last byte of the answer, where there is a connection to tell; else when the answer is begun. */
function whenAnswered(c: RequestContext, outcome: Outcome, end: () => void): void {
  const response = c.env?.outgoing
  if (!response || response.closed) end()
  else response.once('close', end)
  if ('error' in outcome) throw outcome.error
}

function bucketOf(buckets: Map<string, Bucket>, id: string, perMinute: number): Bucket {
  const now = Date.now()
  const bucket = buckets.get(id) ?? { tokens: perMinute, filledAt: now, running: 0 }
  bucket.tokens = Math.min(perMinute, bucket.tokens + ((now - bucket.filledAt) / MINUTE_MS) * perMinute)
  bucket.filledAt = now
  buckets.set(id, bucket) // as many as there are keys
  return bucket
}

function rateOf({ tokens }: Bucket, limit: number): Rate {
  return { limit, left: Math.max(0, Math.floor(tokens)), fullInMs: Math.ceil(((limit - tokens) / limit) * MINUTE_MS) }
}

/** What a key may still ask, under OpenAI's names. */
export function rateHeaders({ limit, left, fullInMs }: Rate): Readonly<Record<string, string>> {
  return {
    'x-ratelimit-limit-requests': String(limit),
    'x-ratelimit-remaining-requests': String(left),
    'x-ratelimit-reset-requests': `${fullInMs}ms`,
  }
}

function tooMany(what: string, waitMs: number): Error {
  const headers = { 'retry-after-ms': String(Math.ceil(waitMs)), 'retry-after': String(Math.ceil(waitMs / 1000)) }
  return refusal({
    status: 429,
    code: 'rate_limited',
    message: `${what}. Try again in ${Math.ceil(waitMs)} ms.`,
    headers,
  })
}
