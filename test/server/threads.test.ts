import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Owner } from '../../src/conversations/hooks.ts'
import { type ScriptedReply, silentAfter } from '../fakes/scripted-model-server.ts'
import { type Hooked, startHooked } from './hooked.ts'
import { startServer } from './running.ts'
import { eventsIn, type SentEvent } from './sse.ts'

type Message = {
  readonly thread_id: string
  readonly message_id: string
  readonly role: string
  readonly content: {
    readonly type?: string
    readonly text?: unknown
    readonly code?: number
    readonly extra?: Record<string, unknown>
  }
  readonly [field: string]: unknown
}

let service: Hooked
beforeAll(async () => {
  service = await startHooked({
    answering: { maxModelCalls: 3, maxToolCalls: 3 },
    conversations: {
      skills: {
        1: { name: 'tables', tools: ['query_tables'], instructions: 'Count what can be counted.' },
      },
    },
    server: { keepAliveMs: 50 },
  })
})
afterAll(() => service.close())
beforeEach(() => service.reset())

const question = 'What do hotels cost at most?'
const answer = 'Hotels cost at most 120 euros a night [1].'
const searches: ScriptedReply = {
  calls: [{ id: 'call_s', name: 'search', arguments: { query: 'price' } }],
}
const hanging = silentAfter('Hotels cost')

test('where nothing is indexed yet, an unknown thread and an unknown skill are what is told', async () => {
  const empty = await startServer({
    settings: { model: { url: service.model.url, name: 'scripted' } },
  })
  const failure = async (fields: object) => {
    const body = JSON.stringify({
      role: 'user',
      content: { type: 'plain', text: question },
      ...fields,
    })
    const answer = await fetch(`${empty.url}/api/threads/messages`, { method: 'POST', body })
    return [answer.status, ((await answer.json()) as { error: { message: string } }).error.message] // as every route tells a failure
  }
  expect(await failure({ thread_id: 'conv_none' })).toEqual([
    404,
    expect.stringContaining('conv_none'),
  ])
  expect(await failure({ input_skill_id: 7 })).toEqual([400, expect.stringContaining('skill 7')])
  expect(await failure({})).toEqual([404, expect.stringContaining('collection')])
  await empty.close()
})

async function call(method: string, path: string, body?: object): Promise<Response> {
  return await fetch(`${service.url}/api/threads${path}`, {
    method,
    ...(body && { body: JSON.stringify(body) }),
  })
}

async function json<Answer = Message>(
  method: string,
  path: string,
  body?: object,
): Promise<Answer> {
  return (await (await call(method, path, body)).json()) as Answer // the routes under test answer so
}

const send = (fields: object = {}, text = question) =>
  json('POST', '/messages', { role: 'user', content: { type: 'plain', text }, ...fields })

const resume = (thread_id: string, message_id: string, extra: object = {}) =>
  call('POST', '/messages', {
    thread_id,
    role: 'status',
    content: { code: -2001, extra: { message_id, ...extra } },
  })

/** Everything that a stream says until the answer under way ends. */
async function watch(thread: string, after = ''): Promise<readonly SentEvent[]> {
  return eventsIn(await (await call('GET', `/${thread}/events?after=${after}`)).text())
}

const messagesIn = (events: readonly SentEvent[]) =>
  events.filter(({ event }) => event === 'message').map(({ data }) => data as unknown as Message) // as threads.md says

async function messages(thread: string, after = ''): Promise<readonly Message[]> {
  return (await json<{ data: Message[] }>('GET', `/${thread}/messages?after=${after}`)).data
}

/** What each message is, in short. */
const shapes = (list: readonly Message[]) =>
  list.map(({ role, content }) => content.code ?? `${role} ${content.type}`)

/** The status with this code, once the answer has ended. */
async function status(thread: string, code: number): Promise<Message> {
  await watch(thread)
  const found = (await messages(thread)).find(({ content }) => content.code === code)
  return found ?? expect.fail(`no ${code} in ${JSON.stringify(shapes(await messages(thread)))}`)
}

