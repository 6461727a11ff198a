import { rm } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startScriptedModel } from '../fakes/scripted-model-server.ts'
import { Sandbox } from '../fakes/store.ts'
import { Api } from './api.ts'
import { openKeyed } from './keyed.ts'

let sandbox: Sandbox
let api: Api

beforeAll(async () => {
  sandbox = await Sandbox.make()
  api = new Api(await sandbox.open())
  await api.passim.index([await sandbox.write({ 'hotel.md': '# Travel\n\nHotels cost at most 120 euros a night.' })])
  await rm(path.join(sandbox.home, 'content'), { recursive: true }) // what was indexed cannot be read back
})
afterAll(() => sandbox.remove())

const question = 'What do hotels cost at most?'
const collection = async () => (await api.passim.scope.collection('default')).id
const fileSearch = async () => [{ type: 'file_search', vector_store_ids: [await collection()] }]
const message = { role: 'user', content: question }

test.each<[string, string, () => Promise<object>]>([
  ['ask', '/api/ask', async () => ({ question })],
  ['ask, streamed', '/api/ask', async () => ({ question, stream: true })],
  ['chat', '/v1/chat/completions', async () => ({ model: await collection(), messages: [message] })],
  [
    'chat, streamed',
    '/v1/chat/completions',
    async () => ({ model: await collection(), messages: [message], stream: true }),
  ],
  ['a response', '/v1/responses', async () => ({ input: question, tools: await fileSearch() })],
  ['a response, streamed', '/v1/responses', async () => ({ input: question, tools: await fileSearch(), stream: true })],
])('%s: a fault of the machine is told to the operator, and to no client', async (_, route, body) => {
  const told = api.log.length
  const response = await api.request('POST', route, await body())
  const text = await response.text()
  expect(text).toContain('Something failed inside Passim')
  expect(text).not.toContain(sandbox.folder)
  expect(api.log.slice(told).join('\n')).toContain(sandbox.folder)
  if (response.status !== 200) expect(response.status).toBe(500)
})

test('what a model says that does not answer is told to the operator, and to no other tenant', async () => {
  const refusal = { status: 402, body: JSON.stringify({ error: { message: 'org-1 has paid for nothing more' } }) }
  const model = await startScriptedModel([refusal])
  const service = await openKeyed({}, {}, { url: model.url, name: 'scripted' })
  const ask = async (tenant: string, stream: boolean) => {
    const body = { model: 'scripted', messages: [message], stream }
    return await (await service.call(await service.token(tenant), 'POST', '/v1/chat/completions', body)).text()
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
