import OpenAI, { type APIError } from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { AppError, type ErrorCode } from '../../src/errors.ts'
import {
  type ScriptedModel,
  type ScriptedReply,
  startScriptedModel,
} from '../fakes/scripted-model-server.ts'
import { Sandbox } from '../fakes/store.ts'
import { Api } from './api.ts'
import { openKeyed } from './keyed.ts'

/** What the unmodified client of OpenAI, which tries twice more by itself, makes of a failure. */
type Outcome = {
  readonly requests: number
  readonly kind: string
  readonly status: number | undefined
  readonly shouldRetry: string | null
  readonly retryAfter: string | null
  readonly message: string
}

type Answers = { request(input: string, init?: RequestInit): Response | Promise<Response> }

/** Asks through the client until it gives up. What it was told to wait is noted, and not waited for. */
async function outcomeOf(
  app: Answers,
  ask: (client: OpenAI) => Promise<unknown>,
  apiKey = 'none',
): Promise<Outcome> {
  let requests = 0
  let told = new Headers()
  const fetch = async (input: string | URL | Request, init?: RequestInit) => {
    requests++
    const response = await app.request(String(input), init)
    told = response.headers
    const headers = new Headers(told)
    headers.set('retry-after-ms', '1')
    return new Response(response.body, { status: response.status, headers })
  }
  const client = new OpenAI({ baseURL: 'http://127.0.0.1/v1', apiKey, maxRetries: 2, fetch })
  const error = await ask(client).then(
    () => undefined,
    (thrown: APIError) => thrown,
  )
  return {
    ...{ requests, kind: error?.constructor.name ?? 'none', status: error?.status },
    shouldRetry: told.get('x-should-retry'),
    retryAfter: told.get('retry-after'),
    message: error?.message ?? '',
  }
}

const once = { requests: 1 }
const thrice = { requests: 3 }

describe('of a mistake of the caller', () => {
  let service: Awaited<ReturnType<typeof openKeyed>>
  let sandbox: Sandbox
  let api: Api
  beforeAll(async () => {
    service = await openKeyed({ requestsPerMinute: 1_000 })
    await service.token('acme') // from now on everybody needs one
    sandbox = await Sandbox.make()
    api = new Api(await sandbox.open())
  })
  afterAll(async () => {
    await service.close()
    await sandbox.remove()
  })
  /** Every search fails so. */
  const failing = (code: ErrorCode) => {
    const search = { value: () => Promise.reject(new AppError(code, `Refused with ${code}.`)) }
    const collections = { value: { getSearched: () => ({ id: 'vs_1' }) } }
    return new Api(Object.create(api.passim, { search, collections })).app
  }
  const search = (client: OpenAI) => client.vectorStores.search('vs_1', { query: 'x' })

  test('400 comes once, and names the parameter', async () => {
    const outcome = await outcomeOf(api.app, client => client.files.list({ limit: 0 }))
    expect(outcome).toMatchObject({ ...once, kind: 'BadRequestError', status: 400 })
    expect(outcome.message).toContain('limit')
  })
  test('401 comes once', async () => {
    const outcome = await outcomeOf(service.app, client => client.files.list(), 'wrong')
    expect(outcome).toMatchObject({ ...once, kind: 'AuthenticationError', status: 401 })
    expect(outcome.message).toContain('ask the operator')
  })
  test('403 comes once', async () => {
    const key = await service.token('acme', 'read')
    const outcome = await outcomeOf(service.app, client => client.vectorStores.create({}), key)
    expect(outcome).toMatchObject({ ...once, kind: 'PermissionDeniedError', status: 403 })
    expect(outcome.message).toContain('needs the scope write')
  })
  test('404 comes once', async () => {
    const outcome = await outcomeOf(api.app, client => client.files.retrieve('file-none'))
    expect(outcome).toMatchObject({ ...once, kind: 'NotFoundError', status: 404 })
    expect(outcome.message).toContain('file-none')
  })
  test('409, which the client would try again, comes once, for it is lasting', async () => {
    const outcome = await outcomeOf(failing('conflict'), search)
    expect(outcome).toMatchObject({
      ...once,
      kind: 'ConflictError',
      status: 409,
      shouldRetry: 'false',
    })
  })
  test('413 comes once', async () => {
    const outcome = await outcomeOf(api.app, client =>
      client.chat.completions.create({
        model: 'passim-extractive',
        messages: [{ role: 'user', content: 'x'.repeat(5_000_000) }],
      }),
    )
    expect(outcome).toMatchObject({ ...once, kind: 'APIError', status: 413 })
    expect(outcome.message).toContain('larger than')
  })
  test.each([
    ['unsupported_format', 415, 'APIError'],
    ['encrypted', 422, 'UnprocessableEntityError'],
  ] as const)('%s is a %i that comes once', async (code, status, kind) => {
    expect(await outcomeOf(failing(code), search)).toMatchObject({
      ...once,
      kind,
      status,
      message: expect.stringMatching(/Refused/),
    })
  })
  test('429 is tried again, after what the server says', async () => {
    const busy = new Api(api.passim, {
      settings: { ...api.passim.settings.server, maxRequests: 0 },
    })
    const outcome = await outcomeOf(busy.app, client => client.files.list())
    expect(outcome).toMatchObject({
      ...thrice,
      kind: 'RateLimitError',
      status: 429,
      shouldRetry: null,
      retryAfter: '1',
    })
  })
  test.each([
    ['internal', 500, thrice, null],
    ['disk_full', 507, once, 'false'],
    ['store_mismatch', 500, once, 'false'],
    ['cancelled', 503, thrice, null],
    ['timeout', 504, thrice, null],
  ] as const)('of a fault of ours, %s is a %i', async (code, status, times, shouldRetry) => {
    const outcome = await outcomeOf(failing(code), search)
    expect(outcome).toMatchObject({ ...times, kind: 'InternalServerError', status, shouldRetry })
  })
})

