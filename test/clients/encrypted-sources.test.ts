import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Server as SocketServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createServer as createTlsServer } from 'node:tls'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import hoodiecrow from 'hoodiecrow-imap'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { v2 as webdav } from 'webdav-server'
import { s3Place, TestBucket } from '../fakes/s3.ts'

const run = promisify(execFile)
const USER = { user: 'reader', password: 'hunter2' }
const TEXT = 'The notice period is three months.'

/** Not on this machine by its name, so that a connection to it has to be encrypted. */
const MAIL_HOST = 'mail.example.org'

/** Lists and reads what a source has, as an installed program does. */
const PROGRAM = `
import { Socket } from 'node:net'
import { text } from 'node:stream/consumers'
const [dist, type, settings, waits] = process.argv.slice(2)
const load = async name => await import(new URL(name, dist))
const place = { ...JSON.parse(settings), maxBytes: 1e6 }
const lookup = (_host, options, answer) =>
  options.all ? answer(null, [{ address: '127.0.0.1', family: 4 }]) : answer(null, '127.0.0.1', 4)
async function open() {
  if (type === 'imap') {
    const { ImapFolder } = await load('ingest/sources/connectors/imap-folder.js')
    return new ImapFolder({ folder: 'INBOX', ...place, lookup })
  }
  if (type === 's3') {
    const { S3Bucket } = await load('ingest/sources/connectors/s3-bucket.js')
    const { S3Client } = await load('ingest/store/blobs/s3-client.js')
    return new S3Bucket(new S3Client(place, { settings: 'sources.x', code: 'fetch_failed' }), place.prefix)
  }
  const { WebDavFolder } = await load('ingest/sources/connectors/webdav-folder.js')
  const { Fetcher } = await load('ingest/sources/web/fetcher.js')
  const limits = { timeMs: 10_000, maxBytes: 1e6, maxRedirects: 0 }
  return new WebDavFolder(place, new Fetcher({ ...limits, userAgent: 'test', isAllowed: () => true }))
}
try {
  const source = await open()
  if (waits) {
    const setTimeout = Socket.prototype.setTimeout
    Socket.prototype.setTimeout = function (ms, end) { return setTimeout.call(this, Math.min(ms, 300), end) }
    const news = await source.watch(new AbortController().signal).next()
    console.log(news.done ? 'ended' : 'news')
    process.exit(0)
  }
  for await (const item of source.list()) console.log(await text((await source.fetch(item, {})).bytes))
  await source.close?.()
  process.exit(0)
} catch (error) {
  console.log(error.code, error.message)
  process.exit(1)
}
`

let folder: string
let credentials: { readonly key: Buffer; readonly cert: Buffer }
const closing: (() => unknown)[] = []

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'passim-tls-'))
  const [key, cert] = [path.join(folder, 'key.pem'), path.join(folder, 'cert.pem')]
  const names = `subjectAltName=DNS:localhost,DNS:${MAIL_HOST}`
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1']
  const files = ['-keyout', key, '-out', cert, '-subj', '/CN=test', '-addext', names]
  await run('openssl', ['req', '-x509', '-nodes', '-days', '2', ...curve, ...files])
  credentials = { key: await readFile(key), cert: await readFile(cert) }
  await writeFile(path.join(folder, 'program.mjs'), PROGRAM)
})
afterAll(async () => {
  for (const close of closing) await close()
  await rm(folder, { recursive: true, force: true })
})

const getPort = (server: Server | SocketServer) => (server.address() as AddressInfo).port // it listens on a port

/** Encrypts connections to a port. Returns its own. */
async function encrypt(port: number): Promise<number> {
  const tunnel = createTlsServer(credentials, socket => {
    const plain = connect(port, '127.0.0.1')
    for (const end of [socket, plain]) end.on('error', () => {})
    socket.pipe(plain).pipe(socket)
  })
  await new Promise<void>(resolve => tunnel.listen(0, '127.0.0.1', resolve))
  closing.push(() => tunnel.close())
  return getPort(tunnel)
}

