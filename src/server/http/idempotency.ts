import type { MiddlewareHandler } from 'hono'
import type { Answer, AnswerKey, KeptAnswers } from '../../app/tenants/kept-answers.ts'
import { reasonOf } from '../../errors.ts'
import { digestBytes } from '../../system/digest.ts'
import { type RequestContext, type ServerEnv, tellOperator } from './context.ts'
import { invalid } from './errors.ts'
import { readBytes } from './input.ts'
import { digestForm } from './multipart.ts'

/**
 * Of one answer, in UTF-16 units. Only lists of vectors and of passages can be longer than that: whoever asks for them again gets
 * them anew, and nothing is made twice.
 */
const MAX_CHARS = 8 * 1024 * 1024

const MAX_KEY_CHARS = 255

/**
 * A POST under `/v1` with an `Idempotency-Key` that succeeded is answered a second time as it was the first, and does nothing,
 * for whoever sends the same key with the same credentials to the same path. The same key with another request is refused. A
 * failure may be tried again; what is under way is waited for.
 */
export function idempotency(answers: KeptAnswers): MiddlewareHandler<ServerEnv> {
  return async (c, next) => {
    const key = keyOf(c)
    if (key === undefined) return await next()
    const isForm = (c.req.header('content-type') ?? '').startsWith('multipart/')
    const body = isForm ? undefined : await digestBody(c)
    const query = new URL(c.req.url).search
    const onUnkept = (error: unknown) =>
      tellOperator(`The answer could not be stored for repeated requests: ${reasonOf(error)}`, c)
    const known = await answers.runOnce(key, { signal: c.get('signal'), onUnkept }, async () => {
      await next()
      const digest = body ?? c.var.formDigest
      return digest === undefined ? undefined : await keepable(c, `${query} ${digest}`)
    })
    if (!known) return
    if (
      known.request ===
      `${query} ${body ?? (await digestForm(c, c.get('passim').settings.server.maxUploadBytes))}`
    )
      return again(known)
    throw invalid(
      'This Idempotency-Key was already used for another request. Use a new key for each request.',
    )
  }
}

function keyOf(c: RequestContext): AnswerKey | undefined {
  const given = c.req.header('idempotency-key')
  if (!given || c.req.method !== 'POST' || !c.req.path.startsWith('/v1/')) return undefined
  if (given.length > MAX_KEY_CHARS)
    throw invalid(`An Idempotency-Key has at most ${MAX_KEY_CHARS} characters.`)
  const { tenant = '', id = '' } = c.get('key') ?? {}
  return { owner: tenant, key: `${id} ${c.req.path} ${given}` }
}

async function digestBody(c: RequestContext): Promise<string> {
  const bytes = await readBytes(c)
  c.set('body', bytes)
  return digestBytes(bytes)
}

/** What can be given again: a success in JSON, and no stream. */
async function keepable(c: RequestContext, request: string): Promise<Answer | undefined> {
  const isJson = (c.res.headers.get('content-type') ?? '').startsWith('application/json')
  if (!c.res.ok || !isJson) return undefined
  const text = await c.res.clone().text()
  return text.length <= MAX_CHARS ? { request, status: c.res.status, text } : undefined
}

function again({ status, text }: Answer): Response {
  return new Response(text, {
    status,
    headers: { 'content-type': 'application/json', 'idempotent-replayed': 'true' },
  })
}
