import type { MiddlewareHandler } from 'hono'
import { MemoryRates, type Rates } from '../../app/tenants/rates.ts'
import { AppError } from '../../errors.ts'
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

/** Time for the last event or error of a request whose key was revoked. With the interval of `KeyWatch`, it ends within a second. */
const REVOKED_GRACE_MS = 300

/** These take bytes in for as long as they come. */
const UPLOADING = /^\/v1\/(?:files|uploads\/[^/]+\/parts)$/

/** Who watches a service hears that it is alive when it is full. */
const WATCHED: ReadonlySet<string> = new Set(['/healthz', '/readyz'])

/** Addresses of which it is known how much they asked; the one that asked least recently is forgotten. */
const MAX_ADDRESSES = 1_024

/**
 * How much one client may ask, and all of them together. Who is refused is told when to come back. What keys may ask in a minute
 * holds over all nodes; how much is under way at a time is each node's own, which it is to protect.
 */
export function limits(
  { requestsPerMinute, maxRequestsPerKey, maxRequests }: Limits,
  ofKeys?: Rates,
): MiddlewareHandler<ServerEnv> {
  const rates = {
    key: ofKeys ?? new MemoryRates(requestsPerMinute),
    address: new MemoryRates(requestsPerMinute, MAX_ADDRESSES),
  }
  const underWay = new UnderWay()
  return async (c, next) => {
    if (WATCHED.has(c.req.path)) return await next()
    const owner = ownerOf(c)
    if (underWay.count >= maxRequests) throw tooMany(`${maxRequests} requests are under way`, 1_000)
    if (owner && underWay.of(owner) >= maxRequestsPerKey) {
      throw tooMany(`${maxRequestsPerKey} requests of this ${owner.kind} are under way`, 1_000)
    }
    const end = underWay.begin(owner)
    const work = async () => {
      if (owner) await take(c, rates[owner.kind], owner, requestsPerMinute)
      await next()
    }
    whenAnswered(c, await attempt(work), end)
  }
}

/** Throws where there is none left. */
async function take(
  c: RequestContext,
  rates: Rates,
  { kind, id }: Owner,
  limit: number,
): Promise<void> {
  const { isGranted, left, fullInMs, nextInMs } = await rates.take(id)
  c.set('rate', { limit, left, fullInMs })
  if (!isGranted) throw tooMany(`This ${kind} has asked ${limit} times in a minute`, nextInMs)
}

/** Requests that are not answered yet, of each owner and together. */
class UnderWay {
  readonly #counts = new Map<string, number>()
  count = 0

  of(owner: Owner): number {
    return this.#counts.get(nameOf(owner)) ?? 0
  }

  /** Gives what ends it. */
  begin(owner: Owner | undefined): () => void {
    this.count++
    if (owner) this.#add(owner, 1)
    return () => {
      this.count--
      if (owner) this.#add(owner, -1)
    }
  }

  #add(owner: Owner, change: 1 | -1): void {
    const count = this.of(owner) + change
    if (count > 0) this.#counts.set(nameOf(owner), count)
    else this.#counts.delete(nameOf(owner))
  }
}

/**
 * Ends what a request has begun once its time is over; streams end with an error then, the rest with a status. An upload
 * takes as long as its bytes take, as long as they do not drip (`cutSlowBodies`).
 */
export function deadline(
  { requestMs }: Pick<Limits, 'requestMs'>,
  closing: AbortSignal,
): MiddlewareHandler<ServerEnv> {
  const underWay = new Set<AbortController>()
  closing.addEventListener('abort', () => {
    for (const controller of underWay) controller.abort(closing.reason)
  })
  return async (c, next) => {
    const controller = new AbortController() // one for all reasons: signals of signals cost more
    if (closing.aborted) controller.abort(closing.reason)
    const isUpload = c.req.method === 'POST' && UPLOADING.test(c.req.path)
    const timer = isUpload
      ? undefined
      : setTimeout(() => controller.abort(overrun(requestMs)), requestMs)
    abortWhenLeft(c, controller)
    const forget = c.var.whenRevoked?.(reason => endRevoked(c, controller, reason))
    underWay.add(controller)
    c.set('signal', controller.signal)
    whenAnswered(c, await attempt(next), () => {
      clearTimeout(timer)
      forget?.()
      underWay.delete(controller)
    })
  }
}

/** With a reason of ours: that of the server is a text, and no fault of anybody's. A connection is asked itself, for a web request around it costs more. */
function abortWhenLeft({ env, req }: RequestContext, controller: AbortController): void {
  const leave = () =>
    controller.abort(
      new AppError('cancelled', 'The client disconnected before the answer was sent.'),
    )
  const { outgoing } = env ?? {}
  const leaveUnlessSent = () => outgoing?.writableFinished || leave()
  if (outgoing?.closed) leaveUnlessSent()
  else if (outgoing) outgoing.once('close', leaveUnlessSent)
  else if (req.raw.signal.aborted) leave()
  else req.raw.signal.addEventListener('abort', leave, { once: true })
}

/** Ends a request whose key was revoked. A stream gets a last event, other requests a status. Then the connection is closed. */
function endRevoked({ env }: RequestContext, controller: AbortController, reason: AppError): void {
  controller.abort(reason)
  const cut = setTimeout(() => env?.outgoing?.destroy(), REVOKED_GRACE_MS)
  env?.outgoing?.once('close', () => clearTimeout(cut))
}

function overrun(requestMs: number): AppError {
  const message = `The answer took longer than ${requestMs} ms. Send a smaller request, or raise server.requestMs.`
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

/** Whose requests are counted together. */
type Owner = { readonly kind: 'key' | 'address'; readonly id: string }

function nameOf({ kind, id }: Owner): string {
  return `${kind} ${id}`
}

/** Undefined without keys, but for pages that are open to whoever has none: these are counted by where they are asked from. */
function ownerOf(c: RequestContext): Owner | undefined {
  const id = c.get('key')?.id
  if (id !== undefined) return { kind: 'key', id }
  if (!isOpen(c)) return undefined
  return { kind: 'address', id: networkOf(c.env?.incoming?.socket.remoteAddress ?? '') }
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
  const headers = {
    'retry-after-ms': String(Math.ceil(waitMs)),
    'retry-after': String(Math.ceil(waitMs / 1000)),
  }
  return refusal({
    status: 429,
    code: 'rate_limited',
    message: `${what}. Try again in ${Math.ceil(waitMs)} ms.`,
    headers,
  })
}
