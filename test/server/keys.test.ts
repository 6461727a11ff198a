import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Description } from '../../src/server/openapi/description.ts'
import { serve } from '../../src/server.ts'
import { openKeyed } from './keyed.ts'

let service: Awaited<ReturnType<typeof openKeyed>>

beforeEach(async () => {
  service = await openKeyed({ requestsPerMinute: 30, corsOrigins: ['https://app.example.org'] })
})
afterEach(() => service.close())

const status = async (token: string, method: string, url: string, body?: object) =>
  (await service.call(token, method, url, body)).status

describe('a key', () => {
  test('is needed once there is one, by everything but health', async () => {
    expect((await service.app.request('/v1/files')).status).toBe(200)
    const token = await service.token('default')
    const refused = await service.app.request('/v1/files')
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
    for (const url of ['/v1/nothing', '/api/search', '/metrics'])
      expect((await service.app.request(url)).status).toBe(401)
    for (const url of ['/healthz', '/readyz'])
      expect((await service.app.request(url)).status).toBe(200)
    expect(await status(token, 'GET', '/v1/files')).toBe(200)
  })
  test('that is wrong in whatever way is refused in the same words', async () => {
    const token = await service.token('default')
    const wrong = [
      token.slice(0, -1),
      `${token.slice(0, -1)}A`.replace(/.$/, 'x'),
      'x',
      '',
      token.replace(/_[0-9a-f]+_/, '_000000000000_'),
    ]
    const answers = await Promise.all(
      wrong.map(async one => (await service.call(one, 'GET', '/v1/files')).json()),
    )
    expect(new Set(answers.map(answer => JSON.stringify(answer))).size).toBe(1)
    expect(answers[0]).toMatchObject({ error: { code: 'invalid_api_key' } })
  })
  test('that is revoked lets nobody in, and neither does having no other', async () => {
    const token = await service.token('default')
    for (const { id } of await service.keys.list()) await service.keys.revoke(id)
    expect(await status(token, 'GET', '/v1/files')).toBe(401)
    const refused = await service.app.request('/v1/files')
    expect(refused.status).toBe(401)
    expect(await refused.text()).toContain('All keys of this service are revoked')
  })
  test('that reads is told what to use in place of a route that is not served', async () => {
    const reader = await service.token('default', 'read')
    const refused = await service.call(reader, 'POST', '/v2/embed', { texts: ['a'] })
    expect([refused.status, await refused.text()]).toEqual([
      404,
      expect.stringContaining('/v1/embeddings'),
    ])
    const unversioned = await service.call(reader, 'POST', '/chat/completions', {})
    expect(await unversioned.text()).toContain('let its base URL end in /v1')
    expect(await status(reader, 'POST', '/v1/nothing', {})).toBe(403)
  })
  test('that reads has no files indexed by naming them in a message', async () => {
    const content = [
      { type: 'file', file: { file_id: 'file-none' } },
      { type: 'text', text: 'Who?' },
    ]
    const asked = { model: 'passim-extractive', messages: [{ role: 'user', content }] }
    expect(
      await status(await service.token('default', 'read'), 'POST', '/v1/chat/completions', asked),
    ).toBe(403)
    expect(
      await status(await service.token('default', 'write'), 'POST', '/v1/chat/completions', asked),
    ).toBe(404)
  })
  test('may do what its scope says', async () => {
    const [read, write, admin] = await Promise.all(
      (['read', 'write', 'admin'] as const).map(scope => service.token('default', scope)),
    )
    expect(await status(read!, 'GET', '/v1/vector_stores')).toBe(200)
    expect(await status(read!, 'POST', '/v1/vector_stores', {})).toBe(403)
    expect(await status(read!, 'POST', '/v1/responses', { input: 'Who?' })).toBe(403)
    expect(await status(read!, 'POST', '/v1/responses', { input: 'Who?', store: false })).toBe(400) // nothing to quote
    expect(await status(read!, 'DELETE', '/v1/files/file-none')).toBe(403)
    expect(await status(write!, 'POST', '/v1/vector_stores', { name: 'default' })).toBe(200)
    expect(await status(read!, 'POST', '/api/search', { query: 'x' })).toBe(200)
    expect(await status(read!, 'POST', '/api/find', { text: 'a quotation' })).toBe(200)
    expect(await status(write!, 'GET', '/metrics')).toBe(403)
    expect(await status(admin!, 'POST', '/v1/vector_stores', {})).toBe(200)
  })
  test('is asked to slow down when it asks too often, and told when to come back', async () => {
    const [fast, other] = [await service.token('default'), await service.token('default')]
    const answers = []
    for (let at = 0; at < 31; at++) answers.push(await service.call(fast, 'GET', '/v1/models'))
    expect(answers.slice(0, 30).every(answer => answer.status === 200)).toBe(true)
    const refused = answers[30]
    expect([refused?.status, Number(refused?.headers.get('retry-after-ms')) > 0]).toEqual([
      429,
      true,
    ])
    expect(await status(other, 'GET', '/v1/models')).toBe(200)
  })
  test('is told its scope in each answer, also of an error', async () => {
    const scopes = ['read', 'write', 'admin'] as const
    for (const scope of scopes) {
      const token = await service.token('default', scope)
      for (const url of ['/v1/files', '/v1/nothing']) {
        const { headers } = await service.call(token, 'GET', url)
        expect(headers.get('x-passim-scope')).toBe(scope)
      }
    }
    expect((await service.app.request('/healthz')).headers.has('x-passim-scope')).toBe(false)
  })

  test('tells when it was used last', async () => {
    const [used, idle] = [await service.token('default'), await service.token('default')]
    const before = Date.now()
    expect(await status(used, 'GET', '/v1/files')).toBe(200)
    expect(
      await status(`${idle.slice(0, -1)}${idle.endsWith('A') ? 'B' : 'A'}`, 'GET', '/v1/files'),
    ).toBe(401)
    const lastUsed = new Map(
      (await service.keys.list()).map(({ id, lastUsedAt }) => [id, lastUsedAt]),
    )
    expect(lastUsed.get(used.split('_')[1]!)).toBeGreaterThanOrEqual(before)
    expect(lastUsed.get(idle.split('_')[1]!)).toBeUndefined()
  })
  test('that is the first one made over HTTP can make the next, and any other is refused', async () => {
    const make = (body: object, token = '') =>
      service.call(token, 'POST', '/api/keys', { name: 'first', ...body })
    for (const body of [{}, { scope: 'read' }, { scope: 'admin', tenant: 'acme' }]) {
      const refused = await make(body)
      expect([refused.status, await refused.json()]).toMatchObject([
        409,
        { error: { code: 'conflict' } },
      ])
    }
    expect((await service.app.request('/v1/models')).status).toBe(200)
    const description = (await (await service.app.request('/openapi.json')).json()) as Description
    const example =
      description.paths['/api/keys']?.post?.requestBody?.content['application/json']?.example ?? {}
    const { token } = (await (await make(example)).json()) as { token: string } // the route's
    expect((await service.app.request('/v1/models')).status).toBe(401)
    expect((await make({ scope: 'read' }, token)).status).toBe(201)
  })
  test('is nowhere kept as it is', async () => {
    const token = await service.token('default')
    const secret = token.split('_').slice(2).join('_')
    const home = path.dirname((await service.stores.acquire('default')).passim.settings.home)
    for (const file of ['server.db', 'server.db-wal']) {
      expect(readFileSync(path.join(home, 'home', file)).includes(secret)).toBe(false)
    }
    expect(JSON.stringify(await service.keys.list())).not.toContain(secret)
  })
  test('has a tenant whose name cannot leave the folder of tenants', async () => {
    for (const tenant of ['..', 'a/b', '', 'A', 'a.b', '-a']) {
      await expect(service.token(tenant)).rejects.toThrow(/Tenant/)
    }
  })
})

test('with keys a service may listen anywhere', async () => {
  const settings = {
    ...(await service.stores.acquire('default')).passim.settings.server,
    host: '0.0.0.0',
    port: 0,
  }
  await expect(serve(service.stores, { settings, keys: service.keys })).rejects.toThrow(
    /without keys/,
  )
  await service.token('default')
  const running = await serve(service.stores, { settings, keys: service.keys })
  await running.close()
})
test('only pages that were named may use the service', async () => {
  const token = await service.token('default')
  const preflight = async (origin: string) => {
    const headers = { origin, 'access-control-request-method': 'POST' }
    const answer = await service.app.request('/v1/files', { method: 'OPTIONS', headers })
    return answer.headers.get('access-control-allow-origin')
  }
  expect(await preflight('https://app.example.org')).toBe('https://app.example.org')
  expect(await preflight('https://evil.example')).toBeNull()
  const answer = await service.call(token, 'GET', '/v1/files')
  expect(answer.headers.get('access-control-allow-origin')).toBeNull()
  expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(answer.headers.get('x-frame-options')).toBe('DENY')
})
