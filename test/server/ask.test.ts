import { createParser } from 'eventsource-parser'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { z } from 'zod'
import { askEventSchemas } from '../../src/wire/ask-event.ts'
import {
  type ScriptedModel,
  type ScriptedReply,
  silentAfter,
  startScriptedModel,
} from '../fakes/scripted-model-server.ts'
import { type Running, startServer } from './running.ts'

let server: Running
let model: ScriptedModel
/** What the model answers to one request after the other; each test adds what it needs. */
const script: ScriptedReply[] = []

beforeAll(async () => {
  model = await startScriptedModel(script)
  server = await startServer({ settings: { model: { url: model.url, name: 'scripted' } } })
  await server.sandbox.write({
    'hotel.md': '# Travel\n\nHotels cost at most 120 euros a night.',
    'train.md': '# Trains\n\nTrains are booked in second class.',
  })
  await server.passim.index([server.sandbox.path('')])
})
afterAll(async () => {
  await server.close()
  await model.close()
})

/** The number of the first request that gets one of these replies. */
function answerWith(...replies: readonly ScriptedReply[]): number {
  return script.push(...replies) - replies.length
}

async function ask(body: object, signal?: AbortSignal): Promise<Response> {
  const init = { method: 'POST', body: JSON.stringify(body), ...(signal && { signal }) }
  return await fetch(`${server.url}/api/ask`, init)
}

type Event = { readonly event: string; readonly data: Record<string, unknown> }

async function eventsOf(response: Response): Promise<readonly Event[]> {
  const events: Event[] = []
  const parser = createParser({
    onEvent: ({ event = '', data }) =>
      events.push({ event, data: JSON.parse(data) as Event['data'] }), // sent as JSON
  })
  parser.feed(await response.text())
  return events
}

const question = 'What do hotels cost at most?'

test('an answer with a tool call streams event by event', async () => {
  answerWith(
    { calls: [{ name: 'search', arguments: { query: 'second class trains' } }] },
    { text: ['Hotels cost at most ', '120 euros [1].'] },
  )
  const response = await ask({ question, stream: true })
  expect(response.headers.get('content-type')).toContain('text/event-stream')
  const events = await eventsOf(response)
  const names = events.map(({ event }) => event).filter((event, at, all) => event !== all[at - 1])
  const searched = ['start', 'retrieval', 'usage', 'tool_call', 'retrieval', 'tool_result']
  expect(names).toEqual([...searched, 'token', 'usage', 'citation', 'answer'])
  const data = (name: string) => events.find(({ event }) => event === name)?.data
  expect(data('retrieval')).toMatchObject({
    hits: [{ source: server.sandbox.path('hotel.md'), text: expect.any(String) }, {}],
  })
  expect(data('tool_call')).toMatchObject({
    name: 'search',
    arguments: '{"query":"second class trains"}',
  })
  expect(data('citation')).toMatchObject({
    marker: 1,
    doc: 'hotel.md',
    quoteVerified: true,
    verified: true,
  })
  expect(data('answer')).toMatchObject({
    mode: 'model',
    question,
    abstained: false,
    usage: { totalTokens: 30 },
  })
  const schemas = new Map<string, z.ZodType>(Object.entries(askEventSchemas))
  for (const { event, data } of events)
    expect([event, schemas.get(event)?.safeParse(data).success]).toEqual([event, true])
  const text = events.filter(({ event }) => event === 'token').map(event => event.data.text)
  expect(text.join('')).toBe('Hotels cost at most 120 euros [1].')
})
test('an answer without a stream is one JSON value', async () => {
  answerWith({ text: ['At most 120 euros [1].'] })
  const response = await ask({ question })
  expect(await response.json()).toMatchObject({
    ...{
      question,
      answer: 'At most 120 euros [1].',
      mode: 'model',
      abstained: false,
      seconds: expect.any(Number),
    },
    citations: [{ doc: 'hotel.md', text: expect.stringContaining('120 euros') }],
  })
})
test('an extractive answer streams as well', async () => {
  const events = await eventsOf(await ask({ question, stream: true, extractive: true }))
  expect(events.slice(0, 2).map(({ event }) => event)).toEqual(['start', 'retrieval'])
  expect(events.at(-1)).toMatchObject({ event: 'answer', data: { mode: 'extractive' } })
})
test('a client that leaves a stream stops the model', async () => {
  const at = answerWith(silentAfter('Hotels '))
  const client = new AbortController()
  const response = await ask({ question, stream: true }, client.signal)
  const reader = response.body!.getReader() // a stream has a body
  await reader.read()
  const asked = await model.request(at)
  client.abort()
  await asked.closed
})
test('a client that leaves before the answer stops the model', async () => {
  const at = answerWith({ hang: true })
  const client = new AbortController()
  const gone = expect(ask({ question }, client.signal)).rejects.toThrow()
  const asked = await model.request(at)
  client.abort()
  await Promise.all([gone, asked.closed])
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
  expect(server.log).toEqual([])
})
test('what goes wrong before anything was said is an error with a status', async () => {
  const response = await ask({ question, collections: ['none'], stream: true })
  expect([response.status, await response.json()]).toMatchObject([
    404,
    { error: { code: 'not_found' } },
  ])
})
test('what goes wrong later is the last event', async () => {
  answerWith({ status: 401, body: '{"error":{"message":"no such key"}}' })
  const events = await eventsOf(await ask({ question, stream: true }))
  expect(events.at(-1)).toMatchObject({
    event: 'error',
    data: {
      error: {
        code: 'model_unauthorized',
        message: expect.any(String),
        type: 'server_error',
        param: null,
      },
    },
  })
})
test('of all this the operator is told that the model failed, and nothing else', () =>
  expect(server.log).toEqual([
    expect.stringMatching(/ POST \/api\/ask: The model scripted .* answered 401: no such key/),
  ]))
