import { connect } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mcpService } from '../../src/mcp.ts'
import { type Running, startServer } from '../server/running.ts'

let server: Running
let routes: readonly Route[]

type Route = { readonly method: string; readonly path: string; readonly names: readonly string[] }
type Described = {
  readonly requestBody?: { readonly content: Record<string, { schema?: { properties?: object } }> }
}

beforeAll(async () => {
  const limits = { headersMs: 300, slowBodyMs: 300, requestMs: 5_000 }
  server = await startServer({ settings: { server: limits } }, { mcp: mcpService() })
  await server.passim.index([
    await server.sandbox.write({ 'hotel.md': 'Hotels cost at most 120 euros a night.' }),
  ])
  const { paths } = (await (await fetch(`${server.url}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, Described>>
  }
  routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { requestBody }]) => {
      const [content] = Object.values(requestBody?.content ?? {})
      return {
        method: method.toUpperCase(),
        path,
        names: Object.keys(content?.schema?.properties ?? {}),
      }
    }),
  )
})
afterAll(() => server.close())

/** The status of what comes back; 0 where the connection is closed without a word. */
async function send(bytes: Buffer): Promise<number> {
  let received = ''
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1').on('error', () => {}) // it may be cut
  socket.on('data', data => (received += data.toString('latin1')))
  socket.write(bytes)
  await new Promise(resolve => socket.once('close', resolve))
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(received)?.[1] ?? 0)
}

const nested = (open: string, close: string, depth: number) =>
  open.repeat(depth) + close.repeat(depth)
const value = fc.oneof(
  fc.constantFrom(
    'null',
    'true',
    '-1',
    '0',
    '1e999',
    '-0',
    '9007199254740993',
    '1'.repeat(400),
    '0.1e-400',
  ),
  fc.constantFrom(
    '""',
    '"\\ud800"',
    '"\\u0000"',
    '"default"',
    '"none"',
    '"../../etc/passwd"',
    `"${'x'.repeat(30_000)}"`,
  ),
  fc.constantFrom(
    '[]',
    '{}',
    '[[]]',
    '{"__proto__":{"x":1}}',
    '[null]',
    '[{}]',
    '{"type":"and","filters":[]}',
  ),
  fc.constantFrom(
    '[{"role":"user","content":"Why?"}]',
    '[{"role":"tool","content":"x","tool_call_id":"y"}]',
  ),
  fc.integer({ min: 1, max: 20_000 }).map(depth => nested('[', ']', depth)),
  fc.integer({ min: 1, max: 5_000 }).map(depth => nested('{"type":"and","filters":[', ']}', depth)),
  fc
    .integer({ min: 1, max: 5_000 })
    .map(depth => nested('{"type":"object","properties":{"x":', '}}', depth).replace(':}', ':{}}')),
)

const bodyOf = (names: readonly string[]) => {
  const field = fc.tuple(fc.constantFrom('x', '__proto__', 'stream', ...names), value)
  const object = fc
    .array(field, { maxLength: 8 })
    .map(fields => `{${fields.map(([name, of]) => `"${name}":${of}`)}}`)
  const form = fc
    .array(
      fc.tuple(
        fc.constantFrom('file', 'data', 'purpose', '', 'x'),
        fc.constantFrom('a.txt', '', '../a', 'a\0b'),
      ),
    )
    .map(parts =>
      parts.map(
        ([name, file]) =>
          `--b\r\ncontent-disposition: form-data; name="${name}"; filename="${file}"\r\n\r\nx\r\n`,
      ),
    )
    .map(parts => `${parts.join('')}--b--\r\n`)
  return fc.oneof(
    { weight: 4, arbitrary: object.map(text => Buffer.from(text)) },
    { weight: 2, arbitrary: form.map(text => Buffer.from(text)) },
    { weight: 1, arbitrary: object.map(text => Buffer.from(text).subarray(0, -2)) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map(bytes => Buffer.from(bytes)) },
    {
      weight: 1,
      arbitrary: fc
        .constantFrom('"\xc3\x28"', '{"model":"\xff"}', '{"a":1}{"b":2}', '﻿{}')
        .map(text => Buffer.from(text, 'latin1')),
    },
  )
}

const place = fc.constantFrom(
  'x',
  '%00',
  '%ff',
  '..%2f..',
  '%E4%B9%A6',
  'a'.repeat(3_000),
  'default',
  '1e9',
)
const query = fc.constantFrom(
  '',
  '',
  '?limit=-1',
  '?limit=1e99&order=x',
  '?after=%00&before=%ff',
  '?a[b]=c&a=d',
  '?%',
  '?collection=none',
)
const header = fc.constantFrom(
  ...[
    '',
    'Authorization: Bearer',
    'Authorization: \x01',
    'X-Passim-Spans: 1',
    'Expect: 100-continue',
    'Expect: nothing',
  ],
  ...[
    'Content-Encoding: gzip',
    'Origin: null',
    'Range: bytes=9-1',
    'Upgrade: websocket',
    'Host: evil.example',
    'Accept: */*',
  ],
  ...[
    'no colon',
    ': no name',
    `X-Long: ${'y'.repeat(20_000)}`,
    'traceparent: 00-xyz',
    'Transfer-Encoding: chunked',
    'Content-Length: 5',
  ],
)
const type = fc.constantFrom(
  'application/json',
  'multipart/form-data; boundary=b',
  'multipart/form-data',
  'text/plain',
  'x',
  '',
)
const odd = fc.constantFrom(
  'BREW',
  'get',
  'HEAD',
  'OPTIONS',
  'TRACE',
  'CONNECT',
  'PROPFIND',
  'DELETE',
  'PATCH',
  'PUT',
  'POST',
  'GET',
)

/** So many bytes of the body never come. */
const missing = fc.constantFrom(0, 0, 0, 0, 0, 0, 0, 1)

const request = fc.nat().chain(at => {
  const route = routes[at % routes.length]! // there are some
  return fc.record({
    method: fc.oneof(
      { weight: 4, arbitrary: fc.constant(route.method) },
      { weight: 1, arbitrary: odd },
    ),
    path: place.map(text => route.path.replace(/\{\w+\}/g, text)),
    ...{
      query,
      type,
      missing,
      headers: fc.array(header, { maxLength: 3 }),
      body: bodyOf(route.names),
    },
  })
})

test('no request, however it is made, is a fault of the server or leaves it hanging', {
  timeout: 300_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(request, async ({ method, path, query, type, headers, body, missing }) => {
      const head = [
        `${method} ${path}${query} HTTP/1.1`,
        'Host: localhost',
        `Content-Type: ${type}`,
        'Connection: close',
      ]
      const lines = [
        ...head,
        `Content-Length: ${body.length + missing}`,
        ...headers.filter(Boolean),
      ]
      const status = await send(
        Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), body]),
      )
      expect(
        status,
        `${lines.join(' | ').slice(0, 300)} ${body.toString().slice(0, 300)}`,
      ).toBeLessThan(500)
    }),
    { numRuns: 600, seed: 20261123 },
  )
  expect(server.log.filter(line => !line.includes(' MCP: '))).toEqual([]) // its package reports what it refuses
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
})
