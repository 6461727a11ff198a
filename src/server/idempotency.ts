import type { MiddlewareHandler } from 'hono'
import { digestBytes } from '../ingest/digest.ts'
import { unlessAborted } from '../ingest/unless-aborted.ts'
import type { RequestContext, ServerEnv } from './context.ts'
import { invalid } from './errors.ts'
import { readBytes } from './input.ts'
import { digestForm } from './multipart.ts'

/** Answers are given again for so long. */
const KEEP_MS = 24 * 60 * 60 * 1000

/**
 * Of one answer, and of all that is kept, keys included, in UTF-16 units. Only lists of vectors and of passages can be longer
 * than that: whoever asks for them again gets them anew, and nothing is made twice.
 */
const MAX_CHARS = 8 * 1024 * 1024
const MAX_ALL_CHARS = 32 * 1024 * 1024

/** What an entry takes besides its texts, counted as characters. */
const ENTRY_CHARS = 200

const MAX_KEY_CHARS = 255

/** `request` tells one request from another that was sent with the same key by mistake. */
type Kept = { readonly request: string; readonly status: number; readonly text: string; readonly at: number }

/**
 * A POST under `/v1` with an `Idempotency-Key` that succeeded is answered a second time as it was the first, and does nothing,
 * for whoever sends the same key with the same credentials to the same path. The same key with another request is refused. A
 * failure may be tried again; what is under way is waited for. In memory; the tenant that has most loses
 * its oldest answers first, so that what one keeps costs others nothing.
 */
export function idempotency(maxChars = MAX_ALL_CHARS): MiddlewareHandler<ServerEnv> {
  const answers = new Answers(maxChars)
  return async (c, next) => {
    const key = keyOf(c)
    if (key === undefined) return await next()
    const isForm = (c.req.header('content-type') ?? '').startsWith('multipart/')
    const body = isForm ? undefined : await digestBody(c)
    const query = new URL(c.req.url).search
    const known = await answers.once(key, c.get('signal'), async () => {
      await next()
      const digest = body ?? c.var.formDigest
      return digest === undefined ? undefined : await keepable(c, `${query} ${digest}`)
    })
    if (!known) return
    if (known.request === `${query} ${body ?? (await digestForm(c, c.get('passim').settings.server.maxUploadBytes))}`)
      return again(known)
    throw invalid('This Idempotency-Key was sent with another request before. Make a new key for each request.')
  }
}

/** Whose answer it is, a tenant's, and which of its. */
type Key = { readonly owner: string; readonly key: string }

/** What was answered to one tenant, by key, oldest first. */
type Owned = { readonly kept: Map<string, Kept>; chars: number }

/** What was answered. */
class Answers {
  readonly #underWay = new Map<string, Promise<void>>()
  readonly #owned = new Map<string, Owned>()
  readonly #maxChars: number
  #chars = 0

  constructor(maxChars: number) {
    this.#maxChars = maxChars
  }

  /** What was kept of the work under this key; undefined when it was done now. */
  async once(
    { owner, key }: Key,
    signal: AbortSignal,
    work: () => Promise<Kept | undefined>,
  ): Promise<Kept | undefined> {
    const name = `${owner} ${key}`
    for (let other = this.#underWay.get(name); other; other = this.#underWay.get(name))
      await unlessAborted(other, signal)
    const known = this.#owned.get(owner)?.kept.get(key)
    if (known && !isOld(known)) return known
    const { promise, resolve } = deferred()
    this.#underWay.set(name, promise)
    try {
      const kept = await work()
      if (kept) this.#keep({ owner, key }, kept)
    } finally {
      this.#underWay.delete(name)
      resolve()
    }
  }

  #keep({ owner, key }: Key, answer: Kept): void {
    const owned = this.#owned.get(owner) ?? { kept: new Map<string, Kept>(), chars: 0 }
    this.#owned.set(owner, owned)
    this.#forget(owned, key)
    owned.kept.set(key, answer)
    this.#count(owned, charsOf(key, answer))
    this.#forgetOld()
    while (this.#chars > this.#maxChars) this.#forgetOldest(this.#largest())
  }

  #forgetOld(): void {
    for (const [owner, owned] of this.#owned) {
      for (const [key, answer] of owned.kept) {
        if (!isOld(answer)) break
        this.#forget(owned, key)
      }
      if (owned.kept.size === 0) this.#owned.delete(owner)
    }
  }

  #largest(): Owned {
    return [...this.#owned.values()].reduce((most, other) => (other.chars > most.chars ? other : most))
  }

  #forgetOldest(owned: Owned): void {
    for (const key of owned.kept.keys()) {
      this.#forget(owned, key)
      return
    }
  }

  #forget(owned: Owned, key: string): void {
    const answer = owned.kept.get(key)
    if (!answer) return
    owned.kept.delete(key)
    this.#count(owned, -charsOf(key, answer))
  }

  #count(owned: Owned, chars: number): void {
    owned.chars += chars
    this.#chars += chars
  }
}

function isOld({ at }: Kept): boolean {
  return Date.now() - at > KEEP_MS
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

function keyOf(c: RequestContext): Key | undefined {
  const given = c.req.header('idempotency-key')
  if (!given || c.req.method !== 'POST' || !c.req.path.startsWith('/v1/')) return undefined
  if (given.length > MAX_KEY_CHARS) throw invalid(`An Idempotency-Key has at most ${MAX_KEY_CHARS} characters.`)
  const { tenant = '', id = '' } = c.get('key') ?? {}
  return { owner: tenant, key: `${id} ${c.req.path} ${given}` }
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
