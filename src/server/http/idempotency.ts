import type { MiddlewareHandler } from 'hono'
import type { Answer, AnswerKey, StoredAnswers } from '../../app/tenants/stored-answers.ts'
import { localizable } from '../../errors/localizable.ts'
import { getReason } from '../../errors.ts'
import { hashBytes } from '../../system/digest.ts'
import { notifyOperator, type RequestContext, type ServerEnv } from './context.ts'
import { createInvalid } from './errors.ts'
import { readBytes } from './input.ts'
import { hasLines } from './lines.ts'
import { hashForm } from './multipart.ts'

/**
 * UTF-16 units of an answer, so that the catalog stays small; longer lists can be requested
 * again.
 */
const MAX_CHARS = 8 * 1024 * 1024

const MAX_KEY_CHARS = 255

/**
 * Repeats a successful POST under `/v1`, or of a document, with the same key, caller and path.
 * Refuses another request. Failures may be retried.
 */
export function createIdempotency(answers: StoredAnswers): MiddlewareHandler<ServerEnv> {
  return async (c, next) => {
    const key = getKey(c)
    if (key === undefined) return await next()
    const isForm = (c.req.header('content-type') ?? '').startsWith('multipart/')
    const body = isForm ? undefined : await hashBody(c)
    const query = new URL(c.req.url).search
    const onUnkept = (error: unknown) =>
      notifyOperator(`The answer could not be stored for repeated requests: ${getReason(error)}`, c)
    const stored = await answers.runOnce(key, { signal: c.get('signal'), onUnkept }, async () => {
      await next()
      const digest = body ?? c.var.formDigest
      return digest === undefined ? undefined : await toStorable(c, `${query} ${digest}`)
    })
    if (!stored) return
    if (
      stored.request ===
      `${query} ${body ?? (await hashForm(c, c.get('passim').settings.server.maxUploadBytes))}`
    )
      return repeatAnswer(stored)
    throw createInvalid(
      'This Idempotency-Key was already used for another request. Use a new key for each request.',
    )
  }
}

function getKey(c: RequestContext): AnswerKey | undefined {
  const key = c.req.header('idempotency-key')
  if (!key || c.req.method !== 'POST' || !isRepeatable(c.req.path) || hasLines(c)) return undefined
  if (key.length > MAX_KEY_CHARS)
    throw createInvalid(localizable`An Idempotency-Key has at most ${MAX_KEY_CHARS} characters.`)
  const { tenant = '', id = '' } = c.get('key') ?? {}
  return { owner: tenant, key: `${id} ${c.req.path} ${key}` }
}

export function isRepeatable(path: string): boolean {
  return /^\/(?:v1\/|api\/collections\/[^/]+\/documents$)/.test(path)
}

async function hashBody(c: RequestContext): Promise<string> {
  const bytes = await readBytes(c)
  c.set('body', bytes)
  return hashBytes(bytes)
}

async function toStorable(c: RequestContext, request: string): Promise<Answer | undefined> {
  const isJson = (c.res.headers.get('content-type') ?? '').startsWith('application/json')
  if (!c.res.ok || !isJson) return undefined
  const text = await c.res.clone().text()
  return text.length <= MAX_CHARS ? { request, status: c.res.status, text } : undefined
}

function repeatAnswer({ status, text }: Answer): Response {
  return new Response(text, {
    status,
    headers: { 'content-type': 'application/json', 'idempotent-replayed': 'true' },
  })
}
