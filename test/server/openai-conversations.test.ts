import type OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findContract, OpenAIContract } from '../contract/openai-contract.ts'
import {
  type ScriptedModel,
  type ScriptedReply,
  silentAfter,
} from '../fakes/scripted-model-server.ts'
import type { Running } from './running.ts'
import { startTravel, type Travel } from './travel.ts'

const script: ScriptedReply[] = []
let model: ScriptedModel
let server: Running
let client: OpenAI
let store: string
let travel: Travel

beforeAll(async () => {
  travel = await startTravel(script)
  ;({ model, server, client, store } = travel)
})
afterAll(() => travel.close())

const answerWith = (...replies: readonly ScriptedReply[]) =>
  script.push(...replies) - replies.length
const answer = 'At most 120 euros [1].'
const search = () => ({ type: 'file_search' as const, vector_store_ids: [store] })
const ask = (
  conversation: string,
  input: string | OpenAI.Responses.ResponseInput = 'What do hotels cost?',
) => ({
  ...{ model: 'scripted', input, tools: [search()], conversation },
})

async function collect<One>(all: AsyncIterable<One>): Promise<One[]> {
  const found: One[] = []
  for await (const one of all) found.push(one)
  return found
}

async function itemsOf(id: string, query: OpenAI.Conversations.ItemListParams = {}) {
  return await collect(client.conversations.items.list(id, { order: 'asc', ...query }))
}

async function statusOf(promise: Promise<unknown>): Promise<number> {
  return await promise.then(
    () => 200,
    (error: { status?: number }) => error.status ?? 0,
  )
}

