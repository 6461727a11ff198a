import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createSocketServer, type Server } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Passim } from '../../../src/app/passim.ts'
import type { Settings } from '../../../src/config.ts'
import { Sandbox } from '../../fakes/store.ts'

let sandbox: Sandbox
let passim: Passim
const servers: Server[] = []

beforeEach(async () => {
  sandbox = await Sandbox.make()
})
afterEach(async () => {
  await sandbox.remove()
  for (const server of servers.splice(0)) server.close()
})

async function listen(server: Server): Promise<string> {
  servers.push(server)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return `127.0.0.1:${(server.address() as AddressInfo).port}` // it listens on a port
}

async function openWith(source: object): Promise<void> {
  const kept = { ...source, allowPrivate: true, collection: 'kept' }
  const sources = { kept } as unknown as Settings['sources'] // what the schema parses
  passim = await sandbox.open({ settings: { sources } })
}

async function run(): Promise<Readonly<Record<string, number>>> {
  const { totals } = await passim.sources.run('kept')
  return Object.fromEntries(
    Object.entries(totals).filter(([name, n]) => n > 0 && name !== 'chunks'),
  )
}

async function listSources(): Promise<readonly string[]> {
  return (await passim.list('kept')).map(({ source }) => source).toSorted()
}

type Answers = Record<string, string | number>

/** Answers requests by their method and path; a number is a status. */
const serve =
  (answers: Answers): RequestListener =>
  (request, response) => {
    const answer = answers[`${request.method} ${request.url}`] ?? 404
    if (typeof answer === 'number') return response.writeHead(answer).end()
    response.writeHead(request.method === 'PROPFIND' ? 207 : 200, { connection: 'close' })
    return response.end(answer)
  }

type Member = { readonly href: string; readonly status?: string; readonly tag?: string }

function listMembers(members: readonly Member[]): string {
  const responses = members.map(({ href, status = '200 OK', tag = 'a' }) => {
    const kind = href.endsWith('/') && status.startsWith('2') ? '<collection/>' : ''
    const properties = `<resourcetype>${kind}</resourcetype><getetag>${tag}</getetag>`
    return `<response><href>${href}</href><propstat><prop>${properties}</prop><status>HTTP/1.1 ${status}</status></propstat></response>`
  })
  return `<?xml version="1.0"?><multistatus xmlns="DAV:">${responses.join('')}</multistatus>`
}

test('documents of a WebDAV folder stay while the server refuses it inside of its list', async () => {
  const answers: Answers = {
    'PROPFIND /dav/': listMembers([{ href: '/dav/a.txt' }, { href: '/dav/b/' }]),
    'PROPFIND /dav/b/': listMembers([{ href: '/dav/b/' }, { href: '/dav/b/c.txt' }]),
    'GET /dav/a.txt': 'The first.',
    'GET /dav/b/c.txt': 'The second.',
  }
  await openWith({
    type: 'webdav',
    url: `http://${await listen(createServer(serve(answers)))}/dav`,
  })
  expect(await run()).toEqual({ indexed: 2 })
  const refused = { href: '/dav/b/', status: '403 Forbidden' }
  answers['PROPFIND /dav/'] = listMembers([{ href: '/dav/a.txt' }, refused])
  expect(await run()).toEqual({ unchanged: 1, failed: 1 })
  expect(await listSources()).toEqual(['sync:kept/a.txt', 'sync:kept/b/c.txt'])
  answers['PROPFIND /dav/'] = listMembers([{ href: '/dav/a.txt' }, { href: '/dav/b/' }])
  answers['PROPFIND /dav/b/'] = listMembers([refused])
  expect(await run()).toEqual({ unchanged: 1, failed: 1 })
  expect(await listSources()).toEqual(['sync:kept/a.txt', 'sync:kept/b/c.txt'])
})

test('a WebDAV server may escape the name of the folder in its own way', async () => {
  const answers: Answers = {
    'PROPFIND /f%C3%BCr/': listMembers([{ href: '/f%c3%bcr/' }, { href: '/f%c3%bcr/a.txt' }]),
    'GET /f%C3%BCr/a.txt': 'The first.',
  }
  await openWith({
    type: 'webdav',
    url: `http://${await listen(createServer(serve(answers)))}/für`,
  })
  expect(await run()).toEqual({ indexed: 1 })
})

