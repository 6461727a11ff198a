import { afterAll, beforeAll, expect, test } from 'vitest'
import { createId } from '../../src/system/digest.ts'
import { storeIn } from '../fakes/catalog-environment.ts'
import { type ScriptedModel, startScriptedModel } from '../fakes/scripted-model-server.ts'
import { type Running, startServer } from './running.ts'
import { eventsIn } from './sse.ts'

const question = 'What do hotels cost?'

let server: Running
let model: ScriptedModel
beforeAll(async () => {
  model = await startScriptedModel([{ text: ['At most ', '120 euros.'] }])
  server = await startServer({ settings: { model: { url: model.url, name: 'scripted' } } })
  await server.sandbox.write({ 'hotel.md': '# Travel\n\nHotels cost at most 120 euros a night.' })
  await server.passim.index([server.sandbox.path('')])
})
afterAll(async () => {
  await server.close()
  await model.close()
})

/** As a process leaves an answer that was killed when it had said this. */
async function leftBehind(...said: readonly string[]): Promise<string> {
  const store = await storeIn(server.sandbox.home)
  const { id: conversationId } = await store.conversations.create()
  await store.conversations.write(conversationId, [
    { kind: 'message', role: 'user', content: question },
  ])
  const run = await store.runs.start({
    ...{ id: createId('run_'), conversationId, turn: 1 },
    request: { asked: {} },
  })
  const start = { type: 'start', question, conversation: conversationId, turn: 1 } as const
  const at = Date.now()
  await store.runs.addEvents(run.id, [
    { event: start, at },
    ...said.map(text => ({ event: { type: 'text-delta', text } as const, at })),
  ])
  await store.catalog.close()
  return conversationId
}

const get = async (path: string) => (await fetch(server.url + path)).text()

test('every list of what was said shows that an answer was left behind, and what it had said', async () => {
  const thread = await leftBehind('Hotels cost')
  const inThread = JSON.parse(await get(`/api/threads/${thread}/messages`))
  expect(inThread.data.map((message: { content: object }) => message.content)).toEqual([
    expect.objectContaining({ text: question }),
    expect.objectContaining({ text: 'Hotels cost' }),
    expect.objectContaining({
      code: -1000,
      message: expect.stringContaining(`Ask again, or resume the conversation ${thread}.`),
    }),
  ])
  const items = await get(`/v1/conversations/${await leftBehind('Hotels cost')}/items`)
  expect(items).toContain('Hotels cost')
})

test('who connects again after it was gone on with elsewhere misses nothing', async () => {
  const id = await leftBehind('Hotels', ' cost', ' at')
  const resumed = await fetch(`${server.url}/api/conversations/${id}/resume`, {
    method: 'POST',
    body: '{}',
  })
  expect(resumed.status).toBe(200)
  const stream = await get(`/api/conversations/${id}/events?after=2`)
  const numbers = [...stream.matchAll(/^id: (\d+)$/gm)].map(([, number]) => Number(number))
  expect(numbers).toEqual(numbers.map((_, at) => at + 3))
  expect(eventsIn(stream).map(({ event }) => event)).toEqual(
    expect.arrayContaining(['token', 'answer']),
  )
})

/** Creates a response as a process leaves it that was killed before its end was written. */
async function killResponse(): Promise<string> {
  const asked = { model: 'scripted', input: question, background: true }
  const created = await fetch(`${server.url}/v1/responses`, {
    method: 'POST',
    body: JSON.stringify(asked),
  })
  const { id } = (await created.json()) as { id: string }
  await expect
    .poll(async () => JSON.parse(await get(`/v1/responses/${id}`)).status)
    .toBe('completed')
  const store = await storeIn(server.sandbox.home)
  const { body, ...kept } = (await store.responses.find(id))!
  const killed = {
    runs: `SET status = 'in_progress', ended_at = NULL`,
    responses: `SET status = 'in_progress'`,
  }
  for (const [table, change] of Object.entries(killed))
    await store.catalog.run(`UPDATE ${table} ${change} WHERE id = ?`, id)
  await store.responses.save(
    {
      ...kept,
      messages: [],
      body: { ...body, output: [], status: 'in_progress' },
      status: 'in_progress',
    },
    'progress',
  )
  await store.catalog.run(
    `UPDATE run_events SET events = json_remove(events, '$[#-1]') WHERE run_id = ?`,
    id,
  ) // its end was not written
  await store.catalog.close()
  return id
}

test('a response in the background whose process was killed is told the same by its stream and when it is fetched', async () => {
  const id = await killResponse()
  const fetched = JSON.parse(await get(`/v1/responses/${id}`))
  expect(fetched).toMatchObject({
    status: 'failed',
    error: { message: expect.stringMatching(/ended too early\. Ask again\.$/) }, // it cannot be resumed
  })
  const streamed = eventsIn(await get(`/v1/responses/${id}?stream=true`)).at(-1)?.data as {
    response: object
  }
  expect(streamed.response).toEqual(fetched)
  expect(fetched.output.length).toBeGreaterThan(0)
})

test('the failure of a response whose process was killed is an event, once, before it is fetched', async () => {
  const id = await killResponse()
  const listEvents = async () => {
    const store = await storeIn(server.sandbox.home)
    const events = await store.events.listAfter(0, 1_000)
    await store.catalog.close()
    return events.filter(event => event.responseId === id).map(({ type }) => type)
  }
  expect(await listEvents()).toEqual(['response.completed']) // before it was killed
  await server.passim.resume({ isLookedFor: true })
  const failed = ['response.completed', 'response.failed']
  await expect.poll(listEvents).toEqual(failed)
  expect(JSON.parse(await get(`/v1/responses/${id}`)).output).not.toEqual([])
  expect(await listEvents()).toEqual(failed)
})

test('what was searched for is not searched for again by who goes on with the answer, and keeps its number', async () => {
  const before = await fetch(`${server.url}/api/ask`, {
    method: 'POST',
    body: JSON.stringify({ question, conversation: 'new' }),
  })
  const { conversation } = (await before.json()) as { conversation: string }
  const store = await storeIn(server.sandbox.home)
  const events = await store.runs.readEventsAfter((await store.runs.findLast(conversation))!.id, 0)
  const retrieval = events.find(({ event }) => event.type === 'retrieval')!
  const id = await leftBehind()
  await store.runs.addEvents((await store.runs.findLast(id))!.id, [
    retrieval,
    { event: { type: 'text-delta', text: 'Hot' }, at: 0 },
  ])
  await store.catalog.close()
  const resumed = await fetch(`${server.url}/api/conversations/${id}/resume`, {
    method: 'POST',
    body: JSON.stringify({ stream: true }),
  })
  const told = eventsIn(await resumed.text()).map(({ event }) => event)
  expect(told).not.toContain('retrieval')
  expect(told.at(-1)).toBe('answer')
  const { messages } = model.requests.at(-1)!.body
  expect(JSON.stringify(messages)).toContain('Hotels cost at most 120 euros a night')
})
