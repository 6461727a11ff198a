import { z } from 'zod'
import { DEFAULT_TENANT, type Keys, SCOPES } from '../app/tenants/keys.ts'
import { checkFilter } from '../search/filter-text.ts'
import type { KeyJson, KeyListJson, NewKeyJson } from '../wire/key.ts'
import { writeTimes } from '../wire/schema.ts'
import type { RequestContext } from './http/context.ts'
import { readBody } from './http/input.ts'
import { listSchema, selectPage } from './http/pagination.ts'
import { readQuery } from './http/query.ts'
import { streamJson } from './http/sliced-json.ts'
import type { Routes } from './route.ts'
import { filterSchema } from './search/filter.ts'

/** Bounds what each request of the key compares. */
const MAX_COLLECTIONS = 256

const listKeysSchema = listSchema('keys', 1_000)

const createKeySchema = z.strictObject({
  name: z.string().min(1).max(100).describe('Name of the key (1 to 100 characters).'),
  tenant: z
    .string()
    .default(DEFAULT_TENANT)
    .describe('Tenant whose store the key opens. Default: `default`.'),
  scope: z
    .enum(SCOPES)
    .default('write')
    .describe(
      'What the key may do: `read`, `write` (the default; includes `read`) or `admin` (includes both).',
    ),
  collections: z
    .array(z.string().min(1))
    .min(1)
    .max(MAX_COLLECTIONS)
    .optional()
    .describe(
      'Names or ids of the only collections that the key sees (at most 256). It needs the scope `read`. Default: all.',
    ),
  filter: filterSchema
    .optional()
    .describe(
      'Condition of the only documents that the key sees, such as `team=it`, or a filter object of vector stores. It needs the scope `read`. Default: all.',
    ),
})

export function createKeyRoutes(keys: Keys): Routes {
  return {
    'GET /api/keys': {
      summary: 'List the keys',
      query: listKeysSchema,
      answer: 'KeyList',
      reply: c => list(c, keys),
    },
    'POST /api/keys': {
      summary: 'Create a key; its token is returned only once',
      description:
        'Once a key exists, every request needs one. The first key must therefore have the scope `admin` and the tenant `default`, so that it can create others; otherwise the response is 409.',
      body: createKeySchema,
      example: { name: 'operator', scope: 'admin' },
      status: 201,
      answer: 'NewKey',
      reply: c => create(c, keys),
    },
    'DELETE /api/keys/:id': {
      summary: 'Revoke a key',
      answer: 'Key',
      reply: async c => c.json<KeyJson>(writeTimes(await keys.revoke(c.req.param('id')!))),
    },
  }
}

async function list(c: RequestContext, keys: Keys): Promise<Response> {
  const query = readQuery(c, listKeysSchema)
  const { page, end } = await selectPage(await keys.list(), query, writeTimes)
  return streamJson<KeyListJson>(c, { keys: page, ...end })
}

/** Returns the token once. */
async function create(c: RequestContext, keys: Keys): Promise<Response> {
  const { filter, ...request } = await readBody(c, createKeySchema)
  const { key, token } = await keys.createRemotely({
    ...request,
    filter: filter === undefined ? undefined : checkFilter(filter),
  })
  c.header('cache-control', 'no-store')
  return c.json<NewKeyJson, 201>({ ...writeTimes(key), token }, 201)
}
