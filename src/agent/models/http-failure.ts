import { retryAfterMs } from '../../system/post-json.ts'

type Refusal = {
  /** Value of the header `Retry-After`. */
  readonly retryAfter?: string | null
  /** Error message of the server. */
  readonly reason?: string
  /** Request field that the server's error object names (`param` in OpenAI's). */
  readonly param?: string | undefined
}

/** What an HTTP server said when it refused: the cause of the error that is told. */
export class HttpFailure extends Error {
  readonly status: number
  /** How long it asked to be left alone, from its `Retry-After`. */
  readonly retryAfterMs: number | undefined
  readonly reason: string
  readonly param: string | undefined

  constructor(status: number, { retryAfter = null, reason = '', param }: Refusal = {}) {
    super(`HTTP ${status}`)
    this.name = 'HttpFailure'
    this.status = status
    this.retryAfterMs = retryAfterMs(retryAfter)
    this.reason = reason
    this.param = param
  }
}
