import { retryAfterMs } from '../../ingest/post-json.ts'

/** What an HTTP server said when it refused: the cause of the error that is told. */
export class HttpFailure extends Error {
  readonly status: number
  /** How long it asked to be left alone, from its `Retry-After`. */
  readonly retryAfterMs: number | undefined

  constructor(status: number, retryAfter: string | null) {
    super(`HTTP ${status}`)
    this.name = 'HttpFailure'
    this.status = status
    this.retryAfterMs = retryAfterMs(retryAfter)
  }
}
