import { computed, signal } from '@preact/signals'
import type { StreamedAskEvent } from '../wire/ask-event.ts'
import { language } from './preferences.ts'

/** Entry of the API key in `sessionStorage`; closing the tab signs out. */
const KEY = 'passim.key'

export const key = signal(sessionStorage.getItem(KEY) ?? '')
/** Undefined until the first answer, and without keys. */
const scope = signal<string | undefined>(undefined)
export const canWrite = computed(
  () => key.value === '' || /^(write|admin)$/.test(scope.value ?? ''),
)
/** True if the service refused the request for lack of a valid key. */
export const needsKey = signal(false)
export const isOnline = signal(true)
/** Increases on each reconnection, so that views reload. */
export const reconnections = signal(0)

/** Interval of health checks while offline, so that the service is found again quickly. */
const RETRY_MS = 1_500
/** Wait for a health check, so that a hanging service counts as offline. */
const HEALTH_MS = 5_000

/**
 * Silence of a stream: three heartbeats (15 s by default), so that a dead connection is
 * noticed.
 */
const SILENCE_MS = 45_000

export function signIn(entered: string): void {
  sessionStorage.setItem(KEY, entered)
  scope.value = undefined
  key.value = entered
  needsKey.value = false
  reconnections.value++
}

export function signOut(): void {
  sessionStorage.clear()
  key.value = ''
  location.reload()
}

export class Refusal extends Error {
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

export class Unreachable extends Error {}

type RequestOptions = {
  readonly method?: string
  readonly body?: unknown
  readonly signal?: AbortSignal
}

/** Returns a URL relative to the page, which a proxy may serve below a path. */
export function toServiceUrl(path: string): string {
  return path.replace(/^\//, '')
}

/** Throws `Refusal`, `Unreachable`, or the signal's reason. */
export async function call(
  path: string,
  { method = 'GET', body, signal }: RequestOptions = {},
): Promise<Response> {
  const response = await fetch(toServiceUrl(path), {
    method,
    headers: buildHeaders(body),
    ...(body !== undefined && { body: body instanceof FormData ? body : JSON.stringify(body) }),
    ...(signal && { signal }),
  }).catch(error => {
    signal?.throwIfAborted()
    waitForService()
    throw new Unreachable(String(error))
  })
  scope.value = response.headers.get('x-passim-scope') ?? scope.value
  if (response.ok) return response
  throw await toRefusal(response)
}

export async function fetchJson<Result>(
  path: string,
  options: RequestOptions = {},
): Promise<Result> {
  return (await (await call(path, options)).json()) as Result
}

function buildHeaders(body: unknown): HeadersInit {
  return {
    'accept-language': language.value,
    ...(key.value && { authorization: `Bearer ${key.value}` }),
    ...(body !== undefined &&
      !(body instanceof FormData) && { 'content-type': 'application/json' }),
  }
}

async function toRefusal(response: Response): Promise<Refusal> {
  if (response.status === 401) needsKey.value = true
  const body = (await response.json().catch(() => ({}))) as {
    error?: { code?: string; message?: string }
  }
  const { code = 'internal', message = response.statusText } = body.error ?? {}
  return new Refusal(response.status, code, message)
}

function waitForService(): void {
  if (!isOnline.value) return
  isOnline.value = false
  const ask = async () => {
    const isThere = await fetch(toServiceUrl('/healthz'), {
      signal: AbortSignal.timeout(HEALTH_MS),
    }).then(
      ({ ok }) => ok,
      () => false,
    )
    if (!isThere) return void setTimeout(ask, RETRY_MS)
    isOnline.value = true
    reconnections.value++
  }
  setTimeout(ask, RETRY_MS)
}

/** Throws `Unreachable` if the stream breaks off. */
export async function* streamEvents(
  path: string,
  options: RequestOptions,
): AsyncGenerator<StreamedAskEvent> {
  const { body } = await call(path, options)
  if (!body) return
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await readBeforeTimeout(reader, options.signal)
      if (done) return
      const parts = (rest + value).split('\n\n')
      rest = parts.pop() ?? ''
      for (const part of parts) {
        const event = parse(part)
        if (event) yield event
      }
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

async function readBeforeTimeout(
  reader: ReadableStreamDefaultReader<string>,
  signal?: AbortSignal,
) {
  let timer: ReturnType<typeof setTimeout> | undefined
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('The stream is silent.')), SILENCE_MS)
  })
  try {
    return await Promise.race([reader.read(), silence])
  } catch (error) {
    signal?.throwIfAborted()
    waitForService()
    throw new Unreachable(String(error))
  } finally {
    clearTimeout(timer)
  }
}

function parse(part: string): StreamedAskEvent | undefined {
  const fields = new Map<string, string>()
  for (const line of part.split('\n')) {
    const index = line.indexOf(':')
    if (index > 0) fields.set(line.slice(0, index), line.slice(index + 1).trimStart())
  }
  const data = fields.get('data')
  const id = fields.get('id')
  if (data === undefined) return undefined
  return {
    event: fields.get('event'),
    ...(id && { id }),
    data: JSON.parse(data),
  } as StreamedAskEvent
}