test('a thread begins with its first message, which is echoed, and its messages are those of the protocol', async () => {
  service.script.push({ reasoning: ['Hm.'], ...searches }, { text: [answer] })
  const local = { local_thread_id: 'l1', local_message_id: 'm1', extra: { page: 7 } }
  const asked = await send(local)
  expect(asked).toMatchObject({
    ...local,
    role: 'user',
    content: { type: 'plain', text: question },
    attachments: [],
  })
  const { thread_id } = asked
  const events = await watch(thread_id)
  const all = await messages(thread_id)
  expect(messagesIn(events)).toEqual(all)
  expect(shapes(all)).toEqual([
    'user plain',
    'function function_response',
    'assistant reasoning',
    'assistant function_call',
    'function function_response',
    'function function_response',
    'assistant plain',
  ])
  expect(all[0]).toEqual(asked)
  expect(all[3]?.content.text).toMatchObject({
    tool_name: 'search',
    parameters: { query: 'price' },
  })
  expect(all.at(-1)).toMatchObject({
    content: { text: answer },
    extra: { abstained: false, citations: [{ doc: 'hotel.md' }] },
  })
  expect(new Set(all.map(({ message_id }) => message_id)).size).toBe(all.length)
  expect(await json('GET', '?limit=1')).toMatchObject({ data: [{ thread_id, title: question }] })
  const conversation = await fetch(`${service.url}/api/conversations/${thread_id}`)
  expect(await conversation.json()).toMatchObject({ turns: [{ question, answer }] })
})

test('who connects again with the last message it saw gets what it missed, in order, once', async () => {
  service.script.push(searches, { text: [answer] })
  const { thread_id } = await send()
  await watch(thread_id)
  const all = await messages(thread_id)
  for (const [at, { message_id }] of all.entries()) {
    expect(messagesIn(await watch(thread_id, message_id))).toEqual(all.slice(at + 1))
    expect(await messages(thread_id, message_id)).toEqual(all.slice(at + 1))
  }
  expect((await call('GET', `/${thread_id}/events?after=msg_none`)).status).toBe(404)
})

test('-1001 and -1005: a stream beats while nothing else is said, and its answer is stopped and gone on with once', async () => {
  service.script.push(hanging, { text: [answer] })
  const { thread_id } = await send()
  const response = await call('GET', `/${thread_id}/events`)
  let seen = ''
  for await (const chunk of response.body!) {
    seen += Buffer.from(chunk).toString()
    if (seen.includes('event: delta') && seen.includes('event: heartbeat')) break
  }
  const beat = eventsIn(seen).find(({ event }) => event === 'heartbeat')?.data
  expect(beat).toMatchObject({ thread_id, role: 'heartbeat', content: { code: -1005 } })
  expect(await json('POST', `/${thread_id}/stop`)).toEqual({ thread_id, stopped: true })
  const stopped = await status(thread_id, -1001)
  const cut = (await messages(thread_id)).find(({ role }) => role === 'assistant')
  expect(cut?.content.text).toBe('Hotels cost')
  expect(stopped.content.extra).toEqual({ message_id: cut?.message_id })
  const resumed = (await (await resume(thread_id, stopped.message_id)).json()) as Message
  expect(resumed).toMatchObject({
    role: 'status',
    content: { code: -2001, extra: { message_id: stopped.message_id } },
  })
  const [last] = messagesIn(await watch(thread_id, resumed.message_id)).slice(-1)
  expect(last).toMatchObject({ role: 'assistant', content: { text: answer } })
  const again = await resume(thread_id, stopped.message_id)
  expect([again.status, await again.json()]).toMatchObject([
    409,
    { error: { message: expect.stringContaining('already resumed') } },
  ])
  expect((await resume(thread_id, cut?.message_id ?? '')).status).toBe(400)
  expect((await resume(thread_id, 'st_none')).status).toBe(404)
})

test('-1002: a call that the credits do not cover is made when the answer is resumed, once, and no other again', async () => {
  const paid: unknown[] = []
  let credits = 2
  service.hooks = {
    charge(_owner, what) {
      paid.push(what)
      return credits-- > 0 ? 'ok' : 'exhausted'
    },
  }
  const second: ScriptedReply = {
    calls: [{ id: 'call_t', name: 'search', arguments: { query: 'night' } }],
  }
  service.script.push(searches, second, { text: [answer] })
  const { thread_id } = await send()
  const exhausted = await status(thread_id, -1002)
  const before = await messages(thread_id)
  const lastCall = before.findLast(({ content }) => content.type === 'function_call')
  expect(exhausted.content.extra).toMatchObject({
    last_tool_message_id: lastCall?.message_id,
    pending: ['call_t'],
  })
  credits = 9
  await resume(thread_id, exhausted.message_id)
  const after = messagesIn(await watch(thread_id, exhausted.message_id))
  expect(shapes(after)).toEqual([
    -2001,
    'function function_response',
    'function function_response',
    'assistant plain',
  ])
  const place = `${thread_id}/1`
  const tried = { kind: 'tool', name: 'search', id: `${place}/call_t` }
  expect(paid).toEqual([
    { kind: 'answer', id: place },
    { kind: 'tool', name: 'search', id: expect.stringContaining(`${place}/`) },
    tried,
    { kind: 'answer', id: place },
    tried,
  ])
  const sent = (await service.model.request(service.model.requests.length - 1)).body.messages
  expect(sent.slice(1).map(({ role }) => role)).toEqual([
    'user',
    'assistant',
    'tool',
    'assistant',
    'tool',
  ])
})

