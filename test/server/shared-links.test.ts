import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApp } from '../../src/server.ts'
import { type ScriptedReply, startScriptedModel } from '../fakes/scripted-model-server.ts'
import { openKeyed } from './keyed.ts'

type Service = Awaited<ReturnType<typeof openKeyed>>
type Shared = {
  readonly expiresAt: string
  readonly hasMore: boolean
  readonly turns: readonly {
    readonly turn: number
    readonly question?: string
    readonly answer?: string
    readonly citations?: readonly object[]
  }[]
}

type Given = {
  readonly id: string
  readonly text: string
  readonly attributes?: Record<string, string>
}

let service: Service
let writer: string
beforeAll(async () => {
  service = await openKeyed({ sharedLinkDays: 7 })
  writer = await service.token('default')
  const { passim, release } = await service.stores.acquire('default')
  for (const { id, text, attributes = {} } of DOCUMENTS)
    await passim.documents.put({ id, text, title: id, collection: 'rules', attributes })
  release()
})
afterAll(() => service.close())

const DOCUMENTS: readonly Given[] = [
  { id: 'hotels', text: 'A hotel costs at most 140 euros a night.' },
  {
    id: 'layoffs',
    text: 'The closure of Turin saves 9 million euros.',
    attributes: { readers: 'group:hr' },
  },
  { id: 'old', text: 'A bicycle is repaid with 300 euros.' },
]

async function json<Body>(token: string, method: string, path: string, body?: object) {
  const response = await service.call(token, method, path, body)
  return { status: response.status, body: (await response.json()) as Body }
}

async function ask(question: string, conversation = 'new'): Promise<string> {
  const asked = { question, collections: ['rules'], conversation }
  const { body } = await json<{ conversation: string }>(writer, 'POST', '/api/ask', asked)
  return body.conversation
}

async function share(conversation: string, body: object = {}) {
  const path = `/api/conversations/${conversation}/links`
  const created = await json<{ id: string; token: string }>(writer, 'POST', path, body)
  expect(created.status).toBe(201)
  return created.body
}

/** Without a key, as whoever got the link. */
async function read(token: string, more: object = {}, headers: Record<string, string> = {}) {
  const body = JSON.stringify({ token, ...more })
  const response = await service.app.request('/api/shared', { method: 'POST', body, headers })
  return { status: response.status, body: (await response.json()) as Shared }
}

const HOTEL = 'How much does a hotel cost a night?'

test('a link shows questions, answers and quoted words of the turns so far, and nothing else', async () => {
  const id = await ask(HOTEL)
  const { token } = await share(id)
  await ask('And a bicycle?', id)
  const { status, body } = await read(token)
  expect(status).toBe(200)
  expect(body).toEqual({
    expiresAt: expect.any(String),
    hasMore: false,
    turns: [
      {
        turn: 1,
        question: HOTEL,
        answer: expect.stringContaining('140 euros'),
        citations: [
          {
            marker: 1,
            doc: expect.any(String),
            headings: expect.any(Array),
            text: 'A hotel costs at most 140 euros a night.',
            support: 'stated',
          },
        ],
      },
    ],
  })
})

test('earlier turns follow page by page, and none after those that were shared', async () => {
  const id = await ask(HOTEL)
  await ask(HOTEL, id)
  const { token } = await share(id)
  await ask('And a bicycle?', id)
  const last = await read(token, { limit: 1 })
  expect(last.body).toMatchObject({ turns: [{ turn: 2 }], hasMore: true })
  expect((await read(token, { limit: 1, before: 2 })).body).toMatchObject({
    turns: [{ turn: 1 }],
    hasMore: false,
  })
  expect((await read(token, { before: 1_000 })).body.turns.map(({ turn }) => turn)).toEqual([1, 2])
})

test('links are listed with their conversation, without tokens, and revoked ones open nothing', async () => {
  const id = await ask(HOTEL)
  const { id: linkId, token } = await share(id)
  const path = `/api/conversations/${id}/links`
  const listed = await json<{ links: object[] }>(writer, 'GET', path)
  expect(listed.body.links).toMatchObject([{ id: linkId, turns: 1 }])
  expect(JSON.stringify(listed.body)).not.toContain(token)
  expect((await json(writer, 'DELETE', `${path}/${linkId}`)).status).toBe(200)
  expect((await read(token)).status).toBe(404)
  expect((await json(writer, 'DELETE', `${path}/${linkId}`)).status).toBe(404)
})

test('a deleted conversation is not shown, nor one that takes its id', async () => {
  const id = await ask(HOTEL)
  const { token } = await share(id)
  await json(writer, 'DELETE', `/api/conversations/${id}`)
  expect((await read(token)).status).toBe(404)
  const { passim, release } = await service.stores.acquire('default')
  await passim.conversations.create({
    id,
    items: [{ kind: 'message', role: 'user', content: 'Hi' }],
  })
  release()
  expect((await read(token)).status).toBe(404)
})

