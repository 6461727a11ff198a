import { afterAll, beforeAll, expect, test } from 'vitest'
import { Sandbox } from '../../fakes/store.ts'
import { Api } from '../api.ts'

let sandbox: Sandbox
let api: Api

beforeAll(async () => {
  sandbox = await Sandbox.make()
  api = new Api(await sandbox.open())
  await api.passim.index([
    await sandbox.write({ 'hotel.md': '# Travel\n\nHotels cost at most 120 euros a night.' }),
  ])
})
afterAll(() => sandbox.remove())

const withLimits = (limits: object) => {
  const { server } = api.passim.settings
  return new Api(api.passim, { settings: { ...server, ...limits } })
}

test('a full service says that it is alive and ready', async () => {
  const full = withLimits({ maxRequests: 0 })
  const statuses = await Promise.all(
    ['/v1/files', '/healthz', '/readyz'].map(
      async route => (await full.request('GET', route)).status,
    ),
  )
  expect(statuses).toEqual([429, 200, 200])
})

test('pages that need no key are counted by the address that asks for them', async () => {
  const pages = ['/docs', '/openapi.json', '/']
  const statuses = async (limits: object) => {
    const limited = withLimits(limits)
    const found = []
    for (const page of pages) found.push((await limited.request('GET', page)).status)
    return found
  }
  expect(await statuses({ maxRequests: 0 })).toEqual([429, 429, 429])
  expect(await statuses({ requestsPerMinute: 2 })).toEqual([200, 200, 429])
  expect(await statuses({ maxRequestsPerKey: 0 })).toEqual([429, 429, 429])
})

