import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { FORMATS } from '../../src/app/stores/store.ts'
import { VIEW_TABLES } from '../../src/ingest/store/catalogs/visible-catalog.ts'
import type { Filter } from '../../src/search/filter.ts'
import { chooseDraws } from '../suites.ts'
import { openKeyed } from './keyed.ts'

const SECRET = 'a secret of the gateway, of more than 32 bytes'
const HOUR = 3600

type Claims = Readonly<Record<string, unknown>>

const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
const now = () => Math.floor(Date.now() / 1000)

function signToken(claims: Claims, secret = SECRET, header: object = { alg: 'HS256' }): string {
  const text = `${encode(header)}.${encode({ exp: now() + HOUR, ...claims })}`
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
}

let service: Awaited<ReturnType<typeof openKeyed>>
beforeEach(async () => {
  const tokens = { algorithm: 'HS256' as const, key: SECRET, audience: 'passim' }
  service = await openKeyed({ tokens, requestsPerMinute: 1_000_000 })
})
afterEach(() => service.close())

type Given = { readonly id: string; readonly text: string; readonly attributes?: object }

async function put(tenant: string, collection: string, given: readonly Given[]): Promise<void> {
  const { passim, release } = await service.stores.acquire(tenant)
  try {
    for (const { attributes = {}, ...one } of given)
      await passim.documents.put({
        ...one,
        title: one.id,
        collection,
        attributes: { ...attributes },
      })
  } finally {
    release()
  }
}

const read = async (token: string, method: string, path: string, body?: object) =>
  await service.app.request(path, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    ...(body && { body: JSON.stringify(body) }),
  })

async function searchTitles(token: string, query: string): Promise<readonly string[]> {
  const response = await read(token, 'POST', '/api/search', { query, collections: ['wiki'] })
  const { hits } = (await response.json()) as { hits: { title: string }[] }
  return hits.map(({ title }) => title).toSorted()
}

const WIKI: readonly Given[] = [
  { id: 'a', text: 'The printer jams.', attributes: { readers: 'user:ann, group:hr', team: 'it' } },
  { id: 'b', text: 'The printer hums.', attributes: { readers: 'user:bob', team: 'it' } },
  { id: 'c', text: 'The printer is grey.', attributes: { team: 'hr' } },
  { id: 'd', text: 'The printer is loud.', attributes: { readers: '*' } },
]