test('wrong tokens open nothing: an id, a part, a key, one of another service', async () => {
  const id = await ask(HOTEL)
  const { id: linkId, token } = await share(id)
  const wrong = [
    linkId,
    id,
    writer,
    token.slice(1),
    `${token}A`,
    token.toUpperCase(),
    '',
    '%',
    '../',
  ]
  for (const guess of wrong) expect((await read(guess)).status).toBe(404)
})

test('the token opens its conversation only, and no route but its own', async () => {
  const { token } = await share(await ask(HOTEL))
  for (const path of ['/api/conversations', '/api/documents', '/v1/models'])
    expect((await service.call(token, 'GET', path)).status).toBe(401)
})

test('another tenant cannot list, create or revoke links, though it may read by one', async () => {
  const id = await ask(HOTEL)
  const { id: linkId, token } = await share(id)
  const stranger = await service.token('acme', 'admin')
  const path = `/api/conversations/${id}/links`
  expect((await json(stranger, 'GET', path)).status).toBe(404)
  expect((await json(stranger, 'POST', path, {})).status).toBe(404)
  const { passim, release } = await service.stores.acquire('acme')
  await passim.conversations.create({ id })
  release()
  expect((await json<{ links: object[] }>(stranger, 'GET', path)).body.links).toEqual([])
  expect((await json(stranger, 'DELETE', `${path}/${linkId}`)).status).toBe(404)
  expect((await read(token, {}, { authorization: `Bearer ${stranger}` })).status).toBe(200)
})

test('a key that may only read shares nothing', async () => {
  const id = await ask(HOTEL)
  const reader = await service.token('default', 'read')
  expect((await json(reader, 'POST', `/api/conversations/${id}/links`, {})).status).toBe(403)
})

test('turns about documents with named readers are withheld from those who are not', async () => {
  const id = await ask('What does the closure of Turin save?')
  await ask(HOTEL, id)
  const { token } = await share(id)
  const { body } = await read(token)
  expect(body.turns).toMatchObject([{ turn: 1 }, { turn: 2, question: HOTEL }])
  expect(JSON.stringify(body)).not.toMatch(/Turin|million|layoffs/)
  const asWriter = await read(token, {}, { authorization: `Bearer ${writer}` })
  expect(JSON.stringify(asWriter.body)).toContain('9 million')
})

test('a turn that lists documents is withheld from those who may not read all of them', async () => {
  const id = await ask('Which documents are there?')
  await ask('Thank you!', id)
  const { token } = await share(id)
  const { body } = await read(token)
  expect(body.turns).toMatchObject([{ turn: 1 }, { turn: 2, question: 'Thank you!' }])
  expect(JSON.stringify(body)).not.toContain('layoffs')
  const key = { name: 'r', tenant: 'default', scope: 'read' as const, collections: ['rules'] }
  const restricted = await service.keys.create(key)
  const asRestricted = await read(token, {}, { authorization: `Bearer ${restricted.token}` })
  expect(JSON.stringify(asRestricted.body)).not.toContain('layoffs')
  const asWriter = await read(token, {}, { authorization: `Bearer ${writer}` })
  expect(JSON.stringify(asWriter.body)).toContain('layoffs')
})

test('a restricted key sees through a link only what it may read', async () => {
  const { token } = await share(await ask(HOTEL))
  const create = async (collections: string[]) =>
    await service.keys.create({ name: 'r', tenant: 'default', scope: 'read', collections })
  const elsewhere = await create(['other'])
  const here = await create(['rules'])
  const hidden = await read(token, {}, { authorization: `Bearer ${elsewhere.token}` })
  expect(hidden.body.turns).toEqual([{ turn: 1 }])
  const seen = await read(token, {}, { authorization: `Bearer ${here.token}` })
  expect(seen.body.turns).toMatchObject([{ question: HOTEL }])
})

test('a turn is withheld once its document is deleted', async () => {
  const { token } = await share(await ask('How much is repaid for a bicycle?'))
  expect(JSON.stringify((await read(token)).body)).toContain('300 euros')
  const deleted = await json(writer, 'DELETE', '/api/collections/rules/documents/old')
  expect(deleted.status).toBe(200)
  expect((await read(token)).body.turns).toEqual([{ turn: 1 }])
})

test('a link ends with its time, and never lasts longer than the operator allows', async () => {
  const id = await ask(HOTEL)
  const { token } = await share(id, { days: 1e-9 })
  expect((await read(token)).status).toBe(404)
  const long = await json<{ expiresAt: string }>(writer, 'POST', `/api/conversations/${id}/links`, {
    days: 3_000,
  })
  const days = (Date.parse(long.body.expiresAt) - Date.now()) / 86_400_000
  expect(days).toBeGreaterThan(6.9)
  expect(days).toBeLessThanOrEqual(7)
})

