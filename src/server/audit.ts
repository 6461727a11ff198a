import { AsyncLocalStorage } from 'node:async_hooks'
import type { MiddlewareHandler } from 'hono'
import { z } from 'zod'
import {
  API_ACTIVITY,
  describeActivity,
  describeSearch,
  type Origin,
} from '../app/audit/audit-events.ts'
import type { AuditLog } from '../app/audit/audit-log.ts'
import { type Found, foundChannel } from '../app/tracing.ts'
import { isOpen, SHARED_PATH } from './http/access.ts'
import type { RequestContext, ServerEnv } from './http/context.ts'
import { getRoute } from './http/metrics.ts'
import { runWhenSent } from './http/when-sent.ts'

/** Answers whose id is read; protects memory. */
const MAX_ANSWER_BYTES = 64 * 1024

const ACTIVITIES: Readonly<Record<string, number>> = { GET: 2, PUT: 3, PATCH: 3, DELETE: 4 }
const CREATE = 1

const identifiedSchema = z.object({ id: z.string() })

export type Audit = {
  readonly createMiddleware: MiddlewareHandler<ServerEnv>
  close(): void
}

export function openAudit(log: AuditLog): Audit {
  const contexts = new AsyncLocalStorage<RequestContext>()
  const writeFound = (message: unknown) => {
    const c = contexts.getStore()
    if (c) log.write(describeSearch(readOrigin(c), message as Found, log.settings.text))
  }
  foundChannel.subscribe(writeFound)
  const createMiddleware: MiddlewareHandler<ServerEnv> = async (c, next) => {
    if (isOpen(c) && c.req.path !== SHARED_PATH) return await next()
    await log.waitForRoom(c.req.raw.signal)
    await contexts.run(c, next)
    const id = await readId(c)
    runWhenSent(c, () => log.write(describeRequest(c, id)))
  }
  return { createMiddleware, close: () => foundChannel.unsubscribe(writeFound) }
}

async function readId(c: RequestContext): Promise<string | undefined> {
  const isJson = c.res.headers.get('content-type')?.startsWith('application/json')
  const isSent = c.get('startResponse') !== undefined || c.res.body === null
  if (c.req.method === 'GET' || !isJson || isSent) return undefined
  const text = await c.res.clone().text()
  if (text.length > MAX_ANSWER_BYTES) return undefined
  return identifiedSchema.safeParse(JSON.parse(text)).data?.id
}

function describeRequest(c: RequestContext, id: string | undefined): object {
  const { method, path } = c.req
  const { status } = c.res
  const origin = readOrigin(c)
  return {
    ...describeActivity(origin, API_ACTIVITY, ACTIVITIES[method] ?? CREATE),
    status_id: status < 400 ? 1 : 2,
    status_code: String(status),
    api: { operation: origin.operation, response: { code: status } },
    http_request: { http_method: method, url: { path } },
    ...(id !== undefined && { resources: [{ uid: id }] }),
  }
}

function readOrigin(c: RequestContext): Origin {
  const key = c.get('key')
  return {
    operation: `${c.req.method} ${getRoute(c)}`,
    correlationId: c.get('requestId'),
    tenant: key?.tenant,
    user: key ? { uid: key.id, name: key.name } : { name: c.get('passim') ? 'local' : 'unknown' },
    ip: c.env?.incoming?.socket.remoteAddress,
  }
}