describe('a signed token', () => {
  beforeEach(async () => put('default', 'wiki', WIKI))

  test('sees documents that name its user, a group of it, or everyone', async () => {
    const see = async (claims: Claims) =>
      await searchTitles(signToken({ aud: 'passim', ...claims }), 'printer')
    expect(await see({ sub: 'ann' })).toEqual(['a', 'd'])
    expect(await see({ sub: 'bob' })).toEqual(['b', 'd'])
    expect(await see({ sub: 'an', groups: ['hr', 'it'] })).toEqual(['a', 'd'])
    expect(await see({ sub: 'bob', filter: 'team=it' })).toEqual(['b'])
    const elsewhere = signToken({ sub: 'ann', aud: 'passim', collections: ['mine'] })
    expect((await read(elsewhere, 'GET', '/api/collections/wiki')).status).toBe(404)
  })

  test('shares the copy of the index with others who see the same', async () => {
    const see = async (sub: string, groups: readonly string[]) =>
      await searchTitles(signToken({ sub, groups, aud: 'passim' }), 'printer')
    expect(await see('zoe', ['hr', 'all'])).toEqual(['a', 'd'])
    const before = service.stores.size
    expect(await see('yan', ['hr'])).toEqual(['a', 'd'])
    expect(service.stores.size).toBe(before)
    expect(await see('bob', ['hr'])).toEqual(['a', 'b', 'd'])
    expect(service.stores.size).toBe(before + 1)
  })

  test('sees a change of readers with the next request', async () => {
    const token = signToken({ sub: 'ann', aud: 'passim' })
    expect(await searchTitles(token, 'printer')).toEqual(['a', 'd'])
    await put('default', 'wiki', [
      { ...WIKI[0]!, attributes: { readers: 'user:bob' } },
      { ...WIKI[1]!, attributes: { readers: 'user:ann' } },
    ])
    expect(await searchTitles(token, 'printer')).toEqual(['b', 'd'])
  })

  test('stores, changes and manages nothing', async () => {
    const token = signToken({ sub: 'ann', aud: 'passim' })
    const hidden = { title: 'x', text: 'x' }
    const tries = [
      read(token, 'POST', '/api/collections/wiki/documents', hidden),
      read(token, 'POST', '/v1/conversations', {}),
      read(token, 'POST', '/api/ask', { question: 'printer?', conversation: 'conv_1' }),
      read(token, 'GET', '/api/keys'),
    ]
    for (const answer of await Promise.all(tries)) expect([403, 404]).toContain(answer.status)
  })

  test('is refused if it is wrong in whatever way', async () => {
    const ann = { sub: 'ann', aud: 'passim' }
    const wrong: Readonly<Record<string, string>> = {
      'it has expired': signToken({ ...ann, exp: now() - 1 }),
      'it is not valid yet': signToken({ ...ann, nbf: now() + HOUR }),
      'it is for another audience': signToken({ ...ann, aud: 'else' }),
      'its signature is wrong': signToken(ann, `${SECRET}!`),
      'sub is missing': signToken({ aud: 'passim' }),
      'its algorithm is none': `${encode({ alg: 'none' })}.${encode(ann)}.AA`,
      crit: signToken(ann, SECRET, { alg: 'HS256', crit: ['b64'] }),
    }
    for (const [reason, token] of Object.entries(wrong)) {
      const answer = await read(token, 'GET', '/api/collections')
      expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
      expect(await answer.text()).toContain(reason)
    }
    expect((await service.app.request('/api/collections')).status).toBe(401)
  })
})

test('a token can be signed with Ed25519, and no public key passes for a secret', async () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const key = publicKey.export({ type: 'spki', format: 'pem' }).toString()
  const own = await openKeyed({ tokens: { algorithm: 'EdDSA', key } })
  try {
    const text = `${encode({ alg: 'EdDSA' })}.${encode({ sub: 'ann', exp: now() + HOUR })}`
    const token = `${text}.${sign(null, Buffer.from(text), privateKey).toString('base64url')}`
    expect((await own.call(token, 'GET', '/api/collections')).status).toBe(200)
    const forged = signToken({ sub: 'ann' }, key)
    expect((await own.call(forged, 'GET', '/api/collections')).status).toBe(401)
  } finally {
    await own.close()
  }
})

test('a key with collections or a filter only reads', async () => {
  const create = { name: 'x', tenant: 'default', collections: ['wiki'] }
  await expect(service.keys.create({ ...create, scope: 'write' })).rejects.toThrow('only read')
  const { token } = await service.keys.create({ ...create, scope: 'read' })
  await put('default', 'wiki', WIKI)
  await put('default', 'other', WIKI)
  const answer = await read(token, 'GET', '/api/collections')
  const { collections } = (await answer.json()) as { collections: { name: string }[] }
  expect(collections.map(({ name }) => name)).toEqual(['wiki'])
  expect((await service.keys.list())[0]).toMatchObject({ collections: ['wiki'], scope: 'read' })
})

test('every table of a store is shown in part, empty in a view, or has no content', () => {
  const created = FORMATS.flat(2).flatMap(sql => /^CREATE TABLE (\w+)/.exec(sql)?.[1] ?? [])
  const withoutContent = ['leases', 'store_identity', 'shared_places', 'receipt_keys']
  const ofStorage = ['shared_contents', 'shared_trash'] // read by SharedContents, which has the catalog of the store
  expect(new Set([...VIEW_TABLES, ...withoutContent, ...ofStorage])).toEqual(new Set(created))
})

