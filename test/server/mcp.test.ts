import { tmpdir } from 'node:os'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openKeyed } from './keyed.ts'

let service: Awaited<ReturnType<typeof openKeyed>>

beforeAll(async () => {
  service = await openKeyed({}, { roots: [tmpdir()] })
})
afterAll(() => service.close())

/** With a parameter without a value, which is absent. */
const PLACE = new URL('http://localhost/mcp?collection=notes&collection=')
const toService = async (url: string | URL, init?: RequestInit) =>
  service.app.fetch(new Request(url, init))

function transport(token: string) {
  return { fetch: toService, requestInit: { headers: { authorization: `Bearer ${token}` } } }
}

async function connect(token: string, mode: 'auto' | 'legacy' = 'auto'): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  await client.connect(new StreamableHTTPClientTransport(PLACE, transport(token)))
  return client
}

/** A tenant with a store `notes` that holds this text. */
async function tenantWith(tenant: string, text: string): Promise<string> {
  const token = await service.token(tenant)
  const file = await service.upload(token, 'note.txt', text)
  const made = await service.call(token, 'POST', '/v1/vector_stores', {
    name: 'notes',
    file_ids: [file],
  })
  const { id } = (await made.json()) as { id: string } // a vector store
  for (let status = 'in_progress'; status === 'in_progress'; ) {
    await new Promise(resolve => setTimeout(resolve, 50))
    const store = await (await service.call(token, 'GET', `/v1/vector_stores/${id}`)).json()
    status = (store as { status: string }).status
  }
  return token
}

const toolsOf = async (token: string) =>
  (await (await connect(token)).listTools()).tools.map(tool => tool.name)

test('a key leads to the documents of its tenant, by the current protocol and by that of 2025', {
  timeout: 120_000,
}, async () => {
  const [ours, theirs] = [
    await tenantWith('ours', 'The fox sleeps.'),
    await tenantWith('theirs', 'The fox hunts.'),
  ]
  for (const [token, text] of [
    [ours, 'The fox sleeps.'],
    [theirs, 'The fox hunts.'],
  ] as const) {
    const found = await (await connect(token)).callTool({
      name: 'search',
      arguments: { query: 'fox' },
    })
    expect(found.structuredContent).toMatchObject({ results: [{ text }] })
  }
  const old = await connect(ours, 'legacy')
  const { structuredContent } = await old.callTool({ name: 'search', arguments: { query: 'fox' } })
  expect(structuredContent).toMatchObject({ results: [{ text: 'The fox sleeps.' }] })
})

test('folders of the machine are indexed for its operator only, and with a key that reads nothing is kept', async () => {
  const everybody = ['search', 'fetch', 'ask', 'list_documents', 'get_synonyms']
  const synonyms = ['get_synonyms', 'set_synonyms']
  const writers = ['search', 'fetch', 'ask', 'converse', 'list_documents', ...synonyms]
  expect(await toolsOf(await service.token('default', 'write'))).toEqual([...writers, 'index'])
  expect(await toolsOf(await service.token('default', 'read'))).toEqual(everybody)
  expect(await toolsOf(await service.token('acme', 'write'))).toEqual(writers)
  expect(await toolsOf(await service.token('acme', 'read'))).toEqual(everybody)
})

test('nobody comes in without a key, and the path takes what it says', async () => {
  await service.token('default')
  const refused = await toService(PLACE, {
    method: 'POST',
    body: '{}',
    headers: { 'content-type': 'application/json' },
  })
  expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
  const got = await service.call(await service.token('default'), 'GET', '/mcp')
  expect([got.status, got.headers.get('allow')]).toEqual([405, 'POST'])
})

test('a body that is no request, and one without end, are refused', async () => {
  const headers = {
    authorization: `Bearer ${await service.token('default')}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  const post = async (body: string) =>
    (await toService(PLACE, { method: 'POST', body, headers })).status
  expect(await post('{')).toBe(400)
  expect(await post(`"${'x'.repeat(5 * 2 ** 20)}"`)).toBe(413)
})
