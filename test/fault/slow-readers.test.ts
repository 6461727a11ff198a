import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ScriptedModel, startScriptedModel } from '../fakes/scripted-model-server.ts'
import { type Running, startServer } from '../server/running.ts'

/** What nobody reads is sent three times at least by some of the routes, more than a socket takes. */
const PIECE = '水泵与冷水管道。'.repeat(8_000)
const PIECES = 11
const TEXT_BYTES = 2 * PIECES * PIECE.length
const SOCKETS = 8

let server: Running
let model: ScriptedModel

beforeAll(async () => {
  const text = ['```\n', ...Array.from({ length: PIECES }, () => PIECE), '\n```']
  model = await startScriptedModel([{ text }])
  server = await startServer({ settings: { model: { url: model.url, name: 'scripted' } } })
  await server.passim.index([await server.sandbox.write({ 'pump.md': 'The pump costs 4 euros.' })])
  const body = JSON.stringify({ question, stream: true })
  const headers = { 'content-type': 'application/json' }
  await (await fetch(`${server.url}/api/ask`, { method: 'POST', headers, body })).text() // loads what answers need
})
afterAll(async () => {
  await server.close()
  await model.close()
})

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/**
 * Time after which memory that still moves is taken as it is: other files ran in this process. The ten
 * measures of the longest test fit into its time.
 */
const MAX_SETTLE_MS = 25_000

/** Memory in use once nothing moves any more. */
async function measureMemory(): Promise<number> {
  let last = Number.NaN
  const end = performance.now() + MAX_SETTLE_MS
  for (let same = 0; same < 3 && performance.now() < end; ) {
    for (let turn = 0; turn < 4; turn++) {
      collectGarbage()
      await sleep(100)
    }
    const { heapUsed, external } = process.memoryUsage()
    same = Math.abs(heapUsed + external - last) < 100_000 ? same + 1 : 0
    last = heapUsed + external
  }
  return last
}

async function send(request: string): Promise<Socket> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1').pause()
  await once(socket, 'connect')
  socket.write(request)
  return socket
}

function toRequest(path: string, body: object): string {
  const json = JSON.stringify(body)
  const head = `host: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: ${json.length}`
  return `POST ${path} HTTP/1.1\r\n${head}\r\n\r\n${json}`
}

/** Returns the bytes that each of several clients keeps waiting. */
async function measureUnread(toText: (at: number) => string, isAsking: boolean): Promise<number> {
  const before = await measureMemory()
  const asked = model.requests.length
  const numbers = Array.from({ length: SOCKETS }, (_, at) => at)
  const sockets = await Promise.all(numbers.map(at => send(toText(at))))
  if (isAsking) {
    await expect.poll(() => model.requests.length).toBeGreaterThanOrEqual(asked + SOCKETS)
    await Promise.all(model.requests.slice(asked).map(({ closed }) => closed))
  }
  const waiting = (await measureMemory()) - before
  for (const socket of sockets) socket.destroy()
  return waiting / SOCKETS
}

const question = 'What does the pump cost?'
const messages = [{ role: 'user', content: question }]
const parts = [{ type: 'text', text: question }]
const plain = { model: 'scripted', input: question, tool_choice: 'none', stream: true }
const STREAMS: readonly [string, string, (at: number) => object][] = [
  ['a response', '/v1/responses', () => ({ ...plain, store: false })],
  ['a background response', '/v1/responses', () => ({ ...plain, background: true })],
  ['a chat', '/v1/chat/completions', () => ({ model: 'scripted', messages, stream: true })],
  ['an answer', '/api/ask', () => ({ question, stream: true })],
  ['a turn', '/api/ask', () => ({ question, stream: true, conversation: 'new' })],
  ['a UI chat', '/api/chat', at => ({ id: `chat${at}`, messages: [{ role: 'user', parts }] })],
]

