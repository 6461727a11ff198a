import { Readable } from 'node:stream'
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import type { ServerEnv } from '../../../src/server/http/context.ts'
import { readBytes } from '../../../src/server/http/input.ts'
import { collectGarbage } from '../../fakes/garbage.ts'

test('of a body that was read its connection, which is there for longer, keeps nothing', async () => {
  const connection = new Readable({ read: () => {} })
  let body: WeakRef<Buffer> | undefined
  const app = new Hono<ServerEnv>().post('/', async c => {
    c.set('signal', c.req.raw.signal)
    body = new WeakRef(await readBytes(c))
    return c.text(String(body.deref()?.length))
  })
  const parts = ['first', 'second'].map(text => {
    const part = Buffer.alloc(1000, text)
    connection.push(part)
    return new WeakRef(part)
  })
  connection.push(null)
  const response = await app.request('/', { method: 'POST' }, { incoming: connection } as object)
  expect(await response.text()).toBe('2000')
  await collectGarbage()
  expect([body, ...parts].map(one => one?.deref())).toEqual([undefined, undefined, undefined])
  expect(connection.readableEnded).toBe(true)
})