test('-1002: calls of one turn that the credits do not cover all of are all made when the answer is resumed, and paid for once', async () => {
  const paid: unknown[] = []
  let credits = 2
  service.hooks = {
    charge(_owner, { kind }) {
      if (credits-- <= 0) return 'exhausted'
      paid.push(kind)
      return 'ok'
    },
  }
  const found = ['price', 'night', 'hotel'].map(query => ({
    id: query,
    name: 'search',
    arguments: { query },
  }))
  service.script.push({ calls: found }, { text: [answer] })
  const { thread_id } = await send()
  const exhausted = await status(thread_id, -1002)
  expect(exhausted.content.extra).toMatchObject({
    pending: ['price', 'night', 'hotel'],
    paid: ['price'],
  })
  expect(paid).toEqual(['answer', 'tool'])
  credits = 9
  await resume(thread_id, exhausted.message_id)
  await watch(thread_id, exhausted.message_id)
  expect(paid).toEqual(['answer', 'tool', 'answer', 'tool', 'tool'])
  const sent = (await service.model.request(service.model.requests.length - 1)).body.messages
  expect(sent.slice(1).map(({ role }) => role)).toEqual([
    'user',
    'assistant',
    'tool',
    'tool',
    'tool',
  ])
})

test('-1003: an answer over the limit of model calls says so, and cannot be resumed', async () => {
  service.script.push(searches, searches, searches)
  const { thread_id } = await send()
  const limit = await status(thread_id, -1003)
  const refused = await resume(thread_id, limit.message_id)
  expect([refused.status, await refused.json()]).toMatchObject([
    400,
    { error: { message: expect.stringContaining('-1003') } },
  ])
})

test('-1003: calls of tools over the limit are not made', async () => {
  const many = ['a', 'b', 'c', 'd'].map(id => ({
    id,
    name: 'search',
    arguments: { query: `price ${id}` },
  }))
  const charged: unknown[] = []
  service.hooks = {
    charge(_owner, what) {
      charged.push(what)
      return 'ok'
    },
  }
  service.script.push({ calls: many }, { text: ['Never asked.'] })
  const { thread_id } = await send()
  const limit = await status(thread_id, -1003)
  expect(limit.content).toMatchObject({ message: expect.stringContaining('tool calls') })
  expect(charged).toEqual([{ kind: 'answer', id: `${thread_id}/1` }])
  expect((await resume(thread_id, limit.message_id)).status).toBe(400)
})

test('-1006: what a guardrail revokes is withdrawn from everywhere, and cannot be resumed', async () => {
  const owners: Owner[] = []
  service.hooks = {
    check(item, owner) {
      owners.push(owner)
      return item.kind === 'message' && item.role === 'assistant' ? 'revoke' : 'pass'
    },
  }
  service.script.push({ text: [answer] }, { text: ['Again.'] })
  const { thread_id } = await send()
  const revoked = await status(thread_id, -1006)
  expect(owners[0]).toEqual({ conversation: thread_id, tenant: 'default', key: undefined })
  const id = String(revoked.content.extra?.revoked_message_id)
  expect(id).toMatch(/^msg_/)
  expect((await messages(thread_id)).map(({ message_id }) => message_id)).not.toContain(id)
  expect((await fetch(`${service.url}/v1/conversations/${thread_id}/items/${id}`)).status).toBe(404)
  for (const path of [
    `/api/conversations/${thread_id}`,
    `/api/conversations/${thread_id}/events`,
    `/v1/conversations/${thread_id}/items`,
  ])
    expect(await (await fetch(`${service.url}${path}`)).text()).not.toContain('120 euros')
  const refused = await resume(thread_id, revoked.message_id)
  expect([refused.status, await refused.text()]).toEqual([
    400,
    expect.stringContaining('cannot be resumed after'),
  ])
  service.hooks = {}
  await send({ thread_id }, 'Hotels: sure?')
  await watch(thread_id)
  const sent = JSON.stringify(
    (await service.model.request(service.model.requests.length - 1)).body.messages.slice(1),
  )
  expect(sent).not.toContain(answer)
})

