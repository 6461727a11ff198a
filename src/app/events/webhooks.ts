import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Settings } from '../../config.ts'
import { localizable } from '../../errors/localizable.ts'
import { AppError, toAppError } from '../../errors.ts'
import type { Fetcher } from '../../ingest/sources/web/fetcher.ts'
import type { StoreEvent } from '../../ingest/store/catalog/events.ts'
import { hashParts } from '../../system/digest.ts'
import { retryAfterMs } from '../../system/post-json.ts'
import type { Store } from '../stores/store.ts'
import { toEventJson } from './event-json.ts'
import { waitForChange } from './watch-events.ts'

type Webhook = Settings['webhooks'][number]

type WebhooksDeps = {
  readonly store: Pick<Store, 'catalog' | 'events' | 'leases' | 'webhookPositions'>
  readonly hooks: readonly Webhook[]
  readonly fetcher: Fetcher
  readonly onError: (message: string, error: unknown) => void
}

/** Between attempts to become the sender, so that another continues within seconds. */
const TAKE_OVER_MS = 5_000

/** Short, so that a restart of a receiver delays little. */
const FIRST_RETRY_MS = 1_000
/** Short, so that a receiver that is back continues within an hour. */
const MAX_RETRY_MS = 60 * 60_000

/** Attempts at an event that a receiver refuses, over 17 minutes, so that it cannot stop the others. */
const MAX_REFUSALS = 10

/** Refusals that say nothing about the event. */
const TRANSIENT: ReadonlySet<number> = new Set([408, 425, 429])

/**
 * Sends events in order, each until it is accepted, by one process per webhook. An event may
 * arrive twice, with the same id.
 */
export class Webhooks {
  readonly #deps: WebhooksDeps
  readonly #stopped = new AbortController()
  #sending: Promise<unknown> | undefined

  constructor(deps: WebhooksDeps) {
    this.#deps = deps
  }

  start(): void {
    this.#sending ??= Promise.all(this.#deps.hooks.map(hook => this.#serve(hook)))
  }

  get isWaiting(): boolean {
    return this.#sending !== undefined && this.#deps.hooks.length > 0
  }

  async close(): Promise<void> {
    this.#stopped.abort()
    await this.#sending
  }

  async #serve(hook: Webhook): Promise<void> {
    const { signal } = this.#stopped
    while (!signal.aborted) {
      try {
        await this.#sendAsHolder(hook, signal)
      } catch (error) {
        if (!signal.aborted) this.#deps.onError(`Cannot send events to ${getHost(hook)}.`, error)
      }
      await pause(TAKE_OVER_MS, signal)
    }
  }

  async #sendAsHolder(hook: Webhook, stopped: AbortSignal): Promise<void> {
    const id = hashParts(hook.url)
    const lease = await this.#deps.store.leases.tryAcquire(`webhook ${id}`)
    if (!lease) return
    try {
      await this.#sendEvents(hook, id, AbortSignal.any([stopped, lease.lost]))
    } finally {
      await lease.release()
    }
  }

  async #sendEvents(hook: Webhook, id: string, signal: AbortSignal): Promise<void> {
    const { catalog, events, webhookPositions } = this.#deps.store
    let position = await webhookPositions.find(id)
    if (!position) {
      position = { number: await events.findLastNumber(), attempts: 0, nextAt: 0 }
      await webhookPositions.save(id, position)
    }
    while (!signal.aborted) {
      const state = await catalog.state()
      const [event] = await events.listAfter(position.number, 1, hook.events)
      if (!event) {
        await waitForChange(catalog, state, signal)
        continue
      }
      await pause(position.nextAt - Date.now(), signal)
      if (signal.aborted) return
      const waitMs = await this.#trySend(hook, event, position.attempts, signal)
      if (signal.aborted) return
      position =
        waitMs === undefined
          ? { number: event.number, attempts: 0, nextAt: 0 }
          : { ...position, attempts: position.attempts + 1, nextAt: Date.now() + waitMs }
      await webhookPositions.save(id, position)
    }
  }

  /** Returns the time until the next attempt, or undefined if there is none. */
  async #trySend(
    hook: Webhook,
    event: StoreEvent,
    attempts: number,
    signal: AbortSignal,
  ): Promise<number | undefined> {
    const outcome = await this.#post(hook, event, signal)
    if (outcome === undefined || signal.aborted) return undefined
    const { error, isRefusal, retryMs = 0 } = outcome
    const host = getHost(hook)
    if (isRefusal && attempts + 1 >= MAX_REFUSALS) {
      this.#deps.onError(`${host} refuses the event ${event.id}, which is given up.`, error)
      return undefined
    }
    if (attempts === 0)
      this.#deps.onError(`The event ${event.id} is sent to ${host} again later.`, error)
    const backoffMs = Math.min(FIRST_RETRY_MS * 2 ** attempts, MAX_RETRY_MS)
    return Math.min(Math.max(backoffMs, retryMs), MAX_RETRY_MS)
  }

  async #post(hook: Webhook, event: StoreEvent, signal: AbortSignal) {
    const body = JSON.stringify(toEventJson(event))
    try {
      const url = new URL(hook.url)
      const headers = signEvent(hook, event, body)
      const { status, retryAfter } = await this.#deps.fetcher.post(url, { headers, body, signal })
      if (status >= 200 && status < 300) return undefined
      return {
        error: new AppError('fetch_failed', localizable`It answered with status ${status}.`),
        isRefusal: status >= 400 && status < 500 && !TRANSIENT.has(status),
        retryMs: retryAfterMs(retryAfter ?? null),
      }
    } catch (error) {
      return { error: toAppError(error), isRefusal: false }
    }
  }
}

/** Standard Webhooks 1.0. */
function signEvent(
  { secret }: Webhook,
  { id }: StoreEvent,
  body: string,
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(Date.now() / 1000))
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  }
}

/** A path may contain a key. */
function getHost({ url }: Webhook): string {
  return new URL(url).host
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms > 0) await sleep(ms, undefined, { signal, ref: false }).catch(() => {})
}
