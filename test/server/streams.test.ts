import { connect } from 'node:net'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { builtinParsers } from '../../src/index.ts'
import type { Parser } from '../../src/ingest/parse/parser.ts'
import { mcpService } from '../../src/mcp.ts'
import { type ScriptedModel, startScriptedModel } from '../fakes/scripted-model-server.ts'
import { type Running, startServer } from './running.ts'

let server: Running
/** Takes every question and says nothing. */
let model: ScriptedModel

/** Reads nothing until it is stopped. */
const hangingParser: Parser = {
  id: 'hang@1',
  mediaTypes: ['application/x-hang'],
  recognizes: ({ name }) => (name.endsWith('.hang') ? 'application/x-hang' : undefined),
  async *parse(_, signal) {
    await new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
  },
}

beforeAll(async () => {
  model = await startScriptedModel([{ hang: true }])
  const settings = { model: { url: model.url, name: 'scripted' }, server: { keepAliveMs: 20 } }
  server = await startServer(
    { settings, parsers: [...builtinParsers, hangingParser] },
    { mcp: mcpService() },
  )
  await server.passim.index([
    await server.sandbox.write({ 'hotel.md': 'Hotels cost at most 120 euros a night.' }),
  ])
})
afterAll(async () => {
  await server.close()
  await model.close()
})

const question = 'What do hotels cost at most?'
const toolCall = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'ask', arguments: { question } },
}
const asking: readonly [string, string, object, RegExp][] = [
  ['/api/ask', '/api/ask', { question, stream: true }, /^event: start\n/],
  [
    '/v1/chat/completions',
    '/v1/chat/completions',
    { model: 'scripted', messages: [{ role: 'user', content: question }], stream: true },
    /^data: \{.*"role":"assistant"/,
  ],
  [
    '/v1/responses',
    '/v1/responses',
    { model: 'scripted', input: question, stream: true },
    /^event: response.created\n/,
  ],
  ['a tool of MCP', '/mcp', toolCall, /^(?:: |event: |id: )/],
]

async function post(path: string, body: object, signal: AbortSignal): Promise<Response> {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  return await fetch(server.url + path, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
    signal,
  })
}

/** The beginning of a stream, up to the second comment line. Whoever asked for it stays connected. */
async function beginningOf(response: Response): Promise<string> {
  let text = ''
  const decoder = new TextDecoder()
  const body = response.body as ReadableStream<Uint8Array>
  for await (const bytes of body.values({ preventCancel: true })) {
    text += decoder.decode(bytes, { stream: true })
    if (text.split('\n').filter(line => line.startsWith(':')).length > 1) return text
  }
  throw new Error(`The stream ended: ${text}`)
}

test.each(asking)(
  '%s: while the model says nothing, a stream begins, keeps the line alive, and stops the model when its client leaves',
  async (_, path, body, first) => {
    const at = model.requests.length
    const client = new AbortController()
    const response = await post(path, body, client.signal)
    expect(response.headers.get('content-type')).toContain('text/event-stream')
    expect(await beginningOf(response)).toMatch(first)
    const asked = await model.request(at)
    client.abort()
    await asked.closed
  },
)

test('a job that has nothing to tell keeps its line alive, and who asks for the headers alone gets them alone', async () => {
  const form = new FormData()
  form.append('purpose', 'assistants')
  form.append('file', new File(['x'], 'a.hang'))
  const file = (await (
    await fetch(`${server.url}/v1/files`, { method: 'POST', body: form })
  ).json()) as { id: string }
  const body = { name: 'hanging', file_ids: [file.id] }
  await post('/v1/vector_stores', body, AbortSignal.timeout(60_000))
  const { jobs } = (await (await fetch(`${server.url}/api/jobs?collection=hanging`)).json()) as {
    jobs: { id: string }[]
  }
  const client = new AbortController()
  const address = `${server.url}/api/jobs/${jobs[0]?.id}/events`
  const head = await fetch(address, { method: 'HEAD' })
  expect([head.headers.get('content-type'), await head.text()]).toEqual(['text/event-stream', ''])
  const events = await fetch(address, { signal: client.signal })
  expect(await beginningOf(events)).toMatch(/^event: progress\n/)
  client.abort()
  await fetch(`${server.url}/api/jobs/${jobs[0]?.id}/cancel`, { method: 'POST' })
})

test('a client that breaks off without a word stops the model', async () => {
  const at = model.requests.length
  const body = JSON.stringify({ question, stream: true })
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  socket.write(
    `POST /api/ask HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  )
  const asked = await model.request(at)
  socket.resetAndDestroy()
  await asked.closed
})

test('a call that an MCP client cancels stops the model', async () => {
  const at = model.requests.length
  const client = new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode: 'auto' } },
  )
  await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`)))
  const cancel = new AbortController()
  const call = client.callTool({ name: 'ask', arguments: { question } }, { signal: cancel.signal })
  const ended = expect(call).rejects.toThrow()
  const asked = await model.request(at)
  cancel.abort()
  await ended
  await asked.closed
  await client.close()
})

test('what a stream cannot be asked for has a status', async () => {
  const body = { question, collections: ['none'], stream: true }
  const refused = await post('/api/ask', body, AbortSignal.timeout(60_000))
  expect([refused.status, await refused.json()]).toMatchObject([
    404,
    { error: { code: 'not_found' } },
  ])
})
