import type { MiddlewareHandler } from 'hono'
import {
  DEFAULT_TENANT,
  hasScope,
  type Key,
  type Keys,
  type Scope,
} from '../../app/tenants/keys.ts'
import type { Stores } from '../../app/tenants/tenants.ts'
import { ASSETS } from '../web-page.ts'
import type { RequestContext, ServerEnv } from './context.ts'
import { createRefusal } from './errors.ts'
import { isNotServed } from './unrouted.ts'

/** States the scope of the key, so that a client offers only what it may do. */
export const SCOPE_HEADER = 'x-passim-scope'

/** POST routes without changes; stored responses check separately. */
const ASKING =
  /^\/(?:v1\/vector_stores\/[^/]+\/search|v[12]\/rerank|v1\/(?:embeddings|(?:chat\/)?completions|responses(?:\/input_tokens)?)|api\/(?:search|ask|find)|retrieval|mcp)$/

/** Routes without a key, for monitoring and browsers. */
export const OPEN_PATHS: ReadonlySet<string> = new Set([
  '/healthz',
  '/readyz',
  '/',
  '/docs',
  '/openapi.json',
])

/** Routes of the service instead of a tenant. */
const ADMINISTERED = /^\/(?:metrics|api\/keys(?:\/.*)?)$/

export function isOpen({ req }: RequestContext): boolean {
  return OPEN_PATHS.has(req.path) || (req.method === 'GET' && req.path.startsWith(ASSETS))
}

type AccessOptions = {
  readonly stores: Stores
  /** Undefined if no keys exist: only this machine is served. */
  readonly keys?: Keys | undefined
  readonly corsOrigins?: readonly string[]
}

export function createAccess({
  stores,
  keys,
  corsOrigins = [],
}: AccessOptions): MiddlewareHandler<ServerEnv> {
  const fromThisMachine = requireThisMachine(corsOrigins)
  return async (c, next) => {
    if (!keys || !(await keys.isRequired()))
      return await fromThisMachine(c, () => serve(c, stores, undefined, next))
    if (isOpen(c)) return await next()
    const key = await authenticate(c, keys)
    const needed = getScope(c)
    const isOverAll = needed === 'admin' // covers all tenants, so only the operator's keys
    if (!hasScope(key.scope, needed) || (isOverAll && key.tenant !== DEFAULT_TENANT))
      throw createForbidden(key, needed)
    c.set('isAdmitted', () => keys.isValid(key.id))
    c.set('whenRevoked', end => keys.watchRevocation(key.id, end))
    await serve(c, stores, key, next)
  }
}

/** Holds the store until the answer is sent. */
async function serve(
  c: RequestContext,
  stores: Stores,
  key: Key | undefined,
  next: () => Promise<void>,
): Promise<void> {
  if (isOpen(c)) return await next()
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

async function authenticate(c: RequestContext, keys: Keys): Promise<Key> {
  const [, token = ''] = /^Bearer +(\S+)$/i.exec(c.req.header('authorization') ?? '') ?? []
  const key = await keys.authenticate(token)
  if (key) return key
  const message = (await keys.isAnyValid())
    ? 'A valid key is needed: send it as Authorization: Bearer KEY. To get one, ask the operator of this service.'
    : 'All keys of this service are revoked, so it accepts no request. Ask its operator for a new key.'
  throw createRefusal({
    status: 401,
    code: 'unauthorized',
    message,
    headers: { 'www-authenticate': 'Bearer' },
  })
}

function getScope({ req }: RequestContext): Scope {
  if (ADMINISTERED.test(req.path)) return 'admin'
  const isReading = req.method === 'GET' || req.method === 'HEAD' || ASKING.test(req.path)
  return isReading || isNotServed(req) ? 'read' : 'write'
}

/** Checks a scope that depends on the body. */
export function requireScope(c: RequestContext, needed: Scope, advice: string): void {
  const key = c.get('key')
  if (key && !hasScope(key.scope, needed)) throw createForbidden(key, needed, advice)
}

function createForbidden({ id, scope }: Key, needed: Scope, advice = ''): Error {
  const message = `Key ${id} has the scope ${scope}, but this request needs the scope ${needed}.${advice && ` ${advice}`}`
  return createRefusal({ status: 403, code: 'forbidden', message })
}

export function isLoopback(host: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/.test(host)
}

/** Refuses other hosts and origins without keys, against DNS rebinding and forms. */
function requireThisMachine(corsOrigins: readonly string[]): MiddlewareHandler<ServerEnv> {
  return async (c, next) => {
    const host = c.req.header('host') ?? new URL(c.req.url).host
    const origin = c.req.header('origin')
    if (!isLocal(`http://${host}`))
      throw createElsewhere(`The host ${host} is not a name of this machine`, WITH_KEY)
    if (origin !== undefined && !isLocal(origin) && !corsOrigins.includes(origin)) {
      const page = origin === 'null' ? 'A page without an origin' : `A page of ${origin}`
      throw createElsewhere(
        `${page} may not use this server`,
        origin === 'null'
          ? WITH_KEY
          : `To allow it, add ${origin} to the setting server.corsOrigins.`,
      )
    }
    await next()
  }
}

function isLocal(url: string): boolean {
  return URL.canParse(url) && isLoopback(new URL(url).hostname)
}

/** Once a key exists, every host name is accepted. */
const WITH_KEY =
  'To use it from elsewhere, such as from a container as host.docker.internal, create an API key on the server, ' +
  'send it as Authorization: Bearer KEY, and set server.host to 0.0.0.0.'

function createElsewhere(what: string, advice: string): Error {
  const message = `${what}: a server without keys accepts requests to localhost, 127.0.0.1 and [::1] only. ${advice}`
  return createRefusal({ status: 403, code: 'forbidden', message })
}
