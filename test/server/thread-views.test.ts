import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type ScriptedReply, silentAfter } from '../fakes/scripted-model-server.ts'
import { Api } from './api.ts'
import { type Hooked, startHooked } from './hooked.ts'
import { eventsIn } from './sse.ts'

type Message = {
  readonly thread_id: string
  readonly message_id: string
  readonly role: string
  readonly content: {
    readonly type?: string
    readonly text?: unknown
    readonly code?: number
    readonly message?: string
  }
}

let service: Hooked
beforeAll(async () => {
  service = await startHooked()
})
afterAll(() => service.close())
beforeEach(() => service.reset())

const answer = 'Hotels cost at most 120 euros a night [1].'
const search = (id: string): ScriptedReply => ({
  calls: [{ id, name: 'search', arguments: { query: `price ${id}` } }],
})

async function call(method: string, path: string, body?: object): Promise<Response> {
  return await fetch(`${service.url}/api/threads${path}`, {
    method,
    ...(body && { body: JSON.stringify(body) }),
  })
}

async function refusal(path: string, body: object): Promise<readonly [number, string]> {
  const response = await call('POST', path, body)
  return [
    response.status,
    ((await response.json()) as { error: { message: string } }).error.message,
  ] // as every route tells a failure
}

const question = (thread_id: string, text = 'What do hotels cost?') => ({
  ...{ thread_id, role: 'user', content: { type: 'plain', text } },
})

async function send(thread_id = ''): Promise<Message> {
  return (await (await call('POST', '/messages', question(thread_id))).json()) as Message // as threads.md says
}

const resumption = (thread_id: string, message_id: string) => ({
  ...{ thread_id, role: 'status', content: { code: -2001, extra: { message_id } } },
})

async function messages(thread: string): Promise<readonly Message[]> {
  return ((await (await call('GET', `/${thread}/messages`)).json()) as { data: Message[] }).data // as threads.md says
}

/** Until the answer under way ends. */
const ended = async (thread: string) => await (await call('GET', `/${thread}/events`)).text()

/** Ask, and stop the answer once the model was asked; gives the status. */
async function stopped(thread_id = ''): Promise<Message> {
  const at = service.model.requests.length
  service.script.push(silentAfter('Hotels'))
  const { thread_id: thread } = await send(thread_id)
  await service.model.request(at)
  await call('POST', `/${thread}/stop`)
  return (await messages(thread)).at(-1)!
}

/** What a client is told that leaves after so many messages, unless the answer ends before; all of it is in order. */
async function glance(
  thread: string,
  { after, count }: { readonly after: string; readonly count: number },
) {
  const { body } = await call('GET', `/${thread}/events?after=${after}`)
  let text = ''
  const told = () => {
    const events = eventsIn(text.slice(0, text.lastIndexOf('\n\n') + 2))
    return events
      .filter(({ event }) => event === 'message')
      .map(({ data }) => data as unknown as Message) // as threads.md says
  }
  for await (const chunk of body!) {
    text += Buffer.from(chunk).toString()
    if (told().length < count) continue
    return { messages: told().slice(0, count), isEnded: false } // leaving the loop leaves the stream
  }
  return { messages: told(), isEnded: true }
}

test('the view of who leaves and comes back is whole, wherever it was left', async () => {
  const replies = [
    { reasoning: ['So.'], ...search('a') },
    search('b'),
    { text: ['Hotels cost ', 'at most 120 euros [1].'] },
  ]
  for (let count = 1; count <= 9; count++) {
    service.script.push(...replies)
    const { thread_id } = await send()
    const seen: Message[] = []
    for (let isEnded = false; !isEnded; ) {
      const told = await glance(thread_id, { after: seen.at(-1)?.message_id ?? '', count })
      seen.push(...told.messages)
      isEnded = told.isEnded
    }
    expect(seen).toEqual(await messages(thread_id))
    expect(seen.length).toBeGreaterThan(8)
  }
})

test('only the interruption of the last answer is gone on from, and another one that is named is told so', async () => {
  const first = await stopped()
  const { thread_id } = first
  const second = await stopped(thread_id)
  const before = await messages(thread_id)
  expect(await refusal('/messages', resumption(thread_id, first.message_id))).toEqual([
    ...[400, expect.stringContaining(`resume that`)],
  ])
  expect(await messages(thread_id)).toEqual(before)
  service.script.push({ text: [answer] })
  expect((await call('POST', '/messages', resumption(thread_id, second.message_id))).status).toBe(
    200,
  )
  await ended(thread_id)
  expect((await messages(thread_id)).at(-1)).toMatchObject({
    role: 'assistant',
    content: { text: answer },
  })
})

