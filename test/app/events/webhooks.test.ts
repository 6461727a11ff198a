import { createHmac, randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loadSettings } from '../../../src/config.ts'
import type { EventJson } from '../../../src/wire/event.ts'
import { Sandbox } from '../../fakes/store.ts'
import { WebServer } from '../../fakes/web-server.ts'
import { openKeyed } from '../../server/keyed.ts'

const KEY = randomBytes(32)
const SECRET = `whsec_${KEY.toString('base64')}`

type Received = { readonly headers: IncomingHttpHeaders; readonly body: string }

let sandbox: Sandbox
let receiver: WebServer
let received: Received[]
let statuses: number[]
beforeEach(async () => {
  sandbox = await Sandbox.make()
  received = []
  statuses = []
  receiver = await WebServer.start({
    '/hook': (request, response) => {
      void readText(request).then(body => {
        received.push({ headers: request.headers, body })
        response.writeHead(statuses.shift() ?? 204).end()
      })
    },
  })
})
afterEach(async () => {
  await sandbox.remove()
  await receiver.close()
})

const webhook = (...events: EventJson['type'][]) => ({
  ...{ url: receiver.url('/hook'), secret: SECRET, events },
})

async function openSending(log: string[] = [], allowPrivate = true) {
  const passim = await sandbox.open({
    settings: {
      webhooks: [webhook('document.completed', 'document.deleted')],
      fetching: { allowPrivate },
    },
    onBackgroundError: (message, error) => log.push(`${message} ${error}`),
  })
  await passim.resume()
  return passim
}

const put = async (passim: Awaited<ReturnType<typeof openSending>>, id: string) =>
  await passim.documents.put({ id, text: `Text of ${id}.`, title: id, collection: 'wiki' })

function checkSignature({ headers, body }: Received): void {
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  const signature = createHmac('sha256', KEY).update(signed).digest('base64')
  expect(headers['webhook-signature']).toBe(`v1,${signature}`)
}

const listIds = () => received.map(({ headers }) => headers['webhook-id'])

test('a webhook receives signed events, and again with the same id until it accepts', async () => {
  statuses = [500]
  const log: string[] = []
  const passim = await openSending(log)
  await put(passim, 'a')
  await expect.poll(() => received.length).toBe(2)
  const [first, second] = received
  expect(second?.body).toBe(first?.body)
  for (const { headers, body } of received) {
    checkSignature({ headers, body })
    expect(headers['content-type']).toBe('application/json')
    expect(JSON.parse(body)).toMatchObject({
      id: headers['webhook-id'],
      type: 'document.completed',
      data: { externalId: 'a', collectionId: expect.any(String) },
    })
  }
  expect(log.join()).toContain('is sent to 127.0.0.1')
  await passim.delete((await passim.list('wiki'))[0]!)
  await expect.poll(() => received.length).toBe(3)
  expect(JSON.parse(received[2]!.body)).toMatchObject({ type: 'document.deleted' })
})

test('a webhook receives failures, cancelled jobs and ended responses of a service', async () => {
  const gone = { type: 'webdav', url: 'http://127.0.0.1:9/', allowPrivate: true } as const
  const service = await openKeyed({ ingest: false }, {}, undefined, {
    sources: { gone, later: gone },
    webhooks: [webhook('document.failed', 'job.failed', 'job.cancelled', 'response.completed')],
    fetching: { allowPrivate: true },
  })
  const { passim, release } = await service.stores.acquire('default')
  const file = await sandbox.write({ 'broken.pdf': '%PDF-1.7 broken' })
  await passim.resume()
  const token = await service.token('default', 'admin')
  await put(passim, 'a')
  statuses = [503, 204, 503]
  await passim.index([file], { collection: 'wiki' })
  await passim.sources.run('gone')
  expect((await service.call(token, 'POST', '/api/sources/later/run')).status).toBe(200)
  expect((await service.call(token, 'POST', '/api/jobs/sync_later/cancel')).status).toBe(200)
  await service.call(token, 'POST', '/v1/responses', { input: 'Text of a?' })
  const listEvents = () => received.map(({ body }) => JSON.parse(body) as EventJson)
  await expect.poll(() => new Set(listIds()).size, { timeout: 20_000 }).toBe(5)
  received.forEach(checkSignature)
  const types = listEvents().map(({ type, data }) => [type, data.jobId?.slice(0, 8)])
  expect(types).toEqual([
    ['document.failed', undefined],
    ['document.failed', undefined],
    ['job.failed', expect.stringMatching(/^job_/)],
    ['job.failed', expect.stringMatching(/^job_/)],
    ['job.failed', 'sync_gon'],
    ['job.cancelled', 'sync_lat'],
    ['response.completed', undefined],
  ])
  release()
  await service.close()
})

test('of two processes one sends, and the other continues after it', async () => {
  const first = await openSending()
  const second = await openSending()
  for (const id of ['a', 'b', 'c']) await put(second, id)
  await expect.poll(() => received.length).toBe(3)
  await first.close()
  await put(second, 'd')
  await expect.poll(() => received.length).toBe(4)
  expect(new Set(listIds()).size).toBe(4)
})

test('a webhook continues after the last accepted event when its store is opened again', async () => {
  const before = await openSending()
  await put(before, 'a')
  await expect.poll(() => received.length).toBe(1)
  await before.close()
  const passim = await sandbox.open()
  await put(passim, 'b')
  await openSending()
  await expect.poll(() => received.length).toBe(2)
  expect(JSON.parse(received[1]!.body)).toMatchObject({ data: { externalId: 'b' } })
})

test('private addresses receive nothing unless they are allowed', async () => {
  const log: string[] = []
  const passim = await openSending(log, false)
  await put(passim, 'a')
  await expect.poll(() => log.join()).toContain('private or reserved address')
  expect(received).toEqual([])
})

test('a short secret and a repeated URL are refused', async () => {
  const url = 'https://hooks.example.org/passim'
  const load = async (webhooks: { url: string; secret: string }[]) =>
    await loadSettings({ home: sandbox.home, environment: {}, settings: { webhooks } })
  await expect(load([{ url, secret: 'whsec_c2hvcnQ=' }])).rejects.toThrow(/24 to 64 bytes/)
  await expect(
    load([
      { url, secret: SECRET },
      { url, secret: SECRET },
    ]),
  ).rejects.toThrow(/twice/)
  expect((await load([{ url, secret: SECRET }])).webhooks).toHaveLength(1)
})
