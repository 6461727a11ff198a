import { afterAll, beforeAll, expect, test } from 'vitest'
import { type EmbeddingServer, startEmbeddingServer } from '../fakes/embedding-server.ts'
import { type ScriptedModel, startScriptedModel } from '../fakes/scripted-model-server.ts'
import { openKeyed } from './keyed.ts'

/** A service whose embedding server refuses a word, and whose reranker and chat model are busy. */
let service: Awaited<ReturnType<typeof openKeyed>>
let embedding: EmbeddingServer
let chat: ScriptedModel
const TENANTS = ['default', 'acme']
const stores = new Map<string, string>()
const ADDRESS = /127\.0\.0\.1|busy-org/

beforeAll(async () => {
  embedding = await startEmbeddingServer(64, texts =>
    texts.some(text => text.includes('forbidden')) ? 400 : undefined,
  )
  const body = JSON.stringify({ error: { message: 'busy-org is busy' } })
  chat = await startScriptedModel([{ status: 429, headers: { 'retry-after': '60' }, body }]) // too long to wait for
  const embedder = { url: embedding.url, name: 'hasher' }
  const reranker = { url: chat.url, name: 'ranker' }
  service = await openKeyed({}, {}, { url: chat.url, name: 'scripted' }, { embedder, reranker })
  for (const tenant of TENANTS) stores.set(tenant, await indexed(tenant))
}, 60_000)
afterAll(async () => {
  await service.close()
  await embedding.close()
  await chat.close()
})

/** A vector store with one file that the embedding server takes, and one that it refuses. */
async function indexed(tenant: string): Promise<string> {
  const token = await service.token(tenant)
  const files = [
    await service.upload(token, 'a.txt', 'The pier is closed.'),
    await service.upload(token, 'b.txt', 'A forbidden word.'),
  ]
  const made = await service.call(token, 'POST', '/v1/vector_stores', {
    name: 'notes',
    file_ids: files,
  })
  const { id } = (await made.json()) as { id: string } // a vector store
  for (let status = 'in_progress'; status === 'in_progress'; ) {
    await new Promise(resolve => setTimeout(resolve, 50))
    status = (
      (await (await service.call(token, 'GET', `/v1/vector_stores/${id}`)).json()) as {
        status: string
      }
    ).status
  }
  return id
}

/** What the client is told. */
async function said(tenant: string, method: string, path: string, body?: object): Promise<string> {
  return await (await service.call(await service.token(tenant), method, path, body)).text()
}

const precise = { query: 'pier', collections: ['notes'], precise: true }
const question = { question: 'Is the pier closed?', collections: ['notes'] }
const refused = { query: 'a forbidden word', collections: ['notes'], mode: 'vector' }

test.each<[string, (tenant: string) => Promise<string>]>([
  [
    'files that failed',
    tenant => said(tenant, 'GET', `/v1/vector_stores/${stores.get(tenant)}/files`),
  ],
  ['jobs', tenant => said(tenant, 'GET', '/api/jobs')],
  ['precise search', tenant => said(tenant, 'POST', '/api/search', precise)],
  ['a query that is refused', tenant => said(tenant, 'POST', '/api/search', refused)],
  ['a model that is busy', tenant => said(tenant, 'POST', '/api/ask', question)],
  ['the same, streamed', tenant => said(tenant, 'POST', '/api/ask', { ...question, stream: true })],
  ['a tool of MCP', overMcp],
])('%s: where a model lies and what it said is for the operator', async (_, ask) => {
  expect(await ask('default')).toMatch(ADDRESS)
  const told = await ask('acme')
  expect(told).toContain('A model that this service works with is not available.')
  expect(told).not.toMatch(ADDRESS)
})

test('the operator finds what a tenant was not told in the log, under the id of the request', async () => {
  for (const [path, body] of [
    ['/api/search', precise],
    ['/api/ask', question],
  ] as const) {
    const response = await service.call(await service.token('acme'), 'POST', path, body)
    await response.text()
    const lines = service.log.filter(line =>
      line.startsWith(`${response.headers.get('x-request-id')} `),
    )
    expect(lines.join('\n')).toMatch(ADDRESS)
  }
})

test('how to go on is told to everybody', async () => {
  const response = await service.call(await service.token('acme'), 'POST', '/api/ask', question)
  expect([response.status, await response.json()]).toMatchObject([
    429,
    { error: { code: 'rate_limited' } },
  ])
})

/** The answer of the tool `ask` to a client of this tenant. */
async function overMcp(tenant: string): Promise<string> {
  const call = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'ask', arguments: { question: 'Is it?' } },
  }
  const headers = {
    authorization: `Bearer ${await service.token(tenant)}`,
    ...{ 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
  }
  const request = new Request(`http://localhost/mcp?collection=notes`, {
    ...{ method: 'POST', headers, body: JSON.stringify(call) },
  })
  return await (await service.app.fetch(request)).text()
}
