import type { MiddlewareHandler } from 'hono'
import { MemoryRates, type Rates } from '../../app/tenants/rates.ts'
import { localizable, type Sentence } from '../../errors/localizable.ts'
import { AppError } from '../../errors.ts'
import type { Foreground } from '../../system/foreground.ts'
import { isOpen } from './access.ts'
import { toNetwork } from './connections.ts'
import type { Rate, RequestContext, ServerEnv } from './context.ts'
import { createRefusal } from './errors.ts'

type Limits = {
  /** Per key; without keys there is no limit. */
  readonly requestsPerMinute: number
  readonly maxRequestsPerKey: number
  readonly maxRequests: number
  readonly requestMs: number
}

/** Time for the last event after a revocation, so that it takes effect within a second. */
const REVOKED_GRACE_MS = 300

/** Uploads without a time limit. */
const UPLOADING =
  /^(?:POST \/v1\/(?:files|uploads\/[^/]+\/parts)|(?:POST|PUT) \/api\/collections\/[^/]+\/documents(?:\/[^/]+)?)$/

/** Health routes work at full load. */
const WATCHED: ReadonlySet<string> = new Set(['/healthz', '/readyz'])

/** Remembered addresses; protects memory. */
const MAX_ADDRESSES = 1_024

/** Posted requests go before background work. Refusals say when to return. Rates hold over all nodes, concurrency per node. */
export function createLimits(
  { requestsPerMinute, maxRequestsPerKey, maxRequests }: Limits,
  { keys, foreground }: { readonly keys?: Rates; readonly foreground: Foreground },
): MiddlewareHandler<ServerEnv> {
  const rates = {
    key: keys ?? new MemoryRates(requestsPerMinute),
    address: new MemoryRates(requestsPerMinute, MAX_ADDRESSES),
  }
  const underWay = new UnderWay()
  return async (c, next) => {
    if (WATCHED.has(c.req.path) || c.env?.caller) return await next()
    const owner = findOwner(c)
    if (underWay.count >= maxRequests)
      throw createTooMany(localizable`${maxRequests} requests are under way`, 1_000)
    if (owner && underWay.countOf(owner) >= maxRequestsPerKey) {
      throw createTooMany(
        localizable`${maxRequestsPerKey} requests of this ${OWNERS[owner.kind]} are under way`,
        1_000,
      )
    }
    const end = underWay.start(owner)
    const leave = c.req.method === 'POST' ? foreground.enter() : () => {}
    const work = async () => {
      if (owner) await take(c, rates[owner.kind], owner, requestsPerMinute)
      await next()
    }
    runAfterAnswer(c, await tryStart(work), () => {
      leave()
      end()
    })
  }
}

async function take(
  c: RequestContext,
  rates: Rates,
  { kind, id }: Owner,
  limit: number,
): Promise<void> {
  const { isGranted, remaining, fullInMs, nextInMs } = await rates.take(id)
  c.set('rate', { limit, remaining, fullInMs })
  if (!isGranted)
    throw createTooMany(
      localizable`This ${OWNERS[kind]} has asked ${limit} times in a minute`,
      nextInMs,
    )
}

class UnderWay {
  readonly #counts = new Map<string, number>()
  count = 0

  countOf(owner: Owner): number {
    return this.#counts.get(getName(owner)) ?? 0
  }

  start(owner: Owner | undefined): () => void {
    this.count++
    if (owner) this.#add(owner, 1)
    return () => {
      this.count--
      if (owner) this.#add(owner, -1)
    }
  }

  #add(owner: Owner, change: 1 | -1): void {
    const count = this.countOf(owner) + change
    if (count > 0) this.#counts.set(getName(owner), count)
    else this.#counts.delete(getName(owner))
  }
}

/**
 * Ends streams with an error, others with a status. Uploads only need a minimum rate
 * (`cutSlowBodies`).
 */
export function createDeadline(
  { requestMs }: Pick<Limits, 'requestMs'>,
  closing: AbortSignal,
): MiddlewareHandler<ServerEnv> {
  const underWay = new Set<AbortController>()
  closing.addEventListener('abort', () => {
    for (const controller of underWay) controller.abort(closing.reason)
  })
  return async (c, next) => {
    const controller = new AbortController() // one controller, because combined signals cost more
    if (closing.aborted) controller.abort(closing.reason)
    const isUpload = UPLOADING.test(`${c.req.method} ${c.req.path}`)
    const timer = isUpload
      ? undefined
      : setTimeout(() => controller.abort(createOverrun(requestMs)), requestMs)
    abortWhenLeft(c, controller)
    const forget = c.var.whenRevoked?.(reason => endRevoked(c, controller, reason))
    underWay.add(controller)
    c.set('signal', controller.signal)
    runAfterAnswer(c, await tryStart(next), () => {
      clearTimeout(timer)
      forget?.()
      underWay.delete(controller)
    })
  }
}

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

/** Closes the connection after a last event or status. */
function endRevoked({ env }: RequestContext, controller: AbortController, reason: AppError): void {
  controller.abort(reason)
  const cut = setTimeout(() => env?.outgoing?.destroy(), REVOKED_GRACE_MS)
  env?.outgoing?.once('close', () => clearTimeout(cut))
}

function createOverrun(requestMs: number): AppError {
  const message = localizable`The answer took longer than ${requestMs} ms. Send a smaller request, or raise server.requestMs.`
  return new AppError('timeout', message)
}

type Outcome = { readonly error?: unknown }

async function tryStart(next: () => Promise<void>): Promise<Outcome> {
  try {
    await next()
    return {}
  } catch (error) {
    return { error }
  }
}

/** Runs after the last byte, without a connection at the start. */
function runAfterAnswer(c: RequestContext, outcome: Outcome, end: () => void): void {
  const response = c.env?.outgoing
  if (!response || response.closed) end()
  else response.once('close', end)
  if ('error' in outcome) throw outcome.error
}

const OWNERS = { key: 'API key', address: 'network address' } as const

type Owner = { readonly kind: 'key' | 'address'; readonly id: string }

function getName({ kind, id }: Owner): string {
  return `${kind} ${id}`
}

/** Counts open pages by address. */
function findOwner(c: RequestContext): Owner | undefined {
  const id = c.get('key')?.id
  if (id !== undefined) return { kind: 'key', id }
  if (!isOpen(c)) return undefined
  return { kind: 'address', id: toNetwork(c.env?.incoming?.socket.remoteAddress ?? '') }
}

export function rateHeaders({
  limit,
  remaining,
  fullInMs,
}: Rate): Readonly<Record<string, string>> {
  return {
    'x-ratelimit-limit-requests': String(limit),
    'x-ratelimit-remaining-requests': String(remaining),
    'x-ratelimit-reset-requests': `${fullInMs}ms`,
  }
}

function createTooMany(what: Sentence, waitMs: number): Error {
  const headers = {
    'retry-after-ms': String(Math.ceil(waitMs)),
    'retry-after': String(Math.ceil(waitMs / 1000)),
  }
  return createRefusal({
    status: 429,
    code: 'rate_limited',
    message: localizable`${what}. Try again in ${Math.ceil(waitMs)} ms.`,
    headers,
  })
}