async function read(
  type: string,
  settings: object,
  isTrusted = true,
  waits = false,
): Promise<string> {
  const dist = pathToFileURL(path.resolve('dist')).href
  const trusted = { NODE_EXTRA_CA_CERTS: path.join(folder, 'cert.pem') }
  const env = { ...process.env, ...(isTrusted && trusted) }
  const args = [path.join(folder, 'program.mjs'), `${dist}/`, type, JSON.stringify(settings)]
  if (waits) args.push('waits')
  const ended = run(process.execPath, args, { env, timeout: 20_000 })
  return (await ended.catch((error: { stdout: string }) => error)).stdout.trim()
}

async function startMail(plugins: readonly string[], laterMs?: number): Promise<number> {
  const users = { [USER.user]: { password: USER.password } }
  const mail = hoodiecrow({ plugins, users, credentials })
  await new Promise<void>(resolve => mail.listen(0, '127.0.0.1', resolve))
  closing.push(() => new Promise<void>(resolve => mail.close(resolve)))
  const raw = `Subject: Lease\r\nContent-Type: text/plain\r\n\r\n${TEXT}\r\n`
  const deliver = () => mail.appendMessage(mail.getMailbox('INBOX'), [], new Date(), raw)
  if (laterMs === undefined) deliver()
  else mail.server.on('connection', () => setTimeout(deliver, laterMs))
  return getPort(mail.server)
}

test('a WebDAV folder is read over TLS once its certificate is trusted', async () => {
  const users = new webdav.SimpleUserManager()
  users.addUser(USER.user, USER.password, true)
  const httpAuthentication = new webdav.HTTPBasicAuthentication(users, 'test')
  const dav = new webdav.WebDAVServer({ httpAuthentication, requireAuthentification: true })
  const http = createServer((request, response) => dav.executeRequest(request, response))
  await new Promise<void>(resolve => http.listen(0, '127.0.0.1', resolve))
  closing.push(() => http.close())
  const authorization = `Basic ${Buffer.from(`${USER.user}:${USER.password}`).toString('base64')}`
  const file = `http://127.0.0.1:${getPort(http)}/lease.txt`
  await fetch(file, { method: 'PUT', headers: { authorization }, body: TEXT })
  const settings = { url: `https://localhost:${await encrypt(getPort(http))}/`, ...USER }
  expect(await read('webdav', settings)).toBe(TEXT)
  expect(await read('webdav', settings, false)).toMatch(/^fetch_failed .*NODE_EXTRA_CA_CERTS/)
})

test('mails are read over TLS once the certificate is trusted', async () => {
  const settings = { url: `imaps://localhost:${await encrypt(await startMail([]))}`, ...USER }
  expect(await read('imap', settings)).toContain(TEXT)
  expect(await read('imap', settings, false)).toMatch(/^fetch_failed .*NODE_EXTRA_CA_CERTS/)
})

test('a mail server elsewhere gets the password after STARTTLS only', async () => {
  const port = await startMail(['STARTTLS', 'LOGINDISABLED'])
  const settings = { url: `imap://${MAIL_HOST}:${port}`, ...USER }
  expect(await read('imap', settings)).toContain(TEXT)
  expect(await read('imap', settings, false)).toMatch(/^fetch_failed .*NODE_EXTRA_CA_CERTS/)
  const without = { url: `imap://${MAIL_HOST}:${await startMail([])}`, ...USER }
  expect(await read('imap', without)).toMatch(/^fetch_failed .*refuses/)
})

test('new mail is awaited over STARTTLS for longer than an answer', async () => {
  const port = await startMail(['STARTTLS', 'IDLE'], 2_000)
  const settings = { url: `imap://${MAIL_HOST}:${port}`, ...USER }
  expect(await read('imap', settings, true, true)).toBe('news')
})

test.skipIf(!s3Place)('a bucket is read over TLS once its certificate is trusted', async () => {
  const bucket = new TestBucket(s3Place!) // skipped without
  await bucket.make()
  closing.push(() => bucket.remove())
  await bucket.blobs.put('lease.txt', Buffer.from(TEXT))
  const { port } = new URL(bucket.place.url)
  const url = `https://localhost:${await encrypt(Number(port))}`
  const settings = { ...bucket.place, ...bucket.settings, url }
  expect(await read('s3', settings)).toBe(TEXT)
  expect(await read('s3', settings, false)).toMatch(/^fetch_failed .*NODE_EXTRA_CA_CERTS/)
})
