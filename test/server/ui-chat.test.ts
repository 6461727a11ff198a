import {
  AbstractChat,
  type ChatState,
  type ChatStatus,
  DefaultChatTransport,
  lastAssistantMessageIsCompleteWithApprovalResponses,
  type UIMessage,
} from 'ai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { questionsOf } from '../fakes/questions-of.ts'
import {
  type ScriptedModel,
  type ScriptedReply,
  silentAfter,
  startScriptedModel,
} from '../fakes/scripted-model-server.ts'
import { WebServer } from '../fakes/web-server.ts'
import { Api } from './api.ts'
import { type Running, startServer } from './running.ts'

let server: Running
let model: ScriptedModel
const script: ScriptedReply[] = []

beforeAll(async () => {
  model = await startScriptedModel(script)
  server = await startServer({
    settings: {
      model: { url: model.url, name: 'scripted' },
      conversations: { skills: { 1: { name: 'notes', tools: ['storage'] } }, approve: ['storage'] },
    },
  })
  await server.sandbox.write({ 'hotel.md': '# Travel\n\nHotels cost at most 120 euros a night.' })
  await server.passim.index([server.sandbox.path('')])
})
afterAll(async () => {
  await server.close()
  await model.close()
})

const answer = 'Hotels cost at most 120 euros a night [1].'

/** What `useChat` keeps its messages in, without a page. */
class PlainState implements ChatState<UIMessage> {
  status: ChatStatus = 'ready'
  error: Error | undefined
  messages: UIMessage[]
  constructor(messages: UIMessage[]) {
    this.messages = messages
  }
  pushMessage = (message: UIMessage) => void this.messages.push(message)
  popMessage = () => void this.messages.pop()
  replaceMessage = (index: number, message: UIMessage) => {
    this.messages[index] = message
  }
  snapshot = <Thing>(thing: Thing): Thing => structuredClone(thing)
}

/** The chat behind `useChat`, of the unmodified package. */
class PlainChat extends AbstractChat<UIMessage> {
  readonly notices: unknown[]

  constructor(id: string, messages: UIMessage[] = [], url = server.url) {
    const notices: unknown[] = []
    super({
      id,
      onData: part => void notices.push(part),
      state: new PlainState(messages),
      transport: new DefaultChatTransport({ api: `${url}/api/chat` }),
      sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
    })
    this.notices = notices
  }
}

const textOf = (message: UIMessage | undefined) =>
  message?.parts.flatMap(part => (part.type === 'text' ? [part.text] : [])).join('')

test('a chat of the AI SDK gets thoughts, calls, text and sources, and goes on', async () => {
  script.push(
    { reasoning: ['Hm.'], calls: [{ name: 'search', arguments: { query: 'price' } }] },
    { text: ['Hotels cost at most ', '120 euros a night [1].'] },
    { text: [answer] },
  )
  const chat = new PlainChat('my-chat')
  await chat.sendMessage({ text: 'What do hotels cost?' })
  expect(chat.error).toBeUndefined()
  const [, said] = chat.messages
  expect(said?.parts.map(({ type }) => type)).toEqual([
    'step-start',
    'reasoning',
    'dynamic-tool',
    'text',
    'source-document',
  ])
  expect(said?.parts[2]).toMatchObject({
    toolName: 'search',
    state: 'output-available',
    input: { query: 'price' },
  })
  expect(said?.parts[4]).toMatchObject({ filename: 'hotel.md', mediaType: 'text/markdown' })
  expect([textOf(said), said?.metadata]).toMatchObject([
    answer,
    { turn: 1, abstained: false, answer },
  ])
  await chat.sendMessage({ text: 'Hotels: sure?' })
  expect(chat.messages.at(-1)?.metadata).toMatchObject({ turn: 2 })
  const response = await fetch(`${server.url}/api/chat/my-chat`)
  const { messages } = (await response.json()) as { messages: UIMessage[] }
  expect(messages.map(textOf)).toEqual(['What do hotels cost?', answer, 'Hotels: sure?', answer])
  const again = new PlainChat('my-chat', messages)
  await again.resumeStream()
  expect([again.status, again.messages.length]).toEqual(['ready', 4])
})

test('a page of the web is a source by its address', async () => {
  const site = await WebServer.start({
    '/fox.html': { body: '<h1>Foxes</h1><p>A fox sleeps nine hours a day.</p>' },
  })
  const settings = {
    model: { url: model.url, name: 'scripted' },
    fetching: { allowPrivate: true, delayMs: 0 },
  }
  const reading = await startServer({ settings })
  await reading.passim.index([site.url('/fox.html')], { withoutVectors: true })
  script.push({ text: ['A fox sleeps nine hours a day [1].'] })
  const chat = new PlainChat('web-chat', [], reading.url)
  await chat.sendMessage({ text: 'How long does a fox sleep?' })
  expect(chat.messages.at(-1)?.parts.at(-1)).toMatchObject({
    type: 'source-url',
    url: site.url('/fox.html'),
  })
  await reading.close()
  await site.close()
})