test('many documents that a server refuses stop no other', async () => {
  const files = Array.from({ length: 30 }, (_, n) => `/dav/${String(n).padStart(2, '0')}.txt`)
  const answers: Answers = {
    'PROPFIND /dav/': listMembers([...files, '/dav/last.txt'].map(href => ({ href }))),
    'GET /dav/last.txt': 'The last.',
  }
  for (const file of files) answers[`GET ${file}`] = 403
  await openWith({
    type: 'webdav',
    url: `http://${await listen(createServer(serve(answers)))}/dav`,
  })
  expect(await run()).toEqual({ indexed: 1, failed: 30 })
})

test('a version that is too long is not stored, and its document is read each time', async () => {
  const answers: Answers = {
    'PROPFIND /dav/': listMembers([{ href: '/dav/a.txt', tag: 'x'.repeat(100_000) }]),
    'GET /dav/a.txt': 'The first.',
  }
  await openWith({
    type: 'webdav',
    url: `http://${await listen(createServer(serve(answers)))}/dav`,
  })
  expect(await run()).toEqual({ indexed: 1 })
  answers['GET /dav/a.txt'] = 'The second.'
  expect(await run()).toEqual({ replaced: 1 })
})

const listObjects = (keys: readonly string[], rest = '') =>
  `<?xml version="1.0"?><ListBucketResult><IsTruncated>${rest !== ''}</IsTruncated>${rest}${keys
    .map(key => `<Contents><Key>${key}</Key><ETag>"a"</ETag><Size>10</Size></Contents>`)
    .join('')}</ListBucketResult>`

async function openBucket(list: () => string): Promise<void> {
  const server = createServer((request, response) => {
    response.writeHead(200, { connection: 'close' })
    response.end(request.url?.includes('list-type') ? list() : `Text of ${request.url}.`)
  })
  await openWith({
    ...{ type: 's3', url: `http://${await listen(server)}`, bucket: 'reports' },
    ...{ accessKeyId: 'id', secretAccessKey: 'secret' },
  })
}

test('a list of a bucket that breaks off removes nothing', async () => {
  let list = listObjects(['a.txt', 'b.txt'])
  await openBucket(() => list)
  expect(await run()).toEqual({ indexed: 2 })
  list = list.slice(0, list.indexOf('<Contents><Key>b')) // its connection was cut
  expect(await run()).toEqual({ failed: 1 })
  expect(await listSources()).toEqual(['sync:kept/a.txt', 'sync:kept/b.txt'])
})

test('a bucket whose list never ends fails', async () => {
  await openBucket(() => listObjects(['a.txt']).replace('false', 'true'))
  expect(await run()).toEqual({ failed: 1 })
})

type Reply = (command: string, close: () => void) => string

/** Accepts any login. `reply` returns the lines before the tagged one. */
async function startMail(reply: Reply): Promise<void> {
  const server = createSocketServer(socket => {
    let rest = ''
    let command = ''
    socket.on('error', () => {})
    socket.write('* OK ready\r\n')
    socket.on('data', data => {
      const lines = (rest + data).split('\r\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        command += line
        if (/\{\d+\}$/.test(line)) {
          socket.write('+ go on\r\n')
          continue
        }
        const [tag] = command.split(' ')
        let isLast = false
        const lines = reply(command, () => (isLast = true))
        command = ''
        socket.write(`${lines}${tag} OK done\r\n`)
        if (isLast) socket.end()
      }
    })
  })
  const url = `imap://${await listen(server)}`
  await openWith({ type: 'imap', url, user: 'reader', password: 'hunter2' })
}

test('mails that are numbered anew during a run are not taken for those of the list', async () => {
  let validity = 1
  await startMail((command, close) => {
    if (command.includes('EXAMINE')) return `* 3 EXISTS\r\n* OK [UIDVALIDITY ${validity}] x\r\n`
    if (command.includes('1:*'))
      return [1, 2, 3].map(uid => `* ${uid} FETCH (UID ${uid} RFC822.SIZE 9)\r\n`).join('')
    const [, uid] = /FETCH (\d+) \(UID BODY/.exec(command) ?? []
    if (!uid) return ''
    const mail = `Subject: ${uid} of ${validity}\r\n\r\nA text.`
    validity++
    close()
    return `* 1 FETCH (UID ${uid} BODY[] {${mail.length}}\r\n${mail})\r\n`
  })
  expect(await run()).toEqual({ indexed: 1, failed: 2 })
})

test('an answer of a mail server that never ends fails', async () => {
  await startMail(command => {
    if (command.includes('EXAMINE')) return `* 3 EXISTS\r\n* OK [UIDVALIDITY 1] x\r\n`
    return command.includes('1:*') ? '*\r\n'.repeat(1_300_000) : ''
  })
  expect(await run()).toEqual({ failed: 1 })
  const [source] = await passim.sources.list()
  expect(source?.error?.message).toContain('lines')
})