/** Routes that a reader may use; `id` is a document that it sees. */
function listRequests(name: string, word: string, id: string): readonly Request[] {
  const search = (more: object) =>
    ['POST', '/api/search', { query: word, collections: [name], ...more }] as const
  const asked = { messages: [{ role: 'user', content: `What is ${word}?` }], model: name }
  const call = (tool: string, args: object) =>
    [
      'POST',
      `/mcp?collection=${name}`,
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool, arguments: args } },
    ] as const
  const paths = [
    ...['', '/text', '/blocks', '/chunks', '/tables', '/file'].map(
      part => `/api/documents/${id}${part}`,
    ),
    ...[
      `/api/citations/${id}?start=0&end=9`,
      `/api/documents?collection=${name}`,
      '/api/collections',
    ],
    ...[
      `/api/collections/${name}`,
      `/api/collections/${name}/documents`,
      `/api/jobs?collection=${name}`,
    ],
    ...['/api/deletions', '/api/conversations', '/api/threads', '/v1/models', '/v1/files'],
    ...['/v1/vector_stores', `/v1/vector_stores/${name}`, `/v1/vector_stores/${name}/files`],
  ]
  return [
    ...paths.map(path => ['GET', path] as const),
    ...[search({ explain: true }), search({ mode: 'keyword' }), search({ mode: 'vector' })],
    ...[search({ mode: 'front-page' }), search({ precise: true }), search({ query: `${word}x` })],
    ...[
      search({ filter: 'team=x' }),
      search({ query: `"${word}"` }),
      search({ documents: ['d0'] }),
    ],
    ['POST', '/api/ask', { question: `What is ${word}?`, collections: [name] }],
    ['POST', '/api/ask', { question: 'How many documents are there?', collections: [name] }],
    ['POST', '/api/find', { text: `${word} ${word}`, collections: [name] }],
    ['POST', '/v1/chat/completions', asked],
    ['POST', '/v1/completions', { prompt: word, model: name }],
    ['POST', '/v1/responses', { input: word, model: name, store: false }],
    ['POST', `/v1/vector_stores/${name}/search`, { query: word }],
    [
      'POST',
      '/retrieval',
      { knowledge_id: name, query: word, retrieval_setting: { top_k: 5, score_threshold: 0 } },
    ],
    ...[call('search', { query: word }), call('list_documents', {})],
  ]
}

type Request = readonly [method: string, path: string, body?: object]

const ID = /\b[a-z]+[_-][0-9a-f]{16,}(?:_\d+|i\d+)?\b/g
const TIME = /\b1\d{9}(?:\d{3})?\b|\d{4}-\d\d-\d\dT[\d:.]+Z|(?<="seconds\\?":)[\d.e-]+/g

/** Numbers ids in their order, and hides times, which differ between any two stores. */
async function normalize(response: Response): Promise<string> {
  const ids = new Map<string, string>()
  const text = (await response.text()).replaceAll(ID, id => {
    ids.set(id, ids.get(id) ?? `id${ids.size}`)
    return ids.get(id)! // just set
  })
  return `${response.status} ${text.replaceAll(TIME, 'time')}`
}

