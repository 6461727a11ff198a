import { connect } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ScriptedModel, startScriptedModel } from '../fakes/scripted-model-server.ts'
import { type Running, startServer } from '../server/running.ts'

let model: ScriptedModel
let server: Running
let routes: readonly Route[]
/** What stands for the parameters of paths, by how a path begins. */
let ids: Readonly<Record<string, readonly string[]>>

type Parameter = { readonly name: string; readonly in: string; readonly required?: boolean }
type Described = {
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: {
    readonly content: Record<
      string,
      { readonly example?: Record<string, unknown>; readonly schema?: Schema }
    >
  }
}
type Schema = { readonly properties?: object }
type Route = Described & { readonly method: string; readonly path: string }

beforeAll(async () => {
  model = await startScriptedModel([{ text: ['At most 120 euros [1].'] }])
  server = await startServer({ settings: { model: { url: model.url, name: 'scripted' } } })
  await server.passim.index([
    await server.sandbox.write({ 'hotel.md': 'Hotels cost at most 120 euros a night.' }),
  ])
  const { paths } = (await (await fetch(`${server.url}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, Described>>
  }
  routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({
      ...described,
      method: method.toUpperCase(),
      path,
    })),
  )
  const post = async (path: string, body: object) => {
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }
    return (await (await fetch(`${server.url}${path}`, init)).json()) as { id: string }
  }
  const { id: response } = await post('/v1/responses', {
    model: 'scripted',
    input: 'What do hotels cost?',
  })
  const { id: conversation } = await post('/v1/conversations', {})
  const [file] = await server.passim.files.list()
  const [store] = await server.passim.collections.listVisible()
  const listed = await (await fetch(`${server.url}/api/documents?collection=default`)).json()
  const [document] = (listed as { documents: { id: string }[] }).documents
  const [job] = await server.passim.jobs.list(store?.id ?? '', 1)
  ids = {
    '/v1/files': [file?.id ?? 'none'],
    '/v1/vector_stores': [store?.id ?? 'none', file?.id ?? 'none'],
    '/v1/responses': [response],
    '/v1/conversations': [conversation],
    '/api/documents': [document?.id ?? 'none', '1'],
    '/api/citations': [document?.id ?? 'none'],
    '/api/jobs': [job?.id ?? 'none'],
  }
})
afterAll(async () => {
  await server.close()
  await model.close()
})

/** What is there, so that a route is gone through to its end; what would delete it finds none. */
function filledIn({ method, path }: Route): string {
  const isDeleting = method === 'DELETE'
  const [, own = []] =
    Object.entries(isDeleting ? {} : ids).find(([start]) => path.startsWith(start)) ?? []
  const rest = [...own]
  return path.replace(/\{\w+\}/g, () => rest.shift() ?? 'none')
}

/** Aborted where no answer comes: then the server hangs. */
const answered = (url: string, init: RequestInit = {}) =>
  fetch(`${server.url}${url}`, { ...init, signal: AbortSignal.timeout(30_000) })

/** Nothing is at that address: it is fetched in vain, where everything else was right. */
const WITHOUT_NETWORK: ReadonlySet<string> = new Set(['fetch_failed'])

/** What is wrong with an answer to a request that has something odd under that name; undefined where nothing is. */
async function wrong(
  url: string,
  name: string,
  init: RequestInit = {},
): Promise<string | undefined> {
  const response = await answered(url, init)
  if (response.status < 400) {
    await response.body?.cancel() // it may be the events of something that goes on
    return undefined
  }
  const text = await response.text()
  const said = `${init.method ?? 'GET'} ${url.slice(0, 200)} ${String(init.body).slice(0, 200)}: ${response.status} ${text.slice(0, 300)}`
  const { error } = JSON.parse(text) as {
    error: { message: string; code: string; param: string | null }
  } // the envelope
  if (WITHOUT_NETWORK.has(error.code)) return undefined
  const isNamed = response.status === 404 || `${error.param} ${error.message}`.includes(name)
  return response.status < 500 && error.message && isNamed ? undefined : said
}

const ODD_TEXTS = [
  ...[
    '',
    ' ',
    '%00',
    '%ff',
    '%ED%A0%80',
    '-1',
    '0',
    '1e309',
    '9007199254740993',
    '0x10',
    '٣',
    'null',
    'true',
    '[]',
  ],
  ...['{}', '..%2F..%2Fetc', 'asc%0d%0aX-Y: z', '%E4%B9%A6', 'x'.repeat(6_000), '%f0%9f%98%80'],
]

test('an odd value of a query parameter is passed over, or refused by its name, on every route', async () => {
  const found: (string | undefined)[] = []
  let tried = 0
  for (const route of routes.filter(({ method }) => method !== 'POST')) {
    const path = filledIn(route)
    const parameters = (route.parameters ?? []).filter(one => one.in === 'query')
    for (const { name } of parameters) {
      const needed = parameters
        .filter(one => one.required && one.name !== name)
        .map(one => `&${one.name}=${one.name === 'start' ? 0 : 1}`)
      const queries = ODD_TEXTS.flatMap(text => [
        `${name}=${text}`,
        `${name}=${text}&${name}=1`,
        `${name}[]=${text}`,
      ])
      for (const query of [
        ...queries,
        name,
        `${name}[x]=1`,
        `${name.toUpperCase()}=1`,
        `${'&'.repeat(500)}${name}`,
      ]) {
        found.push(
          await wrong(`${path}?${query}${needed.join('')}`, name, { method: route.method }),
        )
        tried++
      }
    }
  }
  expect(found.filter(Boolean)).toEqual([])
  expect(tried).toBeGreaterThan(3_000)
  expect(server.log).toEqual([])
}, 300_000)

test('an unknown query parameter changes nothing', async () => {
  for (const route of routes.filter(({ method }) => method === 'GET')) {
    const path = filledIn(route)
    const status = async (url: string) => {
      const response = await answered(url)
      await response.body?.cancel()
      return response.status
    }
    expect(await status(`${path}?nobody=knows&nobody=it`), path).toBe(await status(path))
  }
}, 60_000)

const ODD_VALUES: readonly unknown[] = [
  ...[null, true, '', '\u0000', '\ud800', 'x'.repeat(70_000), 0, -1, 0.5, 1e308, 2 ** 53],
  ...[[], [null], [[]], ['x'], {}, { x: 1 }, { type: 'x' }],
]

test('an odd value of a parameter in a body is taken, or refused by its name, on every route of ours', async () => {
  const found: (string | undefined)[] = []
  let tried = 0
  for (const route of routes.filter(
    ({ path }) => path.startsWith('/api/') || path === '/retrieval',
  )) {
    const { example, schema } = route.requestBody?.content['application/json'] ?? {}
    const taken = {
      ...example,
      ...(example && 'url' in example && { url: 'http://nowhere.invalid/' }),
    }
    for (const name of Object.keys(schema?.properties ?? {})) {
      for (const value of ODD_VALUES) {
        const body = JSON.stringify({ ...taken, [name]: value })
        const init = { method: route.method, headers: { 'content-type': 'application/json' }, body }
        found.push(await wrong(filledIn(route), name, init))
        tried++
      }
    }
  }
  expect(found.filter(Boolean)).toEqual([])
  expect(tried).toBeGreaterThan(500)
  expect(server.log).toEqual([])
}, 300_000)

describe('a form, however it is made,', () => {
  const line = fc.constantFrom('\r\n', '\r\n', '\r\n', '\n')
  const disposition = fc.constantFrom(
    ...['form-data; name="file"; filename="a.txt"', 'form-data; name="file"; filename="a.txt"'],
    ...[
      'form-data; name="data"; filename="a.txt"',
      'form-data; name="purpose"',
      'form-data; name="file"',
    ],
    ...[
      'form-data; name=""; filename=""',
      'form-data; name="file"; filename*=utf-8\'\'%ff%00.txt',
      'attachment',
      '',
    ],
    ...[
      `form-data; name="file"; filename="${'n'.repeat(5_000)}"`,
      'form-data; name="expires_after[anchor]"',
    ],
    ...[
      'form-data; name="file"; filename="../../x"',
      'form-data; name="__proto__"',
      'form-data; name="expires_after"',
    ],
  )
  const header = fc.constantFrom(
    ...[
      '',
      '',
      'Content-Type: text/plain; charset=utf-16',
      'Content-Type: application/json',
      'Content-Type: ;;',
    ],
    ...[
      'Content-Transfer-Encoding: base64',
      `X-Long: ${'y'.repeat(20_000)}`,
      'no colon',
      'Content-Type: text/\xff',
    ],
  )
  const value = fc.constantFrom(
    '',
    'assistants',
    'user_data',
    'x',
    'x'.repeat(3_000),
    '\xff\xfe\x00',
    '--b',
    '{"a":1}',
  )
  const part = fc
    .record({ disposition, header, value, line })
    .map(
      ({ disposition: named, header: more, value: content, line: end }) =>
        `--b${end}${named && `Content-Disposition: ${named}${end}`}${more && `${more}${end}`}${end}${content}${end}`,
    )
  const GOOD = [
    '--b\r\nContent-Disposition: form-data; name="purpose"\r\n\r\nassistants\r\n',
    '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nHotels.\r\n',
  ]
  const odd = fc.array(part, { maxLength: 20 })
  const form = fc.record({
    parts: fc.oneof(
      odd,
      fc.constant(GOOD),
      fc.array(part, { maxLength: 1 }).map(more => [...GOOD, ...more]),
    ),
    close: fc.constantFrom('--b--\r\n', '--b--\r\n', '--b--', '--b\r\n', ''),
    /** So much of it is sent, and then the connection ends, or the form is said to be that long. */
    share: fc.oneof(
      { weight: 3, arbitrary: fc.constant(1) },
      fc.double({ min: 0, max: 1, noNaN: true }),
    ),
    isCut: fc.boolean(),
    path: fc.constantFrom('/v1/files', '/v1/files', '/v1/uploads/ID/parts'),
    type: fc.constantFrom(
      'multipart/form-data; boundary=b',
      'multipart/form-data; boundary=b',
      'multipart/form-data; boundary="c"',
      'multipart/mixed; boundary=b',
      'application/json',
      '',
    ),
  })

  /** The status; 0 where the connection ends without one. */
  async function send(bytes: Buffer, isBroken: boolean): Promise<number> {
    let received = ''
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1').on('error', () => {}) // it may be cut
    socket.on('data', text => (received += text.toString('latin1')))
    socket.write(bytes)
    if (isBroken) socket.end()
    await new Promise(resolve => socket.once('close', resolve))
    return Number(/^HTTP\/1\.1 (\d{3})/.exec(received)?.[1] ?? 0)
  }

  test('is taken whole or refused, and the store holds what was taken', async () => {
    const init = { method: 'POST', headers: { 'content-type': 'application/json' } }
    const asked = { filename: 'a.txt', purpose: 'user_data', bytes: 4, mime_type: 'text/plain' }
    const upload = (await (
      await answered('/v1/uploads', { ...init, body: JSON.stringify(asked) })
    ).json()) as {
      id: string
    }
    const before = (await server.passim.files.list()).length
    let taken = 0
    await fc.assert(
      fc.asyncProperty(form, async ({ parts, close, share, isCut, path, type }) => {
        const whole = Buffer.from(parts.join('') + close, 'latin1')
        const body = whole.subarray(0, Math.ceil(whole.length * share))
        const isBroken = isCut && body.length < whole.length
        const head = [
          `POST ${path.replace('ID', upload.id)} HTTP/1.1`,
          ...['Host: localhost', 'Connection: close', `Content-Type: ${type}`],
          `Content-Length: ${isBroken ? whole.length : body.length}`,
        ]
        const status = await send(
          Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]),
          isBroken,
        )
        if (status === 200 && path === '/v1/files') taken++
        expect(
          status === 200 || (status >= 400 && status < 500) || (status === 0 && isBroken),
          `${status} ${head} ${body.toString('latin1').slice(0, 500)}`,
        ).toBe(true)
      }),
      { numRuns: 400, seed: 20261126 },
    )
    expect(taken).toBeGreaterThan(10)
    expect(await server.passim.files.list()).toHaveLength(before + taken)
    expect(server.log).toEqual([])
    const { hits } = (await (
      await answered('/api/search', { ...init, body: JSON.stringify({ query: 'hotels' }) })
    ).json()) as { hits: unknown[] }
    expect(hits.length).toBeGreaterThan(0)
  }, 300_000)
})
