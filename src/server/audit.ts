import { AsyncLocalStorage } from 'node:async_hooks'
import type { MiddlewareHandler } from 'hono'
import { z } from 'zod'
import type { AuditLog } from '../app/audit/audit-log.ts'
import { type Found, foundChannel } from '../app/tracing.ts'
import { readPackageVersion } from '../app/version.ts'
import { isOpen, SHARED_PATH } from './http/access.ts'
import type { RequestContext, ServerEnv } from './http/context.ts'
import { getRoute } from './http/metrics.ts'
import { runWhenSent } from './http/when-sent.ts'

const MAX_QUERY_CHARS = 2_000

/** Answers whose id is read; protects memory. */
const MAX_ANSWER_BYTES = 64 * 1024

/** OCSF 1.5: API Activity and Datastore Activity. */
const API_ACTIVITY = { category_uid: 6, class_uid: 6003 }
const DATASTORE_ACTIVITY = { category_uid: 6, class_uid: 6005 }
const QUERY = 4
const ACTIVITIES: Readonly<Record<string, number>> = { GET: 2, PUT: 3, PATCH: 3, DELETE: 4 }
const CREATE = 1
const INFORMATIONAL = 1

const identifiedSchema = z.object({ id: z.string() })

export type Audit = {
  readonly createMiddleware: MiddlewareHandler<ServerEnv>
  close(): void
}

/** Writes a line per request, and one per search with the passages that it found. */
export function openAudit(log: AuditLog): Audit {
  const contexts = new AsyncLocalStorage<RequestContext>()
  const writeFound = (message: unknown) => {
    const c = contexts.getStore()
    if (c) log.write(describeSearch(c, message as Found, log.settings.text))
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
  const activity = ACTIVITIES[method] ?? CREATE
  return {
    ...describe(c, API_ACTIVITY, activity),
    status_id: status < 400 ? 1 : 2,
    status_code: String(status),
    api: { operation: `${method} ${getRoute(c)}`, response: { code: status } },
    http_request: { http_method: method, url: { path } },
    ...(id !== undefined && { resources: [{ uid: id }] }),
  }
}

function describeSearch(c: RequestContext, { query, hits }: Found, hasText: boolean): object {
  return {
    ...describe(c, DATASTORE_ACTIVITY, QUERY),
    status_id: 1,
    api: { operation: `${c.req.method} ${getRoute(c)}` },
    query_info: { query_string: query.text.slice(0, MAX_QUERY_CHARS) },
    resources: [
      ...query.collectionIds.map(uid => ({ uid, type: 'collection' })),
      ...hits.map(({ documentId: uid, charStart, charEnd, text }) => ({
        uid,
        type: 'passage',
        data: { charStart, charEnd, ...(hasText && { text }) },
      })),
    ],
  }
}

function describe(
  c: RequestContext,
  activityClass: { readonly category_uid: number; readonly class_uid: number },
  activity: number,
): object {
  const key = c.get('key')
  const ip = c.env?.incoming?.socket.remoteAddress
  return {
    ...activityClass,
    activity_id: activity,
    type_uid: activityClass.class_uid * 100 + activity,
    time: Date.now(),
    severity_id: INFORMATIONAL,
    metadata: {
      version: '1.5.0',
      product: { name: 'Passim', vendor_name: 'Passim', version: readPackageVersion() },
      correlation_uid: c.get('requestId'),
      ...(key && { tenant_uid: key.tenant }),
    },
    actor: {
      user: key ? { uid: key.id, name: key.name } : { name: c.get('passim') ? 'local' : 'unknown' },
    },
    ...(ip !== undefined && { src_endpoint: { ip } }),
  }
}
