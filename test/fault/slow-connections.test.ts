import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import { cutSlowBodies } from '../../src/server/http/slow-bodies.ts'
import { answerBrokenRequests } from '../../src/server/http/unreadable.ts'
import { startScriptedModel } from '../fakes/scripted-model-server.ts'
import { type Running, startServer } from '../server/running.ts'

const toClose: (() => Promise<unknown>)[] = []
afterEach(async () => {
  vi.useRealTimers()
  for (const close of toClose.splice(0).reverse()) await close()
})

async function serveWith(server: object, model?: object): Promise<Running> {
  const running = await startServer({ settings: { server, ...(model && { model }) } })
  toClose.push(() => running.close())
  return running
}

/** A connection that has sent this much, and what came back over it. */
type Opened = {
  readonly socket: Socket
  readonly received: () => string
  readonly closed: Promise<unknown>
}

async function open(port: number, text: string): Promise<Opened> {
  let received = ''
  const socket = connect(port, '127.0.0.1').on('error', () => {}) // it is cut by the server
  const closed = new Promise(resolve => socket.once('close', resolve))
  socket.on('data', bytes => (received += bytes))
  await once(socket, 'connect')
  socket.write(text)
  return { socket, received: () => received, closed }
}

const portOf = ({ url }: Running) => Number(new URL(url).port)
const POST = 'POST /api/search HTTP/1.1\r\nHost: localhost\r\nContent-Length: 500\r\n\r\n{"que'

test.each([
  ['nothing', ''],
  ['half a request line', 'GET /v1/mod'],
  ['half of its headers', 'GET /v1/models HTTP/1.1\r\nHost: localhost\r\nX-Slow: '],
])('a connection that sends %s is told that it takes too long, and closed', async (_, text) => {
  const { received, closed } = await open(portOf(await serveWith({ headersMs: 50 })), text)
  await closed
  expect(received()).toMatch(/^HTTP\/1\.1 408 /)
})

test('connections that say nothing make room for those that ask', async () => {
  const limits = { headersMs: 600_000, maxConnectionsPerAddress: 10 }
  const server = await serveWith(limits)
  const silent: Opened[] = []
  for (let at = 0; at < 100; at++) silent.push(await open(portOf(server), 'GET /v1/mod'))
  for (let at = 0; at < 20; at++) expect((await fetch(`${server.url}/v1/models`)).status).toBe(200)
  const isOpen = () => silent.filter(({ socket }) => !socket.closed).length
  await expect.poll(isOpen).toBeLessThanOrEqual(10)
})

test('a connection that was answered stays where others never asked anything', async () => {
  const server = await serveWith({ headersMs: 600_000, maxConnectionsPerAddress: 10 })
  const asking = await open(portOf(server), '')
  for (let at = 1; at <= 10; at++) {
    asking.socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await expect.poll(() => asking.received().split('HTTP/1.1 200').length - 1).toBe(at)
    for (let more = 0; more < 15; more++) await open(portOf(server), 'GET /v1/mod')
  }
  expect(asking.socket.closed).toBe(false)
})

test('bodies that drip make room for those that ask', async () => {
  const server = await serveWith({ slowBodyMs: 600_000, maxConnectionsPerAddress: 10 })
  const dripping = await Promise.all(Array.from({ length: 10 }, () => open(portOf(server), POST)))
  const ask = async () => (await fetch(`${server.url}/v1/models`).catch(() => undefined))?.status
  await expect.poll(ask, { timeout: 20_000 }).toBe(200) // once it is seen that they bring nothing
  expect(dripping.filter(({ socket }) => !socket.closed).length).toBeLessThan(10)
})

