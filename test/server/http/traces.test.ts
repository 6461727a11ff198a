import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Passim } from '../../../src/app/passim.ts'
import { serve } from '../../../src/server.ts'
import { oneStore } from '../../fakes/one-store.ts'
import { startScriptedModel } from '../../fakes/scripted-model-server.ts'
import { Sandbox } from '../../fakes/store.ts'

type Attribute = { readonly key: string; readonly value: Readonly<Record<string, unknown>> }
type Span = {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly attributes: readonly Attribute[]
}

let sandbox: Sandbox
let passim: Passim
let collector: Server
let spans: Span[]

beforeEach(async () => {
  sandbox = await Sandbox.make()
  passim = await sandbox.open()
  spans = []
  collector = createServer(async (request, response) => {
    let text = ''
    for await (const piece of request) text += piece
    const { resourceSpans } = JSON.parse(text) as {
      resourceSpans: { scopeSpans: { spans: Span[] }[] }[]
    } // OTLP's JSON
    spans.push(...resourceSpans.flatMap(one => one.scopeSpans.flatMap(scope => scope.spans)))
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>(resolve => collector.listen(0, '127.0.0.1', resolve))
})
afterEach(async () => {
  collector.closeAllConnections()
  await new Promise(resolve => collector.close(resolve))
  await sandbox.remove()
})

const start = (traces: { url: string; ratio: number }) =>
  serve(oneStore(passim), {
    settings: { ...passim.settings.server, port: 0, traces: { headers: {}, ...traces } },
  })
const collectorUrl = () => `http://127.0.0.1:${(collector.address() as AddressInfo).port}/v1/traces` // it listens on TCP

test('each request is a span of the trace of its client, and tells nothing of what was asked', async () => {
  const service = await start({ url: collectorUrl(), ratio: 1 })
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
  const headers = {
    traceparent: `00-${traceId}-00f067aa0ba902b7-01`,
    'content-type': 'application/json',
  }
  const body = JSON.stringify({ query: 'a secret question' })
  const { headers: answered } = await fetch(`${service.url}/api/search`, {
    method: 'POST',
    body,
    headers,
  })
  await service.close()
  const [span] = spans
  expect(span).toMatchObject({
    traceId,
    parentSpanId: '00f067aa0ba902b7',
    name: 'POST /api/search',
  })
  const attributes = Object.fromEntries(
    span!.attributes.map(({ key, value }) => [key, Object.values(value)[0]]),
  )
  expect(attributes).toEqual({
    'http.request.method': 'POST',
    'http.route': '/api/search',
    'http.response.status_code': 404,
    'passim.request_id': answered.get('x-request-id'),
  })
  expect(JSON.stringify(spans)).not.toContain('secret')
})

test('the searches and the calls of a model that a request waits for are spans within its own', async () => {
  const model = await startScriptedModel([{ text: ['At most 120 euros [1].'] }])
  const asked = await sandbox.open({ settings: { model: { url: model.url, name: 'scripted' } } })
  await asked.index([await sandbox.write({ 'hotel.md': 'Hotels cost at most 120 euros a night.' })])
  const traces = { url: collectorUrl(), ratio: 1, headers: {} }
  const service = await serve(oneStore(asked), {
    settings: { ...asked.settings.server, port: 0, traces },
  })
  const body = JSON.stringify({ question: 'What does a hotel cost?' })
  const headers = { 'content-type': 'application/json' }
  await (await fetch(`${service.url}/api/ask`, { method: 'POST', body, headers })).text()
  await service.close()
  await model.close()
  const request = spans.find(({ name }) => name === 'POST /api/ask')
  const within = spans.filter(({ parentSpanId }) => parentSpanId === request?.spanId)
  expect(within.map(({ name }) => name)).toEqual(['search hybrid', 'chat scripted'])
  expect(within[1]?.attributes).toContainEqual({
    key: 'gen_ai.usage.output_tokens',
    value: { intValue: 5 },
  })
  expect(JSON.stringify(spans)).not.toMatch(/hotel|euro/i)
})

test('a client that samples nothing, and a ratio of 0, send nothing', async () => {
  const service = await start({ url: collectorUrl(), ratio: 0 })
  await fetch(`${service.url}/v1/models`)
  await fetch(`${service.url}/v1/models`, {
    headers: { traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00' },
  })
  await service.close()
  expect(spans).toEqual([])
})

test('a collector that is not there keeps no request', async () => {
  const service = await start({ url: 'http://127.0.0.1:1/v1/traces', ratio: 1 })
  expect((await fetch(`${service.url}/v1/models`)).status).toBe(200)
  await service.close()
})
