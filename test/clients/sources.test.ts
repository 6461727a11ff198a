import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
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
