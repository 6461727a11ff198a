import { createServer } from 'node:http'
import {
  type AddressInfo,
  createServer as createSocketServer,
  type LookupFunction,
  type Server,
} from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { ImapFolder } from '../../../src/ingest/sources/connectors/imap-folder.ts'
import { S3Bucket } from '../../../src/ingest/sources/connectors/s3-bucket.ts'
import type { Source } from '../../../src/ingest/sources/source.ts'
import { Fetcher } from '../../../src/ingest/sources/web/fetcher.ts'
import { S3Client } from '../../../src/ingest/store/blobs/s3-client.ts'

const LIMITS = { timeMs: 5_000, maxBytes: 1_000_000, maxRedirects: 0, userAgent: 'test' }
const PUBLIC = { address: '93.184.216.34', family: 4 }
const LOOPBACK = { address: '127.0.0.1', family: 4 }

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

async function listen(server: Server): Promise<number> {
  servers.push(server)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port // it listens on a port
}

/** A name that is public when it is checked, and leads into the own network afterwards. */
function createRebound(): Fetcher {
  let looks = 0
  const resolve = async () => [looks++ === 0 ? PUBLIC : LOOPBACK]
  return new Fetcher({ ...LIMITS, resolve })
}

async function readList(source: Source): Promise<void> {
  for await (const _ of source.list()) break
}

test('a bucket whose name is resolved anew to a private address is not asked', async () => {
  let requests = 0
  const port = await listen(createServer((_request, response) => response.end(String(requests++))))
  const url = `http://bucket.example:${port}`
  const fetcher = createRebound()
  expect(await fetcher.resolveAllowed(new URL(url))).toBe(PUBLIC.address)
  const login = { accessKeyId: 'id', secretAccessKey: 'secret', region: 'us-east-1' }
  const client = new S3Client(
    { url, bucket: 'reports', ...login },
    { settings: 's' },
    fetcher.lookup,
  )
  await expect(readList(new S3Bucket(client, ''))).rejects.toThrow('private or reserved')
  expect(requests).toBe(0)
})

test('a mail server whose name is resolved anew to a private address is not asked', async () => {
  let connections = 0
  const port = await listen(createSocketServer(() => connections++))
  const url = `imap://mail.example:${port}`
  const fetcher = createRebound()
  expect(await fetcher.resolveAllowed(new URL(url))).toBe(PUBLIC.address)
  const place = { url, folder: 'INBOX', user: 'reader', password: 'hunter2', maxBytes: 1_000_000 }
  const source = new ImapFolder({ ...place, lookup: fetcher.lookup })
  await expect(readList(source)).rejects.toThrow('private or reserved')
  expect(connections).toBe(0)
})

test('a mail server that never begins to encrypt is left at once', async () => {
  const stop = new AbortController()
  const server = createSocketServer(socket => {
    socket.write('* OK ready\r\n')
    socket.once('data', () => {
      socket.write('A1 OK begin\r\n')
      setTimeout(() => stop.abort(new Error('stopped')), 200)
    })
  })
  const url = `imap://mail.example:${await listen(server)}`
  const login = { user: 'reader', password: 'hunter2' }
  const lookup: LookupFunction = (_host, options, answer) =>
    options.all ? answer(null, [LOOPBACK]) : answer(null, LOOPBACK.address, LOOPBACK.family)
  const folder = new ImapFolder({ url, folder: 'INBOX', maxBytes: 1_000, ...login, lookup })
  await expect(folder.list(stop.signal).next()).rejects.toThrow('stopped')
}, 10_000)
