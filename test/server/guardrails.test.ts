import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Hooked, startHooked } from './hooked.ts'

const SECRET = 'SECRETX'

let service: Hooked
beforeAll(async () => {
  service = await startHooked()
})
afterAll(() => service.close())
beforeEach(() => {
  service.reset()
  service.hooks = { check: item => (JSON.stringify(item).includes(SECRET) ? 'revoke' : 'pass') }
})

async function call(method: string, path: string, body?: object) {
  const answer = await fetch(service.url + path, {
    method,
    ...(body && { body: JSON.stringify(body) }),
  })
  // biome-ignore lint/suspicious/noExplicitAny: the shape is what the tests check
  return { status: answer.status, json: (await answer.json()) as any }
}

const isTold = () => JSON.stringify(service.model.requests).includes(SECRET)

test('what is revoked of an answer to /v1/responses is in no response, item, title or later turn', async () => {
  const { json: conversation } = await call('POST', '/v1/conversations', {})
  service.script.push({ text: [`The word is ${SECRET}.`] })
  const { json: response } = await call('POST', '/v1/responses', {
    ...{ conversation: conversation.id, input: 'What do hotels cost?' },
  })
  expect([response.status, response.incomplete_details, response.output]).toEqual([
    ...['incomplete', { reason: 'content_filter' }, []],
  ])
  const paths = [`/v1/responses/${response.id}`, `/v1/conversations/${conversation.id}/items`]
  for (const path of [
    ...paths,
    `/api/conversations/${conversation.id}`,
    `/api/chat/${conversation.id}`,
  ])
    expect(JSON.stringify((await call('GET', path)).json), path).not.toContain(SECRET)
  expect(
    JSON.stringify(
      await service.passim.conversations.items(conversation.id, { limit: 50, order: 'asc' }),
    ),
  ).not.toContain(SECRET)
})

test('nor is a question that is revoked, by whatever door it is asked for', async () => {
  const { json: conversation } = await call('POST', '/v1/conversations', {})
  const { json: response } = await call('POST', '/v1/responses', {
    ...{ conversation: conversation.id, input: `${SECRET} is what I localizable` },
  })
  const { json: items } = await call('GET', `/v1/responses/${response.id}/input_items`)
  expect(items.data).toEqual([])
  expect((await service.passim.conversations.get(conversation.id)).title).toBe('')
  service.script.push({ text: ['Hello.'] })
  await call('POST', '/v1/responses', { input: 'And now?', previous_response_id: response.id })
  expect(isTold()).toBe(false)
})

test('nothing is added that a guardrail refuses', async () => {
  const said = { role: 'user', content: `My card is ${SECRET}` }
  const { json: conversation } = await call('POST', '/v1/conversations', {})
  const refused = [
    ['/v1/conversations', { items: [said] }],
    [`/v1/conversations/${conversation.id}/items`, { items: [said] }],
    ['/api/threads/messages', { role: 'system', content: { type: 'plain', text: said.content } }],
    [
      '/api/chat',
      {
        id: 'new-chat',
        messages: [
          { id: 'm1', role: 'user', parts: [{ type: 'text', text: said.content }] },
          { id: 'm2', role: 'user', parts: [{ type: 'text', text: 'What do hotels cost?' }] },
        ],
      },
    ],
  ] as const
  const before = (await service.passim.conversations.list({ limit: 100 })).length
  for (const [path, body] of refused) {
    const { status, json } = await call('POST', path, body)
    expect([status, JSON.stringify(json)], path).toEqual([
      400,
      expect.stringContaining('A guardrail refused'),
    ])
  }
  expect(await service.passim.conversations.list({ limit: 100 })).toHaveLength(before)
  expect(
    await service.passim.conversations.items(conversation.id, { limit: 10, order: 'asc' }),
  ).toEqual([])
})

test('a hook that never answers keeps nobody from stopping the answer, or deleting its conversation', async () => {
  let asked = (): void => {}
  const isAsked = new Promise<void>(resolve => {
    asked = resolve
  })
  service.hooks = {
    check() {
      asked()
      return new Promise(() => {})
    },
  }
  const { json } = await call('POST', '/api/threads/messages', {
    ...{ role: 'user', content: { type: 'plain', text: 'What do hotels cost?' } },
  })
  await isAsked
  expect((await call('POST', `/api/threads/${json.thread_id}/stop`)).json.stopped).toBe(true)
  expect((await call('DELETE', `/api/threads/${json.thread_id}`)).json.deleted).toBe(true)
})
