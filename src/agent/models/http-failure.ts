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

/** RFC 9110: seconds, or a date. */
function retryAfterMs(header: string | null): number | undefined {
  if (header === null) return undefined
  const seconds = Number(header)
  if (header.trim() !== '' && Number.isFinite(seconds)) return Math.max(0, seconds * 1000)
  const date = Date.parse(header)
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now())
}