test('-1006: a question can be revoked, too, and no model is asked', async () => {
  service.hooks = { check: item => (item.kind === 'message' ? 'revoke' : 'pass') }
  const asked = service.model.requests.length
  const { thread_id, message_id } = await send()
  expect((await status(thread_id, -1006)).content.extra).toEqual({ revoked_message_id: message_id })
  expect(service.model.requests.length).toBe(asked)
  const { data } = await json<{ data: { title: string }[] }>('GET', '?limit=1')
  expect(data[0]?.title).toBe('')
})

test('-1007: a warning stands beside what goes on', async () => {
  service.hooks = {
    check: item => (item.kind === 'message' && item.role === 'assistant' ? 'warn' : 'pass'),
  }
  service.script.push({ text: [answer] })
  const { thread_id } = await send()
  const warning = await status(thread_id, -1007)
  const all = await messages(thread_id)
  expect(shapes(all)).toEqual([
    'user plain',
    'function function_response',
    'assistant plain',
    -1007,
  ])
  expect(warning.content.extra).toEqual({ message_id: all[2]?.message_id })
})

test('a hook that fails, or answers something else, fails the answer and not the service', async () => {
  service.hooks = { check: () => 'perhaps' as never }
  const { thread_id } = await send()
  expect((await status(thread_id, -1000)).content.extra).toMatchObject({ reason: 'failed' })
  expect(service.log.join()).toContain('pass, warn or revoke')
})

test('a skill brings its tools and what the model is told; one that is not configured is refused', async () => {
  service.script.push({ text: [answer] })
  const asked = await send({ input_skill_id: 1 })
  expect(asked).toMatchObject({ input_skill_id: 1 })
  await watch(asked.thread_id)
  const { messages: sent, tools } = (await service.model.request(service.model.requests.length - 1))
    .body
  expect(sent[0]?.content).toContain('Count what can be counted.')
  expect(JSON.stringify(tools)).toContain('query_tables')
  const refused = await call('POST', '/messages', {
    role: 'user',
    content: { type: 'plain', text: 'x' },
    input_skill_id: 9,
  })
  expect([refused.status, await refused.json()]).toMatchObject([
    400,
    { error: { message: 'There is no skill 9. There are: 1 (tables).', param: 'input_skill_id' } },
  ])
})

test('an answer comes from what is attached', async () => {
  const form = new FormData()
  form.append('file', new File(['Breakfast costs 14 euros.'], 'breakfast.txt'))
  form.append('purpose', 'user_data')
  const file = (await (
    await fetch(`${service.url}/v1/files`, { method: 'POST', body: form })
  ).json()) as { id: string }
  service.script.push({ text: ['Breakfast costs 14 euros [1].'] })
  const attachments = [{ file_id: file.id, filename: 'breakfast.txt' }]
  const asked = await send({ attachments }, 'What does breakfast cost?')
  expect(asked.attachments).toEqual(attachments)
  const last = messagesIn(await watch(asked.thread_id)).at(-1)
  expect(last).toMatchObject({ extra: { citations: [{ doc: 'breakfast.txt' }] } })
  const missing = await call('POST', '/messages', {
    role: 'user',
    content: { type: 'plain', text: 'x' },
    attachments: [{ file_id: 'file_none' }],
  })
  expect(missing.status).toBe(404)
})

test('what the protocol does not know is refused, and leaves nothing behind', async () => {
  const before = await json('GET', '')
  const plain = { type: 'plain', text: 'x' }
  const wrong = [
    { role: 'assistant', content: plain },
    { role: 'user', content: { type: 'function_call', text: {} } },
    { role: 'user', content: plain, thread_id: 'x'.repeat(101) },
    { role: 'status', thread_id: 'conv_0', content: { code: -1001, extra: { message_id: 'x' } } },
  ]
  for (const body of wrong) expect((await call('POST', '/messages', body)).status).toBe(400)
  expect(
    (await call('POST', '/messages', { role: 'user', content: plain, thread_id: 'conv_none' }))
      .status,
  ).toBe(404)
  expect(await json('GET', '')).toEqual(before)
  const { thread_id } = await json('POST', '/messages', { role: 'system', content: plain })
  expect(shapes(await messages(thread_id))).toEqual(['system plain'])
  expect(await json('DELETE', `/${thread_id}`)).toEqual({ thread_id, deleted: true })
  expect((await call('GET', `/${thread_id}/messages`)).status).toBe(404)
})
