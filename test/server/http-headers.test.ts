import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Keys } from '../../src/app/tenants/keys.ts'
import { Sandbox } from '../fakes/store.ts'
import { openKeyed } from './keyed.ts'
import { type Running, startServer } from './running.ts'

let sandbox: Sandbox
let keys: Keys
let server: Running
let client: OpenAI
let file: string

beforeAll(async () => {
  sandbox = await Sandbox.make()
  keys = await Keys.open({ home: sandbox.home })
  server = await startServer({}, { keys })
  client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: 'none', maxRetries: 0 })
  file = (
    await client.files.create({
      file: new File(['0123456789'], 'digits.txt'),
      purpose: 'user_data',
    })
  ).id
})
afterAll(async () => {
  await server.close()
  await keys.close()
  await sandbox.remove()
})

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
    expect(await get({ 'if-none-match': `"other", W/${etag}`, range: 'bytes=2-4' })).toEqual([
      304,
      '',
      null,
    ])
    expect(await get({ 'if-none-match': '"other"' })).toEqual([200, '0123456789', null])
  })
  test('are sent in part to who has some', async () => {
    expect(await get({ range: 'bytes=2-4' })).toEqual([206, '234', 'bytes 2-4/10'])
    expect(await get({ range: 'bytes=7-' })).toEqual([206, '789', 'bytes 7-9/10'])
    expect(await get({ range: 'bytes=-2' })).toEqual([206, '89', 'bytes 8-9/10'])
    expect(await get({ range: 'bytes=2-99' })).toEqual([206, '23456789', 'bytes 2-9/10'])
    expect(await get({ range: 'bytes=2-4', 'if-range': '"old"' })).toEqual([
      200,
      '0123456789',
      null,
    ])
    for (const range of ['bytes=5-2', 'bytes=0-1,4-5', 'items=0-1', 'bytes=-']) {
      expect(await get({ range })).toEqual([200, '0123456789', null])
    }
    expect((await get({ range: 'bytes=-0' })).slice(0, 3)).toEqual([
      416,
      expect.any(String),
      'bytes */10',
    ])
    expect((await get({ range: 'bytes=10-' })).slice(0, 3)).toEqual([
      416,
      expect.any(String),
      'bytes */10',
    ])
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
  const make = (idempotencyKey: string, name: string) =>
    client.vectorStores.create({ name }, { idempotencyKey })
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
      return {
        code: response.status,
        ...((await response.json()) as { id?: string; error?: { message: string } }),
      }
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
  test('lets what failed be tried again', async () => {
    const add = (file_id: string) =>
      client.embeddings.create(
        {
          model: 'passim-embedder',
          input: file_id,
          dimensions: file_id === 'bad' ? 3 : undefined!,
        },
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
  expect(
    (await service.call(other, 'GET', '/v1/models')).headers.get('x-ratelimit-remaining-requests'),
  ).toBe('29')
  await service.close()
})

test('the description is open to who has no key, and nothing else is', async () => {
  const service = await openKeyed()
  await service.token('default')
  const status = async (path: string) => (await service.app.request(path)).status
  expect(await Promise.all(['/docs', '/openapi.json', '/', '/v1/models'].map(status))).toEqual([
    200, 200, 200, 401,
  ])
  await service.close()
})

test('events of a job have ids', async () => {
  const { id } = await client.vectorStores.create({ name: 'jobs', file_ids: [file] })
  const [job] = await server.passim.jobs.list(id, 1)
  const text = await (await fetch(`${server.url}/api/jobs/${job?.id}/events`)).text()
  expect(text).toContain(`id: ${job?.id}:1`)
})