describe('conversations', () => {
  test('are made, changed, listed in pages and deleted for good', async () => {
    const items = [
      { role: 'developer' as const, content: 'Be brief.' },
      { role: 'user' as const, content: [{ type: 'input_text' as const, text: 'One.' }] },
      { type: 'function_call' as const, call_id: 'c1', name: 'look_up', arguments: '{}' },
      { type: 'function_call_output' as const, call_id: 'c1', output: 'found' },
    ]
    const { id, metadata } = await client.conversations.create({ metadata: { a: 'b' }, items })
    expect(metadata).toEqual({ a: 'b' })
    expect(await client.conversations.update(id, { metadata: { a: 'c' } })).toMatchObject({
      id,
      metadata: { a: 'c' },
    })
    const added = await client.conversations.items.create(id, {
      items: [{ role: 'assistant', content: 'Two.' }],
    })
    const all = await itemsOf(id, { limit: 2 })
    expect(all.map(({ type }) => type)).toEqual([
      'message',
      'message',
      'function_call',
      'function_call_output',
      'message',
    ])
    expect(all.at(-1)?.id).toBe(added.last_id)
    expect((await client.conversations.items.list(id)).data.map(item => item.id)).toEqual(
      all.map(item => item.id).toReversed(),
    )
    const last = all.at(-1)?.id ?? ''
    expect(await client.conversations.items.retrieve(last, { conversation_id: id })).toMatchObject({
      role: 'assistant',
    })
    expect(await client.conversations.items.delete(last, { conversation_id: id })).toMatchObject({
      id,
    })
    expect(await statusOf(client.conversations.items.retrieve(last, { conversation_id: id }))).toBe(
      404,
    )
    expect(await client.conversations.delete(id)).toEqual({
      id,
      object: 'conversation.deleted',
      deleted: true,
    })
    expect(await statusOf(client.conversations.retrieve(id))).toBe(404)
  })

  test('take at most twenty items at a time', async () => {
    const items = Array.from({ length: 21 }, () => ({ role: 'user' as const, content: 'x' }))
    expect(await statusOf(client.conversations.create({ items }))).toBe(400)
  })

  test('are gone on from, and hold what was said under the ids of the response', async () => {
    const { id } = await client.conversations.create()
    answerWith({ text: [answer] })
    const first = await client.responses.create({
      ...ask(id),
      include: ['file_search_call.results'],
    })
    expect(first).toMatchObject({ status: 'completed', conversation: { id }, output_text: answer })
    const items = await itemsOf(id)
    expect(items.map(({ type }) => type)).toEqual(['message', 'file_search_call', 'message'])
    expect(items.slice(1).map(item => item.id)).toEqual(first.output.map(item => item.id))
    expect(items[2]).toMatchObject({
      content: [{ text: answer, annotations: [{ filename: 'hotel.md', index: 18 }] }],
    })
    const at = answerWith({ text: [answer] })
    const second = await client.responses.create({
      ...ask(id, 'Hotels: sure?'),
      conversation: { id },
      stream: false,
    })
    expect(second.output_text).toBe(answer)
    const { messages } = (await model.request(at)).body
    expect(messages.slice(1).map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
    answerWith({ text: [answer] })
    const reference = { type: 'item_reference' as const, id: items[2]?.id ?? '' }
    const third = await client.responses.create({
      model: 'scripted',
      input: [reference, { role: 'user', content: 'And?' }],
    })
    expect(third.status).toBe('completed')
  })

  test('run the functions of their client, call by call', async () => {
    const { id } = await client.conversations.create()
    const tools = [
      {
        type: 'function' as const,
        name: 'look_up',
        parameters: { type: 'object', properties: {} },
        strict: false,
      },
    ]
    answerWith({ calls: [{ id: 'call_9', name: 'look_up', arguments: {} }] })
    const called = await client.responses.create({
      model: 'scripted',
      input: 'Look it up.',
      tools,
      conversation: id,
    })
    expect(called.output).toMatchObject([{ type: 'function_call', call_id: 'call_9' }])
    const at = answerWith({ text: ['Done.'] })
    const output = [{ type: 'function_call_output' as const, call_id: 'call_9', output: 'found' }]
    expect(
      await client.responses.create({ model: 'scripted', input: output, tools, conversation: id }),
    ).toMatchObject({
      output_text: 'Done.',
    })
    expect((await model.request(at)).body.messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
    ])
    const kinds = (await itemsOf(id)).map(({ type }) => type)
    expect(kinds).toEqual(['message', 'function_call', 'function_call_output', 'message'])
  })

  test('are streamed by the client’s own helper, and followed by it again from any event on', async () => {
    const { id } = await client.conversations.create()
    answerWith({ text: ['At most ', '120 euros [1].'] })
    const live: string[] = []
    const first = client.responses.stream({ ...ask(id), input: 'What do hotels cost?' })
    first.on('event', event => live.push(`${event.sequence_number} ${event.type}`))
    const response = await first.finalResponse()
    expect(response).toMatchObject({
      status: 'completed',
      conversation: { id },
      output_text: answer,
    })
    const missed: string[] = []
    const again = client.responses.stream({ response_id: response.id, starting_after: 3 })
    again.on('event', event => missed.push(`${event.sequence_number} ${event.type}`))
    expect((await again.finalResponse()).output).toEqual(response.output)
    expect(missed).toEqual(live.slice(4))
  })

  test('are not there for two answers at once, nor with a response before', async () => {
    const { id } = await client.conversations.create()
    const at = answerWith(silentAfter('At most'))
    const { id: response } = await client.responses.create({ ...ask(id), background: true })
    await model.request(at) // else the next request is the one that hangs
    expect(await statusOf(client.responses.create(ask(id)))).toBe(409)
    expect(
      await statusOf(
        client.conversations.items.create(id, { items: [{ role: 'user', content: 'x' }] }),
      ),
    ).toBe(409)
    expect(await client.responses.cancel(response)).toMatchObject({ status: 'cancelled' })
    expect(
      await statusOf(client.responses.create({ ...ask(id), previous_response_id: response })),
    ).toBe(400)
    expect(await statusOf(client.responses.create(ask('conv_none')))).toBe(404)
  })
})

type Event = OpenAI.Responses.ResponseStreamEvent
let streamed: readonly Event[] = []

