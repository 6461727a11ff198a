import { text as readText } from 'node:stream/consumers'
import { createParser } from 'eventsource-parser'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { signToken } from '../../examples/sign-token.ts'
import type { EventJson } from '../../src/wire/event.ts'
import { NEEDS_S3, s3Place, TestBucket } from '../fakes/s3.ts'
import { WebServer } from '../fakes/web-server.ts'
import { DATABASE, openNodes } from './nodes.ts'

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const TOKEN_KEY = 'a secret of the gateway, of more than 32 bytes'

describe.skipIf(!DATABASE || !s3Place)(
  `the API of a cluster (needs PASSIM_TEST_POSTGRES, ${NEEDS_S3})`,
  () => {
    let bucket: TestBucket
    let receiver: WebServer
    let cluster: Awaited<ReturnType<typeof openNodes>>
    let token: string
    const received: EventJson[] = []

    beforeEach(async () => {
      bucket = new TestBucket(s3Place!)
      await bucket.make()
      received.length = 0
      receiver = await WebServer.start({
        '/hook': (request, response) => {
          void readText(request).then(body => {
            received.push(JSON.parse(body) as EventJson)
            response.writeHead(204).end()
          })
        },
      })
      cluster = await openNodes(['one', 'other'], {
        s3: bucket.settings,
        content: { place: 's3' },
        index: { place: 's3' },
        fetching: { allowPrivate: true },
        server: { tokens: { algorithm: 'HS256', key: TOKEN_KEY } },
        webhooks: [{ url: receiver.url('/hook'), secret: SECRET }],
      })
      token = await cluster.token()
    })
    afterEach(async () => {
      await cluster.close()
      await receiver.close()
      await bucket.remove()
    })

    const send = async (node: number, path: string, init: RequestInit = {}, key = token) =>
      await fetch(`${cluster.nodes[node]!.url}${path}`, {
        ...init,
        headers: {
          authorization: `Bearer ${key}`,
          ...(init.body && { 'content-type': 'application/json' }),
          ...init.headers,
        },
      })
    const call = async (
      node: number,
      method: string,
      path: string,
      body?: unknown,
      key?: string,
    ) => {
      const init = { method, ...(body !== undefined && { body: JSON.stringify(body) }) }
      const response = await send(node, path, init, key)
      return { status: response.status, body: await response.json() }
    }
    const findTexts = async (node: number, query: string, key?: string) => {
      const { body } = await call(node, 'POST', '/api/search', { query, mode: 'keyword' }, key)
      return ((body as { hits?: { text: string }[] }).hits ?? []).map(({ text }) => text)
    }

    async function readEvents(node: number, after: string, count: number) {
      const response = await send(node, '/api/events', { headers: { 'last-event-id': after } })
      const events: EventJson[] = []
      const parser = createParser({
        onEvent: ({ data }) => events.push(JSON.parse(data) as EventJson),
      })
      const reader = response.body!.getReader()
      const decoder = new TextDecoder()
      while (events.length < count) {
        const { done, value } = await reader.read()
        if (done) break
        parser.feed(decoder.decode(value, { stream: true }))
      }
      await reader.cancel()
      return events.slice(0, count)
    }

    test('a document put at one node is unchanged, replaced and deleted at the other', async () => {
      const path = '/api/collections/wiki/documents/a'
      expect((await call(0, 'PUT', path, { text: 'The printer jams.' })).body).toMatchObject({
        result: 'created',
      })
      await expect
        .poll(() => findTexts(1, 'printer'), { timeout: 30_000 })
        .toEqual(['The printer jams.'])
      expect((await call(1, 'PUT', path, { text: 'The printer jams.' })).body).toMatchObject({
        result: 'unchanged',
      })
      const attributes = { readers: 'user:ann' }
      expect(
        (await call(1, 'PUT', path, { text: 'The scanner hums.', attributes })).body,
      ).toMatchObject({
        result: 'replaced',
      })
      await expect
        .poll(() => findTexts(0, 'scanner'), { timeout: 30_000 })
        .toEqual(['The scanner hums.'])
      expect(await findTexts(0, 'printer')).toEqual([])
      const deleted = await call(0, 'POST', '/api/collections/wiki/documents/delete', {
        ids: ['a'],
      })
      expect(deleted.body).toMatchObject({ deleted: 1 })
      expect(await findTexts(1, 'scanner')).toEqual([])
    })

    test('a key whose filter meets new attributes reads no earlier text at the other node', async () => {
      const { token: key } = await cluster.keys.create({
        ...{
          name: 'it',
          tenant: 'default',
          scope: 'read',
          filter: { type: 'eq', key: 'team', value: 'it' },
        },
      })
      const path = '/api/collections/wiki/documents/a'
      const all = { text: 'The printer jams.', attributes: { team: 'all' } }
      await call(0, 'PUT', path, all)
      await expect.poll(() => findTexts(1, 'printer'), { timeout: 30_000 }).toHaveLength(1)
      const text = `${'Other words of the scanner. '.repeat(2_000)}It is quiet.`
      await call(0, 'PUT', path, { text, attributes: { team: 'it' } })
      const leaked: (readonly string[])[] = []
      await expect
        .poll(
          async () => {
            leaked.push(await findTexts(1, 'printer', key))
            return await findTexts(1, 'quiet', key)
          },
          { timeout: 30_000, interval: 1 },
        )
        .not.toEqual([])
      expect(leaked.flat()).toEqual([])
    })

    test('a chunk that is edited at one node is so at the other, for users of a token, too', async () => {
      const path = '/api/collections/wiki/documents'
      for (const [id, readers] of [
        ['a', 'user:ann'],
        ['b', 'user:bob'],
      ])
        await call(0, 'PUT', `${path}/${id}`, {
          text: `The printer of ${id} jams.`,
          attributes: { readers },
        })
      await expect.poll(() => findTexts(1, 'printer'), { timeout: 30_000 }).toHaveLength(2)
      const ann = signToken({ name: 'ann', groups: [] }, TOKEN_KEY)
      expect(await findTexts(1, 'printer', ann)).toEqual(['The printer of a jams.'])
      const { body } = await call(1, 'GET', `${path}/a/chunks`)
      const [chunk] = (body as { chunks: { id: string }[] }).chunks
      const edit = async (node: number, change: object) =>
        (await call(node, 'PATCH', `${path}/a/chunks/${chunk!.id}`, change)).status
      expect(await edit(1, { note: 'Ask Eve about toner.' })).toBe(200)
      await expect.poll(() => findTexts(0, 'toner', ann), { timeout: 30_000 }).toHaveLength(1)
      expect(await edit(0, { isExcluded: true })).toBe(200)
      await expect.poll(() => findTexts(1, 'printer', ann), { timeout: 30_000 }).toEqual([])
    })

    test('events continue at the other node, and each is sent to a webhook once', async () => {
      for (const [node, id] of ['a', 'b', 'c'].entries())
        await call(node % 2, 'PUT', `/api/collections/wiki/documents/${id}`, {
          text: `Text ${id}.`,
        })
      const all = await readEvents(0, 'oldest', 6)
      expect(all.map(({ type }) => type).toSorted()).toEqual([
        ...Array.from({ length: 3 }, () => 'document.completed'),
        ...Array.from({ length: 3 }, () => 'job.completed'),
      ])
      expect(await readEvents(1, all[2]!.id, 3)).toEqual(all.slice(3))
      await expect.poll(() => received.length, { timeout: 30_000 }).toBe(6)
      expect(new Set(received.map(({ id }) => id))).toEqual(new Set(all.map(({ id }) => id)))
    })
  },
)
