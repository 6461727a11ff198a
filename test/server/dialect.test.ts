import { afterAll, beforeAll, expect, test } from 'vitest'
import { Sandbox } from '../fakes/store.ts'
import { Api } from './api.ts'
import { openKeyed } from './keyed.ts'

type Schema = {
  readonly $ref?: string
  readonly type?: string
  readonly format?: string
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly additionalProperties?: Schema | boolean
} & { readonly [union in 'anyOf' | 'oneOf' | 'allOf']?: readonly Schema[] }

type Contents = Readonly<Record<string, { readonly schema: Schema }>>

type Operation = {
  readonly summary: string
  readonly parameters?: readonly { readonly name: string; readonly in: string }[]
  readonly requestBody?: { readonly content: Contents }
  readonly responses: Readonly<
    Record<string, { readonly $ref?: string; readonly content?: Contents }>
  >
}

type Described = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly responses: Readonly<Record<string, { readonly content: Contents }>>
  }
}

let sandbox: Sandbox
let api: Api
beforeAll(async () => {
  sandbox = await Sandbox.make()
  api = new Api(await sandbox.open())
})
afterAll(async () => await sandbox.remove())

/** The business protocol of threads, whose messages are fixed in snake case as a whole. */
const OWN_PROTOCOL = /^\/api\/threads(?:\/|$)/

/** A value of `status` that counts documents. */
const STATUS_NAMES = new Set(['in_progress'])

/** Lists of another form, and why. */
const OTHER_LISTS = new Map([
  ['GET /api/chat/{id}', 'the AI SDK reads all messages at once'],
  ['GET /api/conversations/{id}', 'the newest turns come first: `before` goes back'],
  ['GET /api/checks', 'there is one for each part of the service'],
  ['GET /api/documents/{id}/tables', 'the tables of one document are returned together'],
])

const service = await openKeyed()
const { paths, components } = (await (
  await service.app.request('/openapi.json')
).json()) as Described
await service.close()

const operations = Object.entries(paths)
  .filter(([path]) => path.startsWith('/api/'))
  .flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...{ path, operation, name: `${method.toUpperCase()} ${path}` },
    })),
  )
const ours = operations.filter(({ path }) => !OWN_PROTOCOL.test(path))

function resolve(schema: Schema): Schema {
  return schema.$ref ? (components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}) : schema
}

/** Every property that a schema has at any depth, once for each named schema. */
function* listFields(schema: Schema, seen = new Set<string>()): Generator<[string, Schema]> {
  if (schema.$ref && seen.has(schema.$ref)) return
  if (schema.$ref) seen.add(schema.$ref)
  const { properties = {}, items, additionalProperties, ...rest } = resolve(schema)
  for (const [name, field] of Object.entries(properties)) yield [name, resolve(field)]
  const inner = [
    ...Object.values(properties),
    ...(items ? [items] : []),
    ...(typeof additionalProperties === 'object' ? [additionalProperties] : []),
    ...[rest.anyOf, rest.oneOf, rest.allOf].flatMap(union => union ?? []),
  ]
  for (const one of inner) yield* listFields(one, seen)
}

function listContents({ requestBody, responses }: Operation): readonly Schema[] {
  return [requestBody, ...Object.values(responses)].flatMap(part =>
    Object.values(part?.content ?? {}).map(({ schema }) => schema),
  )
}

const listQuery = ({ parameters = [] }: Operation) =>
  parameters.filter(one => one.in === 'query').map(({ name }) => name)

test('fields and query parameters under /api are in camel case', () => {
  const others = ours.flatMap(({ name, operation }) =>
    [
      ...listQuery(operation),
      ...listContents(operation).flatMap(schema => [...listFields(schema)].map(([field]) => field)),
    ]
      .filter(field => !/^[a-z][a-zA-Z0-9]*$/.test(field) && !STATUS_NAMES.has(field))
      .map(field => `${name}: ${field}`),
  )
  expect(others).toEqual([])
})

test('times under /api are texts in RFC 3339', () => {
  const times = ours.flatMap(({ name, operation }) =>
    listContents(operation)
      .flatMap(schema => [...listFields(schema)])
      .filter(([field]) => /(?:At|^at|^timestamp)$/.test(field))
      .map(([field, { type, format }]) => ({ place: `${name}: ${field}`, type, format })),
  )
  expect(times.length).toBeGreaterThan(50)
  expect(times.filter(one => one.type !== 'string' || one.format !== 'date-time')).toEqual([])
  const numbers = ours.flatMap(({ name, operation }) =>
    listContents(operation)
      .flatMap(schema => [...listFields(schema)])
      .filter(([, { type, description = '' }]) => type === 'integer' && /Unix/.test(description))
      .map(([field]) => `${name}: ${field}`),
  )
  expect(numbers).toEqual([])
})

