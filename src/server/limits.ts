import type { MiddlewareHandler } from 'hono'
import { AppError } from '../errors.ts'
import { isOpen } from './access.ts'
import { networkOf } from './connections.ts'
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

/** Who watches a service hears that it is alive when it is full. */
const WATCHED: ReadonlySet<string> = new Set(['/healthz', '/readyz'])

/** Addresses of which it is known how much they asked; the one that asked least recently is forgotten. */
const MAX_ADDRESSES = 1_024

/** Tokens of one key, or of one address that has none: full at first, filled again evenly, one a request. */
type Bucket = { tokens: number; filledAt: number; running: number }

/** As many as there are keys, and the last so many addresses. */
type Buckets = { readonly keys: Map<string, Bucket>; readonly addresses: Map<string, Bucket> }

/** How much one client may ask, and all of them together. Who is refused is told when to come back. */
export function limits({ requestsPerMinute, maxRequestsPerKey, maxRequests }: Limits): MiddlewareHandler<ServerEnv> {
  const buckets: Buckets = { keys: new Map(), addresses: new Map() }
  let running = 0
  return async (c, next) => {
    if (WATCHED.has(c.req.path)) return await next()
    const bucket = bucketOf(c, buckets, requestsPerMinute)
    if (running >= maxRequests) throw tooMany(`${maxRequests} requests are under way`, 1_000)
    if (bucket && bucket.running >= maxRequestsPerKey) {
      throw tooMany(`${maxRequestsPerKey} requests of this ${kindOf(c)} are under way`, 1_000)
    }
    if (bucket && bucket.tokens < 1) {
      c.set('rate', rateOf(bucket, requestsPerMinute))
      throw tooMany(`This ${kindOf(c)} has asked ${requestsPerMinute} times in a minute`, MINUTE_MS / requestsPerMinute)
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
export function deadline({ requestMs }: Pick<Limits, 'requestMs'>, closing: AbortSignal): MiddlewareHandler<ServerEnv> {
  const underWay = new Set<AbortController>()
  closing.addEventListener('abort', () => {
    for (const controller of underWay) controller.abort(closing.reason)
  })
  return async (c, next) => {
    const controller = new AbortController() // one for all reasons: signals of signals cost more
    if (closing.aborted) controller.abort(closing.reason)
    const isUpload = c.req.method === 'POST' && UPLOADING.test(c.req.path)
    const timer = isUpload ? undefined : setTimeout(() => controller.abort(overrun(requestMs)), requestMs)
    abortWhenLeft(c, controller)
    underWay.add(controller)
    c.set('signal', controller.signal)
    whenAnswered(c, await attempt(next), () => {
      clearTimeout(timer)
      underWay.delete(controller)
    })
  }
}

/** With a reason of ours: that of the server is a text, and no fault of anybody's. A connection is asked itself, for a web request around it costs more. */
function abortWhenLeft({ env, req }: RequestContext, controller: AbortController): void {
  const leave = () => controller.abort(new AppError('cancelled', 'The client left before it was answered.'))
  const { outgoing } = env ?? {}
  const leaveUnlessSent = () => outgoing?.writableFinished || leave()
  if (outgoing?.closed) leaveUnlessSent()
  else if (outgoing) outgoing.once('close', leaveUnlessSent)
  else if (req.raw.signal.aborted) leave()
  else req.raw.signal.addEventListener('abort', leave, { once: true })
}

function overrun(requestMs: number): AppError {
  const message = `The answer took longer than ${requestMs} ms. Ask for less, or raise server.requestMs.`
  return new AppError('timeout', message)
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

/** Undefined without keys, but for pages that are open to whoever has none: these are counted by where they are asked from. */
function bucketOf(c: RequestContext, { keys, addresses }: Buckets, perMinute: number): Bucket | undefined {
  const id = c.get('key')?.id
  if (id === undefined && !isOpen(c)) return undefined
  const [buckets, owner] =
    id === undefined ? [addresses, networkOf(c.env?.incoming?.socket.remoteAddress ?? '')] : [keys, id]
  const now = Date.now()
  const bucket = buckets.get(owner) ?? { tokens: perMinute, filledAt: now, running: 0 }
  bucket.tokens = Math.min(perMinute, bucket.tokens + ((now - bucket.filledAt) / MINUTE_MS) * perMinute)
  bucket.filledAt = now
  buckets.delete(owner)
  buckets.set(owner, bucket)
  if (addresses.size > MAX_ADDRESSES) addresses.delete(addresses.keys().next().value!) // there is one
  return bucket
}

function kindOf(c: RequestContext): string {
  return c.get('key') ? 'key' : 'address'
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
