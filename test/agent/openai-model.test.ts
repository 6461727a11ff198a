import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import type { ModelEvent, ModelRequest } from '../../src/agent/model.ts'
import { OpenAIModel, type OpenAIModelOptions } from '../../src/agent/models/openai/openai.ts'
import {
  type ScriptedModel,
  type ScriptedReply,
  startScriptedModel,
} from '../fakes/scripted-model-server.ts'

const KEY = 'sk-very-secret'
const REQUEST: ModelRequest = {
  messages: [{ role: 'user', content: 'Hi' }],
  tools: [],
  toolChoice: 'auto',
}

const open: ScriptedModel[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map(server => server.close()))
})

async function start(...script: ScriptedReply[]): Promise<ScriptedModel> {
  const server = await startScriptedModel(script)
  open.push(server)
  return server
}

function model({ url }: { url: string }, options: Partial<OpenAIModelOptions> = {}): OpenAIModel {
  return new OpenAIModel({ url, name: 'scripted', key: KEY, ...options })
}

async function collect(events: AsyncIterable<ModelEvent>): Promise<readonly ModelEvent[]> {
  const all: ModelEvent[] = []
  for await (const event of events) all.push(event)
  return all
}

/** The reply makes the stream fail with this code and message; the key is never in it. */
async function checkFailure(
  reply: ScriptedReply,
  code: string,
  message: RegExp,
  options?: Partial<OpenAIModelOptions>,
) {
  const server = await start(reply)
  const error = await collect(model(server, options).stream(REQUEST)).catch(failure => failure)
  expect(error).toMatchObject({ code, message: expect.stringMatching(message) })
  expect(error.message).toContain(`The model scripted at ${server.url}`)
  expect(error.message).not.toContain(KEY)
}

test('text arrives in pieces, then usage and the end', async () => {
  const server = await start({ text: ['Hel', 'lo'] })
  expect(await collect(model(server).stream(REQUEST))).toEqual([
    { type: 'text-delta', text: 'Hel' },
    { type: 'text-delta', text: 'lo' },
    { type: 'usage', usage: { promptTokens: 10, completionTokens: 5, totalTokens: 15 } },
    { type: 'finish', reason: 'stop', responseId: 'chat_1' },
  ])
})

test('of a server that says with every piece what was used so far, the last word counts', async () => {
  const piece = (used: number) =>
    `data: ${JSON.stringify({ choices: [{ delta: { content: 'x' }, finish_reason: used === 2 ? 'stop' : null }], usage: { prompt_tokens: 10, completion_tokens: used, total_tokens: 10 + used } })}\n\n`
  const server = await start({ raw: `${piece(1)}${piece(2)}data: [DONE]\n\n` })
  const events = await collect(model(server).stream(REQUEST))
  expect(events.filter(event => event.type === 'usage')).toEqual([
    { type: 'usage', usage: { promptTokens: 10, completionTokens: 2, totalTokens: 12 } },
  ])
})

test.each([
  ['more than any answer takes', { prompt_tokens: 1e300, completion_tokens: 5 }],
  ['less than nothing', { prompt_tokens: 10, completion_tokens: -5 }],
])('a usage of %s is not believed', async (_, usage) => {
  const done = JSON.stringify({
    choices: [{ delta: { content: 'x' }, finish_reason: 'stop' }],
    usage,
  })
  const events = await collect(
    model(await start({ raw: `data: ${done}\n\ndata: [DONE]\n\n` })).stream(REQUEST),
  )
  expect(events.map(({ type }) => type)).toEqual(['text-delta', 'finish'])
})

test('of a usage, a price or a sum that cannot be is left out', async () => {
  const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 1e300, cost: -1 }
  const done = JSON.stringify({
    choices: [{ delta: { content: 'x' }, finish_reason: 'stop' }],
    usage,
  })
  const events = await collect(
    model(await start({ raw: `data: ${done}\n\ndata: [DONE]\n\n` })).stream(REQUEST),
  )
  expect(events[1]).toEqual({
    type: 'usage',
    usage: { promptTokens: 10, completionTokens: 5, totalTokens: 15 },
  })
})