test('a hidden document, job or collection is answered like one that does not exist', async () => {
  await put('default', 'wiki', WIKI)
  await put('default', 'secret', WIKI)
  const { token: all } = await service.keys.create({ name: 'x', tenant: 'default', scope: 'admin' })
  const token = signToken({ sub: 'ann', aud: 'passim', collections: ['wiki'] })
  const list = async (path: string) => await (await read(all, 'GET', path)).json()
  const { documents } = (await list('/api/documents?collection=wiki')) as {
    documents: { id: string; title: string; fileId: string }[]
  }
  const { jobs } = (await list('/api/jobs?collection=wiki')) as {
    jobs: { id: string; documentId: string }[]
  }
  const hidden = documents.find(({ title }) => title === 'b')!
  const job = jobs.find(({ documentId }) => documentId === hidden.id)!
  const unknown = `${hidden.id.slice(0, -4)}0000`
  const answer = async (path: string) =>
    (await normalize(await read(token, 'GET', path))).replaceAll('secret', 'none')
  for (const part of [
    '',
    '/text',
    '/blocks',
    '/chunks',
    '/tables',
    '/file',
    '/pages/1',
    '/pages/1.png',
  ])
    expect(await answer(`/api/documents/${hidden.id}${part}`)).toBe(
      await answer(`/api/documents/${unknown}${part}`),
    )
  expect(await answer(`/api/citations/${hidden.id}?start=0&end=3`)).toMatch(/^404/)
  expect(await answer(`/api/jobs/${job.id}`)).toMatch(/^404/)
  expect(await answer(`/v1/files/${hidden.fileId}/content`)).toMatch(/^404/)
  expect(await answer(`/v1/vector_stores/wiki/files/${hidden.fileId}`)).toMatch(/^404/)
  for (const part of ['', '/chunks'])
    expect(await answer(`/api/collections/wiki/documents/b${part}`)).toMatch(/^404/)
  expect(await answer('/api/collections/secret')).toBe(await answer('/api/collections/none'))
})

const WORDS = [...'printer paper drum toner hall leave days lease rent 打印机 纸张 租金'.split(' ')]
const textArbitrary = fc
  .array(fc.constantFrom(...WORDS), { minLength: 3, maxLength: 30 })
  .map(words => `The ${words.join(' ')}.`)
const documentArbitrary = fc.record({ text: textArbitrary, isVisible: fc.boolean() })
const setArbitrary = fc.record({
  documents: fc.array(documentArbitrary, { minLength: 2, maxLength: 8 }),
  words: fc.uniqueArray(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 3 }),
})

const FILTER: Filter = { type: 'eq', key: 'team', value: 'x' }

let compared = 0

/** Answers of a store to a reader, by request. */
async function collectAnswers(tenant: string, name: string, words: readonly string[]) {
  const key = { name, tenant, scope: 'read' as const, collections: [name], filter: FILTER }
  const { token } = await service.keys.create(key)
  const listed = await read(token, 'GET', `/api/documents?collection=${name}`)
  const { documents } = (await listed.json()) as { documents: { id: string }[] }
  const answers: Record<string, string> = {}
  for (const word of words)
    for (const [method, path, body] of listRequests(name, word, documents[0]?.id ?? 'doc_0')) {
      const answer = await normalize(await read(token, method, path, body))
      answers[`${method} ${path.replace(ID, 'id')} ${JSON.stringify(body)}`] = answer
      compared++
    }
  return answers
}

test('documents that a reader may not see change no byte of what it gets', async () => {
  let count = 0
  await fc.assert(
    fc.asyncProperty(setArbitrary, async ({ documents, words }) => {
      const name = `set${count++}`
      const given = documents.map(({ text, isVisible }, at) => ({
        ...{ id: `d${at}`, text, isVisible },
        attributes: { team: isVisible ? 'x' : 'y', ...(!isVisible && { secret: 'yes' }) },
      }))
      const strip = (some: typeof given) => some.map(({ isVisible: _, ...one }) => one)
      await put('some', name, strip(given.filter(({ isVisible }) => isVisible)))
      await put('all', name, strip(given))
      if (!given.some(({ isVisible }) => isVisible)) return
      expect(await collectAnswers('all', name, words)).toEqual(
        await collectAnswers('some', name, words),
      )
    }),
    { numRuns: chooseDraws(2, 16), endOnFailure: true },
  )
  expect(compared).toBeGreaterThan(chooseDraws(60, 1_000))
}, 300_000)