test('a body is refused that nests deeper, or has more properties, than can be dealt with', async () => {
  const nested = (depth: number) => JSON.parse(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`)
  const search = (depth: number) => ({
    ...{ type: 'file_search', vector_store_ids: ['vs_none'] },
    filters: nested(depth),
  })
  const ask = async (depth: number) => {
    const tools = [search(depth), search(depth)] // they are compared
    return await api.refusal('POST', '/v1/responses', { input: 'Why?', tools })
  }
  expect(await ask(200)).toMatchObject({ status: 404 })
  expect(await ask(2_000)).toMatchObject({ status: 413, code: 'too_large' })
  const metadata = Object.fromEntries(Array.from({ length: 50_001 }, (_, at) => [`key${at}`, 'x']))
  expect(await api.refusal('POST', '/v1/vector_stores', { metadata })).toMatchObject({
    status: 413,
    code: 'too_large',
  })
})

test.each(['application/json', 'multipart/form-data; boundary=x'])(
  'a body of %s that never ends holds no place for longer than an answer may take',
  async type => {
    const body = new ReadableStream({
      start: controller => controller.enqueue(new TextEncoder().encode('{"query":')),
    })
    const init = {
      method: 'POST',
      body,
      headers: { 'content-type': type },
      duplex: 'half',
    } as RequestInit // as fetch wants it
    const response = await withLimits({ requestMs: 20 }).app.request('/api/search', init)
    expect([response.status, await response.json()]).toMatchObject([
      504,
      { error: { code: 'timeout' } },
    ])
  },
)

test('what is too long to be searched for is refused, but a question, which is searched by its keywords', async () => {
  const text = 'word '.repeat(4_001)
  const refused = { status: 400, code: 'invalid_input', param: 'query' }
  expect(await api.refusal('POST', '/api/search', { query: text })).toEqual(refused)
  expect(await api.json('POST', '/api/ask', { question: text })).toMatchObject({
    answer: expect.any(String),
  })
})

test('passim-extractive quotes what search looks through where nothing is named, and never asks a model', async () => {
  const passim = await sandbox.open({
    settings: { model: { url: 'http://127.0.0.1:9/v1', name: 'chat' } },
  })
  const ask = {
    model: 'passim-extractive',
    messages: [{ role: 'user', content: 'What do hotels cost at most?' }],
  }
  const answered = await new Api(passim).json('POST', '/v1/chat/completions', ask)
  expect(answered).toMatchObject({ system_fingerprint: 'passim-extractive' })
  expect(JSON.stringify(answered.choices)).toContain('120 euros')
  const bare = await Sandbox.make()
  const nothing = await new Api(await bare.open()).refusal('POST', '/v1/chat/completions', ask)
  expect(nothing).toEqual({ status: 400, code: 'invalid_value', param: 'tools' })
  const other = await bare.open()
  const notes = await bare.write({ 'hotel.md': 'Hotels cost at most 90 euros a night.' })
  await other.index([notes], { collection: 'papers' })
  const elsewhere = await new Api(other).json('POST', '/v1/chat/completions', ask)
  expect(JSON.stringify(elsewhere.choices)).toContain('90 euros')
  await bare.remove()
})

test('without a chat model the answer says that it quotes, whatever model was named, and vector stores go by their names', async () => {
  const passim = await sandbox.open()
  const api = new Api(passim)
  const input = 'What do hotels cost at most?'
  const messages = [{ role: 'user', content: input }]
  const named = async (model?: string) => [
    (await api.json('POST', '/v1/responses', { model, input })).model,
    (await api.json('POST', '/v1/chat/completions', { model: model ?? 'gpt-4o', messages })).model,
  ]
  expect(await named()).toEqual(['passim-extractive', 'passim-extractive'])
  expect(await named('gpt-4o')).toEqual(['passim-extractive', 'passim-extractive'])
  expect(await named('default')).toEqual(['default', 'default'])
  const ignored = async (model: string) => {
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ model, messages })
    const init = { method: 'POST', headers, body }
    const response = await api.app.request('/v1/chat/completions', init)
    return response.headers.get('x-passim-ignored')
  }
  expect(await ignored('defalt')).toBe('model')
  expect(await ignored('default')).toBeNull()
  expect(await ignored('passim-extractive')).toBeNull()
})

test('behind a proxy, citations are where clients call the service, and origins are compared without a path', async () => {
  const settings = {
    publicUrl: 'https://docs.example.org/passim/',
    corsOrigins: ['https://app.example.org/'],
  }
  const api = new Api(await sandbox.open({ settings: { server: settings } }))
  const messages = [{ role: 'user', content: 'What do hotels cost at most?' }]
  const answer = await api.json('POST', '/v1/chat/completions', { model: 'default', messages })
  expect(JSON.stringify(answer)).toContain('"https://docs.example.org/passim/api/citations/doc_')
  const page = await api.app.request('/healthz', { headers: { origin: 'https://app.example.org' } })
  expect(page.headers.get('access-control-allow-origin')).toBe('https://app.example.org')
})

test('an extension that is named may use the service, and a page without an origin never', async () => {
  const corsOrigins = ['chrome-extension://abcdefghijklmnop', 'moz-extension://A0B1/']
  const api = new Api(await sandbox.open({ settings: { server: { corsOrigins } } }))
  const search = async (origin: string) => {
    const headers = { origin, 'content-type': 'application/json' }
    const answer = await api.app.request('/api/search', {
      method: 'POST',
      headers,
      body: '{"query":"hotel"}',
    })
    if (origin === 'null')
      expect(await answer.text()).toContain('A page without an origin may not use this server')
    return [answer.status, answer.headers.get('access-control-allow-origin')]
  }
  for (const origin of ['chrome-extension://abcdefghijklmnop', 'moz-extension://a0b1'])
    expect(await search(origin)).toEqual([200, origin])
  for (const origin of ['null', 'chrome-extension://other', 'https://abcdefghijklmnop'])
    expect(await search(origin)).toEqual([403, null])
  for (const [origin, fault] of [
    ['file:///home/page.html', 'has no host'],
    ['chrome-extension://', 'has no host'],
    ['data:text/html,page', 'is not an origin'],
    ['null', 'pages without an origin'],
    ['*', 'every page'],
    ['https://*.example.org', '\\* in its host'],
    ['https://app.example.org/page', 'give https://app\\.example\\.org'],
  ] as const)
    await expect(sandbox.open({ settings: { server: { corsOrigins: [origin] } } })).rejects.toThrow(
      new RegExp(`^Setting server\\.corsOrigins\\.0 in the arguments cannot be used: .*${fault}`),
    )
})

test('a result belongs to the last call of its id before it', async () => {
  const call = (name: string) => ({
    role: 'assistant',
    tool_calls: [{ id: 'call_1', type: 'function', function: { name, arguments: '{}' } }],
  })
  const result = { role: 'tool', tool_call_id: 'call_1', content: 'x' }
  const user = { role: 'user', content: 'Look.' }
  const body = { model: 'passim-extractive', messages: [user, result, call('look')] }
  const refused = { status: 400, code: 'invalid_value', param: 'messages.1.tool_call_id' }
  expect(await api.refusal('POST', '/v1/chat/completions', body)).toEqual(refused)
})

test('a request has at most 128 tools, and its messages the roles that there are', async () => {
  const api = new Api(await sandbox.open())
  const send = (tools: number, role: string) =>
    api.app.request('/v1/chat/completions', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'passim-extractive',
        messages: [{ role, content: 'Hotels?' }],
        tools: Array.from({ length: tools }, (_, nth) => ({
          type: 'function',
          function: { name: `f${nth}` },
        })),
      }),
    })
  expect(await (await send(128, 'user')).text()).not.toMatch(/too big|<=128/i)
  expect(await (await send(129, 'user')).text()).toContain('128')
  expect(await (await send(1, 'boss')).text()).toContain(
    'roles are system, developer, user, assistant and tool',
  )
  expect(await (await send(1, 'function')).text()).toContain('deprecated the role function')
})
