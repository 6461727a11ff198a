import { readFile } from 'node:fs/promises'
import { createServer as createPlainServer, type Server } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCli } from '../fakes/cli.ts'
import { Sandbox } from '../fakes/store.ts'

const CERTIFICATE = fileURLToPath(new URL('../fixtures/localhost.pem', import.meta.url))
const TAG = '"1"'

let sandbox: Sandbox
let plain: Server
let secure: Server
const sent: (number | undefined)[] = []

beforeAll(async () => {
  sandbox = await Sandbox.make()
  const pem = await readFile(CERTIFICATE)
  secure = createServer({ key: pem, cert: pem }, (request, response) => {
    const status = request.headers['if-none-match'] === TAG ? 304 : 200
    sent.push(status)
    response.writeHead(status, { etag: TAG, 'content-type': 'text/html' })
    response.end(status === 200 ? '<h1>Foxes</h1><p>Foxes sleep by day.</p>' : undefined)
  })
  plain = createPlainServer((request, response) => {
    response.writeHead(301, { location: `https://localhost:${portOf(secure)}${request.url}` }).end()
  })
  for (const server of [secure, plain])
    await new Promise<void>(done => server.listen(0, 'localhost', done))
})
afterAll(async () => {
  secure.close()
  plain.close()
  await sandbox.remove()
})

const portOf = (server: Server) => (server.address() as AddressInfo).port // listens on a port
const index = (environment: Readonly<Record<string, string>>) =>
  runCli(
    sandbox.home,
    ['index', `http://localhost:${portOf(plain)}/fox`, '--allow-private', '--no-vectors'],
    environment,
  )

test('a page over https is refused until its issuer is trusted, then read, and sent once', async () => {
  const refused = await index({})
  expect(refused.code).toBe(1)
  expect(refused.stdout + refused.stderr).toMatch(/self-signed certificate.*NODE_EXTRA_CA_CERTS/s)
  expect(sent).toEqual([])
  const trusting = { NODE_EXTRA_CA_CERTS: CERTIFICATE }
  expect((await index(trusting)).stdout).toContain('1 indexed')
  expect((await index(trusting)).stdout).toContain('1 unchanged')
  expect(sent).toEqual([200, 304])
})
