import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { OpenAIModel } from '../../../src/agent/models/openai/openai.ts'
import { collect } from '../../fakes/scripted-chat-model.ts'

/** The calls and the text of an answer that comes in these pieces. */
async function told(deltas: readonly object[], reason = 'function_call') {
  const choices = [...deltas.map(delta => ({ delta })), { delta: {}, finish_reason: reason }]
  const body = choices
    .map(choice => `data: ${JSON.stringify({ choices: [{ index: 0, ...choice }] })}\n\n`)
    .join('')
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(`${body}data: [DONE]\n\n`)
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // it listens on TCP
  const model = new OpenAIModel({ url: `http://127.0.0.1:${port}/v1`, name: 'old' })
  const events = await collect(
    model.stream({ messages: [{ role: 'user', content: 'x' }], tools: [], toolChoice: 'auto' }),
  )
  return {
    text: events.flatMap(event => (event.type === 'text-delta' ? event.text : [])).join(''),
    calls: events.flatMap(event =>
      event.type === 'tool-call' ? [[event.call.name, event.call.arguments]] : [],
    ),
    reason: events.flatMap(event => (event.type === 'finish' ? event.reason : [])),
  }
}

test('a call that comes as `function_call`, in pieces, is a call', async () => {
  const pieces = [
    { name: 'weather', arguments: '' },
    { arguments: '{"city":' },
    { arguments: ' "Bern"}' },
  ]
  expect(await told(pieces.map(function_call => ({ content: null, function_call })))).toEqual({
    ...{ text: '', calls: [['weather', '{"city": "Bern"}']], reason: ['tool-calls'] },
  })
})

test('a call that a server says in both forms is made once', async () => {
  const called = { name: 'weather', arguments: '{}' }
  const delta = { tool_calls: [{ index: 0, id: 'a', function: called }], function_call: called }
  expect((await told([delta], 'tool_calls')).calls).toEqual([['weather', '{}']])
})

test('an empty `function_call` beside every word is no call', async () => {
  const delta = { content: 'Hello', function_call: { name: '', arguments: '' } }
  expect(await told([delta], 'stop')).toEqual({ text: 'Hello', calls: [], reason: ['stop'] })
})
