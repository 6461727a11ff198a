import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { toUrl } from '../../src/server/openapi/operation-id.ts'
import type { RequestEntry } from '../../src/server.ts'
import { storeIn } from '../fakes/catalog-environment.ts'
import { Sandbox } from '../fakes/store.ts'
import { Api } from './api.ts'

let sandbox: Sandbox
let api: Api
const entries: RequestEntry[] = []

beforeAll(async () => {
  sandbox = await Sandbox.make()
  api = new Api(await sandbox.open(), { onRequest: entry => entries.push(entry) })
})
afterAll(() => sandbox.remove())

type Description = {
  paths: Record<
    string,
    Record<string, { requestBody?: { content: Record<string, { schema: object }> } }>
  >
}
const description = async () => (await api.json('GET', '/openapi.json')) as unknown as Description

test('metrics count requests by route and status, and tell nothing of what was asked', async () => {
  await api.request('GET', '/v1/files/file-secret')
  await api.request('GET', '/v1/files/file-other')
  await api.request('GET', '/secret/path')
  const text = await (await api.request('GET', '/metrics')).text()
  expect(text).toContain(
    'passim_http_requests_total{method="GET",route="/v1/files/:id",status="404"} 2',
  )
  expect(text).toContain('passim_http_request_seconds_count{method="GET",route="/v1/files/:id"} 2')
  expect(text).toContain('le="+Inf"')
  expect(text).toMatch(/^process_resident_memory_bytes \d+$/m)
  expect(text).not.toContain('secret')
})
test('metrics tell what waits, and what failed', async () => {
  const { id } = await api.store({ 'a.txt': 'words', 'b.bin': '\0\x01\x02' })
  const text = await (await api.request('GET', '/metrics')).text()
  expect(text.match(/^passim_(documents|stores).*/gm)).toEqual([
    'passim_stores_open 1',
    'passim_documents{status="in_progress"} 0',
    'passim_documents{status="completed"} 1',
    'passim_documents{status="failed"} 1',
    'passim_documents{status="cancelled"} 0',
  ])
  await api.request('DELETE', `/v1/vector_stores/${id}`)
})
test('requests are logged by route, without what was asked', async () => {
  await api.request('POST', '/api/search?token=secret', { query: 'a secret question' })
  const { requestId, ms, ...entry } = entries.at(-1)! // just told
  expect(entry).toEqual({ method: 'POST', route: '/api/search', status: 404 })
  expect([requestId, ms]).toEqual([expect.stringMatching(/^req_/), expect.any(Number)])
})
test('a background answer that there is no room for leaves nothing behind', async () => {
  const { conversationService: conversing } = api.passim
  const untilCancelled = async function* (signal: AbortSignal): AsyncGenerator<never> {
    await new Promise<void>(resolve => signal.addEventListener('abort', () => resolve()))
  }
  const ids = Array.from({ length: 32 }, (_, at) => `run-${at}`)
  const turn = { question: 'Who?', items: [], request: {}, events: untilCancelled }
  for (const id of ids) await conversing.start({ id, ...turn })
  const { id: model } = await api.json('POST', '/v1/vector_stores', { name: 'empty' })
  const refused = await api.refusal('POST', '/v1/responses', {
    model,
    input: 'Who?',
    background: true,
  })
  await Promise.all(ids.map(id => conversing.stop(id)))
  const { catalog } = await storeIn(sandbox.home)
  const kept = await catalog.all('SELECT id FROM responses')
  await catalog.close()
  expect([refused, kept]).toEqual([{ status: 429, code: 'rate_limit_exceeded', param: null }, []])
})
test('the description names every route, and compiles', async () => {
  const { paths } = await description()
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map(method => `${method} ${path}`),
  )
  const served = api.app.routes
    .filter(({ method }) => method !== 'ALL')
    .map(({ method, path }) => `${method.toLowerCase()} ${path}`)
  const own = ['get /', 'get /openapi.json', 'get /docs', 'get /verify.html', 'get /assets/{name}']
  expect(routes.toSorted()).toEqual(
    [...new Set(served)]
      .map(toUrl)
      .filter(route => !own.includes(route))
      .toSorted(),
  )
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  for (const { requestBody } of Object.values(paths).flatMap(methods => Object.values(methods))) {
    for (const { schema } of Object.values(requestBody?.content ?? {}))
      expect(() => ajv.compile(schema)).not.toThrow()
  }
})
test('the description can be read as a page', async () => {
  expect(await (await api.request('GET', '/docs')).text()).toContain(
    '/v1/vector_stores/{id}/search',
  )
})
test('bodies of every shape are answered, never with a fault of the server', async () => {
  const { paths } = await description()
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { requestBody }]) => {
      const [type, content] = Object.entries(requestBody?.content ?? {})[0] ?? []
      const names = Object.keys(
        (content?.schema as { properties?: object } | undefined)?.properties ?? {},
      )
      return type
        ? [{ method: method.toUpperCase(), path: path.replace(/\{\w+\}/g, 'x'), type, names }]
        : []
    }),
  )
  const value = fc.oneof(
    fc.string({ maxLength: 20 }),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(fc.string(), { maxLength: 3 }),
  )
  const disposition = fc.constantFrom(
    '',
    'attachment',
    ...['file', 'data', 'purpose'].flatMap(name => {
      const part = `form-data; name="${name}"`
      return [part, `${part}; filename="a.txt"`, `${part}; filename*=UTF-8''%zz`]
    }),
  )
  const header = fc.constantFrom(
    '',
    'content-type: text/plain\r\n',
    'content-type: \u0001\r\n',
    'no colon\r\n',
  )
  const part = fc
    .tuple(disposition, header, fc.constantFrom('', 'assistants', '\r\n--b'))
    .map(([is, more, content]) => `--b\r\ncontent-disposition: ${is}\r\n${more}\r\n${content}\r\n`)
  const form = fc
    .tuple(fc.array(part, { maxLength: 4 }), fc.constantFrom('--b--\r\n', '--b', ''))
    .map(([parts, end]) => parts.join('') + end)
  const bodyOf = (names: readonly string[]) =>
    fc.oneof(
      fc
        .dictionary(
          fc.constantFrom('x', ...names),
          fc.oneof(value, fc.dictionary(fc.string(), value)),
          { maxKeys: 6 },
        )
        .map(body => JSON.stringify(body)),
      fc.string({ maxLength: 50 }),
      fc.json().map(json => json.slice(0, -1)),
    )
  const request = fc.constantFrom(...routes).chain(route =>
    (route.type === 'multipart/form-data' ? form : bodyOf(route.names)).map(body => ({
      ...route,
      body,
    })),
  )
  await fc.assert(
    fc.asyncProperty(request, async ({ method, path, type, body }) => {
      const headers = {
        'content-type': type === 'multipart/form-data' ? `${type}; boundary=b` : type,
      }
      const response = await api.app.request(path, { method, body, headers })
      expect(response.status, `${method} ${path} ${body}`).toBeLessThan(500)
      if (response.status >= 400) expect(await response.json()).toHaveProperty('error.message')
    }),
    { numRuns: 300, seed: 20261121 },
  )
  expect(api.log).toEqual([])
})
