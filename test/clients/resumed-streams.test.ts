import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createClient } from '../../client/index.ts'

/** Default of `server.requestMs`, after which the service ends a stream. */
const REQUEST_MS = 600_000

type Reply = {
  readonly events?: readonly object[]
  readonly status?: number
  readonly livesMs?: number
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Answers each request with the next reply, the last one again and again. */
function scriptClient(replies: readonly Reply[]) {
  const requests: string[] = []
  const client = createClient({
    url: 'http://service',
    fetch: async input => {
      const reply = replies[Math.min(requests.length, replies.length - 1)] ?? {}
      requests.push(String(input).replace('http://service', ''))
      const { events = [], status = 200, livesMs = 0 } = reply
      const encoder = new TextEncoder()
      let end: NodeJS.Timeout | undefined
      const body = new ReadableStream({
        start(controller) {
          for (const event of events)
            controller.enqueue(encoder.encode(`${formatFields(event)}\n\n`))
          end = setTimeout(() => controller.close(), livesMs)
        },
        cancel: () => clearTimeout(end),
      })
      return new Response(body, { status })
    },
  })
  return { client, requests }
}

function formatFields(event: object): string {
  return Object.entries(event)
    .map(([name, value]) => `${name}: ${typeof value === 'object' ? JSON.stringify(value) : value}`)
    .join('\n')
}

async function collect<Item>(items: AsyncIterable<Item>, into: Item[]): Promise<void> {
  for await (const item of items) into.push(item)
}

test('events of a quiet store are followed through many ends of their stream', async () => {
  const quiet = Array.from({ length: 10 }, () => ({ livesMs: REQUEST_MS }))
  const last = { events: [{ event: 'document.completed', id: 'e2', data: { id: 'e2' } }] }
  const { client, requests } = scriptClient([...quiet, { ...last, livesMs: REQUEST_MS }])
  const received: object[] = []
  const controller = new AbortController()
  const following = collect(client.events({ after: 'e1', signal: controller.signal }), received)
  const ended = following.catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(11 * REQUEST_MS)
  expect(received).toEqual([{ id: 'e2' }])
  expect(requests.slice(0, 11)).toEqual(Array.from({ length: 11 }, () => '/api/events?after=e1'))
  controller.abort(new Error('enough'))
  await vi.advanceTimersByTimeAsync(REQUEST_MS)
  expect(await ended).toMatchObject({ message: 'enough' })
})

test('a stream that ends at once again and again is given up', async () => {
  const { client, requests } = scriptClient([{}])
  const ended = collect(client.events(), []).catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(await ended).toMatchObject({ code: 'cut' })
  expect(requests).toHaveLength(6)
})

test('a long job is followed beyond the time of a request, and through a restart', async () => {
  const overrun = { error: { code: 'timeout', message: 'The answer took longer.' } }
  const { client, requests } = scriptClient([
    {
      events: [
        { event: 'progress', data: { done: 1 } },
        { event: 'error', data: overrun },
      ],
    },
    { status: 502 },
    { events: [{ event: 'completed', data: { done: 2 } }] },
  ])
  const states: object[] = []
  const following = collect(client.jobEvents('job_1'), states).catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(await following).toBeUndefined()
  expect(states).toEqual([{ done: 1 }, { done: 2 }])
  expect(requests).toHaveLength(3)
})

test('another error of a stream is thrown with its code', async () => {
  const error = { error: { code: 'not_found', message: 'Gone.' } }
  const { client } = scriptClient([{ events: [{ event: 'error', data: error }] }])
  await expect(collect(client.jobEvents('job_1'), [])).rejects.toMatchObject({ code: 'not_found' })
})
