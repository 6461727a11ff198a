import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, expect, test } from 'vitest'
import { WeaviateClient } from '../../../src/search/weaviate/weaviate-client.ts'
import { WeaviateIndexes } from '../../../src/search/weaviate/weaviate-indexes.ts'
import { WeaviateTables } from '../../../src/search/weaviate/weaviate-tables.ts'

const servers: Server[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

/** A node that does this with each request, and where it is. */
async function node(
  answer: (response: ServerResponse, request: IncomingMessage) => unknown,
): Promise<string> {
  const server = createServer((request, response) => void answer(response, request)).listen(
    0,
    '127.0.0.1',
  )
  servers.push(server)
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}` // it listens on one
}

const says = (status: number, body: unknown) => (response: ServerResponse) =>
  response.writeHead(status).end(JSON.stringify(body))
const silent = () => node(() => {})

/** Where nobody listens. */
async function dead(): Promise<string> {
  const url = await node(() => {})
  const server = servers.pop()!
  server.close()
  await once(server, 'close')
  return url
}

const ANSWER = { data: { Get: { rows: [] } } }

test('a node that is dead, or silent, is raced by the next one', async () => {
  const well = await node(says(200, ANSWER))
  expect(await new WeaviateClient({ urls: [await dead(), well] }).query('{}')).toEqual(ANSWER.data)
  expect(await new WeaviateClient({ urls: [await silent(), well] }).query('{}')).toEqual(
    ANSWER.data,
  )
})

test('the node that answered last is asked first', async () => {
  let asked = 0
  const failing = await node(response => {
    asked++
    response.writeHead(503).end()
  })
  const client = new WeaviateClient({ urls: [failing, await node(says(200, ANSWER))] })
  for (let time = 0; time < 3; time++) await client.query('{}')
  expect(asked).toBe(1)
})

test('what may pass is tried again with the same body', async () => {
  const bodies: string[] = []
  const url = await node(async (response, request) => {
    bodies.push(await text(request))
    says(bodies.length < 3 ? 503 : 200, [])(response)
  })
  const put = { method: 'POST', path: 'batch/objects', body: { objects: [{ id: 'one' }] } } as const
  expect((await new WeaviateClient({ urls: [url] }).send(put)).json).toEqual([])
  expect(bodies).toEqual(Array.from({ length: 3 }, () => '{"objects":[{"id":"one"}]}'))
})

test('a Weaviate that nobody answers for is unavailable, and what is refused is told in its words', async () => {
  const away = new WeaviateClient({ urls: [await dead()] })
  await expect(away.query('{}')).rejects.toMatchObject({
    code: 'store_unavailable',
    message: expect.stringMatching(/does not answer: .*ECONNREFUSED.* weaviate\.urls/),
  })
  const refusing = new WeaviateClient({
    urls: [await node(says(401, { error: 'who are you' }))],
    key: 'secret',
  })
  const refused = refusing.send({ method: 'GET', path: 'schema' })
  await expect(refused).rejects.toMatchObject({
    code: 'store_mismatch',
    message: expect.stringMatching(/who are you.*weaviate\.key/),
  })
})

test('a question to a table that is gone says so at once; other complaints are tried again', async () => {
  let asked = 0
  const complaints = ['explorer: no connection', 'explorer: tenant not found: "vs_1"']
  const url = await node(response =>
    says(200, { errors: [{ message: complaints[asked++] }] })(response),
  )
  const gone = new WeaviateClient({ urls: [url] }).query('{}')
  await expect(gone).rejects.toMatchObject({
    code: 'store_mismatch',
    message: expect.stringContaining('vs_1'),
  })
  expect(asked).toBe(2)
})

test('a node that is too old, or not ready, is told', async () => {
  const old = await node(says(200, { version: '1.34.9' }))
  const well = await node(says(200, { version: '1.35.2' }))
  expect(await new WeaviateClient({ urls: [well] }).readVersion()).toBe('1.35.2')
  await expect(new WeaviateClient({ urls: [well, old] }).readVersion()).rejects.toMatchObject({
    code: 'store_mismatch',
    message: expect.stringContaining('1.34.9'),
  })
  await expect(
    new WeaviateClient({ urls: [well, await dead()] }).readVersion(),
  ).rejects.toMatchObject({
    code: 'store_unavailable',
  })
})

test('the key goes with every request, and whoever cancels stops waiting', async () => {
  let key: string | undefined
  const url = await node((response, { headers }) => {
    key = headers.authorization
    says(200, ANSWER)(response)
  })
  await new WeaviateClient({ urls: [url], key: 'secret' }).query('{}')
  expect(key).toBe('Bearer secret')
  const cancelled = new WeaviateClient({ urls: [await silent()] }).query(
    '{}',
    AbortSignal.timeout(10),
  )
  await expect(cancelled).rejects.toMatchObject({ name: 'TimeoutError' })
})

test('a search that is given up ends with its question, and others that read the same table do not', async () => {
  let asked = 0
  const left: Promise<unknown>[] = []
  const url = await node((response, request) => {
    if (request.url !== '/v1/graphql')
      return says(
        200,
        request.url === '/v1/schema' ? { classes: [] } : [{ name: 'vs_1' }],
      )(response)
    asked++
    if (asked === 1) left.push(once(response, 'close'))
    else says(200, { data: { Get: { chunks: [] } } })(response)
  })
  const options = { storeId: 'store_1', analyzerId: 'words@1', replicas: 1 }
  const indexes = new WeaviateIndexes(
    new WeaviateTables(new WeaviateClient({ urls: [url] }), options),
    async () => '',
  )
  const giveUp = new AbortController()
  const [first, other] = [await indexes.open('vs_1', giveUp.signal), await indexes.open('vs_1')]
  const reading = first!.findByKeyword(['fox'], 10, {})
  await expect.poll(() => asked).toBe(1)
  giveUp.abort(new Error('Nobody waits for it.'))
  await expect(reading).rejects.toThrow('Nobody waits for it.')
  await Promise.all(left)
  expect(await other!.findByKeyword(['fox'], 10, {})).toEqual([])
})
