import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Job } from '../../src/ingest/store/catalog/jobs.ts'
import { openKeyed } from './keyed.ts'

type Tenant = {
  readonly token: string
  readonly word: string
  readonly ids: { kind: Kind; id: string }[]
}
type Kind =
  | 'file'
  | 'store'
  | 'batch'
  | 'document'
  | 'job'
  | 'response'
  | 'upload'
  | 'conversation'
  | 'item'

/** What who asks has itself. */
type Own = { readonly store: string; readonly conversation: string }

type Place = readonly [
  method: string,
  path: (id: string, own: Own) => string,
  body?: (id: string) => object,
]

/** Every way of naming a thing: in the path, and in a body. */
const PLACES: Readonly<Record<Kind, readonly Place[]>> = {
  file: [
    ['GET', id => `/v1/files/${id}`],
    ['GET', id => `/v1/files/${id}/content`],
    ['DELETE', id => `/v1/files/${id}`],
    ['POST', () => '/v1/vector_stores', id => ({ file_ids: [id] })],
    [
      'POST',
      () => '/api/threads/messages',
      id => ({
        ...{ thread_id: '', role: 'user', content: { type: 'plain', text: 'Which word?' } },
        attachments: [{ file_id: id, filename: 'a.txt' }],
      }),
    ],
  ],
  store: [
    ['GET', id => `/v1/vector_stores/${id}`],
    ['GET', id => `/v1/vector_stores/${id}/files`],
    ['GET', id => `/v1/models/${id}`],
    ['POST', id => `/v1/vector_stores/${id}/search`, () => ({ query: 'word' })],
    ['POST', id => `/v1/vector_stores/${id}`, () => ({ name: 'mine now' })],
    ['DELETE', id => `/v1/vector_stores/${id}`],
    [
      'POST',
      () => '/retrieval',
      id => ({
        knowledge_id: id,
        query: 'word',
        retrieval_setting: { top_k: 3, score_threshold: 0 },
      }),
    ],
    ['POST', () => '/api/search', id => ({ query: 'word', collections: [id] })],
    ['POST', () => '/api/ask', id => ({ question: 'Which word?', collections: [id] })],
    [
      'POST',
      () => '/v1/responses',
      id => ({ input: 'Which word?', tools: [{ type: 'file_search', vector_store_ids: [id] }] }),
    ],
    ['GET', id => `/api/jobs?collection=${id}`],
  ],
  batch: [
    ['GET', (id, { store }) => `/v1/vector_stores/${store}/file_batches/${id}`],
    ['GET', (id, { store }) => `/v1/vector_stores/${store}/file_batches/${id}/files`],
    ['POST', (id, { store }) => `/v1/vector_stores/${store}/file_batches/${id}/cancel`],
  ],
  document: [
    ['GET', id => `/api/documents/${id}`],
    ['GET', id => `/api/documents/${id}/text`],
    ['GET', id => `/api/documents/${id}/file`],
    ['GET', id => `/api/citations/${id}?start=0&end=3`],
  ],
  job: [
    ['GET', id => `/api/jobs/${id}`],
    ['GET', id => `/api/jobs/${id}/events`],
    ['POST', id => `/api/jobs/${id}/cancel`],
    ['POST', id => `/api/jobs/${id}/retry`],
  ],
  response: [
    ['GET', id => `/v1/responses/${id}`],
    ['GET', id => `/v1/responses/${id}?stream=true&starting_after=0`],
    ['GET', id => `/v1/responses/${id}/input_items`],
    ['POST', () => '/v1/responses', id => ({ input: 'Which word?', previous_response_id: id })],
    [
      'POST',
      () => '/v1/responses/input_tokens',
      id => ({ input: 'Which word?', previous_response_id: id }),
    ],
    ['POST', id => `/v1/responses/${id}/cancel`],
    ['DELETE', id => `/v1/responses/${id}`],
  ],
  conversation: [
    ['GET', id => `/v1/conversations/${id}`],
    ['POST', id => `/v1/conversations/${id}`, () => ({ metadata: { a: 'mine now' } })],
    ['GET', id => `/v1/conversations/${id}/items`],
    ['GET', id => `/v1/conversations/${id}/items/msg_1`],
    ['DELETE', id => `/v1/conversations/${id}/items/msg_1`],
    [
      'POST',
      id => `/v1/conversations/${id}/items`,
      () => ({ items: [{ role: 'user', content: 'Which word?' }] }),
    ],
    ['POST', () => '/v1/responses', id => ({ input: 'Which word?', conversation: id })],
    [
      'POST',
      () => '/v1/responses/input_tokens',
      id => ({ input: 'Which word?', conversation: { id } }),
    ],
    ['POST', () => '/api/ask', id => ({ question: 'Which word?', conversation: id })],
    ['GET', id => `/api/conversations/${id}`],
    ['GET', id => `/api/conversations/${id}/events`],
    ['GET', id => `/api/conversations/${id}/events?after=0`],
    ['POST', id => `/api/conversations/${id}/stop`],
    ['PATCH', id => `/api/conversations/${id}`, () => ({ title: 'mine now' })],
    ['POST', id => `/api/conversations/${id}/resume`],
    ['GET', id => `/api/conversations/${id}/links`],
    ['POST', id => `/api/conversations/${id}/links`, () => ({})],
    ['DELETE', id => `/api/conversations/${id}/links/msg_1`],
    ['DELETE', id => `/api/conversations/${id}`],
    ['GET', id => `/api/threads/${id}/messages`],
    ['GET', id => `/api/threads/${id}/events`],
    ['GET', id => `/api/threads/${id}/events?after=msg_1`],
    ['GET', id => `/api/threads/${id}/messages?after=msg_1`],
    ['POST', id => `/api/threads/${id}/stop`],
    [
      'POST',
      () => '/api/threads/messages',
      id => ({ thread_id: id, role: 'user', content: { type: 'plain', text: 'Which word?' } }),
    ],
    [
      'POST',
      () => '/api/threads/messages',
      id => ({
        thread_id: id,
        role: 'status',
        content: { code: -2001, message: '', extra: { message_id: 'status_1' } },
      }),
    ],
    ['DELETE', id => `/api/threads/${id}`],
    ['GET', id => `/api/chat/${id}`],
    [
      'POST',
      () => '/api/chat',
      id => ({ id, messages: [{ role: 'user', parts: [{ type: 'text', text: 'Which word?' }] }] }),
    ],
    [
      'POST',
      () => '/api/chat',
      id => ({
        id,
        trigger: 'regenerate-message',
        messages: [{ role: 'user', parts: [{ type: 'text', text: 'Which?' }] }],
      }),
    ],
    [
      'POST',
      () => '/api/chat',
      id => ({
        id,
        messages: [
          {
            role: 'assistant',
            parts: [
              {
                type: 'dynamic-tool',
                state: 'approval-responded',
                toolCallId: 'a',
                approval: { approved: true },
              },
            ],
          },
        ],
      }),
    ],
    ['DELETE', id => `/v1/conversations/${id}`],
  ],
  item: [
    ['GET', (id, { conversation }) => `/v1/conversations/${conversation}/items/${id}`],
    ['DELETE', (id, { conversation }) => `/v1/conversations/${conversation}/items/${id}`],
    [
      'POST',
      () => '/v1/responses',
      id => ({
        input: [
          { type: 'item_reference', id },
          { role: 'user', content: 'Which word?' },
        ],
      }),
    ],
  ],
  upload: [
    ['POST', id => `/v1/uploads/${id}/cancel`],
    ['POST', id => `/v1/uploads/${id}/complete`, () => ({ part_ids: ['part_1'] })],
  ],
}

