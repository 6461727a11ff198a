import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import {
  type ScriptedModel,
  silentAfter,
  startScriptedModel,
} from '../fakes/scripted-model-server.ts'
import { type Running, startServer } from './running.ts'

let server: Running
let model: ScriptedModel
let speak = () => {}
let isToSpeak = Promise.resolve()
let leave = async () => {}

beforeAll(async () => {
  model = await startScriptedModel(async () => {
    await isToSpeak
    return silentAfter('Hotels')
  })
  server = await startServer({ settings: { model: { url: model.url, name: 'scripted' } } })
  await server.passim.index([
    await server.sandbox.write({ 'hotel.md': 'Hotels cost at most 120 euros a night.' }),
  ])
})
afterAll(async () => {
  await server.close()
  await model.close()
})
afterEach(async () => {
  vi.useRealTimers()
  await leave()
})

const question = 'What do hotels cost at most?'
const post = async (path: string, body: object) =>
  await fetch(server.url + path, { method: 'POST', body: JSON.stringify(body) })

const streams: readonly [
  path: string,
  open: () => Promise<Response>,
  first: RegExp,
  beat: RegExp,
][] = [
  [
    '/api/threads/{id}/events',
    async () => {
      const asked = await post('/api/threads/messages', {
        role: 'user',
        content: { type: 'plain', text: question },
      })
      const { thread_id } = (await asked.json()) as { thread_id: string }
      return await fetch(`${server.url}/api/threads/${thread_id}/events`)
    },
    /^event: message\n/m,
    /^event: heartbeat\ndata: .*"role":"heartbeat".*-1005/gm,
  ],
  [
    '/api/chat',
    async () =>
      await post('/api/chat', {
        ...{
          id: 'chat',
          messages: [{ id: 'm', role: 'user', parts: [{ type: 'text', text: question }] }],
        },
      }),
    /^data: \{"type":"start"/m,
    /^: /gm,
  ],
  [
    '/v1/responses',
    async () => await post('/v1/responses', { model: 'scripted', input: question, stream: true }),
    /^event: response.created\n/m,
    /^: /gm,
  ],
  [
    '/api/ask',
    async () => await post('/api/ask', { question, conversation: 'new', stream: true }),
    /^event: start\n/m,
    /^: /gm,
  ],
]

/** What a stream says, as it comes. */
function follow(response: Response) {
  let text = ''
  let wake = () => {}
  const left = new AbortController()
  const sink = new WritableStream<string>({
    write(piece) {
      text += piece
      wake()
    },
  })
  const ended = response
    .body!.pipeThrough(new TextDecoderStream())
    .pipeTo(sink, { signal: left.signal })
  return {
    count: (said: RegExp) => text.match(said)?.length ?? 0,
    async until(said: RegExp): Promise<void> {
      while (text.search(said) < 0)
        await new Promise<void>(resolve => {
          wake = resolve
        })
    },
    async leave(): Promise<void> {
      left.abort()
      await ended.catch(() => {}) // it was left
    },
  }
}

test.each(streams)(
  '%s begins at once, and beats whenever nothing was said for 15 s by its clock',
  async (_, open, first, beat) => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    isToSpeak = new Promise(resolve => {
      speak = resolve
    })
    const stream = follow(await open())
    leave = stream.leave
    await stream.until(first)
    vi.advanceTimersByTime(10_000)
    speak()
    await stream.until(/Hotels"/)
    vi.advanceTimersByTime(14_999)
    await fetch(`${server.url}/health`) // what was sent before has come by now
    expect(stream.count(beat)).toBe(0)
    vi.advanceTimersByTime(1)
    await stream.until(beat)
    vi.advanceTimersByTime(15_000)
    await expect.poll(() => stream.count(beat)).toBe(2)
  },
)
