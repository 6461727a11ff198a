import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { ErrorCode } from '../../src/errors.ts'
import { RemoteEmbedder, type RemoteEmbedderOptions } from '../../src/ingest/embed/remote.ts'
import { embedderContract } from '../contract/embedder.contract.ts'
import { HashingEmbedder } from '../fakes/hashing-embedder.ts'

const KEY = 'sk-secret-of-the-test'
type Request = { readonly model: string; readonly input: readonly string[] }
type Answer = (request: Request, response: ServerResponse, message: IncomingMessage) => unknown

const servers: Server[] = []
afterEach(() => Promise.all(servers.splice(0).map(stop)))

/** A server on loopback that answers as told; what it is told last, it repeats. */
async function serve(...answers: readonly Answer[]) {
  const requests: Request[] = []
  const server = createServer(async (message, response) => {
    const request = (await json(message)) as Request // what RemoteEmbedder sends
    requests.push(request)
    await answers[Math.min(requests.length, answers.length) - 1]!(request, response, message)
  })
  servers.push(server)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on a port
  return { url: `http://127.0.0.1:${port}/v1`, requests, close: () => stop(server) }
}

async function stop(server: Server): Promise<void> {
  server.closeAllConnections()
  await new Promise(resolve => server.close(resolve))
}

const send = (response: ServerResponse, status: number, body: unknown, headers = {}) =>
  response
    .writeHead(status, { 'content-type': 'application/json', ...headers })
    .end(JSON.stringify(body))

/** Vectors that are not normalised, in the opposite order. */
const embeddings: Answer = async ({ input }, response) => {
  const vectors = await new HashingEmbedder().embed(input, 'passage')
  const data = vectors.map((vector, index) => ({
    index,
    embedding: [...vector].map(value => value * 7),
  }))
  send(response, 200, { data: data.reverse() })
}

const status =
  (code: number, headers = {}): Answer =>
  (_, response) =>
    void send(response, code, { error: { message: `no, ${KEY}` } }, headers)

const open = (url: string, options: Partial<RemoteEmbedderOptions> = {}) =>
  RemoteEmbedder.open({ url, name: 'hasher', dimensions: 64, key: KEY, ...options })

async function checkFailure(
  answer: Answer,
  {
    code = 'model_unavailable',
    ...options
  }: Partial<RemoteEmbedderOptions> & { readonly code?: ErrorCode },
  ...words: readonly string[]
) {
  const { url } = await serve(answer)
  const failure: Error = await (await open(url, { maxRetries: 0, ...options }))
    .embed(['x'], 'query')
    .then(
      () => new Error('it did not fail'),
      (error: Error) => error,
    )
  expect(failure).toMatchObject({ code, subject: 'model' })
  for (const word of ['hasher', url, ...words]) expect(failure.message).toContain(word)
  expect(failure.message).not.toContain(KEY)
}

describe('on a server', () => {
  let server: Awaited<ReturnType<typeof serve>>
  beforeAll(async () => {
    server = await serve(embeddings)
    servers.length = 0 // it outlives the tests below
  })
  afterAll(() => server.close())
  embedderContract('RemoteEmbedder', () => open(server.url))
})

embedderContract('HashingEmbedder', async () => new HashingEmbedder())

test('dimensions that are not given are asked of the model', async () => {
  const { url, requests } = await serve(embeddings)
  const embedder = await RemoteEmbedder.open({ url: `${url}/`, name: 'hasher' })
  expect([embedder.id, embedder.dimensions, requests.length]).toEqual(['hasher@1:64', 64, 1])
})

test('the key goes into the header and the model into the body', async () => {
  const { url, requests } = await serve((request, response, message) => {
    const isRight =
      message.headers.authorization === `Bearer ${KEY}` && message.url === '/v1/embeddings'
    return isRight ? embeddings(request, response, message) : send(response, 401, {})
  })
  await (await open(url)).embed(['x'], 'query')
  expect(requests[0]).toMatchObject({ model: 'hasher', input: ['x'] })
})

test('texts go in batches of 64', async () => {
  const { url, requests } = await serve(embeddings)
  await (await open(url)).embed(Array(150).fill('x'), 'passage')
  expect(requests.map(({ input }) => input.length)).toEqual([64, 64, 22])
})

test('a busy or failing server is asked again', async () => {
  const { url, requests } = await serve(
    status(429, { 'retry-after': '0' }),
    status(503),
    embeddings,
  )
  expect(await (await open(url)).embed(['x'], 'query')).toHaveLength(1)
  expect(requests).toHaveLength(3)
})

test('a connection that breaks is tried again', async () => {
  const { url } = await serve((_, response) => response.destroy(), embeddings)
  expect(await (await open(url)).embed(['x'], 'query')).toHaveLength(1)
})

test('it waits as long as the server says', async () => {
  const { url } = await serve(status(429, { 'retry-after': '1' }), embeddings)
  const embedder = await open(url)
  const start = performance.now()
  await embedder.embed(['x'], 'query')
  expect(performance.now() - start).toBeGreaterThan(950)
})

test('a request the server refuses is not repeated', async () => {
  const { url, requests } = await serve(status(400))
  await expect((await open(url)).embed(['x'], 'query')).rejects.toMatchObject({
    code: 'invalid_input',
    message: expect.stringContaining('refuses a text: it answered 400'),
  })
  expect(requests).toHaveLength(1)
})