test.each(['maxConnectionsPerAddress', 'maxConnections'])(
  'where all connections are at work, a new one is told of %s, and none of them is cut',
  async setting => {
    const model = await startScriptedModel([{ hang: true }])
    toClose.push(() => model.close())
    const server = await serveWith(
      { [setting]: 2, keepAliveMs: 20 },
      { url: model.url, name: 'scripted' },
    )
    const body = JSON.stringify({ model: 'scripted', input: 'Why?', stream: true })
    const ask = `POST /v1/responses HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    const working = [await open(portOf(server), ask), await open(portOf(server), ask)]
    await model.request(1)
    const refused = await open(portOf(server), '')
    await refused.closed
    expect(refused.received()).toMatch(new RegExp(`^HTTP/1\\.1 503 [^]*server\\.${setting} `))
    const lengths = working.map(({ received }) => received().length)
    await expect
      .poll(() => working.every(({ received }, at) => received().length > lengths[at]!))
      .toBe(true) // one each
    working[0]?.socket.destroy()
    await expect
      .poll(async () => (await fetch(`${server.url}/healthz`).catch(() => undefined))?.status)
      .toBe(200)
  },
)

test('a body that drips is cut', async () => {
  const { socket, received, closed } = await open(portOf(await serveWith({ slowBodyMs: 50 })), POST)
  const drip = setInterval(() => socket.write(' '), 10)
  await closed
  clearInterval(drip)
  expect(received()).toMatch(/^HTTP\/1\.1 408 /)
})

/** A server whose steps of a second are taken by hand, and its uploads. */
async function serverInSteps() {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  let arrived = 0
  const sockets: Socket[] = []
  const server = createServer(request => request.on('data', bytes => (arrived += bytes.length)))
  server.on('connection', socket => sockets.push(socket))
  const { findSlowest: slowestOf } = cutSlowBodies(server, {
    minBodyRate: 1_000,
    slowBodyMs: 5_000,
  })
  answerBrokenRequests(server)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  toClose.push(() => new Promise(resolve => server.close(resolve).closeAllConnections()))
  const { port } = server.address() as AddressInfo // it listens on TCP
  let sent = 0
  return {
    upload: () =>
      open(port, 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n'),
    send: ({ socket }: Opened, bytes: number) => {
      sent += bytes
      socket.write(' '.repeat(bytes))
    },
    step: async () => {
      while (arrived < sent) await sleep(1)
      vi.advanceTimersByTime(1_000)
      await sleep(1)
    },
    /** Which of the uploads, in their order, would make room. */
    slowest: () => sockets.findIndex(socket => socket === slowestOf(sockets)),
  }
}

async function stepsUntilCut(bytesOf: (step: number) => number, steps: number): Promise<number> {
  const server = await serverInSteps()
  const upload = await server.upload()
  server.send(upload, 1)
  for (let step = 0; step < steps; step++) {
    server.send(upload, bytesOf(step))
    await server.step()
    if (upload.received()) return step + 1
  }
  return steps
}

test('an upload at a decent rate takes as long as it takes, and may falter', async () => {
  expect(await stepsUntilCut(() => 1_100, 200)).toBe(200)
  expect(await stepsUntilCut(step => (step % 5 === 4 ? 5_000 : 0), 200)).toBe(200)
})

test('what was sent quickly before buys no right to drip', async () => {
  expect(await stepsUntilCut(step => (step === 0 ? 500_000 : 10), 200)).toBeLessThan(10)
})

test('an upload that pauses makes no room while another drips, nor alone', async () => {
  const server = await serverInSteps()
  const upload = await server.upload()
  server.send(upload, 100_000)
  await server.step()
  const drip = await server.upload()
  server.send(drip, 1)
  for (let step = 0; step < 3; step++) await server.step()
  expect(server.slowest()).toBe(1)
  drip.socket.destroy()
  await expect.poll(server.slowest).toBe(-1)
})

test('an upload makes no room before it had its first second', async () => {
  const server = await serverInSteps()
  server.send(await server.upload(), 1)
  await server.step() // however soon after it began
  expect(server.slowest()).toBe(-1)
  await server.step()
  expect(server.slowest()).toBe(0)
})
