import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '../../errors.ts'
import type { ChatModel, ModelEvent, ModelRequest } from '../model.ts'
import { HttpFailure } from './openai/http-failure.ts'

export type RetryOptions = {
  /** 2 by default after a 429 or 503, none otherwise. */
  readonly maxRetries?: number
  /** Doubles with jitter. */
  readonly firstDelayMs?: number
  /** A longer `Retry-After` ends the retries. */
  readonly maxDelayMs?: number
  readonly random?: () => number
  readonly wait?: (delayMs: number, signal?: AbortSignal) => Promise<void>
}

const PASSING = new Set([408, 409, 425, 429, 500, 502, 503, 504, 529])

/** Retries of a busy server, so that short overloads pass. */
const BUSY_RETRIES = 2

/** Default wait, so that the caller gets the `Retry-After` soon. */
const PATIENCE_MS = 10_000

/** Refusals of the request itself, whatever their status. */
const REFUSED =
  /data_?inspection_?failed|inappropriate content|maximum context length|context_length_exceeded/i

export class RetryingModel implements ChatModel {
  readonly id: string
  readonly #inner: ChatModel
  readonly #options: Required<Omit<RetryOptions, 'maxRetries'>> & Pick<RetryOptions, 'maxRetries'>

  constructor(inner: ChatModel, options: RetryOptions = {}) {
    this.id = inner.id
    this.#inner = inner
    this.#options = {
      firstDelayMs: 1000,
      maxDelayMs: 300_000,
      random: Math.random,
      wait: (delayMs, signal) => sleep(delayMs, undefined, { signal }),
      ...options,
    }
  }

  async *stream(request: ModelRequest, signal?: AbortSignal): AsyncIterable<ModelEvent> {
    const { maxRetries = this.#options.maxRetries } = request.config ?? {}
    for (let retry = 0; ; retry++) {
      let hasEmitted = false
      try {
        for await (const event of this.#inner.stream(request, signal)) {
          hasEmitted = true
          yield event
        }
        return
      } catch (error) {
        const mayRetry = !hasEmitted && retry < (maxRetries ?? countRetries(error))
        const delayMs = mayRetry
          ? this.#chooseDelay(error, retry, maxRetries !== undefined)
          : undefined
        if (delayMs === undefined || signal?.aborted) throw error
        await this.#options.wait(delayMs, signal)
      }
    }
  }

  #chooseDelay(error: unknown, retry: number, isChosen: boolean): number | undefined {
    if (!isTemporary(error)) return undefined
    const { firstDelayMs, maxDelayMs, random } = this.#options
    const retryAfterMs = error.cause instanceof HttpFailure ? error.cause.retryAfterMs : undefined
    if (retryAfterMs !== undefined)
      return retryAfterMs <= (isChosen ? maxDelayMs : PATIENCE_MS) ? retryAfterMs : undefined
    return Math.min(maxDelayMs, firstDelayMs * 2 ** retry * (1 + random()))
  }
}

/** Allows retries to a busy server, which has done nothing. */
function countRetries(error: unknown): number {
  const cause = error instanceof AppError ? error.cause : undefined
  return cause instanceof HttpFailure && (cause.status === 429 || cause.status === 503)
    ? BUSY_RETRIES
    : 0
}

function isTemporary(error: unknown): error is AppError {
  if (!(error instanceof AppError) || REFUSED.test(error.message)) return false
  if (error.cause instanceof HttpFailure) return PASSING.has(error.cause.status)
  return (
    error.code === 'model_unavailable' || error.code === 'timeout' || error.code === 'rate_limited'
  )
}
