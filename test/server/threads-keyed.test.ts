import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type ScriptedModel,
  type ScriptedReply,
  startScriptedModel,
} from '../fakes/scripted-model-server.ts'
import { openKeyed } from './keyed.ts'

let service: Awaited<ReturnType<typeof openKeyed>>
let model: ScriptedModel
let onAsked = async () => {}
const script: ScriptedReply[] = [
  { calls: [{ id: 'call_s', name: 'search', arguments: { query: 'price' } }] },
  { text: ['Hotels cost at most 120 euros.'] },
]

beforeAll(async () => {
  model = await startScriptedModel(async () => {
    await onAsked()
    return script.length > 1 ? script.shift()! : script[0]!
  })
  service = await openKeyed({}, {}, { url: model.url, name: 'scripted' })
})
afterAll(async () => {
  await service.close()
  await model.close()
})

async function json<Answer>(
  token: string,
  method: string,
  path: string,
  body?: object,
): Promise<Answer> {
  return (await (await service.call(token, method, path, body)).json()) as Answer // the routes under test answer so
}

type Message = {
  readonly thread_id: string
  readonly message_id: string
  readonly content: { readonly code?: number }
}

const codes = (messages: readonly Message[]) =>
  messages.flatMap(({ content }) => content.code ?? [])

test('-1004: an answer whose key is revoked stops, and is resumed with another key', async () => {
  const [first, second] = [await service.token('default'), await service.token('default')]
  await json(first, 'POST', '/v1/vector_stores', { name: 'default' })
  const id = /^passim_([0-9a-f]+)_/.exec(first)?.[1] ?? ''
  onAsked = async () => {
    onAsked = async () => {}
    await service.keys.revoke(id)
  }
  const question = {
    role: 'user',
    content: { type: 'plain', text: 'What do hotels cost at most?' },
  }
  const { thread_id } = await json<Message>(first, 'POST', '/api/threads/messages', question)
  await (await service.call(second, 'GET', `/api/threads/${thread_id}/events`)).text()
  const { data } = await json<{ data: Message[] }>(
    second,
    'GET',
    `/api/threads/${thread_id}/messages`,
  )
  expect(codes(data)).toEqual([-1004])
  const content = { code: -2001, extra: { message_id: data.at(-1)?.message_id } }
  await json(second, 'POST', '/api/threads/messages', { thread_id, role: 'status', content })
  await (await service.call(second, 'GET', `/api/threads/${thread_id}/events`)).text()
  const after = await json<{ data: Message[] }>(second, 'GET', `/api/threads/${thread_id}/messages`)
  expect(codes(after.data)).toEqual([-1004, -2001])
  expect(after.data.at(-1)).toMatchObject({ role: 'assistant', content: { type: 'plain' } })
})

test('threads of one tenant are nowhere in another, and a key that reads cannot send', async () => {
  const [mine, theirs, reading] = [
    await service.token('default'),
    await service.token('other'),
    await service.token('default', 'read'),
  ]
  const { data } = await json<{ data: Message[] }>(mine, 'GET', '/api/threads')
  const id = data[0]?.thread_id
  expect(id).toMatch(/^conv_/)
  expect(await json(theirs, 'GET', '/api/threads')).toMatchObject({ data: [] })
  for (const path of ['messages', 'events']) {
    expect((await service.call(theirs, 'GET', `/api/threads/${id}/${path}`)).status).toBe(404)
  }
  expect((await service.call(theirs, 'POST', `/api/threads/${id}/stop`)).status).toBe(404)
  const body = { thread_id: id, role: 'user', content: { type: 'plain', text: 'x' } }
  expect((await service.call(theirs, 'POST', '/api/threads/messages', body)).status).toBe(404)
  expect((await service.call(reading, 'POST', '/api/threads/messages', body)).status).toBe(403)
})

test('the hooks of the settings are told the tenant and the key of whoever asks', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'passim-hooks-'))
  const told = path.join(folder, 'told.jsonl')
  const hooks = path.join(folder, 'hooks.mjs')
  await writeFile(
    hooks,
    `import { appendFileSync } from 'node:fs'
    const tell = (hook, { tenant, key }) => appendFileSync(${JSON.stringify(told)}, JSON.stringify([hook, tenant, key]) + '\\n')
    export const check = (_item, owner) => { tell('check', owner); return 'pass' }
    export const charge = (owner) => { tell('charge', owner); return 'exhausted' }`,
  )
  const hooked = await openKeyed(
    {},
    {},
    { url: model.url, name: 'scripted' },
    { conversations: { hooks } },
  )
  const token = await hooked.token('other')
  await hooked.call(token, 'POST', '/v1/vector_stores', { name: 'default' })
  const body = { role: 'user', content: { type: 'plain', text: 'What do hotels cost?' } }
  const { thread_id } = (await (
    await hooked.call(token, 'POST', '/api/threads/messages', body)
  ).json()) as Message
  await (await hooked.call(token, 'GET', `/api/threads/${thread_id}/events`)).text()
  const key = /^passim_([0-9a-f]+)_/.exec(token)?.[1]
  const lines = (await readFile(told, 'utf8')).trim().split('\n')
  expect(lines.map(line => JSON.parse(line))).toEqual([
    ['check', 'other', key],
    ['charge', 'other', key],
  ])
  await hooked.close()
  await rm(folder, { recursive: true })
})
