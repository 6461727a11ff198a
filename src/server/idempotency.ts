import type { MiddlewareHandler } from 'hono'
import { digestBytes } from '../ingest/digest.ts'
import { unlessAborted } from '../ingest/unless-aborted.ts'
import type { RequestContext, ServerEnv } from './context.ts'
import { invalid } from './errors.ts'
import { readBytes } from './input.ts'
import { digestForm } from './multipart.ts'

/** Answers are given again for so long. */
const KEEP_MS = 24 * 60 * 60 * 1000

/** Of one answer, and of all that is kept, keys included, in UTF-16 units. */
const MAX_CHARS = 256 * 1024
const MAX_ALL_CHARS = 32 * 1024 * 1024

/** What an entry takes besides its texts, counted as characters. */
const ENTRY_CHARS = 200

const MAX_KEY_CHARS = 255

/** `request` tells one request from another that was sent with the same key by mistake. */
type Kept = { readonly request: string; readonly status: number; readonly text: string; readonly at: number }

/**
 * A POST under `/v1` with an `Idempotency-Key` that succeeded is answered a second time as it was the first, and does nothing,
 * for whoever sends the same key with the same credentials to the same path. The same key with another request is refused. A
 * failure may be tried again; what is under way is waited for. In memory, the newest answers first.
 */
export function idempotency(maxChars = MAX_ALL_CHARS): MiddlewareHandler<ServerEnv> {
  const answers = new Answers(maxChars)
  return async (c, next) => {
    const key = keyOf(c)
    if (key === undefined) return await next()
    const isForm = (c.req.header('content-type') ?? '').startsWith('multipart/')
    const body = isForm ? undefined : await digestBody(c)
    const query = new URL(c.req.url).search
    const known = await answers.once(key, c.var.signal, async () => {
      await next()
      const digest = body ?? c.var.formDigest
      return digest === undefined ? undefined : await keepable(c, `${query} ${digest}`)
    })
    if (!known) return
    if (known.request === `${query} ${body ?? (await digestForm(c, c.var.passim.settings.server.maxUploadBytes))}`)
      return again(known)
    throw invalid('This Idempotency-Key was sent with another request before. Make a new key for each request.')
  }
}

/** What was answered, by key, oldest first. */
class Answers {
  readonly #underWay = new Map<string, Promise<void>>()
  readonly #kept = new Map<string, Kept>()
  readonly #maxChars: number
  #chars = 0

  constructor(maxChars: number) {
    this.#maxChars = maxChars
  }

  /** What was kept of the work under this key; undefined when it was done now. */
  async once(key: string, signal: AbortSignal, work: () => Promise<Kept | undefined>): Promise<Kept | undefined> {
    for (let other = this.#underWay.get(key); other; other = this.#underWay.get(key)) await unlessAborted(other, signal)
    this.#forgetOld()
    const known = this.#kept.get(key)
    if (known) return known
    const { promise, resolve } = deferred()
    this.#underWay.set(key, promise)
    try {
      const kept = await work()
      if (kept) this.#keep(key, kept)
    } finally {
      this.#underWay.delete(key)
      resolve()
    }
  }

  #keep(key: string, kept: Kept): void {
    this.#kept.set(key, kept)
    this.#chars += charsOf(key, kept)
    this.#forgetOld()
  }

  #forgetOld(): void {
    for (const [key, kept] of this.#kept) {
      if (this.#chars <= this.#maxChars && Date.now() - kept.at <= KEEP_MS) return
      this.#kept.delete(key)
      this.#chars -= charsOf(key, kept)
    }
  }
}

function charsOf(key: string, { request, text }: Kept): number {
  return key.length + request.length + text.length + ENTRY_CHARS
}

function deferred() {
  let resolve = () => {}
  const promise = new Promise<void>(done => {
    resolve = done
  })
  return { promise, resolve: () => resolve() }
}

function keyOf(c: RequestContext): string | undefined {
  const given = c.req.header('idempotency-key')
  if (given === undefined || c.req.method !== 'POST' || !c.req.path.startsWith('/v1/')) return undefined
  if (given.length > MAX_KEY_CHARS) throw invalid(`An Idempotency-Key has at most ${MAX_KEY_CHARS} characters.`)
  return `${c.var.key?.id ?? ''} ${c.req.path} ${given}`
}

async function digestBody(c: RequestContext): Promise<string> {
  const bytes = await readBytes(c)
  c.set('body', bytes)
  return digestBytes(bytes)
}

/** What can be given again: a success in JSON, and no stream. */
async function keepable(c: RequestContext, request: string): Promise<Kept | undefined> {
  const isJson = (c.res.headers.get('content-type') ?? '').startsWith('application/json')
  if (!c.res.ok || !isJson) return undefined
  const text = await c.res.clone().text()
  return text.length <= MAX_CHARS ? { request, status: c.res.status, text, at: Date.now() } : undefined
}

function again({ status, text }: Kept): Response {
  return new Response(text, { status, headers: { 'content-type': 'application/json', 'idempotent-replayed': 'true' } })
}