test('a page that was loaded again resumes the answer under way from its beginning', async () => {
  script.push(silentAfter('Hotels cost'))
  const first = new PlainChat('reloaded')
  const sending = first.sendMessage({ text: 'What do hotels cost?' })
  await expect.poll(() => textOf(first.messages.at(-1))).toBe('Hotels cost')
  await first.stop()
  await sending
  const { messages } = (await (await fetch(`${server.url}/api/chat/reloaded`)).json()) as {
    messages: UIMessage[]
  }
  const second = new PlainChat('reloaded', messages)
  const resuming = second.resumeStream()
  await expect.poll(() => textOf(second.messages.at(-1))).toBe('Hotels cost')
  const stopped = await fetch(`${server.url}/api/chat/reloaded/stop`, { method: 'POST' })
  expect(await stopped.json()).toEqual({ stopped: true })
  await resuming
  expect(second.messages.map(({ role }) => role)).toEqual(['user', 'assistant'])
})

const hanging = silentAfter('Hotels cost')
/** What the model is to say from now on. */
function say(...replies: readonly ScriptedReply[]): void {
  script.length = model.requests.length
  script.push(...replies)
}
const kept = async (id: string) =>
  ((await (await fetch(`${server.url}/api/chat/${id}`)).json()) as { messages: UIMessage[] })
    .messages
const turnsOf = async (conversation: unknown) =>
  (await (await fetch(`${server.url}/api/conversations/${conversation}`)).json()) as {
    turns: { question: string; answer: string; status: string; superseded?: boolean }[]
  }
const placeOf = (message: UIMessage | undefined) =>
  message?.metadata as { conversation: string; turn: number }

test('a message after stop() is answered, and what was said of the answer before it is kept', async () => {
  say(hanging, { text: [answer] })
  const chat = new PlainChat('stopping')
  const sending = chat.sendMessage({ text: 'What do hotels cost?' })
  await expect.poll(() => textOf(chat.messages.at(-1))).toBe('Hotels cost')
  await chat.stop()
  await sending
  await chat.sendMessage({ text: 'Hotels: how much?' })
  expect([chat.error, textOf(chat.messages.at(-1))]).toEqual([undefined, answer])
  const { turns } = await turnsOf(placeOf(chat.messages.at(-1)).conversation)
  expect(turns).toMatchObject([
    { answer: 'Hotels cost', status: 'stopped' },
    { answer, status: 'completed' },
  ])
})

test('regenerate() and a message said otherwise take the place of a turn, whose items are kept', async () => {
  const [first, second, third] = [
    'Hotels cost 120 euros [1].',
    answer,
    'At most 120 euros a night [1].',
  ]
  say({ text: [first] }, { text: [second] }, { text: [third] }, { text: [answer] })
  const chat = new PlainChat('again')
  await chat.sendMessage({ text: 'What do hotels cost?' })
  await chat.regenerate()
  expect(chat.messages.map(textOf)).toEqual(['What do hotels cost?', second])
  const told = JSON.stringify(model.requests.at(-1)?.body.messages)
  expect(told).not.toContain(first)
  expect(
    (await kept('again')).map(({ id, parts }) => [id, textOf({ parts } as UIMessage)]),
  ).toEqual(chat.messages.map(message => [message.id, textOf(message)]))
  const again = new PlainChat('again', await kept('again'))
  await again.sendMessage({ text: 'What does a night cost?', messageId: again.messages[0]!.id })
  expect((await kept('again')).map(textOf)).toEqual(['What does a night cost?', third])
  await again.sendMessage({ text: 'Hotels: sure?' })
  expect(JSON.stringify(model.requests.at(-1)?.body.messages)).not.toContain('What do hotels cost?')
  const { turns } = await turnsOf(placeOf(again.messages.at(-1)).conversation)
  expect(turns.map(({ answer, superseded = false }) => [answer, superseded])).toEqual([
    [first, true],
    [second, true],
    [third, false],
    [answer, false],
  ])
})

const base64 = (text: string) => Buffer.from(text).toString('base64')

