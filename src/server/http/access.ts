import type { MiddlewareHandler } from 'hono'
import type { Access } from '../../app/documents/visible-documents.ts'
import {
  DEFAULT_TENANT,
  hasScope,
  isRestricted,
  type Key,
  type Keys,
  type Scope,
} from '../../app/tenants/keys.ts'
import type { Stores } from '../../app/tenants/tenants.ts'
import { isToken, readToken } from '../../app/tenants/tokens.ts'
import type { Settings } from '../../config.ts'
import { getMessages, localizable, type Sentence } from '../../errors/localizable.ts'
import { AppError, toAppError } from '../../errors.ts'
import { ASSETS } from '../web-page.ts'
import type { RequestContext, ServerEnv } from './context.ts'
import { createRefusal } from './errors.ts'
import { isNotServed } from './unrouted.ts'

/** States the scope of the key, so that a client offers only what it may do. */
export const SCOPE_HEADER = 'x-passim-scope'

/** POST routes without changes; stored responses check separately. */
const ASKING =
  /^\/(?:v1\/vector_stores\/[^/]+\/search|v[12]\/rerank|v1\/(?:embeddings|(?:chat\/)?completions|responses(?:\/input_tokens)?)|api\/(?:search|ask|find|shared)|retrieval|mcp)$/

/** A secret in the body, and a key only if the reader has one. */
export const SHARED_PATH = '/api/shared'

/** Routes without a key, for monitoring and browsers. */
export const OPEN_PATHS: ReadonlySet<string> = new Set([
  '/healthz',
  '/readyz',
  '/',
  '/docs',
  '/verify.html',
  '/openapi.json',
  SHARED_PATH,
])

/** Routes of the service instead of a tenant. */
const ADMINISTERED = /^\/(?:metrics|api\/(?:checks|model)|api\/(?:keys|sources)(?:\/.*)?)$/

export function isOpen({ req }: RequestContext): boolean {
  return OPEN_PATHS.has(req.path) || (req.method === 'GET' && req.path.startsWith(ASSETS))
}

function needsNoKey(c: RequestContext): boolean {
  const hasKey = c.req.header('authorization') !== undefined
  return isOpen(c) && !(hasKey && c.req.path === SHARED_PATH)
}

type AccessOptions = {
  readonly stores: Stores
  /** Undefined if no keys exist: only this machine is served. */
  readonly keys?: Keys
  readonly tokens?: Settings['server']['tokens']
  readonly corsOrigins?: readonly string[]
}

export function createAccess({
  stores,
  keys,
  tokens,
  corsOrigins = [],
}: AccessOptions): MiddlewareHandler<ServerEnv> {
  const fromThisMachine = requireThisMachine(corsOrigins)
  return async (c, next) => {
    const { caller } = c.env ?? {}
    if (caller) {
      c.set('passim', caller.passim)
      if (caller.key) setCaller(c, caller.key, keys)
      return await next()
    }
    if (!tokens && !(await keys?.isRequired()))
      return await fromThisMachine(c, () => serve(c, stores, undefined, next))
    if (needsNoKey(c)) return await next()
    const key = await authenticate(c, { keys, tokens })
    const needed = getScope(c)
    const isOverAll = needed === 'admin' // covers all tenants, so only the operator's keys
    if (!hasScope(key.scope, needed) || (isOverAll && key.tenant !== DEFAULT_TENANT))
      throw createForbidden(key, needed)
    setCaller(c, key, keys)
    await serve(c, stores, key, next)
  }
}

function setCaller(c: RequestContext, key: Key, keys: Keys | undefined): void {
  const { expiresAt } = key
  c.set('key', key)
  if (expiresAt === undefined && keys) {
    c.set('isAdmitted', () => keys.isValid(key.id))
    c.set('whenRevoked', end => keys.watchRevocation(key.id, end))
  } else {
    c.set('isAdmitted', async () => Date.now() < (expiresAt ?? 0))
    c.set('whenRevoked', end => watchExpiry(expiresAt ?? 0, end))
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
  const lease = await stores.acquire(key?.tenant ?? DEFAULT_TENANT, key && getAccess(key))
  const response = c.env?.outgoing
  try {
    c.set('passim', lease.passim)
    await next()
  } finally {
    if (!response || response.closed) lease.release()
    else response.once('close', () => lease.release())
  }
}

export function getAccess(key: Key): Access | undefined {
  const { collections, filter, readers } = key
  return isRestricted(key) ? { collections, filter, readers } : undefined
}

/** Longest delay of a timer. */
const MAX_TIMER_MS = 2 ** 31 - 1

function watchExpiry(expiresAt: number, end: (reason: AppError) => void): () => void {
  const reason = new AppError('unauthorized', 'The token has expired, so its request was ended.')
  const leftMs = Math.min(expiresAt - Date.now(), MAX_TIMER_MS)
  const timer = setTimeout(() => end(reason), leftMs).unref()
  return () => clearTimeout(timer)
}

async function authenticate(
  c: RequestContext,
  { keys, tokens }: Pick<AccessOptions, 'keys' | 'tokens'>,
): Promise<Key> {
  const [, token = ''] = /^Bearer +(\S+)$/i.exec(c.req.header('authorization') ?? '') ?? []
  const key = tokens && isToken(token) ? readSigned(token, tokens) : await keys?.authenticate(token)
  if (key) return key
  const message =
    (tokens ?? (await keys?.isAnyValid()))
      ? 'A valid key is needed: send it as Authorization: Bearer KEY. To get one, ask the operator of this service.'
      : 'All keys of this service are revoked, so it accepts no request. Ask its operator for a new key.'
  throw createUnauthorized(message)
}

function readSigned(token: string, tokens: NonNullable<AccessOptions['tokens']>): Key {
  try {
    return readToken(token, tokens)
  } catch (error) {
    throw createUnauthorized(getMessages(toAppError(error)).message)
  }
}

function createUnauthorized(message: Sentence): Error {
  const headers = { 'www-authenticate': 'Bearer' }
  return createRefusal({ status: 401, code: 'unauthorized', message, headers })
}

function getScope({ req }: RequestContext): Scope {
  if (ADMINISTERED.test(req.path)) return 'admin'
  const isAsking = ASKING.test(req.path) || ASKING.test(`/v1${req.path}`)
  const isReading = req.method === 'GET' || req.method === 'HEAD' || isAsking
  return isReading || isNotServed(req) ? 'read' : 'write'
}

/** Checks a scope that depends on the body. */
export function requireScope(c: RequestContext, needed: Scope, advice: string): void {
  const key = c.get('key')
  if (key && !hasScope(key.scope, needed)) throw createForbidden(key, needed, advice)
}

function createForbidden({ id, scope }: Key, needed: Scope, advice?: string): Error {
  const note = advice && localizable` ${advice}`
  const message = localizable`Key ${id} has the scope ${scope}, but this request needs the scope ${needed}.${note}`
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
      throw createElsewhere(localizable`The host ${host} is not a name of this machine`, WITH_KEY)
    if (origin !== undefined && !isLocal(origin) && !corsOrigins.includes(origin)) {
      const page = origin === 'null' ? 'A page without an origin' : localizable`A page of ${origin}`
      throw createElsewhere(
        localizable`${page} may not use this server`,
        origin === 'null'
          ? WITH_KEY
          : localizable`To allow it, add ${origin} to the setting server.corsOrigins.`,
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

function createElsewhere(what: Sentence, advice: Sentence): Error {
  const message = localizable`${what}: a server without keys accepts requests to localhost, 127.0.0.1 and [::1] only. ${advice}`
  return createRefusal({ status: 403, code: 'forbidden', message })
}
