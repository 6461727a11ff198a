import type { MiddlewareHandler } from 'hono'
import { allows, DEFAULT_TENANT, type Key, type Keys, type Scope } from '../app/keys.ts'
import type { Stores } from '../app/tenants.ts'
import type { RequestContext, ServerEnv } from './context.ts'
import { refusal } from './errors.ts'
import { onlyFromThisMachine } from './loopback.ts'

/** They answer before anybody is asked for a key: whoever watches a service has none. */
export const OPEN_PATHS: ReadonlySet<string> = new Set(['/healthz', '/readyz'])

/** Posting to these asks and changes nothing; a response that is kept asks for more itself. */
const ASKING =
  /^\/(?:v1\/vector_stores\/[^/]+\/search|v[12]\/rerank|v1\/(?:embeddings|chat\/completions|responses)|api\/(?:search|ask)|retrieval|mcp)$/

export type AccessOptions = {
  readonly stores: Stores
  /** Undefined where nobody needs one: then only this machine is served. */
  readonly keys?: Keys | undefined
  readonly corsOrigins?: readonly string[]
}

/** Lets in who may come in, and finds the store that the request is for. */
export function access({ stores, keys, corsOrigins = [] }: AccessOptions): MiddlewareHandler<ServerEnv> {
  const fromThisMachine = onlyFromThisMachine(corsOrigins)
  return async (c, next) => {
    if (!keys?.isRequired) return await fromThisMachine(c, () => serve(c, stores, undefined, next))
    if (OPEN_PATHS.has(c.req.path)) return await next()
    const key = authenticate(c, keys)
    const needed = scopeOf(c)
    const isOverAll = needed === 'admin' // it tells of all tenants, so it is for the operator's own
    if (!allows(key.scope, needed) || (isOverAll && key.tenant !== DEFAULT_TENANT)) throw forbidden(key, needed)
    await serve(c, stores, key, next)
  }
}

/** The store is held until the answer is sent to its end, which may be long after it was begun. */
async function serve(
  c: RequestContext,
  stores: Stores,
  key: Key | undefined,
  next: () => Promise<void>,
): Promise<void> {
  if (OPEN_PATHS.has(c.req.path)) return await next()
  const lease = await stores.acquire(key?.tenant ?? DEFAULT_TENANT)
  const response = c.env?.outgoing
  try {
    c.set('passim', lease.passim)
    c.set('key', key)
    await next()
  } finally {
    if (!response || response.closed) lease.release()
    else response.once('close', () => lease.release())
  }
}

function authenticate(c: RequestContext, keys: Keys): Key {
  const [, token = ''] = /^Bearer +(\S+)$/i.exec(c.req.header('authorization') ?? '') ?? []
  const key = keys.authenticate(token)
  if (key) return key
  const what = keys.isAnyValid
    ? 'A valid key is needed: send Authorization: Bearer KEY.'
    : 'All keys of this service are revoked, so it lets nobody in; they do not open it by being gone.'
  const message = `${what} Whoever runs it makes one with passim keys create.`
  throw refusal({ status: 401, code: 'unauthorized', message, headers: { 'www-authenticate': 'Bearer' } })
}

function scopeOf({ req }: RequestContext): Scope {
  if (req.path === '/metrics') return 'admin'
  const isReading = req.method === 'GET' || req.method === 'HEAD' || ASKING.test(req.path)
  return isReading ? 'read' : 'write'
}

/** Throws where the key may not do what only the request's body tells. */
export function requireScope(c: RequestContext, needed: Scope, advice: string): void {
  const { key } = c.var
  if (key && !allows(key.scope, needed)) throw forbidden(key, needed, advice)
}

function forbidden({ id, scope }: Key, needed: Scope, advice = ''): Error {
  const message = `Key ${id} may ${scope}, and this needs a key that may ${needed}.${advice && ` ${advice}`}`
  return refusal({ status: 403, code: 'forbidden', message })
}