test('a server that refuses the first text of all is no model to work with', async () => {
  const { url } = await serve(status(400))
  await expect(RemoteEmbedder.open({ url, name: 'hasher' })).rejects.toMatchObject({
    code: 'model_refused',
  })
})

test('a server that is down has vectors as long as they were', async () => {
  const { url, close } = await serve(embeddings)
  await close()
  const embedder = await RemoteEmbedder.open({ url, name: 'hasher', lastDimensions: 64 })
  expect(embedder.id).toBe('hasher@1:64')
  await expect(embedder.embed(['x'], 'query')).rejects.toMatchObject({ code: 'model_unavailable' })
})

test('what a server says of its vectors counts for more than how long they were', async () => {
  const { url } = await serve(embeddings)
  expect((await RemoteEmbedder.open({ url, name: 'hasher', lastDimensions: 32 })).id).toBe(
    'hasher@1:64',
  )
})

test('a wrong key says to check it, and is not told', () =>
  checkFailure(status(401), { code: 'model_unauthorized' }, 'check the key', 'no, ***'))
test('an unknown model says to check its name', () =>
  checkFailure(status(404), { code: 'model_missing' }, 'the name of the model'))
test('a server that has had enough says so', () =>
  checkFailure(status(429), { code: 'rate_limited' }, 'answered 429'))
test('a server that wants money is not asked again', () =>
  checkFailure(status(402), { code: 'model_refused', maxRetries: 4 }, 'answered 402'))
test('a server that keeps failing is named', () => checkFailure(status(500), {}, 'answered 500'))
test('a server that does not answer is a timeout', () =>
  checkFailure(() => {}, { timeoutMs: 50 }, 'within 0.05 s'))
test('an answer that is not JSON is named', () =>
  checkFailure((_, response) => response.end('<html>'), {}, 'did not return JSON'))
test('a server that closes the connection is said to', () =>
  checkFailure(
    (_, response) => response.destroy(),
    {},
    'closed the connection before it answered. Check that it runs',
  ))
test('a server that closes the connection in the middle of its answer is said to', () =>
  checkFailure(
    (_, response) => void response.write('{', () => response.destroy()),
    {},
    'closed the connection in the middle of its answer. Check that it runs',
  ))
test('an answer of another kind is named', () =>
  checkFailure(
    (_, response) => send(response, 200, { ok: true }),
    {},
    'did not return a list of embeddings',
  ))
test('too few embeddings are no answer', () =>
  checkFailure((_, response) => send(response, 200, { data: [] }), {}, '0 embeddings for 1 texts'))
test('another number of dimensions is no answer', () =>
  checkFailure(embeddings, { dimensions: 3 }, 'vectors of 64 numbers, not 3'))
test('a redirect is not followed, so the key goes nowhere else', () =>
  checkFailure(status(307, { location: 'http://127.0.0.1:1/' }), {}, 'cannot be reached'))

test('a server that is not there is model_unavailable at once', async () => {
  const { url, close } = await serve(embeddings)
  await close()
  await expect(RemoteEmbedder.open({ url, name: 'hasher' })).rejects.toMatchObject({
    code: 'model_unavailable',
    message: expect.stringContaining('ECONNREFUSED'),
  })
})

test('a key in the URL is refused', async () => {
  await expect(open(`http://user:${KEY}@localhost/v1`)).rejects.toMatchObject({
    code: 'invalid_input',
  })
})

test('an abort ends the request, and the wait for another attempt', async () => {
  for (const answer of [() => {}, status(429, { 'retry-after': '20' })] satisfies Answer[]) {
    const controller = new AbortController()
    const { url } = await serve((request, response, message) => {
      answer(request, response, message)
      setTimeout(() => controller.abort(new Error('enough')), 20)
    })
    await expect((await open(url)).embed(['x'], 'query', controller.signal)).rejects.toThrow(
      'enough',
    )
  }
})

test('prefixes go before the texts of their role, and vectors are cut to the dimensions that were set', async () => {
  const { url, requests } = await serve(embeddings)
  const plain = await open(url)
  const prefixes = { query: 'ask: ', passage: 'tell: ' }
  const embedder = await open(url, { model: { prefixes, dimensions: 16 } })
  const [query] = await embedder.embed(['fox'], 'query')
  const [passage] = await embedder.embed(['fox'], 'passage')
  expect(requests.map(({ input }) => input)).toEqual([['ask: fox'], ['tell: fox']])
  expect([embedder.dimensions, query?.length, passage?.length]).toEqual([16, 16, 16])
  expect(Math.hypot(...query!)).toBeCloseTo(1, 5)
  expect(embedder.id).toMatch(/^hasher@1-[0-9a-f]{8}:16$/)
  const read = await open(url, { model: { prefixes, maxTokens: 8_000 } })
  expect(read.maxTokens - plain.maxTokens).toBe(8_000 - 512 - 'tell: '.length / 2)
  expect(new Set([plain.id, embedder.id, read.id]).size).toBe(3)
})

test('a model whose vectors are shorter than was set is told with the setting', async () => {
  await checkFailure(
    embeddings,
    { model: { dimensions: 65 } },
    '64 numbers, not 65',
    'embedder.dimensions',
  )
})
