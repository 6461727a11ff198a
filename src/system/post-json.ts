import { setTimeout } from 'node:timers/promises'
import { getSystemCode } from '../errors.ts'

export type JsonRequest = {
  readonly url: string
  readonly key?: string
  readonly body: unknown
  /** For each attempt. */
  readonly timeoutMs: number
  readonly maxRetries: number
}

type PostFailureOptions = {
  readonly retryAfterMs?: number
  readonly status?: number
  readonly cause?: unknown
}

export class PostFailure extends Error {
  readonly retryAfterMs: number | undefined
  /** Answered by the server. */
  readonly status: number | undefined

  constructor(message: string, { retryAfterMs, status, cause }: PostFailureOptions) {
    super(message, { cause })
    this.retryAfterMs = retryAfterMs
    this.status = status
  }
}

/**
 * First wait if a server states none, doubled with every attempt, so that a busy server
 * recovers.
 */
const FIRST_WAIT_MS = 500

/** Maximum wait, so that a server cannot stall a run. */
const MAX_WAIT_MS = 30_000

/** Length of a server's message in an error, so that errors stay readable. */
const COMPLAINT_CHARACTERS = 300

/** Retries if the server is busy, fails or breaks off. Throws PostFailure. */
export async function postJson(request: JsonRequest, signal: AbortSignal): Promise<unknown> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await tryPost(request, signal)
    } catch (error) {
      signal.throwIfAborted()
      if (
        !(error instanceof PostFailure) ||
        error.retryAfterMs === undefined ||
        attempt >= request.maxRetries
      )
        throw error
      const waitMs = Math.min(
        Math.max(error.retryAfterMs, FIRST_WAIT_MS * 2 ** attempt),
        MAX_WAIT_MS,
      )
      await setTimeout(waitMs, undefined, { signal }).catch(() => signal.throwIfAborted())
    }
  }
}

async function tryPost(request: JsonRequest, signal: AbortSignal): Promise<unknown> {
  const timeout = AbortSignal.timeout(request.timeoutMs)
  let hasAnswered = false
  try {
    const response = await fetch(request.url, {
      method: 'POST',
      redirect: 'error', // the key is for this server only
      headers: {
        'content-type': 'application/json',
        ...(request.key && { authorization: `Bearer ${request.key}` }),
      },
      body: JSON.stringify(request.body),
      signal: AbortSignal.any([signal, timeout]),
    })
    hasAnswered = true
    if (!response.ok) throw await createRefusal(response, request.key)
    return await response.json()
  } catch (error) {
    if (error instanceof PostFailure) throw error
    if (timeout.aborted)
      throw new PostFailure(`did not answer within ${request.timeoutMs / 1000} s`, { cause: error })
    throw createConnectionFailure(error, hasAnswered)
  }
}

async function createRefusal(response: Response, key: string | undefined): Promise<PostFailure> {
  const text = await response.text()
  const complaint = (key ? text.replaceAll(key, '***') : text)
    .slice(0, COMPLAINT_CHARACTERS)
    .replace(/\s+/g, ' ')
    .trim()
  const isTransient = response.status === 429 || response.status >= 500
  const waitMs = isTransient ? (retryAfterMs(response.headers.get('retry-after')) ?? 0) : undefined
  const { status } = response
  return new PostFailure(`answered ${status}${ADVICE[status] ?? ''}: ${complaint}`, {
    retryAfterMs: waitMs,
    status,
  })
}

const ADVICE: Readonly<Record<number, string>> = {
  401: ' (check the key)',
  403: ' (check the key)',
  404: ' (check the URL and the name of the model)',
}

/** Parses a `Retry-After` (RFC 9110): seconds, or a date. */
export function retryAfterMs(header: string | null): number | undefined {
  if (header === null) return undefined
  const seconds = Number(header)
  if (header.trim() !== '' && Number.isFinite(seconds)) return Math.max(0, seconds * 1000)
  const date = Date.parse(header)
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now())
}

/** The other side closed: codes of undici and of the system. */
const CLOSED = ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']

/** Error codes of connections that may succeed later; if nobody listens, a retry does not help. */
const TRANSIENT = [...CLOSED, 'ETIMEDOUT', 'EAI_AGAIN', 'ENETUNREACH', 'EHOSTUNREACH']

function createConnectionFailure(error: unknown, hasAnswered: boolean): PostFailure {
  if (error instanceof SyntaxError)
    return new PostFailure('did not return JSON. Check the URL', { cause: error })
  return new PostFailure(`${describeFailure(error, hasAnswered)}. Check that it runs`, {
    cause: error,
    retryAfterMs: TRANSIENT.includes(getNetworkCode(error) ?? '') ? 0 : undefined,
  })
}

function describeFailure(error: unknown, hasAnswered: boolean): string {
  if (isClosedConnection(error))
    return `closed the connection ${hasAnswered ? 'in the middle of its answer' : 'before it answered'}`
  return `${hasAnswered ? 'broke off its answer' : 'cannot be reached'} (${describeNetworkError(error)})`
}

export function describeNetworkError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  return getNetworkCode(error) ?? (cause instanceof Error ? cause.message : error.message)
}

/** Returns whether `fetch` failed because the other side closed the connection. */
export function isClosedConnection(error: unknown): boolean {
  return CLOSED.includes(getNetworkCode(error) ?? '')
}

/** Reads the cause, where `fetch` puts the system's error. */
function getNetworkCode(error: unknown): string | undefined {
  return error instanceof Error ? getSystemCode(error.cause) : undefined
}