test('what was told after an interruption is told to the model that goes on', async () => {
  const { thread_id, message_id } = await stopped()
  const told = {
    thread_id,
    role: 'system',
    content: { type: 'plain', text: 'Answer in one line.' },
  }
  expect((await call('POST', '/messages', told)).status).toBe(200)
  service.script.push({ text: [answer] })
  expect((await call('POST', '/messages', resumption(thread_id, message_id))).status).toBe(200)
  await ended(thread_id)
  expect(
    (await service.model.request(service.model.requests.length - 1)).body.messages[0]?.content,
  ).toContain('Answer in one line.')
})

test('nothing is resumed after a question that was added since', async () => {
  const { thread_id, message_id } = await stopped()
  const body = JSON.stringify({ items: [{ role: 'user', content: 'And in Rome?' }] })
  await fetch(`${service.url}/v1/conversations/${thread_id}/items`, { method: 'POST', body })
  expect((await refusal('/messages', resumption(thread_id, message_id)))[0]).toBe(400)
})

test('what was interrupted is gone on with by another process, and no message of before is changed by it', async () => {
  let credits = 1
  service.hooks = { charge: () => (credits-- > 0 ? 'ok' : 'exhausted') }
  service.script.push(search('a'))
  const { thread_id } = await send()
  await ended(thread_id)
  const before = await messages(thread_id)
  expect(before.at(-1)?.content).toMatchObject({
    code: -1002,
    message: expect.stringContaining('credits are used up'),
  })
  service.script.push({ text: [answer] })
  const settings = { model: { url: service.model.url, name: 'scripted' } }
  const elsewhere = new Api(await service.sandbox.open({ settings })) // another store on the same home
  const resumed = await elsewhere.request(
    'POST',
    '/api/threads/messages',
    resumption(thread_id, before.at(-1)!.message_id),
  )
  expect(resumed.status).toBe(200)
  await ended(thread_id)
  const after = await messages(thread_id)
  expect(after.slice(0, before.length)).toEqual(before)
  expect(after.slice(before.length).map(({ role, content }) => content.code ?? role)).toEqual([
    ...[-2001, 'function', 'function', 'assistant'],
  ])
})

test('a call and its answer say of which tool they are, with what, and what came of it', async () => {
  service.script.push(search('a'), { text: [answer] })
  const { thread_id } = await send()
  await ended(thread_id)
  const texts = (await messages(thread_id)).flatMap(({ content }) =>
    content.type?.startsWith('function_') ? [content.text] : [],
  )
  expect(texts).toEqual([
    expect.objectContaining({
      tool_name: 'search',
      result: [expect.objectContaining({ name: 'hotel.md' })],
    }),
    { tool_name: 'search', parameters: { query: 'price a' }, call_id: 'a' },
    expect.objectContaining({ tool_name: 'search', result: expect.any(Array) }),
    { tool_name: 'search', result: expect.stringContaining('[1]'), call_id: 'a' },
  ])
})

test('-1007: what is warned of is answered', async () => {
  service.hooks = {
    check: item => (item.kind === 'message' && item.role === 'user' ? 'warn' : 'pass'),
  }
  service.script.push({ text: [answer] })
  const { thread_id, message_id } = await send()
  await ended(thread_id)
  const all = await messages(thread_id)
  expect(all[1]?.content).toMatchObject({
    code: -1007,
    message: expect.any(String),
    extra: { message_id },
  })
  expect(all.at(-1)).toMatchObject({ role: 'assistant', content: { text: answer } })
})

test('what is too large, or names nothing, is refused by its name', async () => {
  const asked = question('')
  const attachments = (count: number) =>
    Array.from({ length: count }, () => ({ file_id: 'file-none' }))
  const wrong: readonly [object, string][] = [
    [{ ...asked, attachments: attachments(65) }, 'attachments: has more than 64 files'],
    [{ ...asked, local_message_id: 'x'.repeat(101) }, 'local_message_id'],
    [{ ...asked, local_thread_id: 'x'.repeat(101) }, 'local_thread_id'],
    [{ ...asked, extra: 'x' }, 'extra'],
    [resumption('', 'st_x'), 'thread_id: must name the thread'],
  ]
  for (const [body, told] of wrong)
    expect(await refusal('/messages', body)).toEqual([400, expect.stringContaining(told)])
  const named = await fetch(`${service.url}/v1/conversations`, {
    method: 'POST',
    body: JSON.stringify({ metadata: { ['k'.repeat(65)]: 'v' } }),
  })
  expect(await named.text()).toContain('has a name of more than 64 characters')
})
