import { Hono } from 'hono'
import { z } from 'zod'
import { DEFAULT_TENANT, type Keys, SCOPES } from '../app/keys.ts'
import type { RequestContext, Routes, ServerEnv } from './context.ts'
import { readBody } from './input.ts'

export const createKeySchema = z.strictObject({
  name: z.string().min(1).max(100).describe('What to call it.'),
  tenant: z.string().default(DEFAULT_TENANT).describe('Whose store it opens.'),
  scope: z.enum(SCOPES).default('write').describe('What it may do.'),
})

/** `/api/keys`: what `passim keys` does, for keys that may administer, and for this machine while there are none. */
export function keyRoutes(keys: Keys): Routes {
  return new Hono<ServerEnv>()
    .get('/', async c => c.json({ keys: await keys.list() }))
    .post('/', c => create(c, keys))
    .delete('/:id', async c => c.json(await keys.revoke(c.req.param('id'))))
}

/** The token is told this once. */
async function create(c: RequestContext, keys: Keys): Promise<Response> {
  const { key, token } = await keys.create(await readBody(c, createKeySchema))
  c.header('cache-control', 'no-store')
  return c.json({ ...key, token }, 201)
}
