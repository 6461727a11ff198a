import { signal } from '@preact/signals'

/** The key of this tab, in `sessionStorage` only: closing the tab signs out. */
const KEY = 'passim.key'

export const key = signal(sessionStorage.getItem(KEY) ?? '')
/** The service asked for a key, or for another one. */
export const needsKey = signal(false)
/** False while the service does not answer. */
export const isOnline = signal(true)
/** Moves whenever the service answers again, so that views read anew what they show. */
export const reconnections = signal(0)

/** How often a service that is away is asked again. */
const RETRY_MS = 1_500
/** A service that does not say within this time that it is well does not answer. */
const HEALTH_MS = 5_000

/** A stream says something every 15 s; one that is silent for so long is dead, though nobody has said so. */
const SILENCE_MS = 45_000

export function signIn(entered: string): void {
  sessionStorage.setItem(KEY, entered)
  key.value = entered
  needsKey.value = false
  reconnections.value++
}

export function signOut(): void {
  sessionStorage.clear()
  key.value = ''
  location.reload()
}

/** What the service refused, in its own words. */
export class Refusal extends Error {
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

/** The service did not answer at all. */
export class Unreachable extends Error {}

type Asked = {
  readonly method?: string
  readonly body?: unknown
  readonly signal?: AbortSignal | undefined
}

/** The answer, if it is one. Throws `Refusal`, `Unreachable`, and the signal's reason. */
export async function call(
  path: string,
  { method = 'GET', body, signal }: Asked = {},
): Promise<Response> {
  const response = await fetch(path, {
    method,
    headers: headersFor(body),
    ...(body !== undefined && { body: body instanceof FormData ? body : JSON.stringify(body) }),
    ...(signal && { signal }),
  }).catch(error => {
    signal?.throwIfAborted()
    waitForService()
    throw new Unreachable(String(error))
  })
  if (response.ok) return response
  throw await refusalOf(response)
}

export async function json<Result>(path: string, asked: Asked = {}): Promise<Result> {
  return (await (await call(path, asked)).json()) as Result // the route's own type
}

function headersFor(body: unknown): HeadersInit {
  return {
    ...(key.value && { authorization: `Bearer ${key.value}` }),
    ...(body !== undefined &&
      !(body instanceof FormData) && { 'content-type': 'application/json' }),
  }
}

async function refusalOf(response: Response): Promise<Refusal> {
  if (response.status === 401) needsKey.value = true
  const told = (await response.json().catch(() => ({}))) as {
    error?: { code?: string; message?: string }
  } // the envelope
  const { code = 'internal', message = response.statusText } = told.error ?? {}
  return new Refusal(response.status, code, message)
}

/** Ask until it answers; once, however many requests have failed. */
function waitForService(): void {
  if (!isOnline.value) return
  isOnline.value = false
  const ask = async () => {
    const isThere = await fetch('/healthz', { signal: AbortSignal.timeout(HEALTH_MS) }).then(
      ({ ok }) => ok,
      () => false,
    )
    if (!isThere) return void setTimeout(ask, RETRY_MS)
    isOnline.value = true
    reconnections.value++
  }
  setTimeout(ask, RETRY_MS)
}

/** One event of a stream. */
export type StreamEvent = { readonly event: string; readonly id?: string; readonly data: unknown }

/** The events of a stream of the service, until it ends. Throws `Unreachable` where it breaks off. */
export async function* events(path: string, asked: Asked): AsyncGenerator<StreamEvent> {
  const { body } = await call(path, asked)
  if (!body) return
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await readOf(reader, asked.signal)
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

async function readOf(reader: ReadableStreamDefaultReader<string>, signal?: AbortSignal) {
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

function parse(part: string): StreamEvent | undefined {
  const fields = new Map<string, string>()
  for (const line of part.split('\n')) {
    const at = line.indexOf(':')
    if (at > 0) fields.set(line.slice(0, at), line.slice(at + 1).trimStart())
  }
  const data = fields.get('data')
  const id = fields.get('id')
  if (data === undefined) return undefined
  return { event: fields.get('event') ?? 'message', ...(id && { id }), data: JSON.parse(data) }
}