test.each(STREAMS)(
  '%s that nobody reads waits with one copy of its text at most',
  {
    timeout: 120_000,
  },
  async (_, path, toBody) => {
    const unread = await measureUnread(at => toRequest(path, toBody(at)), true)
    expect(unread).toBeLessThan(1.5 * TEXT_BYTES)
  },
)

test('a file that nobody reads waits with a few slices', { timeout: 120_000 }, async () => {
  const form = new FormData()
  form.append('purpose', 'assistants')
  form.append('file', new File([Buffer.alloc(16 * 2 ** 20, 1)], 'big.bin'))
  const response = await fetch(`${server.url}/v1/files`, { method: 'POST', body: form })
  const { id } = (await response.json()) as { id: string }
  const request = `GET /v1/files/${id}/content HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`
  expect(await measureUnread(() => request, false)).toBeLessThan(2 ** 20)
})

/** More turns than a reader may hold. */
const TURNS = 4

async function createThread(): Promise<string> {
  let thread_id = ''
  for (let turn = 0; turn < TURNS; turn++) {
    const content = { type: 'plain', text: question }
    const body = JSON.stringify({ thread_id, role: 'user', content })
    const headers = { 'content-type': 'application/json' }
    const url = `${server.url}/api/threads/messages`
    const response = await fetch(url, { method: 'POST', headers, body })
    thread_id = ((await response.json()) as { thread_id: string }).thread_id
    await (await fetch(`${server.url}/api/threads/${thread_id}/events`)).text() // until it is answered
  }
  return thread_id
}

test('a conversation that nobody reads waits with two of its answers at most', {
  timeout: 300_000,
}, async () => {
  const id = await createThread()
  const paths = [
    `/api/threads/${id}/events`,
    `/api/threads/${id}/messages`,
    `/api/conversations/${id}`,
    `/api/conversations/${id}/events`,
    `/v1/conversations/${id}/items`,
  ]
  for (const path of paths) {
    const request = `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`
    expect(await measureUnread(() => request, false), path).toBeLessThan(2.5 * TEXT_BYTES)
  }
  const chat = `GET /api/chat/${id} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`
  expect(await measureUnread(() => chat, false)).toBeLessThan(1.5 * TEXT_BYTES)
})

/** Documents whose attributes have more characters than a page and what the system buffers. */
const LISTED = 900
const attributes = Object.fromEntries(
  Array.from({ length: 16 }, (_, at) => [`attribute${at}`, 'heron '.repeat(80)]),
)

test('a list that nobody reads waits with one page of its characters', {
  timeout: 300_000,
}, async () => {
  const lines = Array.from({ length: LISTED }, (_, at) =>
    JSON.stringify({ id: `d${at}`, text: `Heron ${at} wades.`, attributes }),
  )
  const headers = { 'content-type': 'application/jsonl' }
  const url = `${server.url}/api/collections/default/documents`
  const put = await fetch(url, { method: 'POST', headers, body: lines.join('\n') })
  expect(await put.text()).not.toContain('"error"')
  for (const path of ['/api/documents?limit=1000', '/v1/files?limit=10000']) {
    const request = `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`
    expect(await measureUnread(() => request, false), path).toBeLessThan(2.5 * 2 ** 20)
  }
  const first = await listDocuments('')
  expect(first).toMatchObject({ hasMore: true })
  const rest = []
  for (let page = first; ; page = await listDocuments(page.last)) {
    rest.push(...page.documents)
    if (!page.hasMore) break
  }
  expect(new Set(rest.map(({ id }) => id)).size).toBe(LISTED + 1)
})

type Listed = {
  readonly documents: readonly { readonly id: string }[]
  readonly hasMore: boolean
  readonly last: string
}

async function listDocuments(after: string): Promise<Listed> {
  const query = new URLSearchParams({ limit: '1000', after })
  return (await (await fetch(`${server.url}/api/documents?${query}`)).json()) as Listed
}