test('reasoning comes apart from the answer', async () => {
  const server = await start({ reasoning: ['Hm.'], text: ['Yes.'] })
  const events = await collect(model(server).stream(REQUEST))
  expect(events.slice(0, 2)).toEqual([
    { type: 'reasoning-delta', text: 'Hm.' },
    { type: 'text-delta', text: 'Yes.' },
  ])
})

test('parallel tool calls that arrive interleaved and in pieces come out whole, in order', async () => {
  const calls = [
    { id: 'x', name: 'search', arguments: { query: 'first things' } },
    { id: 'y', name: 'search', arguments: { query: 'second' } },
  ]
  const events = await collect(model(await start({ calls })).stream(REQUEST))
  expect(events.filter(event => event.type === 'tool-call')).toEqual([
    { type: 'tool-call', call: { id: 'x', name: 'search', arguments: '{"query":"first things"}' } },
    { type: 'tool-call', call: { id: 'y', name: 'search', arguments: '{"query":"second"}' } },
  ])
  expect(events.at(-1)).toEqual({ type: 'finish', reason: 'tool-calls', responseId: 'chat_1' })
  const pieces = events.filter(event => event.type === 'tool-call-delta' && event.id === 'y')
  expect(pieces.map(event => 'text' in event && event.text).join('')).toBe('{"query":"second"}')
})
test('calls that a server gives one id are told apart', async () => {
  const twice = ['a', 'b'].map(name => ({ id: 'call', name, arguments: {} }))
  const events = await collect(model(await start({ calls: twice })).stream(REQUEST))
  const ids = events.flatMap(event => (event.type === 'tool-call' ? [event.call.id] : []))
  expect(new Set(ids).size).toBe(2)
})

test('the request streams, asks for usage, carries the key, and puts all calls of a turn in one message', async () => {
  const server = await start({ text: ['ok'] })
  const functionCall = { name: 'search', arguments: '{}' }
  const messages = [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: 'Let me look.', functionCall, functionId: 'a' },
    { role: 'assistant', content: '', functionCall, functionId: 'b' },
    { role: 'function', name: 'search', functionId: 'a', content: 'one' },
    {
      role: 'function',
      name: 'search',
      functionId: 'b',
      content: [{ text: 'two' }, { text: 'lines' }],
    },
  ] as const
  await collect(model(server).stream({ ...REQUEST, messages }))
  const call = { type: 'function', function: functionCall }
  const [request] = server.requests
  expect(request?.path).toBe('/v1/chat/completions')
  expect(request?.headers.authorization).toBe(`Bearer ${KEY}`)
  expect(request?.body).toMatchObject({
    model: 'scripted',
    stream: true,
    stream_options: { include_usage: true },
  })
  expect(request?.body.messages).toEqual([
    { role: 'user', content: 'Hi' },
    {
      role: 'assistant',
      content: 'Let me look.',
      tool_calls: [
        { ...call, id: 'a' },
        { ...call, id: 'b' },
      ],
    },
    { role: 'tool', content: 'one', tool_call_id: 'a' },
    { role: 'tool', content: 'two\nlines', tool_call_id: 'b' },
  ])
})

test('tools go out as functions', async () => {
  const server = await start({ text: ['ok'] })
  const tool = {
    name: 'search',
    description: 'Finds.',
    parameters: { type: 'object', properties: {} },
  } as const
  await collect(model(server).stream({ ...REQUEST, tools: [tool], toolChoice: 'none' }))
  expect(server.requests[0]?.body).toMatchObject({
    tool_choice: 'none',
    tools: [{ type: 'function', function: tool }],
  })
})

test('an abort closes the connection', async () => {
  const server = await start({
    raw: 'data: {"choices":[{"delta":{"content":"one"}}]}\n\n',
    ending: 'hang',
  })
  const controller = new AbortController()
  const reading = (async () => {
    for await (const _ of model(server).stream(REQUEST, controller.signal)) controller.abort()
  })()
  await expect(reading).rejects.toMatchObject({ name: 'AbortError' })
  await server.requests[0]?.closed
})