describe('of a model’s server that', () => {
  const script: ScriptedReply[] = []
  let model: ScriptedModel
  let sandbox: Sandbox
  let api: Api
  beforeAll(async () => {
    model = await startScriptedModel(script)
    sandbox = await Sandbox.make()
    api = new Api(await sandbox.open({ settings: { model: { url: model.url, name: 'scripted' } } }))
  })
  afterAll(async () => {
    await sandbox.remove()
    await model.close()
  })
  const messages = [{ role: 'user' as const, content: 'Why?' }]
  const ask = (client: OpenAI) => client.chat.completions.create({ model: 'scripted', messages })
  const stream = async (client: OpenAI) => {
    for await (const _ of await client.chat.completions.create({
      model: 'scripted',
      messages,
      stream: true,
    }));
  }
  /** Every request is answered so. */
  const outcome = async (reply: ScriptedReply, how: (client: OpenAI) => Promise<unknown> = ask) => {
    while (script.length < model.requests.length + 3) script.push(reply)
    script.splice(model.requests.length, 3, reply, reply, reply)
    return await outcomeOf(api.app, how)
  }
  const refusing = (status: number, headers: Record<string, string> = {}) => ({
    ...{ status, headers, body: JSON.stringify({ error: { message: 'No.' } }) },
  })

  test.each([400, 401, 403, 404])('refuses with %i: 502, once', async status => {
    expect(await outcome(refusing(status))).toMatchObject({
      ...once,
      ...{ kind: 'InternalServerError', status: 502, shouldRetry: 'false', retryAfter: null },
    })
  })
  test('asks to be left alone for 30 s: 429, tried again then', async () => {
    const told = await outcome(refusing(429, { 'retry-after': '30' }))
    expect(told).toMatchObject({ ...thrice, kind: 'RateLimitError', status: 429, retryAfter: '30' })
  })
  test('is down for 30 s: 503, tried again then', async () => {
    const told = await outcome(refusing(503, { 'retry-after': '30' }))
    expect(told).toMatchObject({
      ...thrice,
      kind: 'InternalServerError',
      status: 503,
      retryAfter: '30',
    })
  })
  test.each([408, 409, 500, 502, 503, 504])('fails with %i: 503, tried again', async status => {
    expect(await outcome(refusing(status))).toMatchObject({
      ...thrice,
      kind: 'InternalServerError',
      status: 503,
    })
  })
  test('cuts the connection before it says anything: 503, tried again', async () => {
    expect(await outcome({ raw: '', ending: 'drop' })).toMatchObject({
      ...thrice,
      ...{ kind: 'InternalServerError', status: 503 },
    })
  })
  test('breaks off in the middle: 503, tried again; of a stream an error that is not', async () => {
    const piece = JSON.stringify({
      choices: [{ index: 0, delta: { content: 'Hotels ' }, finish_reason: null }],
    })
    const reply = { raw: `data: ${piece}\n\n`, ending: 'drop' } as const
    expect(await outcome(reply)).toMatchObject({
      ...thrice,
      status: 503,
      message: expect.stringMatching(/middle of its answer/),
    })
    expect(await outcome(reply, stream)).toMatchObject({
      ...once,
      kind: 'APIError',
      message: expect.stringMatching(/middle of its answer/),
    })
  })
  test('says nothing: 504, tried again', async () => {
    const silent = await Sandbox.make()
    const settings = { model: { url: model.url, name: 'scripted', timeoutMs: 50 } }
    const { app } = new Api(await silent.open({ settings }))
    script.splice(model.requests.length, 3, { hang: true }, { hang: true }, { hang: true })
    expect(await outcomeOf(app, ask)).toMatchObject({
      ...thrice,
      kind: 'InternalServerError',
      status: 504,
    })
    await silent.remove()
  })
})