test('parts of days end at a whole millisecond, which every database can store', async () => {
  const place = { tenant: 'default', conversationId: 'c', conversationCreatedAt: 1, turns: 1 }
  for (const [maxDays, days] of [
    [7, 0.1234567],
    [0.1234567, 7],
  ] as const) {
    const { link } = await service.keys.openLinks(maxDays).create({ ...place, days })
    expect(link.expiresAt - link.createdAt).toBe(10_666_658)
  }
})

test('a shorter time of the operator ends existing links, which count no more', async () => {
  const id = await ask(HOTEL)
  const links = `/api/conversations/${id}/links`
  for (let count = 0; count < 100; count++) await share(id)
  expect((await json(writer, 'POST', links, {})).status).toBe(409)
  const { keys, stores } = service
  const later = await stores.acquire('default')
  const { server } = later.passim.settings
  later.release()
  const open = (sharedLinkDays: number) =>
    createApp(stores, { settings: { ...server, sharedLinkDays }, keys, log: () => {} })
  const call = async (app: ReturnType<typeof open>, method: string, body?: string) => {
    const headers = { authorization: `Bearer ${writer}` }
    return await app.request(links, { method, headers, ...(body && { body }) })
  }
  const ofHour = (await (await call(open(1 / 24), 'GET')).json()) as { links: SharedLinkTimes[] }
  for (const { createdAt, expiresAt } of ofHour.links)
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(3_600_000)
  expect((await call(open(1e-9), 'POST', '{}')).status).toBe(201)
})

type SharedLinkTimes = { readonly createdAt: string; readonly expiresAt: string }

test('by default no link can be created', async () => {
  const closed = await openKeyed()
  try {
    const key = await closed.token('default')
    const { passim, release } = await closed.stores.acquire('default')
    const { id } = await passim.conversations.create()
    release()
    const refused = await closed.call(key, 'POST', `/api/conversations/${id}/links`, {})
    expect(refused.status).toBe(403)
    const list = await (await closed.call(key, 'GET', '/api/conversations')).json()
    expect(list).toMatchObject({ sharedLinkDays: 0 })
  } finally {
    await closed.close()
  }
})

test('a turn is withheld if its model was shown more than readers of the link may see', async () => {
  const replies: ScriptedReply[] = []
  const model = await startScriptedModel(() => replies.shift() ?? { text: ['?'] })
  const own = await openKeyed({ sharedLinkDays: 7 }, {}, { url: model.url, name: 'scripted' })
  try {
    const key = await own.token('default')
    const { passim, release } = await own.stores.acquire('default')
    const put = async (id: string, text: string, attributes = {}) =>
      await passim.documents.put({ id, text, title: id, collection: 'rules', attributes })
    await put('hotels', 'A hotel costs at most 140 euros a night.')
    const post = async (path: string, body: object) =>
      (await (await own.call(key, 'POST', path, body)).json()) as Record<string, string>
    let conversation = 'new'
    const readAfter = async (
      question: string,
      script: readonly ScriptedReply[],
      headers = {},
      { id = 'new', ...more } = {},
    ) => {
      replies.push(...script)
      const asked = { question, collections: ['rules'], conversation: id }
      conversation = (await post('/api/ask', asked)).conversation ?? ''
      const { token } = await post(`/api/conversations/${conversation}/links`, {})
      const body = JSON.stringify({ token, ...more })
      const shared = await own.app.request('/api/shared', { method: 'POST', body, headers })
      return ((await shared.json()) as Shared).turns
    }
    const cited = { text: ['A hotel costs at most 140 euros a night [1].'] }
    const list = { calls: [{ name: 'documents', arguments: {} }] }
    expect(await readAfter(HOTEL, [cited])).toMatchObject([{ question: HOTEL }])
    expect(await readAfter(HOTEL, [list, cited])).toEqual([{ turn: 1 }])
    const later = { id: conversation, limit: 1 }
    expect(await readAfter(HOTEL, [cited], {}, later)).toEqual([{ turn: 2 }])
    const all = await readAfter(HOTEL, [cited], {}, { id: conversation })
    expect(all).toEqual([{ turn: 1 }, { turn: 2 }, { turn: 3 }])
    expect(await readAfter('Say more!', [{ text: ['See layoffs.'] }])).toEqual([{ turn: 1 }])
    const byKey = { authorization: `Bearer ${key}` }
    expect(await readAfter(HOTEL, [list, cited], byKey)).toMatchObject([{ question: HOTEL }])
    await put('layoffs', 'A hotel in Turin costs 90 euros a night.', { readers: 'group:hr' })
    expect(await readAfter(HOTEL, [cited])).toEqual([{ turn: 1 }])
    expect(await readAfter(HOTEL, [cited], byKey)).toMatchObject([{ question: HOTEL }])
    release()
  } finally {
    await own.close()
    await model.close()
  }
})
