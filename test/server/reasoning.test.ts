import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ScriptedReply } from '../fakes/scripted-model-server.ts'
import { startTravel, type Travel } from './travel.ts'

const thinking = { reasoning: ['Hotels? ', 'At most 120.'], text: ['At most 120 euros [1].'] }
const script: ScriptedReply[] = [thinking]
let travel: Travel

beforeAll(async () => {
  travel = await startTravel(script)
})
afterAll(() => travel.close())

const input = 'What do hotels cost?'
const messages = [{ role: 'user' as const, content: input }]
const tools = () => [{ type: 'file_search' as const, vector_store_ids: [travel.store] }]
const thought = {
  type: 'reasoning',
  content: [{ type: 'reasoning_text', text: 'Hotels? At most 120.' }],
}

test('a response has what the model thought as an item before its message', async () => {
  const { client } = travel
  const whole = await client.responses.create({ model: 'scripted', input, tools: tools() })
  expect(whole.output).toMatchObject([{ type: 'file_search_call' }, thought, { type: 'message' }])
  expect(whole.output_text).toBe('At most 120 euros [1].')
  const stream = client.responses.stream({ model: 'scripted', input, tools: tools() })
  const deltas: string[] = []
  for await (const event of stream)
    if (event.type === 'response.reasoning_text.delta') deltas.push(event.delta)
  expect(deltas).toEqual(thinking.reasoning)
  expect((await stream.finalResponse()).output).toMatchObject([
    { type: 'file_search_call' },
    thought,
    { type: 'message' },
  ])
})
test('thoughts are no part of what was said, and go back to their server where the conversation is kept here', async () => {
  const { client, model } = travel
  const first = await client.responses.create({ model: 'scripted', input })
  await client.responses.create({
    model: 'scripted',
    input: 'And trains?',
    previous_response_id: first.id,
  })
  await client.responses.create({
    ...{ model: 'scripted', store: false },
    input: [
      { role: 'user', content: input },
      ...first.output,
      { role: 'user', content: 'And trains?' },
    ] as never, // its types are not closed
  })
  const [kept, sent] = model.requests.slice(-2).map(({ body }) => body.messages)
  const contents = [input, 'At most 120 euros [1].', 'And trains?']
  expect([kept, sent].map(messages => messages?.map(({ content }) => content))).toEqual([
    contents,
    contents,
  ])
  expect([kept, sent].map(messages => messages?.[1]?.reasoning_content)).toEqual([
    thinking.reasoning.join(''),
    undefined,
  ])
})
test('chat completions have it in reasoning_content, as other servers do', async () => {
  const { client } = travel
  const whole = await client.chat.completions.create({ model: travel.store, messages })
  expect(whole.choices[0]?.message).toMatchObject({ reasoning_content: 'Hotels? At most 120.' })
  const stream = await client.chat.completions.create({
    model: travel.store,
    messages,
    stream: true,
  })
  let thoughts = ''
  for await (const { choices } of stream) {
    thoughts += (choices[0]?.delta as { reasoning_content?: string })?.reasoning_content ?? '' // no field of OpenAI's
  }
  expect(thoughts).toBe('Hotels? At most 120.')
})
test('thoughts that a client sends back with a call go to the model that gave them, in its field, and to no other', async () => {
  const { client, model } = travel
  const call = { index: 0, id: 'c1', type: 'function', function: { name: 'look', arguments: '{}' } }
  const delta = {
    choices: [
      {
        index: 0,
        delta: { reasoning: 'I look.', tool_calls: [call] },
        finish_reason: 'tool_calls',
      },
    ],
  }
  const before = script[0]!
  const functions = [{ type: 'function' as const, function: { name: 'look', parameters: {} } }]
  const complete = async (name: string, said: readonly object[]) => {
    const body = { model: name, tools: functions, messages: [...messages, ...said] as never } // the field is not OpenAI's
    return (await client.chat.completions.create(body)).choices[0]!.message
  }
  script[0] = { raw: `data: ${JSON.stringify(delta)}\n\ndata: [DONE]\n\n` }
  const called = await complete('scripted', [])
  expect(called).toMatchObject({ reasoning_content: 'I look.', tool_calls: [{ id: 'c1' }] })
  script[0] = before
  const result = { role: 'tool', tool_call_id: 'c1', content: 'Seen.' }
  await complete('scripted', [called, result])
  await complete('other', [called, result])
  const [own, other] = model.requests.slice(-2).map(({ body }) => body.messages)
  expect(own?.[1]).toMatchObject({
    role: 'assistant',
    reasoning: 'I look.',
    tool_calls: [{ id: 'c1' }],
  })
  expect(own?.[1]).not.toHaveProperty('reasoning_content')
  expect(JSON.stringify(other)).not.toContain('I look.')
})
test('a client that keeps the conversation itself sends thoughts back as their item, which its model alone gets', async () => {
  const { client, model } = travel
  const include = ['reasoning.encrypted_content' as const]
  const stream = client.responses.stream({ model: 'scripted', input, store: false, include })
  const output: unknown[] = []
  for await (const event of stream)
    if (event.type === 'response.output_item.done') output.push(event.item)
  const next = [
    { role: 'user', content: input },
    ...output,
    { role: 'user', content: 'And trains?' },
  ] as never // its types are not closed
  await client.responses.create({ model: 'scripted', store: false, input: next })
  await client.responses.create({ model: 'other', store: false, input: next })
  const [own, other] = model.requests.slice(-2).map(({ body }) => body.messages)
  expect(own?.[1]).toMatchObject({
    content: 'At most 120 euros [1].',
    reasoning_content: 'Hotels? At most 120.',
  })
  expect(JSON.stringify(other)).not.toContain('Hotels? At most 120.')
})
test('thoughts that only `</think>` closes are taken back from the text, and told as thoughts from then on', async () => {
  const { client, server, store } = travel
  script[0] = { text: ['Hotels? ', 'At most 120 [1].', '</think>', 'At most 120 euros [1].'] }
  const stream = client.responses.stream({ model: 'scripted', input, tools: tools() })
  const message = { type: 'message', content: [{ text: 'At most 120 euros [1].' }] }
  const taken = {
    type: 'reasoning',
    content: [{ type: 'reasoning_text', text: 'Hotels? At most 120 [1].' }],
  }
  expect((await stream.finalResponse()).output).toMatchObject([
    { type: 'file_search_call' },
    taken,
    message,
  ])
  const body = JSON.stringify({ question: input, collections: [store], stream: true })
  const headers = { 'content-type': 'application/json' }
  const events = await (
    await fetch(`${server.url}/api/ask`, { method: 'POST', headers, body })
  ).text()
  const named = (name: string) =>
    [...events.matchAll(new RegExp(`event: ${name}\ndata: (.*)`, 'g'))].map(match =>
      JSON.parse(match[1]!),
    )
  expect(
    named('token')
      .map(({ text }) => text)
      .join(''),
  ).toBe('At most 120 euros [1].')
  expect(
    named('reasoning')
      .map(({ text }) => text)
      .join(''),
  ).toBe('Hotels? At most 120 [1].')
})
