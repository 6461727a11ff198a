import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Keys, type Scope } from '../../src/app/tenants/keys.ts'
import { mcpService } from '../../src/mcp.ts'
import {
  type ScriptedModel,
  silentAfter,
  startScriptedModel,
} from '../fakes/scripted-model-server.ts'
import { Sandbox } from '../fakes/store.ts'
import { type Running, startServer } from './running.ts'
import { eventsIn } from './sse.ts'

let sandbox: Sandbox
let keys: Keys
/** As `passim keys` in another process, or another node, has them. */
let elsewhere: Keys
let model: ScriptedModel
let server: Running

beforeAll(async () => {
  sandbox = await Sandbox.make()
  model = await startScriptedModel([silentAfter('Hotels cost')])
  keys = await Keys.open({ home: sandbox.home })
  elsewhere = await Keys.open({ home: sandbox.home })
  const settings = { model: { url: model.url, name: 'scripted' }, server: { slowBodyMs: 300_000 } }
  server = await startServer({ settings }, { keys, mcp: mcpService() })
  await server.passim.index([
    await server.sandbox.write({ 'hotel.md': 'Hotels cost at most 120 euros.' }),
  ])
})
afterAll(async () => {
  await server.close()
  await keys.close()
  await elsewhere.close()
  await model.close()
  await sandbox.remove()
})

async function makeKey(scope: Scope = 'write') {
  const { key, token } = await elsewhere.create({ name: 'test', tenant: 'default', scope })
  return {
    id: key.id,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  }
}

const post = (path: string, headers: Record<string, string>, body: object) =>
  fetch(`${server.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })

const QUESTION = { question: 'What do hotels cost?' }

/** Once the model is at work, which then says no more. */
const underWay = async () => await model.request(model.requests.length)

test('a stream ends with a last event, and its model is left, wherever its key is revoked', async () => {
  const [revoked, other] = [await makeKey('read'), await makeKey('read')]
  const [first, second] = [underWay(), model.request(model.requests.length + 1)]
  const streams = [revoked, other].map(({ headers }) =>
    post('/api/ask', headers, { ...QUESTION, stream: true }),
  )
  const [ours, theirs] = await Promise.all(streams)
  await Promise.all([first, second])
  await elsewhere.revoke(revoked.id)
  const last = eventsIn(await ours!.text()).at(-1)
  expect(last).toMatchObject({ event: 'error', data: { error: { code: 'unauthorized' } } })
  await Promise.race([(await first).closed, (await second).closed])
  const reader = theirs!.body!.getReader()
  expect((await reader.read()).done).toBe(false)
  await reader.cancel()
})

test('what is answered at once is refused, and so is a call of MCP', async () => {
  const key = await makeKey()
  const asked = underWay()
  const answer = post('/api/ask', key.headers, QUESTION)
  await asked
  const called = underWay()
  const call = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'ask', arguments: QUESTION },
  }
  const accept = { accept: 'application/json, text/event-stream' }
  const stream = post('/mcp?collection=default', { ...key.headers, ...accept }, call)
  await called
  await elsewhere.revoke(key.id)
  expect([(await answer).status, await (await answer).json()]).toMatchObject([
    401,
    { error: { code: 'unauthorized' } },
  ])
  await (await stream).text().catch(() => {}) // it ends, cut or not
  await (await called).closed
})

test('an upload is refused while it comes, and nothing of it is kept', async () => {
  const key = await makeKey()
  const before = (await server.passim.files.list()).length
  const type = 'multipart/form-data; boundary=b'
  const upload = request(`${server.url}/v1/files`, {
    method: 'POST',
    headers: { ...key.headers, 'content-type': type },
  })
  const answered = once(upload, 'response')
  upload.on('error', () => {}) // it is cut
  const head = (name: string) => `--b\r\ncontent-disposition: form-data; name="${name}"`
  upload.write(
    `${head('purpose')}\r\n\r\nassistants\r\n${head('file')}; filename="a.txt"\r\n\r\nThe first half`,
  )
  const isUsed = async () =>
    (await elsewhere.list()).some(({ id, lastUsedAt }) => id === key.id && lastUsedAt)
  await expect.poll(isUsed).toBe(true)
  await elsewhere.revoke(key.id)
  const [response] = await answered
  expect(response.statusCode).toBe(401)
  upload.destroy()
  expect(await server.passim.files.list()).toHaveLength(before)
})

test('an answer that nobody takes is cut', async () => {
  const admin = await makeKey('admin')
  const form = new FormData()
  form.append('purpose', 'assistants')
  form.append('file', new File(['x'.repeat(24 * 2 ** 20)], 'large.txt'))
  const { authorization } = admin.headers
  const stored = await fetch(`${server.url}/v1/files`, {
    method: 'POST',
    headers: { authorization },
    body: form,
  })
  const { id } = (await stored.json()) as { id: string } // a file
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  socket.write(
    `GET /v1/files/${id}/content HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${authorization}\r\n\r\n`,
  )
  await once(socket, 'readable')
  const seen = new Promise(resolve => keys.watchRevocation(admin.id, resolve))
  await elsewhere.revoke(admin.id)
  await seen
  let received = 0
  socket.on('error', () => {}).on('data', ({ length }) => (received += length))
  await once(socket, 'close')
  expect(received).toBeLessThan(24 * 2 ** 20)
})

test('a turn of a conversation that it began stops, and goes on for another key', async () => {
  const key = await makeKey()
  const asked = underWay()
  const stream = await post('/api/ask', key.headers, {
    ...QUESTION,
    conversation: 'new',
    stream: true,
  })
  await stream.body!.cancel() // it goes on whether or not its client stays
  const { closed } = await asked
  await elsewhere.revoke(key.id)
  await closed
  const [{ id = '' } = {}] = await server.passim.conversations.list({ limit: 1 })
  await expect
    .poll(async () => (await server.passim.conversationService.findLastRun(id))?.status)
    .toBe('stopped')
  const items = await server.passim.conversations.items(id, { limit: 1, order: 'desc' })
  expect(items).toMatchObject([{ kind: 'status', code: 'expired' }])
  const resumed = underWay()
  const other = await makeKey()
  const again = await post(`/api/conversations/${id}/resume`, other.headers, { stream: true })
  await resumed
  expect(again.status).toBe(200)
  await server.passim.conversationService.stop(
    (await server.passim.conversationService.findLastRun(id))!.id,
  )
})
