import { Hono } from 'hono'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MemoryAnswers } from '../../src/app/kept-answers.ts'
import type { ServerEnv } from '../../src/server/context.ts'
import { idempotency } from '../../src/server/idempotency.ts'
import { openKeyed } from './keyed.ts'
import { type Running, startServer } from './running.ts'

let server: Running
let client: OpenAI
let file: string

beforeAll(async () => {
  server = await startServer()
  client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: 'none', maxRetries: 0 })
  file = (await client.files.create({ file: new File(['0123456789'], 'digits.txt'), purpose: 'user_data' })).id
})
afterAll(() => server.close())

describe('the bytes of a file', () => {
  const content = (headers: Record<string, string>) => client.files.content(file, { headers })
  const get = async (headers: Record<string, string>) => {
    const response = await fetch(`${server.url}/v1/files/${file}/content`, { headers })
    return [response.status, await response.text(), response.headers.get('content-range')]
  }
  test('are not sent again to who has them', async () => {
    const etag = (await content({})).headers.get('etag') ?? ''
    expect(etag).toMatch(/^"\w{64}"$/)
    expect(await get({ 'if-none-match': etag })).toEqual([304, '', null])
    expect(await get({ 'if-none-match': `"other", W/${etag}`, range: 'bytes=2-4' })).toEqual([304, '', null])
    expect(await get({ 'if-none-match': '"other"' })).toEqual([200, '0123456789', null])
  })
  test('are sent in part to who has some', async () => {
    expect(await get({ range: 'bytes=2-4' })).toEqual([206, '234', 'bytes 2-4/10'])
    expect(await get({ range: 'bytes=7-' })).toEqual([206, '789', 'bytes 7-9/10'])
    expect(await get({ range: 'bytes=-2' })).toEqual([206, '89', 'bytes 8-9/10'])
    expect(await get({ range: 'bytes=2-99' })).toEqual([206, '23456789', 'bytes 2-9/10'])
    expect(await get({ range: 'bytes=2-4', 'if-range': '"old"' })).toEqual([200, '0123456789', null])
    for (const range of ['bytes=5-2', 'bytes=0-1,4-5', 'items=0-1', 'bytes=-']) {
      expect(await get({ range })).toEqual([200, '0123456789', null])
    }
    expect((await get({ range: 'bytes=-0' })).slice(0, 3)).toEqual([416, expect.any(String), 'bytes */10'])
    expect((await get({ range: 'bytes=10-' })).slice(0, 3)).toEqual([416, expect.any(String), 'bytes */10'])
  })
})

describe('JSON', () => {
  const encoding = async (path: string, accept: string) => {
    const response = await fetch(`${server.url}${path}`, { headers: { 'accept-encoding': accept } })
    return [response.headers.get('content-encoding'), typeof (await response.json())]
  }
  test('of more than 1 KiB is compressed for who reads that', async () => {
    expect(await encoding('/openapi.json', 'gzip')).toEqual(['gzip', 'object'])
    expect(await encoding('/openapi.json', 'identity')).toEqual([null, 'object'])
    expect(await encoding('/openapi.json', 'gzip;q=0')).toEqual([null, 'object'])
    expect(await encoding(`/v1/files/${file}`, 'gzip')).toEqual([null, 'object'])
  })
})

