import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Fetcher, type FetcherOptions } from '../../../../src/ingest/sources/web/fetcher.ts'
import { WebServer } from '../../../fakes/web-server.ts'

let site: WebServer

beforeAll(async () => {
  site = await WebServer.start({
    '/page': { body: 'A page.', headers: { etag: '"1"' } },
    '/zipped': { body: gzipSync('A zipped page.'), headers: { 'content-encoding': 'gzip' } },
    '/bomb': {
      body: gzipSync(Buffer.alloc(20 * 2 ** 20)),
      headers: { 'content-encoding': 'gzip' },
    },
    '/cut': {
      body: gzipSync('A zipped page.').subarray(0, 20),
      headers: { 'content-encoding': 'gzip' },
    },
    '/odd': { body: 'x', headers: { 'content-encoding': 'rot13' } },
    '/large': (_, response) => {
      response.writeHead(200, { 'content-length': 2 ** 31 }).write('x')
    },
    '/endless': (_, response) => {
      response.writeHead(200).write('x')
    },
    '/moved': { status: 301, headers: { location: '/page' } },
    '/inside': { status: 302, headers: { location: 'http://127.0.0.2/' } },
    '/loop': { status: 302, headers: { location: '/loop' } },
    '/file': { status: 302, headers: { location: 'file:///etc/passwd' } },
    '/named': {
      body: 'x',
      headers: { 'content-disposition': "attachment; filename*=UTF-8''%E4%BB%B7%E6%A0%BC.pdf" },
    },
    '/broken': { status: 500 },
    '/agent': (request, response) => {
      response.end(request.headers['user-agent'])
    },
    '/breaks': (_, response) => {
      response.writeHead(200, { 'content-length': 100 }).write('half')
      setImmediate(() => response.destroy())
    },
  })
})
afterAll(() => site.close())

const LIMITS = { timeMs: 30_000, maxBytes: 2 ** 20, maxRedirects: 3, userAgent: 'Passim/test' }

/** In these tests the loopback address of the server is all there is of the public internet. */
const isAllowed = (address: string) => address === '127.0.0.1'
const fetcher = (options: Partial<FetcherOptions> = {}) =>
  new Fetcher({ ...LIMITS, isAllowed, ...options })

async function read(path: string, options: Partial<FetcherOptions> = {}): Promise<string> {
  const fetched = await fetcher(options).get(new URL(site.url(path)))
  if (fetched.kind !== 'page') return fetched.kind
  const parts: Buffer[] = []
  for await (const part of fetched.body) parts.push(part)
  return Buffer.concat(parts).toString()
}

function fails(path: string, code: string, words: string, options: Partial<FetcherOptions> = {}) {
  const error = { code, message: expect.stringContaining(words) }
  return expect(read(path, options)).rejects.toMatchObject(error)
}

test('a page is its bytes', async () => expect(await read('/page')).toBe('A page.'))
test('a compressed page is inflated', async () =>
  expect(await read('/zipped')).toBe('A zipped page.'))
test('a redirect is followed', async () => expect(await read('/moved')).toBe('A page.'))
test('we say who we are', async () => expect(await read('/agent')).toBe('Passim/test'))
test('a page that is not there is gone', async () => expect(await read('/nowhere')).toBe('gone'))
test('what has not changed is not sent again', async () => {
  const validators = { etag: '"1"' }
  expect(await fetcher().get(new URL(site.url('/page')), { validators })).toMatchObject({
    kind: 'unchanged',
  })
})
test('a download has the name that the server gives it', async () => {
  const fetched = await fetcher().get(new URL(site.url('/named')))
  expect(fetched).toMatchObject({ kind: 'page', fileName: '价格.pdf' })
})

test('a server error names URL and status', () =>
  fails('/broken', 'fetch_failed', '/broken: the server answered with status 500'))
test('a loop of redirects ends', () =>
  fails('/loop', 'fetch_failed', 'redirects more than 3 times'))
test('a redirect to another protocol is refused', () =>
  fails('/file', 'forbidden_source', 'only http and https'))
test('a bomb is stopped while it inflates', () => fails('/bomb', 'too_large', 'more than 1 MiB'))
test('a size told in advance is believed', () =>
  fails('/large', 'too_large', '/large has more than 1 MiB'))
test('a page without end runs out of time', () =>
  fails('/endless', 'fetch_failed', '/endless: it took longer than 0.3 s', { timeMs: 300 }))
test('an answer that breaks off is no page', () => fails('/breaks', 'fetch_failed', '/breaks'))
test('compressed bytes that break off are no page', () => fails('/cut', 'fetch_failed', '/cut'))
test('a compression that nobody asked for is refused', () => fails('/odd', 'fetch_failed', 'rot13'))
test('a server that does not answer is named', async () => {
  const closed = await WebServer.start({})
  const url = new URL(closed.url('/'))
  await closed.close()
  await expect(fetcher().get(url)).rejects.toMatchObject({
    code: 'fetch_failed',
    message: expect.stringContaining(url.href),
  })
})
test("an abort ends it with the caller's reason", async () => {
  const reason = new Error('enough')
  const get = fetcher().get(new URL(site.url('/page')), { signal: AbortSignal.abort(reason) })
  await expect(get).rejects.toBe(reason)
})

test.each([
  '127.0.0.1',
  'localhost',
  '2130706433',
  '0x7f.1',
  '[::1]',
  '[::ffff:127.0.0.1]',
  '0.0.0.0',
])('http://%s is refused', async host => {
  const get = new Fetcher(LIMITS).get(new URL(`http://${host}:${site.port}/refused`)) // nobody else asks for it
  await expect(get).rejects.toMatchObject({
    code: 'forbidden_source',
    message: expect.stringContaining('private or reserved address'),
    advice: expect.stringContaining('--allow-private'),
  })
  expect(site.requests.join('\n')).not.toContain('/refused')
})
const named = (path: string) => new URL(`http://site.example:${site.port}${path}`)

/** A name that means another address every time it is looked up. */
function changing(...addresses: readonly string[]) {
  const asked: string[] = []
  const resolve = async (host: string) => {
    asked.push(host)
    return [{ address: addresses[asked.length - 1] ?? '127.0.0.66', family: 4 }]
  }
  return { asked, resolve }
}

test('a name with one address that is not allowed is refused', async () => {
  const resolve = async () => ['127.0.0.1', '10.0.0.1'].map(address => ({ address, family: 4 }))
  const get = fetcher({ resolve }).get(named('/page'))
  await expect(get).rejects.toMatchObject({
    code: 'forbidden_source',
    message: expect.stringContaining('10.0.0.1'),
  })
})
test('the connection goes to the address that was checked, whatever the name means a moment later', async () => {
  const { asked, resolve } = changing('127.0.0.1')
  const fetched = await fetcher({ resolve }).get(named('/page'))
  expect(fetched.kind).toBe('page')
  expect(asked).toEqual(['site.example'])
})
test('every redirect is checked anew', async () => {
  const { asked, resolve } = changing('127.0.0.1', '127.0.0.2')
  const get = fetcher({ resolve }).get(named('/moved'))
  await expect(get).rejects.toMatchObject({
    code: 'forbidden_source',
    message: expect.stringContaining('127.0.0.2'),
  })
  expect(asked).toHaveLength(2)
})
test('a redirect to an address that is not allowed is refused', () =>
  fails('/inside', 'forbidden_source', '/inside: 127.0.0.2 is refused'))
