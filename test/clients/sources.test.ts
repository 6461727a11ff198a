import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import hoodiecrow from 'hoodiecrow-imap'
import { v2 as webdav } from 'webdav-server'
import { type SourceServer, testSource } from '../contract/source.contract.ts'
import { HttpProxy } from '../fakes/http-proxy.ts'

const USER = 'reader'
const PASSWORD = 'hunter2-dav'

/** webdav-server with a folder in memory, for one user. */
async function startWebDav(): Promise<SourceServer> {
  const users = new webdav.SimpleUserManager()
  users.addUser(USER, PASSWORD, true)
  const dav = new webdav.WebDAVServer({
    httpAuthentication: new webdav.HTTPBasicAuthentication(users, 'test'),
    requireAuthentification: true,
  })
  const http = createServer((request, response) => dav.executeRequest(request, response))
  await new Promise<void>(resolve => http.listen(0, '127.0.0.1', resolve))
  const { port } = http.address() as AddressInfo // it listens on a port
  const origin = `http://127.0.0.1:${port}`
  const proxy = await HttpProxy.start(new URL(origin))
  const authorization = `Basic ${Buffer.from(`${USER}:${PASSWORD}`).toString('base64')}`
  const send = async (method: string, path: string, body?: string) => {
    const url = `${origin}/shared/${path.split('/').map(encodeURIComponent).join('/')}`
    const answer = await fetch(url, { method, headers: { authorization }, ...(body && { body }) })
    await answer.text()
  }
  await send('MKCOL', '')
  return {
    settings: { type: 'webdav', url: `${proxy.origin}/shared`, user: USER, password: PASSWORD },
    secrets: [PASSWORD, authorization.slice('Basic '.length)],
    write: async (path, text) => {
      const [name, ...folders] = path.split('/').toReversed()
      if (name && folders.length > 0) await send('MKCOL', folders.toReversed().join('/'))
      await send('PUT', path, text)
    },
    remove: path => send('DELETE', path),
    breakItem: path => {
      proxy.answerInstead = line => (line === `GET /shared/${path}` ? 500 : undefined)
    },
    breakList: () => {
      proxy.answerInstead = line => (line.startsWith('PROPFIND') ? 401 : undefined)
    },
    repair: () => {
      proxy.answerInstead = () => undefined
    },
    countReads: () => proxy.requests.filter(line => line.startsWith('GET ')).length,
    close: async () => {
      await proxy.close()
      http.closeAllConnections()
      await new Promise(resolve => http.close(resolve))
    },
  }
}

testSource('a WebDAV folder', startWebDav)

/** hoodiecrow-imap: a folder of mails in memory, for one user. */
async function startMail(): Promise<SourceServer> {
  const user = { password: 'hunter2-imap' }
  const mail = hoodiecrow({ plugins: ['IDLE'], users: { [USER]: user } })
  const uids = new Map<string, number>()
  let reads = 0
  let broken = ''
  const fetchMails = mail.getCommandHandler('UID FETCH')
  mail.setCommandHandler('UID FETCH', (connection, parsed, data, done) => {
    if (data.includes('BODY.PEEK')) reads++
    if (broken === '' || !data.includes(`FETCH ${broken} `))
      return fetchMails(connection, parsed, data, done)
    const attributes = [{ type: 'TEXT', value: 'This mail is damaged' }]
    connection.send({ tag: parsed.tag, command: 'NO', attributes })
    done()
  })
  await new Promise<void>(resolve => mail.listen(0, '127.0.0.1', resolve))
  const inbox = mail.getMailbox('INBOX')
  const remove = async (path: string) => {
    inbox.messages = inbox.messages.filter(({ uid }) => uid !== uids.get(path))
  }
  const { port } = mail.server.address() as AddressInfo // it listens on a port
  return {
    settings: {
      type: 'imap',
      url: `imap://127.0.0.1:${port}`,
      user: USER,
      password: user.password,
    },
    secrets: ['hunter2-imap'],
    reportsChanges: true,
    write: async (path, text) => {
      await remove(path)
      const raw = `Subject: ${path}\r\nFrom: a@example.org\r\nContent-Type: text/plain\r\n\r\n${text}\r\n`
      mail.appendMessage(inbox, [], new Date(), raw)
      uids.set(path, inbox.messages.at(-1)?.uid ?? 0)
    },
    remove,
    toName: path => `${uids.get(path)}.eml`,
    breakItem: path => {
      broken = String(uids.get(path))
    },
    breakList: () => {
      user.password = 'another'
    },
    repair: () => {
      user.password = 'hunter2-imap'
      broken = ''
    },
    countReads: () => reads,
    close: () => new Promise(resolve => mail.close(() => resolve())),
  }
}

testSource('an IMAP folder', startMail)