test('lists under /api have the name of what they list, and end alike', () => {
  const getAnswer = ({ operation }: (typeof ours)[number]) =>
    resolve(operation.responses['200']?.content?.['application/json']?.schema ?? {})
  const isList = (one: (typeof ours)[number]) =>
    one.name.startsWith('GET') &&
    (one.operation.summary.startsWith('List') ||
      listQuery(one.operation).includes('limit') ||
      getAnswer(one).properties?.[one.path.split('/').at(-1) ?? '']?.type === 'array')
  const lists = ours.filter(isList)
  const named = new Set(lists.map(({ name }) => name))
  for (const name of OTHER_LISTS.keys()) expect(named).toContain(name)
  const checked = lists.filter(({ name }) => !OTHER_LISTS.has(name))
  expect(checked.length).toBeGreaterThan(7)
  for (const one of checked) {
    const { name, path, operation } = one
    const { properties = {}, required = [] } = getAnswer(one)
    const resource = path.split('/').at(-1) ?? ''
    expect(listQuery(operation), name).toEqual(expect.arrayContaining(['after', 'limit']))
    expect(resolve(properties[resource] ?? {}).type, name).toBe('array')
    expect(properties.hasMore?.type, name).toBe('boolean')
    expect(Object.keys(properties), name).toContain('last')
    expect(required, name).toEqual(expect.arrayContaining([resource, 'hasMore']))
    expect(required, name).not.toContain('last')
  }
})

test('every error under /api has one shape', () => {
  for (const { name, operation } of operations) {
    const failures = Object.entries(operation.responses).filter(([status]) => !/^[23]/.test(status))
    expect(failures.length, name).toBeGreaterThan(1)
    for (const [status, { $ref = '' }] of failures) {
      const content = components.responses[$ref.split('/').at(-1) ?? '']?.content ?? {}
      expect(content, `${name} ${status}`).toEqual({
        'application/json': { schema: { $ref: '#/components/schemas/Error' } },
      })
    }
  }
})

test('a client of an earlier version sends and gets the earlier forms', async () => {
  const ask = async (version: string, method: string, path: string, body?: object) => {
    const headers = { 'passim-version': version, 'content-type': 'application/json' }
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
    const response = await api.app.request(path, init)
    return { status: response.status, body: (await response.json()) as Record<string, never> }
  }
  const attributes = { createdAt: '2020-01-01', hasMore: 'kept' }
  for (const id of ['a', 'b'])
    await ask('2026-12-01', 'POST', '/api/collections/notes/documents', {
      ...{ id, text: `# Heron ${id}\n\nIt wades.`, attributes },
    })
  const isIndexed = async () =>
    (await api.passim.jobs.list(undefined, 9)).every(({ state }) => state === 'completed')
  await expect.poll(isIndexed, { timeout: 60_000 }).toBe(true)
  const path = '/api/documents?collection=notes&limit=1'
  const now = (await ask('2026-12-01', 'GET', path)).body
  const older = (await ask('2026-11-01', 'GET', path)).body
  expect(await api.json('GET', path)).toEqual(now)
  const [document] = now.documents as unknown as { createdAt: string; indexedAt: string }[]
  expect([now.hasMore, document]).toMatchObject([
    true,
    { createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/), attributes },
  ])
  const { hasMore, ...rest } = now
  expect(older).toEqual({
    ...rest,
    has_more: hasMore,
    documents: [
      {
        ...document,
        createdAt: Date.parse(document?.createdAt ?? ''),
        indexedAt: Date.parse(document?.indexedAt ?? ''),
      },
    ],
  })
  const remove = '/api/collections/notes/documents/delete'
  const selected = { filter: 'createdAt=2020-01-01' }
  expect(await ask('2026-11-01', 'POST', remove, { ...selected, dry_run: true })).toMatchObject({
    body: { matched: 2, deleted: 0, has_more: false },
  })
  expect(await ask('2026-12-01', 'POST', remove, { ...selected, dry_run: true })).toMatchObject({
    status: 400,
  })
  expect(await ask('soon', 'GET', path)).toMatchObject({ status: 400 })
  const { conversation } = (
    await ask('2026-12-01', 'POST', '/api/ask', {
      ...{ question: 'Where does the heron wade?', conversation: 'new' },
    })
  ).body
  const { conversations } = (await ask('2026-12-01', 'GET', '/api/conversations')).body
  const [{ id, updatedAt }] = conversations as unknown as [{ id: string; updatedAt: string }]
  expect(id).toBe(conversation)
  expect((await ask('2026-11-01', 'GET', '/api/conversations')).body).toMatchObject({
    data: [{ id, updated_at: Math.floor(Date.parse(updatedAt) / 1000) }],
    has_more: false,
    last_id: id,
  })
  const [{ id: documentId }] = now.documents as unknown as [{ id: string }]
  const blocks = `/api/documents/${documentId}/blocks?limit=1`
  const first = (await ask('2026-11-01', 'GET', blocks)).body
  expect((await ask('2026-11-01', 'GET', `${blocks}&start=${first.next}`)).body).toMatchObject({
    blocks: [{ text: 'It wades.' }],
  })
  const jobs = (await ask('2026-12-01', 'GET', '/api/jobs?limit=1')).body
  const others = (await ask('2026-12-01', 'GET', `/api/jobs?limit=1&after=${jobs.last}`)).body
  expect([jobs, others]).toMatchObject([
    { hasMore: true, total: 2, jobs: [{ state: 'completed' }] },
    { hasMore: false, total: 2, jobs: [{ state: 'completed' }] },
  ])
  expect(jobs.last).not.toBe(others.last)
  expect(await api.refusal('GET', '/api/jobs?after=job_none')).toMatchObject({ param: 'after' })
  expect(await api.refusal('GET', '/api/conversations?after=conv_none')).toMatchObject({
    ...{ status: 400, param: 'after' },
  })
  const stream = await api.app.request(`/api/jobs/${jobs.last}/events`, {
    headers: { 'passim-version': '2026-11-01' },
  })
  expect(await stream.text()).toMatch(/"startedAt":\d+/)
})
