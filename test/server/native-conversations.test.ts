import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type ScriptedModel,
  type ScriptedReply,
  silentAfter,
  startScriptedModel,
} from '../fakes/scripted-model-server.ts'
import { type Running, startServer } from './running.ts'
import { eventsIn, type SentEvent } from './sse.ts'

let server: Running
let model: ScriptedModel
const script: ScriptedReply[] = []

beforeAll(async () => {
  model = await startScriptedModel(script)
  server = await startServer({ settings: { model: { url: model.url, name: 'scripted' } } })
  await server.sandbox.write({ 'hotel.md': '# Travel\n\nHotels cost at most 120 euros a night.' })
  await server.passim.index([server.sandbox.path('')])
})
afterAll(async () => {
  await server.close()
  await model.close()
})

const question = 'What do hotels cost at most?'
const answer = 'Hotels cost at most 120 euros a night [1].'

async function call(method: string, path: string, body?: object): Promise<Response> {
  return await fetch(`${server.url}${path}`, {
    method,
    ...(body && { body: JSON.stringify(body) }),
  })
}

async function json(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
  return (await (await call(method, path, body)).json()) as Record<string, unknown> // every route answers an object
}

const ask = (body: object = {}) =>
  json('POST', '/api/ask', { question, conversation: 'new', ...body })

/** Begin a turn, and leave as soon as its first words have come. */
async function askAndLeave(body: object = {}): Promise<{ id: string; seen: string }> {
  const leaving = new AbortController()
  const init = {
    method: 'POST',
    body: JSON.stringify({ question, conversation: 'new', stream: true, ...body }),
  }
  const response = await fetch(`${server.url}/api/ask`, { ...init, signal: leaving.signal })
  let seen = ''
  for await (const chunk of response.body!) {
    seen += Buffer.from(chunk).toString()
    if (seen.includes('event: token')) break
  }
  leaving.abort()
  return { id: String(eventsIn(seen)[0]?.data.conversation), seen }
}

const idsIn = (text: string) => [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id))

const said = (events: readonly SentEvent[]) =>
  events
    .filter(({ event }) => event === 'token')
    .map(({ data }) => data.text)
    .join('')

test('turns are kept, and a later one is answered with those before', async () => {
  script.push({ text: [answer] }, { text: ['As said, 120 euros [1].'] })
  const first = await ask()
  expect(first).toMatchObject({ answer, conversation: expect.stringMatching(/^conv_/), turn: 1 })
  const second = await ask({ conversation: first.conversation, question: 'Hotels: sure?' })
  expect(second).toMatchObject({ conversation: first.conversation, turn: 2 })
  const { messages } = (await model.request(model.requests.length - 1)).body
  expect(messages.slice(1).map(({ role, content }) => [role, content])).toEqual([
    ['user', question],
    ['assistant', answer],
    ['user', 'Hotels: sure?'],
  ])
  expect(await json('GET', `/api/conversations/${first.conversation}`)).toMatchObject({
    title: question,
    turnCount: 2,
    hasMore: false,
    turns: [
      {
        turn: 1,
        question,
        answer,
        status: 'completed',
        unsupported: [],
        citations: [{ marker: 1, doc: 'hotel.md' }],
      },
      { turn: 2, question: 'Hotels: sure?', status: 'completed' },
    ],
  })
  const page = await json('GET', `/api/conversations/${first.conversation}?limit=1&before=2`)
  expect(page).toMatchObject({ turns: [{ turn: 1 }], hasMore: false })
  const { conversations } = (await json('GET', '/api/conversations?limit=1')) as {
    conversations: object[]
  }
  expect(conversations).toEqual([expect.objectContaining({ id: first.conversation, turns: 2 })])
})

test('an answer goes on when its client leaves, and is read from any event on', async () => {
  script.push({ text: ['Hotels cost ', 'at most ', '120 euros ', 'a night [1].'] })
  const { id } = await askAndLeave()
  const all = await (await call('GET', `/api/conversations/${id}/events`)).text()
  const events = eventsIn(all)
  expect(events[0]).toEqual({ event: 'start', data: { question, conversation: id, turn: 1 } })
  expect(said(events)).toBe(answer)
  expect(events.at(-1)).toMatchObject({
    event: 'answer',
    data: { answer, conversation: id, turn: 1 },
  })
  const numbers = idsIn(all)
  expect(numbers).toEqual(numbers.map((_, at) => at + 1))
  const rest = await (await call('GET', `/api/conversations/${id}/events?after=3`)).text()
  expect(eventsIn(rest)).toEqual(events.slice(3))
  expect(idsIn(rest)[0]).toBe(4)
})