test('the connection of an answer that is read to its end serves others', async () => {
  const sockets = new Set<unknown>()
  const chunk = JSON.stringify({ choices: [{ delta: { content: 'x' }, finish_reason: 'stop' }] })
  const server = createServer((_, response) => response.end(`data: ${chunk}\n\ndata: [DONE]\n\n`))
  server.on('connection', socket => sockets.add(socket))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on TCP
  const asked = model({ url: `http://127.0.0.1:${port}/v1` })
  for (let at = 0; at < 10; at++) await collect(asked.stream(REQUEST))
  server.closeAllConnections()
  server.close()
  expect(sockets.size).toBeLessThan(10)
})
test('who stops reading closes the connection', async () => {
  const server = await start({
    raw: 'data: {"choices":[{"delta":{"content":"one"}}]}\n\n',
    ending: 'hang',
  })
  for await (const _ of model(server).stream(REQUEST)) break
  await server.requests[0]?.closed
})

test('too many requests is `rate_limited`, with the time to wait', () =>
  checkFailure(
    { status: 429, headers: { 'retry-after': '7' } },
    'rate_limited',
    /Try again in 7 s/,
  ))

test('a refused key is named, but not shown', () =>
  checkFailure(
    { status: 401, body: JSON.stringify({ error: { message: `Bad key ${KEY}` } }) },
    'model_unauthorized',
    /answered 401: Bad key \*\*\*/,
  ))

test('a failing server is `model_unavailable`', () =>
  checkFailure({ status: 500, body: 'oops' }, 'model_unavailable', /answered 500: oops/))

test.each([
  [400, 'model_refused'],
  [401, 'model_unauthorized'],
  [403, 'model_unauthorized'],
  [404, 'model_missing'],
  [408, 'model_unavailable'],
  [422, 'model_refused'],
  [429, 'rate_limited'],
  [500, 'model_unavailable'],
  [503, 'model_unavailable'],
])('a server that answers %i, at once or in its stream, is `%s`', async (status, code) => {
  await checkFailure({ status, body: 'no' }, code, /no/)
  const error = JSON.stringify({ error: { code: status, message: 'no' } })
  await checkFailure({ raw: `data: ${error}\n\n` }, code, /failed: no/)
})

