import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Passim } from '../../src/app/passim.ts'
import { serve } from '../../src/server.ts'
import { oneStore } from '../fakes/one-store.ts'
import { type ScriptedModel, startScriptedModel } from '../fakes/scripted-model-server.ts'
import { Sandbox } from '../fakes/store.ts'

let sandbox: Sandbox
let passim: Passim
let model: ScriptedModel

const start = (where: { host: string; port: number }) =>
  serve(oneStore(passim), { settings: { ...passim.settings.server, ...where } })

beforeEach(async () => {
  sandbox = await Sandbox.make()
  model = await startScriptedModel([{ raw: '', ending: 'hang' }])
  passim = await sandbox.open({ settings: { model: { url: model.url, name: 'scripted' } } })
})
afterEach(async () => {
  await sandbox.remove()
  await model.close()
})

test('listens on this machine only, as long as there are no keys', async () => {
  for (const host of ['0.0.0.0', '::', '192.168.0.7', 'example.org', '']) {
    await expect(start({ host, port: 0 })).rejects.toMatchObject({ code: 'invalid_input' })
  }
})
test('says that a port is taken', async () => {
  const service = await start({ host: '127.0.0.1', port: 0 })
  const port = Number(new URL(service.url).port)
  await expect(start({ host: '127.0.0.1', port })).rejects.toThrow(/Cannot listen on .*, port \d+/)
  await service.close()
})
test('closes though clients keep their connections, and answers no more', async () => {
  const service = await start({ host: 'localhost', port: 0 })
  expect((await fetch(`${service.url}/healthz`)).status).toBe(200)
  await service.close()
  await expect(fetch(`${service.url}/healthz`)).rejects.toThrow()
})
test('closes though a connection was opened that never asked anything', async () => {
  const service = await start({ host: '127.0.0.1', port: 0 })
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
  await once(socket, 'connect')
  await fetch(`${service.url}/healthz`)
  const ended = once(socket.resume(), 'close')
  await Promise.all([service.close(), ended])
})
test('a model that hangs keeps its question waiting, for so long, and nobody else', async () => {
  const settings = { ...passim.settings.server, port: 0, requestMs: 5_000 }
  await passim.index([await sandbox.write({ 'fox.txt': 'The quick brown fox.' })])
  const service = await serve(oneStore(passim), { settings })
  const post = (path: string, body: object) =>
    fetch(`${service.url}${path}`, { method: 'POST', body: JSON.stringify(body) })
  const asked = post('/api/ask', { question: 'What does the fox do?' })
  const { closed } = await model.request(0)
  expect((await post('/api/search', { query: 'fox' })).status).toBe(200)
  const answer = await asked
  expect([answer.status, await answer.json()]).toMatchObject([504, { error: { code: 'timeout' } }])
  await closed // the model is not kept either
  await service.close()
})
test('ends streams with a last event', async () => {
  await sandbox.write({ 'fox.txt': 'The quick brown fox.' })
  await passim.index([sandbox.path('')])
  const service = await start({ host: '127.0.0.1', port: 0 })
  const body = JSON.stringify({ question: 'What does the fox do?', stream: true })
  const answer = await fetch(`${service.url}/api/ask`, { method: 'POST', body })
  const asked = await model.request(0)
  const [text] = await Promise.all([answer.text(), service.close(), asked.closed])
  expect(text.trim().split('\n\n').at(-1)).toMatch(/^event: error\ndata: .*shutting down/)
})
test('a body that nobody reads to its end does not cost its client the connection, nor what it asks next', async () => {
  await passim.index([await sandbox.write({ 'fox.txt': 'The quick brown fox.' })])
  const settings = { ...passim.settings.server, port: 0, requestMs: 3_000 }
  const service = await serve(oneStore(passim), { settings })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const post = (path: string, body: string) =>
    new Promise<[number | undefined, boolean]>((resolve, reject) => {
      const asked = request(`${service.url}${path}`, { method: 'POST', agent }, answer => {
        answer.resume().once('end', () => resolve([answer.statusCode, asked.reusedSocket]))
      })
      asked.once('error', reject).end(body)
    })
  expect(await post('/api/search', 'x'.repeat(4.5 * 2 ** 20))).toEqual([413, false])
  expect(await post('/api/ask', '{"question": "What does the fox do?"}')).toEqual([504, true]) // the model hangs
  agent.destroy()
  await service.close()
})
test('answers what is no HTTP request it can read with an error, and goes on', async () => {
  const service = await start({ host: '127.0.0.1', port: 0 })
  const send = async (bytes: string) => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
    socket.write(bytes)
    let answer = ''
    socket.on('data', chunk => {
      answer += chunk
    })
    await once(socket, 'end')
    expect(answer).toMatch(/^x-request-id: req_/m)
    expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toMatchObject({ error: { param: null } })
    return answer.split(' ')[1]
  }
  const close = 'Connection: close\r\n'
  expect(await send(`GET /healthz HTTP/1.1\r\nHost: a b\r\n${close}\r\n`)).toBe('400')
  expect(await send('hello?\r\n\r\n')).toBe('400')
  expect(
    await send(`GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`),
  ).toBe('431')
  const upload =
    'POST /v1/files HTTP/1.1\r\nHost: localhost\r\nContent-Type: multipart/form-data; boundary=b\r\n'
  expect(await send(`${upload}Transfer-Encoding: chunked\r\n\r\nno length\r\n`)).toBe('400')
  expect((await fetch(`${service.url}/healthz`)).status).toBe(200)
  await service.close()
})
