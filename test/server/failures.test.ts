import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AgentEvent } from '../../src/agent/event.ts'
import { S3Blobs } from '../../src/ingest/store/blobs/s3-blobs.ts'
import { S3Client } from '../../src/ingest/store/blobs/s3-client.ts'
import { startScriptedModel } from '../fakes/scripted-model-server.ts'
import { Sandbox } from '../fakes/store.ts'
import { Api } from './api.ts'
import { openKeyed } from './keyed.ts'

let sandbox: Sandbox
let api: Api

beforeAll(async () => {
  sandbox = await Sandbox.make()
  api = new Api(await sandbox.open())
  await api.passim.index([
    await sandbox.write({ 'hotel.md': '# Travel\n\nHotels cost at most 120 euros a night.' }),
  ])
  await rm(path.join(sandbox.home, 'content'), { recursive: true }) // what was indexed cannot be read back
})
afterAll(() => sandbox.remove())

const question = 'What do hotels cost at most?'
const collection = async () => (await api.passim.scope.findCollection('default')).id
const fileSearch = async () => [{ type: 'file_search', vector_store_ids: [await collection()] }]
const message = { role: 'user', content: question }

test.each<[string, string, () => Promise<object>]>([
  ['ask', '/api/ask', async () => ({ question })],
  ['ask, streamed', '/api/ask', async () => ({ question, stream: true })],
  [
    'chat',
    '/v1/chat/completions',
    async () => ({ model: await collection(), messages: [message] }),
  ],
  [
    'chat, streamed',
    '/v1/chat/completions',
    async () => ({ model: await collection(), messages: [message], stream: true }),
  ],
  ['a response', '/v1/responses', async () => ({ input: question, tools: await fileSearch() })],
  [
    'a response, streamed',
    '/v1/responses',
    async () => ({ input: question, tools: await fileSearch(), stream: true }),
  ],
])(
  '%s: a fault of the machine is told to the operator, and to no client',
  async (_, route, body) => {
    const told = api.log.length
    const response = await api.request('POST', route, await body())
    const text = await response.text()
    expect(text).toContain('Something failed inside Passim')
    expect(text).not.toContain(sandbox.folder)
    expect(api.log.slice(told).join('\n')).toContain(sandbox.folder)
    if (response.status !== 200) expect(response.status).toBe(500)
  },
)

test('what a model says that does not answer is told to the operator, and to no other tenant', async () => {
  const refusal = {
    status: 402,
    body: JSON.stringify({ error: { message: 'org-1 has paid for nothing more' } }),
  }
  const model = await startScriptedModel([refusal])
  const service = await openKeyed({}, {}, { url: model.url, name: 'scripted' })
  const ask = async (tenant: string, stream: boolean) => {
    const body = { model: 'scripted', messages: [message], stream }
    return await (
      await service.call(await service.token(tenant), 'POST', '/v1/chat/completions', body)
    ).text()
  }
  expect(await ask('default', false)).toContain('org-1')
  for (const stream of [false, true]) {
    const said = await ask('acme', stream)
    expect(said).toContain('is not available')
    expect(said).not.toMatch(/org-1|127\.0\.0\.1/)
  }
  expect(service.log.filter(line => line.includes('org-1'))).toHaveLength(3)
  await service.close()
  await model.close()
})

const REFUSAL = '<Error><Code>AccessDenied</Code><Message>Not in secret-papers.</Message></Error>'

/** An S3 store in memory that takes nothing any more once it refuses. */
async function openRefusing() {
  const kept = new Map<string, Buffer>()
  const state = { isRefusing: false }
  const put = (url: string, body: Buffer, isFirst: boolean) => {
    if (isFirst && kept.has(url)) return 412
    kept.set(url, body)
    return 200
  }
  const get = (url: string) =>
    url.includes('list-type') ? '<ListBucketResult></ListBucketResult>' : kept.get(url)
  const server = createServer(async (request, answer) => {
    const { method, url = '', headers } = request
    const body = await buffer(request)
    if (state.isRefusing) answer.writeHead(403).end(REFUSAL)
    else if (method === 'PUT')
      answer.writeHead(put(url, body, headers['if-none-match'] === '*')).end()
    else answer.writeHead(get(url) === undefined ? 404 : 200).end(get(url))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}` // it listens on TCP
  const settings = {
    url: `http://${address}`,
    bucket: 'secret-papers',
    accessKeyId: 'id',
    secretAccessKey: 'secret',
  }
  return { state, address, settings, close: () => new Promise(resolve => server.close(resolve)) }
}

test('what an S3 store refuses is told to the operator, and where it lies to no client, now or of an answer kept', async () => {
  const store = await openRefusing()
  const other = await Sandbox.make()
  const passim = await other.open({ settings: { s3: store.settings, content: { place: 's3' } } })
  const bucket = new Api(passim)
  store.state.isRefusing = true
  const body = new FormData()
  body.append('purpose', 'assistants')
  body.append('file', new File(['More.'], 'more.txt'))
  const refused = await bucket.app.request('/v1/files', { method: 'POST', body })
  expect(refused.status).toBe(500)
  const told = await refused.text()
  expect(told).toContain('cannot be used as it is')
  expect(bucket.log.join()).toContain(`secret-papers at ${store.address} refuses`)

  const { id } = await passim.conversations.create()
  // biome-ignore lint/correctness/useYield: it fails before it says anything
  const answer = async function* (): AsyncGenerator<AgentEvent> {
    await new S3Blobs(new S3Client({ ...store.settings, region: 'us-east-1' }), '').get('a')
  }
  await passim.conversationService.ask({ question }, id, { agent: { content: question, answer } })
  const seen = async () => await (await bucket.request('GET', `/api/conversations/${id}`)).text()
  await expect.poll(seen).toContain('store_mismatch')
  expect(told + (await seen())).not.toMatch(/secret-papers|127\.0\.0\.1/)
  store.state.isRefusing = false
  await other.remove()
  await store.close()
})
