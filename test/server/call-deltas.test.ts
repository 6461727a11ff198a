import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ScriptedReply } from '../fakes/scripted-model-server.ts'
import { startTravel, type Travel } from './travel.ts'

const script: ScriptedReply[] = []
let travel: Travel

beforeAll(async () => {
  travel = await startTravel(script)
})
afterAll(() => travel.close())

const input = 'Is it open in Rome, and in Oslo?'
const messages = [{ role: 'user' as const, content: input }]
const lookUp = {
  name: 'look_up',
  parameters: { type: 'object', properties: { place: { type: 'string' } } },
}
const chatTools = [{ type: 'function' as const, function: lookUp }]
const responseTools = [{ type: 'function' as const, strict: false, ...lookUp }]
/** The model writes them in turns, a few characters each. */
const twoCalls = ['Rome', 'Oslo'].map(place => ({
  id: `call_${place}`,
  name: 'look_up',
  arguments: { place },
}))

/** An answer that has begun to call, and is never ended. */
function begun(args: string, ending: 'hang' | 'drop'): ScriptedReply {
  const call = { index: 0, id: 'call_1', function: { name: 'look_up', arguments: args } }
  const chunk = { choices: [{ index: 0, delta: { tool_calls: [call] }, finish_reason: null }] }
  return { raw: `data: ${JSON.stringify(chunk)}\n\n`, ending }
}

test('a response tells the arguments of calls as they are written, each in its own item', async () => {
  script.push({ calls: twoCalls })
  const stream = travel.client.responses.stream({ model: 'scripted', input, tools: responseTools })
  const pieces = new Map<number, string[]>()
  for await (const event of stream) {
    if (event.type !== 'response.function_call_arguments.delta') continue
    pieces.set(event.output_index, [...(pieces.get(event.output_index) ?? []), event.delta])
  }
  expect([...pieces.values()].map(list => list.join(''))).toEqual([
    '{"place":"Rome"}',
    '{"place":"Oslo"}',
  ])
  expect([...pieces.values()].every(list => list.length > 2)).toBe(true)
  const { output } = await stream.finalResponse()
  expect(output).toMatchObject([
    {
      type: 'function_call',
      call_id: 'call_Rome',
      arguments: '{"place":"Rome"}',
      status: 'completed',
    },
    {
      type: 'function_call',
      call_id: 'call_Oslo',
      arguments: '{"place":"Oslo"}',
      status: 'completed',
    },
  ])
})
test('chat completions tell them by the index of the call', async () => {
  script.push({ text: ['Let me see.'], calls: twoCalls })
  const stream = travel.client.chat.completions.stream({
    model: 'scripted',
    messages,
    tools: chatTools,
  })
  const indexes: number[] = []
  for await (const { choices } of stream)
    for (const call of choices[0]?.delta.tool_calls ?? []) indexes.push(call.index)
  expect(indexes.length).toBeGreaterThan(6)
  const { message, finish_reason } = (await stream.finalChatCompletion()).choices[0]!
  expect(finish_reason).toBe('tool_calls')
  expect(message).toMatchObject({
    content: 'Let me see.',
    tool_calls: [
      { id: 'call_Rome', function: { name: 'look_up', arguments: '{"place":"Rome"}' } },
      { id: 'call_Oslo', function: { name: 'look_up', arguments: '{"place":"Oslo"}' } },
    ],
  })
})
test('the first piece is told while the model still writes', async () => {
  script.push(begun('{"place"', 'hang'))
  const stream = await travel.client.responses.create({
    model: 'scripted',
    input,
    tools: responseTools,
    stream: true,
  })
  for await (const event of stream) {
    if (event.type !== 'response.function_call_arguments.delta') continue
    expect(event.delta).toBe('{"place"')
    break // and the client leaves, which ends the model's request
  }
  await (await travel.model.request(script.length - 1)).closed
})
test('a call that broke off is incomplete, and the response has failed', async () => {
  script.push(begun('{"place"', 'drop'))
  const stream = await travel.client.responses.create({
    model: 'scripted',
    input,
    tools: responseTools,
    stream: true,
  })
  const ends = []
  for await (const event of stream) {
    if (event.type === 'response.output_item.done') ends.push(event.item)
    if (event.type === 'response.failed') ends.push(event.response.output)
  }
  const item = expect.objectContaining({
    type: 'function_call',
    status: 'incomplete',
    arguments: '{"place"',
  })
  expect(ends).toEqual([item, [item]])
})
test('calls of our own tools are not told', async () => {
  const search = { type: 'file_search' as const, vector_store_ids: [travel.store] }
  script.push(
    { calls: [{ name: 'search', arguments: { query: 'price' } }] },
    { text: ['At most 120 euros [1].'] },
  )
  const stream = travel.client.responses.stream({
    model: 'scripted',
    input,
    tools: [search, ...responseTools],
  })
  const types = new Set<string>()
  for await (const { type } of stream) types.add(type)
  expect([...types].filter(type => type.includes('function_call'))).toEqual([])
})
