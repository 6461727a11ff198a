import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '../../errors.ts'
import type { ChatModel, ModelEvent, ModelRequest } from '../model.ts'
import { HttpFailure } from './openai/http-failure.ts'

export type RetryOptions = {
  /** Tries after the first, where a request's settings say nothing; else 2 after a 429 or 503, and none after anything else. */
  readonly maxRetries?: number | undefined
  /** Before the second try; doubled for each further one, plus up to as much again by chance. */
  readonly firstDelayMs?: number
  /** No wait is longer; a server that asks for more is not tried again. */
  readonly maxDelayMs?: number
  /** From 0 to 1: spreads the tries of many clients. */
  readonly random?: () => number
  readonly wait?: (delayMs: number, signal?: AbortSignal) => Promise<void>
}

/** Statuses after which the same request may succeed. */
const PASSING = new Set([408, 409, 425, 429, 500, 502, 503, 504, 529])

/** Tries after the first of a server that is busy. */
const BUSY_RETRIES = 2

/** Who did not ask for retries is not kept longer than this, in milliseconds: its `Retry-After` is told on. */
const PATIENCE_MS = 10_000

/** Refusals of the request itself, whatever their status. */
const REFUSED =
  /data_?inspection_?failed|inappropriate content|maximum context length|context_length_exceeded/i

/** Tries again after a failure that may pass, as long as nothing of the answer was told: words cannot be taken back. */
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
      let isTold = false
      try {
        for await (const event of this.#inner.stream(request, signal)) {
          isTold = true
          yield event
        }
        return
      } catch (error) {
        const mayRetry = !isTold && retry < (maxRetries ?? countRetries(error))
        const delayMs = mayRetry
          ? this.#chooseDelay(error, retry, maxRetries !== undefined)
          : undefined
        if (delayMs === undefined || signal?.aborted) throw error
        await this.#options.wait(delayMs, signal)
      }
    }
  }

  /** How long to wait before the next try; undefined where none would help. */
  #chooseDelay(error: unknown, retry: number, isChosen: boolean): number | undefined {
    if (!isTemporary(error)) return undefined
    const { firstDelayMs, maxDelayMs, random } = this.#options
    const asked = error.cause instanceof HttpFailure ? error.cause.retryAfterMs : undefined
    if (asked !== undefined)
      return asked <= (isChosen ? maxDelayMs : PATIENCE_MS) ? asked : undefined
    return Math.min(maxDelayMs, firstDelayMs * 2 ** retry * (1 + random()))
  }
}

/** A server that is only busy says so, and has done nothing. */
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