describe('streams in the background', () => {
  const stream = (id: string, starting_after?: number) =>
    client.responses.retrieve(id, { stream: true, starting_after })

  test('are read again from any event on, while they run and afterwards', async () => {
    answerWith(
      { calls: [{ name: 'search', arguments: { query: 'price' } }] },
      { text: ['At most ', '120 euros [1].'] },
    )
    const live: Event[] = []
    const made = await client.responses.create({
      ...ask(''),
      conversation: null,
      background: true,
      stream: true,
    })
    for await (const event of made) live.push(event)
    expect(live.map(event => event.sequence_number)).toEqual(live.map((_, at) => at))
    const response = live.at(-1) as OpenAI.Responses.ResponseCompletedEvent
    expect(response).toMatchObject({
      type: 'response.completed',
      response: { status: 'completed' },
    })
    const { id } = response.response
    expect(await collect(await stream(id))).toEqual(live)
    expect(await collect(await stream(id, 4))).toEqual(live.slice(5))
    expect(await client.responses.retrieve(id)).toMatchObject({ output: response.response.output })
    streamed = live
  })

  test('go on when the client leaves, and end for every reader when they are cancelled', async () => {
    answerWith(silentAfter('At most'))
    const made = await client.responses.create({
      ...ask(''),
      conversation: null,
      background: true,
      stream: true,
    })
    let id = ''
    for await (const event of made) {
      if (event.type === 'response.created') id = event.response.id
      if (event.type === 'response.output_text.delta') break
    }
    const rest = collect(await stream(id, 0))
    expect(await client.responses.cancel(id)).toMatchObject({ id, status: 'cancelled' })
    const events = await rest
    expect(events.at(-1)).toMatchObject({
      type: 'response.incomplete',
      response: { status: 'cancelled' },
    })
    expect(events.filter(({ type }) => type === 'response.output_text.delta')).toMatchObject([
      { delta: 'At most' },
    ])
    await client.responses.delete(id)
    expect(await statusOf(client.responses.retrieve(id, { stream: true }))).toBe(404)
  })

  test('are not there of what kept no events', async () => {
    answerWith({ text: [answer] })
    const { id } = await client.responses.create({
      model: 'scripted',
      input: 'What do hotels cost?',
      tools: [search()],
    })
    expect(await statusOf(client.responses.retrieve(id, { stream: true }))).toBe(400)
  })
})

describe.skipIf(!findContract())(
  'every route as OpenAI publishes it (needs ../shared/contract or $PASSIM_SHARED)',
  () => {
    test('is held to its schema', async () => {
      const contract = new OpenAIContract(findContract()!) // the suite is skipped without it
      const check = async (
        method: string,
        route: string,
        ids: readonly string[],
        body?: object,
      ) => {
        const rest = [...ids]
        const url = `${server.url}/v1${route.replace(/\{\w+\}/g, () => rest.shift() ?? '')}`
        const response = await fetch(url, { method, ...(body && { body: JSON.stringify(body) }) })
        const json = (await response.json()) as { id: string; first_id: string } // held to the contract here
        expect(contract.problems(method, route, json)).toEqual([])
        return json
      }
      const CONVERSATION = '/conversations/{conversation_id}'
      const text = [
        { role: 'user', content: [{ type: 'input_text', text: 'One.' }] },
        { type: 'reasoning', id: 'rs_1', summary: [] },
      ]
      const { id } = await check('POST', '/conversations', [], { items: text, metadata: null })
      answerWith({ reasoning: ['Hm.'], text: [answer] })
      await client.responses.create(ask(id))
      await check('GET', CONVERSATION, [id])
      await check('POST', CONVERSATION, [id], { metadata: { a: 'b' } })
      const { first_id: item } = await check('GET', `${CONVERSATION}/items`, [id])
      await check('GET', `${CONVERSATION}/items`, [`${id}`])
      await check('POST', `${CONVERSATION}/items`, [id], { items: text })
      await check('GET', `${CONVERSATION}/items/{item_id}`, [id, item])
      await check('DELETE', `${CONVERSATION}/items/{item_id}`, [id, item])
      await check('DELETE', CONVERSATION, [id])
      expect([...contract.checked].toSorted()).toEqual(
        [...contract.routes(['/conversations'])].toSorted(),
      )
    })
  },
)

test('an answer that was asked for here is not resumed elsewhere without what its request said', async () => {
  const at = answerWith(silentAfter('At most'))
  const { id: conversation } = await client.conversations.create()
  const { id } = await client.responses.create({ ...ask(''), conversation, background: true })
  await model.request(at)
  await client.responses.cancel(id)
  const refused = await fetch(`${server.url}/api/conversations/${conversation}/resume`, {
    method: 'POST',
  })
  const { error } = (await refused.json()) as { error: { message: string } }
  expect([refused.status, error.message]).toEqual([400, expect.stringContaining('/v1/responses')])
})

// Last, because reading the contract takes longer than an idle connection is kept.
test.skipIf(!findContract())(
  'every event of a stream is as OpenAI publishes it (needs ../shared/contract or $PASSIM_SHARED)',
  () => {
    const contract = new OpenAIContract(findContract()!) // the test is skipped without it
    expect(streamed.length).toBeGreaterThan(5)
    for (const event of streamed)
      expect(contract.problemsOfEvent('POST', '/responses', event)).toEqual([])
  },
)