test('a page of many turns, files and citations asks the catalog as often as one of a single turn', async () => {
  say(...Array<ScriptedReply>(12).fill({ text: ['Trains cost 80 euros [1].'] }))
  const chat = new PlainChat('long')
  const file = (at: number) => ({
    ...{ type: 'file' as const, filename: `${at}.txt`, mediaType: 'text/plain' },
    url: `data:text/plain;base64,${base64(`Trains cost 80 euros. That is note ${at}.`)}`,
  })
  const send = async (at: number) =>
    await chat.sendMessage({ text: 'What do trains cost?', files: [file(at)] })
  const ask = async (at: number) => {
    await send(at)
    const counts: number[] = []
    for (let time = 0; time < 5; time++) counts.push(await questionsOf(() => kept('long')))
    return Math.min(...counts) // without what goes on beside it
  }
  const first = await ask(0)
  for (let at = 1; at < 11; at++) await send(at)
  expect(await ask(11)).toBe(first)
  const messages = await kept('long')
  expect(messages).toHaveLength(24)
  expect(
    messages.flatMap(({ parts }) => parts).filter(({ type }) => type === 'source-document').length,
  ).toBeGreaterThan(9)
  expect(messages.flatMap(({ parts }) => parts).filter(({ type }) => type === 'file')).toHaveLength(
    12,
  )
})

