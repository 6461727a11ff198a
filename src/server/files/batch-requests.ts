import { setTimeout as sleep } from 'node:timers/promises'
import { Hono } from 'hono'
import type { BatchLine } from '../../app/batches/batch-lines.ts'
import type { AnswerLine, LineAnswer } from '../../app/batches/batch-run.ts'
import type { Passim } from '../../app/passim.ts'
import type { Keys } from '../../app/tenants/keys.ts'
import type { Stores } from '../../app/tenants/tenants.ts'
import type { Settings } from '../../config.ts'
import type { Batch } from '../../ingest/store/catalog/batches.ts'
import { Foreground } from '../../system/foreground.ts'
import { raceAbort } from '../../system/unless-aborted.ts'
import { createRequestId, type ServerEnv } from '../http/context.ts'
import { toErrorBody } from '../http/errors.ts'

/** Longest wait for other requests, so that a busy service still makes progress. */
const MAX_WAIT_MS = 5_000

/** Short, so that batches of a process that died continue within seconds. */
const LOOK_MS = 5_000

type BatchRequestsOptions = {
  readonly settings: Pick<Settings['server'], 'basePath' | 'batchRequests'>
  readonly keys?: Keys
  readonly closing: AbortSignal
}

export class BatchRequests {
  readonly #options: BatchRequestsOptions
  /** Counts the requests that go before batches: searches, questions and uploads. */
  readonly foreground = new Foreground()
  readonly #queue: (() => void)[] = []
  #running = 0
  #app = new Hono<ServerEnv>()

  constructor(options: BatchRequestsOptions) {
    this.#options = options
  }

  useRoutes(app: Hono<ServerEnv>): void {
    this.#app = app
  }

  async start(passim: Passim): Promise<void> {
    const answer: AnswerLine = async (batch, line, signal) =>
      await this.#answerInTurn({ passim, batch, line, signal })
    await passim.batches.start(answer)
  }

  async watch(stores: Pick<Stores, 'opened'>): Promise<void> {
    const { closing } = this.#options
    while (!closing.aborted) {
      for (const passim of stores.opened) await this.start(passim)
      await sleep(LOOK_MS, undefined, { signal: closing, ref: false }).catch(() => {})
    }
  }

  async #answerInTurn(request: LineRequest): Promise<LineAnswer> {
    const { signal } = request
    if (this.#running >= this.#options.settings.batchRequests) await this.#waitForTurn(signal)
    this.#running++
    try {
      await this.foreground.yieldToRequests(MAX_WAIT_MS)
      signal.throwIfAborted()
      return await this.#answer(request)
    } finally {
      this.#running--
      this.#queue.shift()?.()
    }
  }

  async #waitForTurn(signal: AbortSignal): Promise<void> {
    let go = () => {}
    const turn = new Promise<void>(resolve => {
      go = resolve
    })
    this.#queue.push(go)
    try {
      await raceAbort(turn, signal)
    } catch (error) {
      const index = this.#queue.indexOf(go)
      if (index >= 0) this.#queue.splice(index, 1)
      else this.#queue.shift()?.() // its turn came meanwhile
      throw error
    }
  }

  async #answer({ passim, batch, line, signal }: LineRequest): Promise<LineAnswer> {
    const { closing, keys, settings } = this.#options
    const { endpoint, keyId, origin } = batch.details
    const parameter = STREAMING.find(name => Object(line.body)[name] === true)
    if (parameter !== undefined)
      return refuse(400, `A request of a batch cannot have ${parameter}.`, parameter)
    const key = keyId === undefined ? undefined : await keys?.find(keyId)
    if (keyId !== undefined && (!key || key.revokedAt !== undefined))
      return refuse(401, 'The key that created the batch is revoked.')
    const url = new URL(`${settings.basePath ?? ''}${endpoint}`, origin)
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify(line.body)
    const request = new Request(url, { method: 'POST', headers, body, signal })
    const response = await this.#app.fetch(request, { caller: { passim, key } })
    const text = await response.text()
    closing.throwIfAborted()
    const requestId = response.headers.get('x-request-id') ?? ''
    return { status: response.status, requestId, text }
  }
}

type LineRequest = {
  readonly passim: Passim
  readonly batch: Batch
  readonly line: BatchLine
  readonly signal: AbortSignal
}

const STREAMING = ['stream', 'background'] as const

function refuse(status: 400 | 401, message: string, param?: string): LineAnswer {
  const code = status === 401 ? 'unauthorized' : 'unsupported'
  const text = JSON.stringify(toErrorBody(status, { code, message, param }, '/v1/batches'))
  return { status, requestId: createRequestId(), text }
}
