import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { AppError } from '../../src/errors.ts'
import { builtinParsers } from '../../src/index.ts'
import type { Parser } from '../../src/ingest/parse/parser.ts'
import { type Running, startServer } from '../server/running.ts'

let server: Running
let port: number

/** Reads nothing, for as long as it is allowed to. */
const hangingParser: Parser = {
  id: 'hang@1',
  mediaTypes: ['application/x-hang'],
  recognizes: ({ name }) => (name.endsWith('.hang') ? 'application/x-hang' : undefined),
  async *parse({ name }, signal) {
    await new Promise(resolve => signal?.addEventListener('abort', resolve))
    throw new AppError('timeout', `${name} took too long.`)
  },
}

beforeAll(async () => {
  server = await startServer({ parsers: [...builtinParsers, hangingParser] })
  port = Number(new URL(server.url).port)
})
afterAll(() => server.close())

async function open(text: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => {}) // it is cut by whoever is quicker
  await once(socket, 'connect')
  socket.write(text)
  return socket
}

async function upload(name: string, content: string | Buffer): Promise<string> {
  const form = new FormData()
  form.append('purpose', 'assistants')
  form.append('file', new File([content], name))
  const response = await fetch(`${server.url}/v1/files`, { method: 'POST', body: form })
  return ((await response.json()) as { id: string }).id // the file object
}

const isAlive = async () => (await fetch(`${server.url}/v1/models`)).status === 200

const BEGUN = [
  '',
  'GET /v1/models HTTP/1.1\r\nHost: localhost\r\n\r\n',
  'POST /api/search HTTP/1.1\r\nHost: localhost\r\nContent-Length: 500\r\n\r\n{"que',
  'POST /v1/files HTTP/1.1\r\nHost: localhost\r\nContent-Type: multipart/form-data; boundary=b\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n--b\r\n',
  'POST /api/ask HTTP/1.1\r\nHost: localhost\r\nContent-Length: 33\r\n\r\n{"question":"Why?","stream":true}',
]

test('a thousand connections that break off leave it answering', async () => {
  for (let wave = 0; wave < 10; wave++) {
    const sockets = await Promise.all(
      Array.from({ length: 100 }, (_, at) => open(BEGUN[at % BEGUN.length]!)),
    ) // within
    for (const socket of sockets) socket.destroy()
  }
  expect(await isAlive()).toBe(true)
  expect(server.log).toEqual([])
})

test('clients that do not read what they asked for keep nobody else waiting', async () => {
  const id = await upload('big.bin', Buffer.alloc(8 * 2 ** 20, 1))
  const ask = `GET /v1/files/${id}/content HTTP/1.1\r\nHost: localhost\r\n\r\n`
  const sockets = await Promise.all(Array.from({ length: 50 }, () => open(ask)))
  for (const socket of sockets) socket.pause()
  expect(await isAlive()).toBe(true)
  for (const socket of sockets) socket.destroy()
  expect(await isAlive()).toBe(true)
})

test('a parser that hangs holds up no other document, and its own can be taken back', {
  timeout: 120_000,
}, async () => {
  const call = async (path: string, body?: object, method = body ? 'POST' : 'GET') =>
    (await (
      await fetch(`${server.url}/v1${path}`, {
        method,
        ...(body && { body: JSON.stringify(body) }),
      })
    ).json()) as {
      readonly id: string
      readonly status: string
    } // objects of the surface have both
  const [hanging, good] = [await upload('a.hang', 'x'), await upload('b.txt', 'The fox sleeps.')]
  const { id } = await call('/vector_stores', { name: 'both', file_ids: [hanging, good] })
  while ((await call(`/vector_stores/${id}/files/${good}`)).status === 'in_progress')
    await isAlive()
  expect((await call(`/vector_stores/${id}/files/${good}`)).status).toBe('completed')
  expect((await call(`/vector_stores/${id}/files/${hanging}`)).status).toBe('in_progress')
  expect(await call(`/vector_stores/${id}/files/${hanging}`, undefined, 'DELETE')).toMatchObject({
    deleted: true,
  })
  expect(await isAlive()).toBe(true)
})