test('files of a message are answered from, pictures are shown to the model, and both are there after a reload', async () => {
  say({ text: ['Trains cost 80 euros [1].'] }, { text: ['As above.'] })
  const picture = {
    type: 'file',
    mediaType: 'image/png',
    url: `data:image/png;base64,${base64('png')}`,
  } as const
  const text = { type: 'file', mediaType: 'text/plain', filename: 'trains.txt' } as const
  const files = [
    picture,
    { ...text, url: `data:text/plain;base64,${base64('Trains cost 80 euros.')}` },
  ]
  const chat = new PlainChat('bringing')
  await chat.sendMessage({ text: 'What do trains cost?', files })
  expect(chat.error).toBeUndefined()
  expect(chat.messages.at(-1)?.parts.at(-1)).toMatchObject({
    type: 'source-document',
    filename: 'trains.txt',
  })
  expect(JSON.stringify(model.requests.at(-1)?.body.messages)).toContain(picture.url)
  expect(chat.notices).toMatchObject([
    { type: 'data-notice', data: { name: 'files', text: 'Reading trains.txt.' } },
    { type: 'data-notice', data: { name: 'files', text: 'Searching trains.txt.' } },
  ])
  const [asked] = await kept('bringing')
  expect(asked?.parts).toMatchObject([
    { type: 'text' },
    picture,
    { ...text, url: expect.stringMatching(/^\/v1\/files\//) },
  ])
  await chat.sendMessage({ text: 'And trains?' })
  expect(chat.messages.at(-1)?.parts.map(({ type }) => type)).toContain('text')
  await chat.sendMessage({ text: 'What is this?', files: [{ ...text, url: 'blob:1' }] })
  expect(chat.error?.message).toContain('data URL')
})

test('of messages that begin one chat at once none breaks it', async () => {
  script.push({ text: [answer] })
  const body = {
    id: 'begun at once',
    messages: [{ id: 'm', role: 'user', parts: [{ type: 'text', text: 'What?' }] }],
  }
  const settings = { model: { url: model.url, name: 'scripted' } }
  const { app } = new Api(await server.sandbox.open({ settings })) // another store on the same home
  const init = { method: 'POST', body: JSON.stringify(body) }
  const begin = async (at: number) => {
    const response = await (at % 2
      ? fetch(`${server.url}/api/chat`, init)
      : app.request('/api/chat', init))
    return [response.status, await response.text()] as const
  }
  const statuses = (await Promise.all(Array.from({ length: 8 }, (_, at) => begin(at)))).map(
    ([status]) => status,
  )
  expect(statuses.filter(status => status !== 200 && status !== 409)).toEqual([])
  expect(statuses).toContain(200)
})

test('what goes wrong is the error of the chat', async () => {
  script.push({ status: 400, body: '{"error":{"message":"no"}}' })
  const chat = new PlainChat('failing')
  await chat.sendMessage({ text: 'What do hotels cost?' })
  expect(chat.status).toBe('error')
  const missing = await fetch(`${server.url}/api/chat/conv_${'0'.repeat(24)}`)
  expect(missing.status).toBe(404)
})

describe('a call that waits for approval', () => {
  const storing: ScriptedReply = {
    calls: [
      {
        id: 'call_put',
        name: 'storage',
        arguments: { operate: 'put', key: '/note', value: 'dear' },
      },
    ],
  }

  async function asked(id: string): Promise<PlainChat> {
    script.length = model.requests.length
    script.push(storing, { text: ['Noted.'] })
    const chat = new PlainChat(id)
    await chat.sendMessage({ text: 'Note that hotels are dear.' }, { body: { skill: 1 } })
    expect(chat.messages.at(-1)?.parts.find(({ type }) => type === 'dynamic-tool')).toMatchObject({
      state: 'approval-requested',
      input: { operate: 'put', key: '/note', value: 'dear' },
    })
    return chat
  }

  test('is made once it is approved of, and the same message goes on', async () => {
    const chat = await asked('approving')
    const before = model.requests.length
    await chat.addToolApprovalResponse({ id: 'call_put', approved: true })
    await expect
      .poll(() => [chat.status, textOf(chat.messages.at(-1))])
      .toEqual(['ready', 'Noted.'])
    expect(chat.messages.map(({ role }) => role)).toEqual(['user', 'assistant'])
    expect(chat.messages.at(-1)?.parts.find(({ type }) => type === 'dynamic-tool')).toMatchObject({
      state: 'output-available',
    })
    const { messages } = (await model.request(before)).body
    expect(messages.at(-1)).toMatchObject({
      role: 'tool',
      content: expect.not.stringContaining('refused'),
    })
    const again = await fetch(`${server.url}/api/chat`, {
      method: 'POST',
      body: JSON.stringify({
        id: 'approving',
        messages: [
          {
            role: 'assistant',
            parts: [
              {
                type: 'dynamic-tool',
                state: 'approval-responded',
                toolCallId: 'call_put',
                approval: { approved: true },
              },
            ],
          },
        ],
      }),
    })
    expect(again.status).toBe(400)
  })

  test('is not made when it is refused, and the model is told', async () => {
    const chat = await asked('refusing')
    const before = model.requests.length
    await chat.addToolApprovalResponse({ id: 'call_put', approved: false })
    await expect
      .poll(() => [chat.status, textOf(chat.messages.at(-1))])
      .toEqual(['ready', 'Noted.'])
    expect(chat.messages.at(-1)?.parts.find(({ type }) => type === 'dynamic-tool')).toMatchObject({
      state: 'output-denied',
    })
    const { messages } = (await model.request(before)).body
    expect(messages.at(-1)).toMatchObject({
      role: 'tool',
      content: expect.stringContaining('refused'),
    })
  })

  test('is refused where nobody can approve of it, and cannot be resumed without a decision', async () => {
    script.length = model.requests.length
    script.push(storing, { text: ['Noted.'] })
    const question = {
      role: 'user',
      content: { type: 'plain', text: 'Note it.' },
      input_skill_id: 1,
    }
    const sent = await fetch(`${server.url}/api/threads/messages`, {
      method: 'POST',
      body: JSON.stringify(question),
    })
    const { thread_id } = (await sent.json()) as { thread_id: string }
    const seen = await (await fetch(`${server.url}/api/threads/${thread_id}/events`)).text()
    expect(seen).toContain('The user refused this call')
    await asked('undecided')
    const listed = await fetch(`${server.url}/api/conversations?limit=1`)
    const { conversations } = (await listed.json()) as { conversations: { id: string }[] }
    const told = await fetch(`${server.url}/api/threads/${conversations[0]?.id}/messages`)
    const thread = (await told.json()) as { data: { content: object }[] }
    expect(thread.data.at(-1)?.content).toMatchObject({
      code: -1000,
      extra: { reason: 'approval' },
    })
    const resumed = await fetch(`${server.url}/api/conversations/${conversations[0]?.id}/resume`, {
      method: 'POST',
    })
    expect([resumed.status, await resumed.text()]).toEqual([
      400,
      expect.stringContaining('wait for approval'),
    ])
  })
})

test.each([
  [{ mediaType: 'image/png', url: 'pictures/hotel.png' }, /give the image as an http/],
  [
    { mediaType: 'image/png', url: 'http://127.0.0.1:9/hotel.png' },
    /cannot be passed to the model/,
  ],
  [{ mediaType: 'application/pdf', url: 'hotel.pdf' }, /needs a data URL/],
])('a file that cannot be taken, %j, is named as the client wrote it', async (file, message) => {
  const parts = [
    { type: 'step-start' },
    { type: 'text', text: 'What is this?' },
    { type: 'file', ...file },
  ]
  const before = { id: 'a', role: 'assistant', parts: [{ type: 'text', text: 'Hello.' }] }
  const body = JSON.stringify({ id: 'named', messages: [before, { id: 'q', role: 'user', parts }] })
  const response = await fetch(`${server.url}/api/chat`, { method: 'POST', body })
  expect([response.status, await response.json()]).toMatchObject([
    400,
    { error: { param: 'messages.1.parts.2.url', message: expect.stringMatching(message) } },
  ])
})