describe('an Idempotency-Key', () => {
  const make = (idempotencyKey: string, name: string) => client.vectorStores.create({ name }, { idempotencyKey })
  const keyed = (key: string, name: string) =>
    client.vectorStores.create({ name }, { headers: { 'idempotency-key': key } })
  test('makes one thing of two requests, also at once', async () => {
    const [first, second] = await Promise.all([keyed('a', 'one'), keyed('a', 'one')])
    expect(second.id).toBe(first.id)
    expect((await keyed('a', 'one')).id).toBe(first.id)
    expect((await keyed('b', 'one')).id).not.toBe(first.id)
    expect((await make('c', 'one')).id).toMatch(/^vs_/)
  })
  test('is refused with another request, which does nothing', async () => {
    const { id } = await keyed('e', 'one')
    await expect(keyed('e', 'two')).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('another request'),
    })
    expect((await keyed('e', 'one')).id).toBe(id)
  })
  test('that is empty is none: whoever sends it has no key', async () => {
    expect((await keyed('', 'one')).id).not.toBe((await keyed('', 'one')).id)
  })
  test('makes one upload of the same bytes, and is refused with others, which are not kept', async () => {
    const upload = async (text: string) => {
      const form = new FormData()
      form.append('file', new File([text], 'same.txt'))
      form.append('purpose', 'assistants')
      const init = { method: 'POST', headers: { 'idempotency-key': 'f' }, body: form }
      const response = await fetch(`${server.url}/v1/files`, init)
      return { code: response.status, ...((await response.json()) as { id?: string; error?: { message: string } }) }
    }
    const before = (await server.passim.files.list()).length
    const first = await upload('One heron.')
    expect(first).toMatchObject({ code: 200, id: expect.any(String) })
    expect(await upload('One heron.')).toEqual(first)
    expect(await upload('Two cranes')).toMatchObject({
      code: 400,
      error: { message: expect.stringContaining('another request') },
    })
    expect(await server.passim.files.list()).toHaveLength(before + 1)
  })
  /** Posts that count what they do, where 1,000 characters are kept of all their answers. */
  function counting() {
    let done = 0
    const app = new Hono<ServerEnv>()
    app.use(async (c, next) => {
      c.set('signal', new AbortController().signal)
      const tenant = c.req.header('tenant')
      if (tenant) c.set('key', { id: `key_${tenant}`, tenant, name: tenant, scope: 'write', createdAt: 0 })
      await next()
    })
    app.use(idempotency(new MemoryAnswers(1_000)))
    app.post('/v1/things', c => c.json(++done))
    return async (key: string, tenant = '') => {
      const headers = { 'idempotency-key': key, tenant }
      return await (await app.request('/v1/things', { method: 'POST', headers })).json()
    }
  }
  test('is forgotten, the oldest first, once keys and answers are too many', async () => {
    const post = counting()
    const [old, recent] = ['a'.repeat(200), 'b'.repeat(200)]
    expect([await post(old), await post(old), await post(recent), await post(recent)]).toEqual([1, 1, 2, 2])
    expect([await post('c'.repeat(200)), await post(recent), await post(old)]).toEqual([3, 2, 4])
  })
  test('is forgotten first of the tenant that has most, and of no other', async () => {
    const post = counting()
    expect(await post('mine', 'small')).toBe(1)
    for (let at = 0; at < 20; at++) await post(`${at}${'x'.repeat(100)}`, 'large')
    expect([await post('mine', 'small'), await post(`0${'x'.repeat(100)}`, 'large')]).toEqual([1, 22])
  })
  test('lets what failed be tried again', async () => {
    const add = (file_id: string) =>
      client.embeddings.create(
        { model: 'x', input: file_id, dimensions: file_id === 'bad' ? 3 : undefined! },
        { headers: { 'idempotency-key': 'd' } },
      )
    await expect(add('bad')).rejects.toBeInstanceOf(OpenAI.BadRequestError)
    expect((await add('good')).data).toHaveLength(1)
  })
})

test('a key is told what it may still ask', async () => {
  const service = await openKeyed({ requestsPerMinute: 30 })
  const token = await service.token('default')
  const rates = async () => {
    const { headers } = await service.call(token, 'GET', '/v1/models')
    return ['limit', 'remaining', 'reset'].map(name => headers.get(`x-ratelimit-${name}-requests`))
  }
  expect(await rates()).toEqual(['30', '29', expect.stringMatching(/^\d+ms$/)])
  expect((await rates())[1]).toBe('28')
  const other = await service.token('default')
  await service.call(token, 'POST', '/v1/vector_stores', { name: 'x' })
  expect((await service.call(other, 'GET', '/v1/models')).headers.get('x-ratelimit-remaining-requests')).toBe('29')
  await service.close()
})

test('the description is open to who has no key, and nothing else is', async () => {
  const service = await openKeyed()
  await service.token('default')
  const status = async (path: string) => (await service.app.request(path)).status
  expect(await Promise.all(['/docs', '/openapi.json', '/', '/v1/models'].map(status))).toEqual([200, 200, 200, 401])
  await service.close()
})

test('events of a job have ids', async () => {
  const { id } = await client.vectorStores.create({ name: 'jobs', file_ids: [file] })
  const [job] = await server.passim.jobs.list(id, 1)
  const text = await (await fetch(`${server.url}/api/jobs/${job?.id}/events`)).text()
  expect(text).toContain(`id: ${job?.id}:1`)
})
