import { retryAfterMs } from '../../ingest/post-json.ts'

type Refusal = {
  /** The header `Retry-After`. */
  readonly retryAfter?: string | null
  /** The server's own words. */
  readonly reason?: string
  /** The field of the request that the server names, as OpenAI's error objects do. */
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
