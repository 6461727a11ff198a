import { afterAll, beforeAll, expect, test } from 'vitest'
import { mcpService } from '../../../src/mcp.ts'
import { Sandbox } from '../../fakes/store.ts'
import { Api } from '../api.ts'

let sandbox: Sandbox
let api: Api

const PAGE = 'https://app.example.org'

beforeAll(async () => {
  sandbox = await Sandbox.make()
  const settings = { server: { basePath: '/passim', corsOrigins: [PAGE] } }
  api = new Api(await sandbox.open({ settings }), { mcp: mcpService() })
  await api.store({ 'hotel.md': 'Hotels cost at most 120 euros.' }, 'default')
})
afterAll(() => sandbox.remove())

test('the page and the API are served below the base path, and beside it', async () => {
  for (const path of ['/passim/healthz', '/healthz', '/passim/v1/models', '/passim/docs'])
    expect((await api.request('GET', path)).status).toBe(200)
  for (const path of ['/passimx/healthz', '/other/healthz'])
    expect((await api.request('GET', path)).status).toBe(404)
  const redirect = await api.request('GET', '/passim')
  expect([redirect.status, redirect.headers.get('location')]).toEqual([308, '/passim/'])
  const page = await (await api.request('GET', '/passim/')).text()
  const assets = [...page.matchAll(/(?:href|src)="([^"#]*)"/g)].map(([, url = '']) => url)
  expect(assets.length).toBeGreaterThan(2)
  for (const url of assets) {
    const { pathname } = new URL(url, 'http://localhost/passim/')
    expect([pathname, (await api.request('GET', pathname)).status]).toEqual([
      expect.stringMatching(/^\/passim\//),
      200,
    ])
  }
})

test('the description and citations name the base path', async () => {
  const { servers } = await api.json('GET', '/passim/openapi.json')
  expect(servers).toEqual([{ url: '/passim' }])
  const messages = [{ role: 'user', content: 'What do hotels cost at most?' }]
  const answer = await api.json('POST', '/passim/v1/chat/completions', {
    model: 'default',
    messages,
  })
  expect(JSON.stringify(answer)).toContain('http://localhost/passim/api/citations/doc_')
})

test('MCP works below the base path, and pages may read its session', async () => {
  const answer = await api.app.request('/passim/mcp', {
    method: 'POST',
    headers: {
      origin: PAGE,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name: 'page', version: '1' },
      },
    }),
  })
  expect([answer.status, answer.headers.get('mcp-session-id')]).toEqual([200, expect.any(String)])
  expect(answer.headers.get('access-control-expose-headers')).toContain('mcp-session-id')
})

test('a host or a page that is not allowed is told what to set', async () => {
  const refusal = async (headers: Record<string, string>) =>
    await (await api.app.request('/v1/models', { headers })).text()
  const host = await refusal({ host: 'host.docker.internal:7700' })
  for (const word of ['host.docker.internal:7700', 'API key', 'server.host'])
    expect(host).toContain(word)
  const page = await refusal({ origin: 'https://other.example.org' })
  expect(page).toContain('add https://other.example.org to the setting server.corsOrigins')
})