test('a turn is stopped from another connection, keeps what was said, and is gone on from', async () => {
  script.push(silentAfter('Hotels cost'))
  const { id } = await askAndLeave()
  const watching = call('GET', `/api/conversations/${id}/events`).then(response => response.text())
  expect(await json('GET', `/api/conversations/${id}`)).toMatchObject({
    turns: [{ status: 'in_progress' }],
  })
  const busy = await call('POST', '/api/ask', { question, conversation: id })
  expect([busy.status, busy.headers.get('x-should-retry')]).toEqual([409, 'false'])
  expect(await json('POST', `/api/conversations/${id}/stop`)).toEqual({
    conversation: id,
    turn: 1,
    stopped: true,
  })
  expect(eventsIn(await watching).at(-1)?.event).toBe('stopped')
  expect(await json('GET', `/api/conversations/${id}`)).toMatchObject({
    turns: [{ status: 'stopped', answer: 'Hotels cost', citations: [] }],
  })
  expect(await json('POST', `/api/conversations/${id}/stop`)).toMatchObject({ stopped: false })
  script.push({ text: [answer] })
  expect(await ask({ conversation: id })).toMatchObject({ turn: 2, answer })
  const last = eventsIn(await (await call('GET', `/api/conversations/${id}/events?after=1`)).text())
  expect(last[0]).toMatchObject({ event: 'start', data: { turn: 2 } })
})

test('a turn that fails says why, and its conversation goes on', async () => {
  script.push({ status: 400, body: '{"error":{"message":"no"}}' })
  const failed = await call('POST', '/api/ask', { question, conversation: 'new', stream: true })
  const [newest] = (
    (await json('GET', '/api/conversations?limit=1')) as { conversations: { id: string }[] }
  ).conversations
  expect(failed.status).toBeGreaterThanOrEqual(200)
  await failed.text()
  expect(await json('GET', `/api/conversations/${newest?.id}`)).toMatchObject({
    turns: [{ status: 'failed', answer: '', error: { code: 'model_refused' } }],
  })
  script.push({ text: [answer] })
  expect(await ask({ conversation: newest?.id })).toMatchObject({ turn: 2, answer })
})

test('a conversation is named, found in pages, and deleted for good while it is answered', async () => {
  script.push(silentAfter('Hotels'))
  const { id } = await askAndLeave()
  expect(await json('PATCH', `/api/conversations/${id}`, { title: 'Travel' })).toMatchObject({
    title: 'Travel',
  })
  expect(await json('PATCH', `/api/conversations/${id}`, { pinned: true })).toMatchObject({
    title: 'Travel',
    pinned: true,
  })
  expect(await json('GET', '/api/conversations?pinned=true')).toMatchObject({
    conversations: [{ id, pinned: true }],
  })
  await json('PATCH', `/api/conversations/${id}`, { pinned: false })
  expect(await json('GET', '/api/conversations?pinned=true')).toMatchObject({ conversations: [] })
  const first = await json('GET', '/api/conversations?limit=2')
  const rest = await json('GET', `/api/conversations?limit=100&after=${first.last}`)
  const ids = [first, rest].flatMap(page =>
    (page as { conversations: { id: string }[] }).conversations.map(one => one.id),
  )
  expect(new Set(ids).size).toBe(ids.length)
  expect([first.hasMore, rest.hasMore]).toEqual([true, false])
  expect(await json('DELETE', `/api/conversations/${id}`)).toEqual({ id, deleted: true })
  for (const path of ['', '/events'])
    expect((await call('GET', `/api/conversations/${id}${path}`)).status).toBe(404)
  expect((await call('POST', '/api/ask', { question, conversation: id })).status).toBe(404)
})

test('what cannot be asked leaves nothing behind', async () => {
  const before = await json('GET', '/api/conversations')
  const bodies = [
    { question: ' ' },
    { collections: ['none'] },
    { documents: ['none.md'] },
    { conversation: 'conv_0' },
  ]
  const statuses: number[] = []
  for (const body of bodies)
    statuses.push(
      (await call('POST', '/api/ask', { question, conversation: 'new', ...body })).status,
    )
  expect(statuses).toEqual([400, 404, 404, 404])
  expect(await json('GET', '/api/conversations')).toEqual(before)
})

test('conversations are listed by a part of their title, whose signs are taken as they are', async () => {
  for (const title of ['Grösse 100% der Miete', '住宿标准', 'Hotel_costs'])
    await server.passim.conversations.create({ title })
  const titlesWith = async (part: string) => {
    const found = await json('GET', `/api/conversations?title=${encodeURIComponent(part)}`)
    return (found.conversations as { title: string }[]).map(({ title }) => title)
  }
  expect(await titlesWith('der miete')).toEqual(['Grösse 100% der Miete'])
  expect(await titlesWith('0%')).toEqual(['Grösse 100% der Miete'])
  expect(await titlesWith('标准')).toEqual(['住宿标准'])
  expect(await titlesWith('l_c')).toEqual(['Hotel_costs'])
  expect(await titlesWith('tel%s')).toEqual([])
})