test('a kept connection that the server closes as the next request comes is opened anew', async () => {
  const served = new WeakSet<object>()
  let closed = 0
  const server = createServer((request, response) => {
    if (served.has(request.socket)) {
      closed++
      request.socket.destroy()
      return
    }
    served.add(request.socket)
    request.resume().on('end', () => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(
        'data: {"choices":[{"delta":{"content":"Yes."},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
      )
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on TCP
  const asked = model({ url: `http://127.0.0.1:${port}/v1` })
  for (let at = 0; at < 10; at++)
    expect((await collect(asked.stream(REQUEST)))[0]).toEqual({ type: 'text-delta', text: 'Yes.' })
  expect(closed).toBeGreaterThan(0)
  server.closeAllConnections()
  server.close()
})
test('a server that closes a new connection is told at once', async () => {
  let asked = 0
  const server = createServer(request => {
    asked++
    request.socket.end()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on TCP
  const asking = collect(model({ url: `http://127.0.0.1:${port}/v1` }).stream(REQUEST))
  await expect(asking).rejects.toMatchObject({
    code: 'model_unavailable',
    message: expect.stringMatching(
      /^The model \S+ at http\S+ closed the connection before it answered\. Check the URL, and the log of the server\.$/,
    ),
  })
  expect(asked).toBe(1)
  server.close()
})
test('a connection that drops in the middle is reported', () =>
  checkFailure(
    { raw: 'data: {"choices":[{"delta":{"content":"one"}}]}\n\n', ending: 'drop' },
    'model_unavailable',
    /^The model \S+ at http\S+ closed the connection in the middle of its answer\. Try again\.$/,
  ))

test('a stream that ends before the model has finished is reported', () =>
  checkFailure(
    { raw: 'data: {"choices":[{"delta":{"content":"one"}}]}\n\n' },
    'model_unavailable',
    /in the middle of its answer/,
  ))

test('an answer without end is given up', () =>
  checkFailure(
    { text: Array(5).fill('on '.repeat(80_000)) },
    'model_unavailable',
    /more than 1048576 characters/,
  ))

test.each([
  ['one line', 'text/event-stream', 'data: "'],
  ['one piece of JSON', 'application/json', '{"choices": ["'],
])('an answer that is %s without end is given up', async (_, type, beginning) => {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': type }).write(beginning)
    const more = Buffer.alloc(2 ** 20, 'a')
    const go = () => {
      while (!response.destroyed && response.write(more));
    }
    response.on('drain', go)
    go()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on TCP
  const endless = new OpenAIModel({ url: `http://127.0.0.1:${port}/v1`, name: 'm' })
  await expect(collect(endless.stream(REQUEST))).rejects.toThrow(/more than 1048576 characters/)
  server.closeAllConnections()
  server.close()
})

test.each([
  ['usage that lacks a sum', { usage: { prompt_tokens: 3, completion_tokens: 2 } }, 5],
  ['usage that is none', { usage: { prompt_tokens: null } }, undefined],
  ['a time in words', { created: 'now' }, undefined],
  [
    'parts instead of a text',
    { choices: [{ delta: { content: [{ type: 'text', text: 'Hi' }] } }] },
    undefined,
  ],
])('%s does not lose an answer', async (_, oddity, totalTokens) => {
  const chunks = [
    { choices: null },
    { choices: [{ delta: { content: 'Hi' } }], ...oddity },
    { choices: [{ delta: {}, finish_reason: 'stop' }] },
  ]
  const server = await start({
    raw: chunks.map(chunk => `data: ${JSON.stringify(chunk)}\n\n`).join(''),
  })
  const events = await collect(model(server).stream(REQUEST))
  expect(events[0]).toEqual({ type: 'text-delta', text: 'Hi' })
  expect(events.find(({ type }) => type === 'usage')).toEqual(
    totalTokens && { type: 'usage', usage: { promptTokens: 3, completionTokens: 2, totalTokens } },
  )
})

test('a malformed event is reported with its beginning', () =>
  checkFailure(
    { raw: 'data: {"choices": [oops\n\n' },
    'model_unavailable',
    /invalid chat completion: {"choices": \[oops/,
  ))

test('an error inside the stream is reported', () =>
  checkFailure(
    { raw: 'data: {"error": {"message": "out of memory"}}\n\n' },
    'model_unavailable',
    /failed: out of memory/,
  ))

test('a server that says nothing is given up', () =>
  checkFailure({ hang: true }, 'timeout', /sent nothing for 0.05 s/, { silenceMs: 50 }))

test('a server that stops in the middle is given up', () =>
  checkFailure(
    { raw: 'data: {"choices":[]}\n\n', ending: 'hang' },
    'timeout',
    /sent nothing for 0.05 s/,
    {
      silenceMs: 50,
    },
  ))

test('a page that is no API is told apart', () =>
  checkFailure(
    { status: 200, headers: { 'content-type': 'text/html' }, body: '<p>' },
    'model_unavailable',
    /did not answer as a chat model/,
  ))

test('a server that does not stream is read whole, with arguments that are no text and a call without an id', async () => {
  const call = { function: { name: 'f', arguments: { a: 1 } } }
  const body = JSON.stringify({
    choices: [{ message: { content: 'Hi.', tool_calls: [call] }, finish_reason: 'tool_calls' }],
  })
  const server = await startScriptedModel([{ status: 200, body }])
  const model = new OpenAIModel({ url: server.url, name: 'm' })
  const events = await collect(model.stream(REQUEST))
  await server.close()
  expect(events.filter(({ type }) => type !== 'tool-call-delta')).toMatchObject([
    { type: 'text-delta', text: 'Hi.' },
    {
      type: 'tool-call',
      call: { id: expect.stringMatching(/./), name: 'f', arguments: '{"a":1}' },
    },
    { type: 'finish', reason: 'tool-calls' },
  ])
})

test('no server there: the reason, without what the URL may hide', async () => {
  const absent = new OpenAIModel({ url: 'http://127.0.0.1:1/v1?token=abc', name: 'm' })
  const error = await collect(absent.stream(REQUEST)).catch(failure => failure)
  expect(error).toMatchObject({
    code: 'model_unavailable',
    message: expect.stringContaining('cannot be reached'),
  })
  expect(error.message).not.toContain('abc')
})

test('a URL with a password is refused without repeating it', () => {
  const make = () => new OpenAIModel({ url: 'http://user:hunter2@127.0.0.1/v1', name: 'm' })
  expect(make).toThrow(
    expect.objectContaining({
      code: 'invalid_input',
      message: expect.not.stringContaining('hunter2'),
    }),
  )
})
