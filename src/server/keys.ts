import { z } from 'zod'
import { DEFAULT_TENANT, type Keys, SCOPES } from '../app/tenants/keys.ts'
import type { KeyJson, KeyListJson, NewKeyJson } from '../wire/key.ts'
import type { RequestContext } from './http/context.ts'
import { readBody } from './http/input.ts'
import type { Routes } from './route.ts'

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
})

export function createKeyRoutes(keys: Keys): Routes {
  return {
    'GET /api/keys': {
      summary: 'List the keys',
      answer: 'KeyList',
      reply: async c => c.json<KeyListJson>({ keys: await keys.list() }),
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
      reply: async c => c.json<KeyJson>(await keys.revoke(c.req.param('id')!)),
    },
  }
}

/** Returns the token once. */
async function create(c: RequestContext, keys: Keys): Promise<Response> {
  const { key, token } = await keys.createRemotely(await readBody(c, createKeySchema))
  c.header('cache-control', 'no-store')
  return c.json<NewKeyJson, 201>({ ...key, token }, 201)
}
