import type { MiddlewareHandler } from 'hono'
import { localizable } from '../errors/localizable.ts'
import { isTimeName } from '../wire/schema.ts'
import type { ServerEnv } from './http/context.ts'
import { createInvalid } from './http/errors.ts'

const VERSION_HEADER = 'passim-version'

/** First day of the forms that docs/http.md describes. */
const CURRENT_VERSION = '2026-12-01'

/** Contain names of users. */
const USERS_OBJECTS: ReadonlySet<string> = new Set(['attributes', 'metadata', 'filter'])

type Forms = {
  readonly path: RegExp
  /** Names by their current one. */
  readonly names: Readonly<Record<string, string>>
  readonly toTime: (unixMs: number) => number
}

const toMilliseconds = (unixMs: number) => unixMs
const toSeconds = (unixMs: number) => Math.floor(unixMs / 1000)

/** Forms before the current version: the first one whose path matches. */
const OLDER_FORMS: readonly Forms[] = [
  {
    path: /^\/api\/conversations(?:\/[^/]+)?$/,
    names: {
      conversations: 'data',
      createdAt: 'created_at',
      hasMore: 'has_more',
      last: 'last_id',
      turnCount: 'turn_count',
      updatedAt: 'updated_at',
    },
    toTime: toSeconds,
  },
  {
    path: /^\/api\/documents\/[^/]+\/blocks$/,
    names: { after: 'start', last: 'next' },
    toTime: toMilliseconds,
  },
  {
    path: /^\/api\/(?:collections|deletions|documents|jobs|keys)(?:\/|$)/,
    names: { dryRun: 'dry_run', hasMore: 'has_more' },
    toTime: toMilliseconds,
  },
]

/** Accepts and returns the forms of an earlier version for clients that send its date. */
export const serveOlderForms: MiddlewareHandler<ServerEnv> = async (c, next) => {
  const version = c.req.header(VERSION_HEADER)
  if (version === undefined) return await next()
  if (!/^\d{4}-\d\d-\d\d$/.test(version))
    throw createInvalid(
      localizable`The header ${VERSION_HEADER} has to be a date such as ${CURRENT_VERSION}.`,
    )
  const forms = OLDER_FORMS.find(({ path }) => path.test(c.req.path))
  if (!forms || version >= CURRENT_VERSION) return await next()
  c.set('olderForms', {
    names: new Map(Object.entries(forms.names).map(([name, older]) => [older, name])),
    write: value => toOlder(value, forms),
  })
  await next()
  const { res } = c
  const type = res.headers.get('content-type') ?? ''
  if (!res.ok || !type.startsWith('application/json')) return
  const { headers, status } = res
  c.res = new Response(JSON.stringify(toOlder(await res.json(), forms)), { headers, status })
}

function toOlder(value: object, forms: Forms): object
function toOlder(value: unknown, forms: Forms): unknown
function toOlder(value: unknown, forms: Forms): unknown {
  if (Array.isArray(value)) return value.map(item => toOlder(item, forms))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([name, field]): [string, unknown] => {
    const older = forms.names[name] ?? name
    if (USERS_OBJECTS.has(name)) return [older, field]
    if (isTimeName(name) && typeof field === 'string')
      return [older, forms.toTime(Date.parse(field))]
    return [older, toOlder(field, forms)]
  })
  return Object.fromEntries(entries)
}
