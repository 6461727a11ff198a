import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import type { RequestContext } from '../../../src/server/http/context.ts'
import { type SentEvent, streamEvents } from '../../../src/server/http/event-stream.ts'

const server = createServer()
afterEach(() => void server.close())

/** The answer to a request whose client has not read a byte yet, and that client. */
async function open() {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1') // it listens on TCP
  client.pause().write('GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n')
  const [, outgoing] = (await once(server, 'request')) as [unknown, ServerResponse]
  return { client, outgoing }
}

/** As a route is asked while many streams begin at once. */
async function stream(
  outgoing: ServerResponse,
  events: AsyncGenerator<SentEvent>,
  opening: readonly SentEvent[],
  keepAliveMs = 60_000,
) {
  const variables = new Map<string, unknown>([
    ['starts', { areMany: true, turn: () => setImmediate() }],
    ['passim', { settings: { server: { keepAliveMs } } }],
  ])
  const context = {
    req: { method: 'GET' },
    env: { outgoing },
    get: (name: string) => variables.get(name),
    set: (name: string, value: unknown) => variables.set(name, value),
    body: () => new Response(null),
  }
  const failure = (error: unknown) => [{ data: `failed: ${(error as Error).message}` }]
  await streamEvents(context as unknown as RequestContext, { opening, events, failure }) // what it asks of one
  const startResponse = variables.get('startResponse') as (headers: Headers) => void // as it was set
  startResponse(new Headers())
}

async function* failing(): AsyncGenerator<SentEvent> {
  yield await Promise.reject(new Error('the model is away'))
}

test('what fails before there is room for the beginning of a stream is told after it', async () => {
  const { client, outgoing } = await open()
  const opening = [{ data: 'x'.repeat(8_000_000) }]
  await stream(outgoing, failing(), opening)
  for (let turns = 0; turns < 20; turns++) await setImmediate()
  let text = ''
  client.setEncoding('utf8').on('data', piece => (text += piece))
  await once(client.resume(), 'close')
  expect(text).toContain('failed: the model is away')
})

test('the events of a stream whose client has gone before it begins are asked no further', async () => {
  const { client, outgoing } = await open()
  client.destroy()
  await once(outgoing, 'close')
  let asked = 0
  const events = (async function* (): AsyncGenerator<SentEvent> {
    for (; asked < 1_000; asked++) yield { data: 'more' }
  })()
  await stream(outgoing, events, [])
  for (let turns = 0; turns < 20; turns++) await setImmediate()
  expect(asked).toBe(0)
})

test('a client that reads nothing for so long that it is kept alive gets the rest once it reads again', async () => {
  const { client, outgoing } = await open()
  const events = (async function* (): AsyncGenerator<SentEvent> {
    yield { data: 'the rest' }
  })()
  await stream(outgoing, events, [{ data: 'x'.repeat(8_000_000) }], 5)
  for (let turns = 0; turns < 20; turns++) await sleep(5)
  let text = ''
  client.setEncoding('utf8').on('data', piece => (text += piece))
  await once(client.resume(), 'close')
  expect(text).toContain('the rest')
})

test('what made the last event is over before a slow client has it, and a large event waits a slice at a time', async () => {
  const { client, outgoing } = await open()
  const text = '水泵😀'.repeat(1_000_000)
  let isOver = false
  const events = (async function* (): AsyncGenerator<SentEvent> {
    try {
      yield { data: text }
    } finally {
      isOver = true
    }
  })()
  await stream(outgoing, events, [])
  await expect.poll(() => isOver).toBe(true)
  expect(outgoing.writableFinished).toBe(false)
  expect(outgoing.writableLength).toBeLessThan(256 * 1024)
  let received = ''
  client.setEncoding('utf8').on('data', piece => (received += piece))
  await once(client.resume(), 'close')
  expect(received.replaceAll(/\r\n[0-9a-f]+\r\n/g, '')).toContain(text)
})

test('a large event is encoded slice by slice, as far as a slow client reads', async () => {
  const { client, outgoing } = await open()
  const text = 'water pump '.repeat(1_000)
  const encoded: number[] = []
  const list = Array.from({ length: 2_000 }, (_, at) => ({
    get text() {
      encoded.push(at)
      return text
    },
  }))
  const events = (async function* (): AsyncGenerator<SentEvent> {
    yield { data: list }
  })()
  await stream(outgoing, events, [])
  await expect.poll(() => outgoing.writableNeedDrain).toBe(true)
  expect(encoded.at(-1)).toBeLessThan(1_999)
  await once(client.resume(), 'close')
  expect(encoded.at(-1)).toBe(1_999)
})