/** Where the AI SDK asks before there is anything: nothing is there to go on with, or to stop. */
const QUIET: readonly Place[] = [
  ['GET', id => `/api/chat/${id}/stream`],
  ['POST', id => `/api/chat/${id}/stop`],
]

/** All that names what was said in its path, or takes it up. */
const SAID = /^\/(?:v1\/(?:conversations|responses)|api\/(?:conversations|threads|chat))\/.*\{/

test('every route that names a conversation or an answer is among those that are tried', async () => {
  const service = await openKeyed()
  try {
    const description = (await (await service.call('', 'GET', '/openapi.json')).json()) as {
      paths: Record<string, object>
    }
    const there = Object.entries(description.paths).flatMap(([path, methods]) =>
      SAID.test(path)
        ? Object.keys(methods).map(
            method => `${method.toUpperCase()} ${path.replaceAll(/\{[^}]+\}/g, 'ID')}`,
          )
        : [],
    )
    const own = { store: 'ID', conversation: 'ID' }
    const places = [...PLACES.response, ...PLACES.conversation, ...PLACES.item, ...QUIET]
    const tried = new Set(
      places.map(
        ([method, path]) =>
          `${method} ${path('ID', own).replace(/\?.*/, '').replace('msg_1', 'ID')}`,
      ),
    )
    expect(there.length).toBeGreaterThan(15)
    expect(there.filter(route => !tried.has(route))).toEqual([])
  } finally {
    await service.close()
  }
})

const LISTS = [
  ...['/v1/files', '/v1/vector_stores', '/v1/models', '/api/jobs'],
  ...['/api/conversations?limit=100', '/api/threads?limit=100'],
]

test('nothing of one tenant is seen by another, whatever both do', async () => {
  const service = await openKeyed()
  const json = async (response: Response) =>
    (await response.json()) as { id: string; data?: { id: string }[] }
  const call = async ({ token }: Tenant, method: string, path: string, body?: object) =>
    await service.call(token, method, path, body)
  const make = async (tenant: Tenant, kind: Kind): Promise<void> => {
    if (kind === 'file')
      tenant.ids.push({
        kind,
        id: await service.upload(tenant.token, 'a.txt', `The word ${tenant.word}.`),
      })
    const file_ids = tenant.ids.filter(one => one.kind === 'file').map(one => one.id)
    const bodies = {
      store: ['/v1/vector_stores', { name: tenant.word, file_ids }],
      response: [
        '/v1/responses',
        { input: 'Which word?', model: tenant.ids.findLast(one => one.kind === 'store')?.id },
      ],
      conversation: [
        '/v1/conversations',
        { items: [{ role: 'user', content: `What of the ${tenant.word}?` }] },
      ],
      upload: [
        '/v1/uploads',
        { filename: tenant.word, purpose: 'assistants', bytes: 1, mime_type: 'text/plain' },
      ],
    } as const
    if (kind !== 'store' && kind !== 'response' && kind !== 'upload' && kind !== 'conversation')
      return
    const [path, body] = bodies[kind]
    const response = await call(tenant, 'POST', path, body)
    if (response.status === 200) tenant.ids.push({ kind, id: (await json(response)).id })
    if (kind === 'store') await makeWithin(tenant, file_ids)
    if (kind === 'conversation') await makeItem(tenant)
  }
  const makeItem = async (tenant: Tenant): Promise<void> => {
    const { data } = await json(
      await call(tenant, 'GET', `/v1/conversations/${tenant.ids.at(-1)?.id}/items`),
    )
    tenant.ids.push({ kind: 'item', id: data?.[0]?.id ?? '' })
  }
  /** What comes to be with a store: a batch, documents, jobs. */
  const makeWithin = async (tenant: Tenant, file_ids: readonly string[]): Promise<void> => {
    const batches = `/v1/vector_stores/${tenant.ids.at(-1)?.id}/file_batches`
    tenant.ids.push({
      kind: 'batch',
      id: (await json(await call(tenant, 'POST', batches, { file_ids }))).id,
    })
    const { jobs } = (await (await call(tenant, 'GET', '/api/jobs')).json()) as { jobs: Job[] }
    for (const { id, documentId } of jobs.slice(0, 2)) {
      tenant.ids.push({ kind: 'job', id }, { kind: 'document', id: documentId ?? '' })
    }
  }
  /** Somebody else's id is as one that never was: the same status, and the same words but for the id itself. */
  const probe = async (prober: Tenant, { kind, id }: Tenant['ids'][number]): Promise<void> => {
    const never = id.replace(/.{6}$/, '000000')
    const ownOf = (wanted: Kind) => prober.ids.find(one => one.kind === wanted)?.id ?? ''
    const own = { store: ownOf('store'), conversation: ownOf('conversation') }
    if (kind === 'conversation') await probeQuiet(prober, id, never)
    for (const [method, path, body] of PLACES[kind]) {
      const answers = await Promise.all(
        [id, never].map(one => call(prober, method, path(one, own), body?.(one))),
      )
      expect(
        answers.map(answer => answer.status),
        `${method} ${path('ID', own)}`,
      ).toEqual([404, 404])
      const [seen, unknown] = await Promise.all(answers.map(answer => answer.text()))
      expect(seen?.replaceAll(id, '*')).toBe(unknown?.replaceAll(never, '*'))
    }
  }
  const probeQuiet = async (prober: Tenant, id: string, never: string): Promise<void> => {
    for (const [method, path] of QUIET) {
      const answers = await Promise.all(
        [id, never].map(one => call(prober, method, path(one, { store: '', conversation: '' }))),
      )
      const [seen, unknown] = await Promise.all(
        answers.map(async answer => [answer.status, await answer.text()]),
      )
      expect(seen).toEqual(unknown)
      expect(seen).toEqual(method === 'GET' ? [204, ''] : [200, '{"stopped":false}'])
    }
  }
  const look = async (tenant: Tenant, other: Tenant): Promise<void> => {
    for (const path of LISTS) {
      const text = await (await call(tenant, 'GET', path)).text()
      expect(text).not.toContain(other.word)
      for (const { id } of other.ids) expect(text).not.toContain(id)
    }
    const stores = tenant.ids.filter(one => one.kind === 'store')
    for (const { id } of stores.slice(-2)) {
      const found = await (
        await call(tenant, 'POST', `/v1/vector_stores/${id}/search`, { query: other.word })
      ).text()
      expect(found.replace(/"search_query":\[[^\]]*\]/, '')).not.toContain(other.word)
    }
  }
  try {
    const tenants = await Promise.all(
      ['xylophone', 'bassoon'].map(
        async (word, at): Promise<Tenant> => ({
          token: await service.token(`t${at}`),
          word,
          ids: [],
        }),
      ),
    )
    for (const tenant of tenants)
      for (const kind of ['file', 'store', 'response', 'upload', 'conversation'] as const)
        await make(tenant, kind)
    for (const { ids } of tenants)
      expect(new Set(ids.map(({ kind }) => kind))).toEqual(new Set(Object.keys(PLACES)))
    const step = fc.record({
      who: fc.nat(1),
      what: fc.constantFrom('file', 'store', 'response', 'upload', 'conversation', 'probe', 'look'),
      which: fc.nat(),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 12 }), async steps => {
        for (const { who, what, which } of steps) {
          const [tenant, other] = [tenants[who]!, tenants[1 - who]!]
          if (what === 'look') await look(tenant, other)
          else if (what === 'probe') await probe(tenant, other.ids[which % other.ids.length]!)
          else await make(tenant, what as Kind)
        }
      }),
      { numRuns: 8, seed: 20261121 },
    )
    expect(service.log).toEqual([])
  } finally {
    await service.close()
  }
})
