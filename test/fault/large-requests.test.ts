import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Running, startServer } from '../server/running.ts'

let server: Running

beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

async function post(
  path: string,
  body: object,
): Promise<{ status: number; message: string; body: { id?: string } }> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(server.url + path, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
  const told = (await response.json()) as { id?: string; error: { message: string } } // either
  return { status: response.status, message: told.error?.message, body: told }
}

const many = <One>(count: number, one: One): One[] => Array.from({ length: count }, () => one)

test.each<[string, string, object, number]>([
  [
    'wrong parts',
    '/v1/responses/input_tokens',
    { input: [{ role: 'user', content: many(40_000, { text: null }) }] },
    413,
  ],
  [
    'parts of a message',
    '/v1/responses/input_tokens',
    { input: [{ role: 'user', content: many(1_001, { type: 'text', text: 'x' }) }] },
    400,
  ],
  [
    'wrong parts of a chat',
    '/api/chat',
    { id: 'c', messages: [{ role: 'user', parts: many(150_000, { type: 1 }) }] },
    413,
  ],
  ['lists within lists', '/api/search', { query: many(20_000, []) }, 413],
  ['documents', '/api/search', { query: 'x', documents: many(20_000, 'a.txt') }, 400],
  ['collections', '/api/ask', { question: 'x', collections: many(20_000, 'default') }, 400],
])(
  'a request with very many %s is refused before any is looked at',
  async (_, path, body, status) => {
    const refused = await post(path, body)
    expect([refused.status, refused.message]).toEqual([
      status,
      expect.stringMatching(/10000|1000|256/),
    ])
  },
)

test('what an input refers to counts as often as it does, and no more than a body is taken', async () => {
  const text = 'long '.repeat(200_000)
  const { body } = await post('/v1/conversations', { items: [{ role: 'user', content: text }] })
  const listed = (await (
    await fetch(`${server.url}/v1/conversations/${body.id}/items`)
  ).json()) as {
    data: [{ id: string }]
  } // one
  const reference = { type: 'item_reference', id: listed.data[0].id }
  const paths = ['/v1/conversations', `/v1/conversations/${body.id}/items`]
  for (const path of paths)
    expect((await post(path, { items: many(5, reference) })).status).toBe(413)
  expect((await post('/v1/responses/input_tokens', { input: many(300, reference) })).status).toBe(
    413,
  )
  expect((await post(paths[1]!, { items: many(2, reference) })).status).toBe(200)
})
