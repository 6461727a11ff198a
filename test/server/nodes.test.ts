import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import OpenAI from 'openai'
import { afterEach, describe, expect, test } from 'vitest'
import { silentAfter, startScriptedModel } from '../fakes/scripted-model-server.ts'
import { DATABASE, openNodes } from './nodes.ts'

describe.skipIf(!DATABASE)('several nodes (need PASSIM_TEST_POSTGRES)', () => {
  let cluster: Awaited<ReturnType<typeof openNodes>>
  afterEach(() => cluster.close())
  const clients = (apiKey: string) =>
    cluster.nodes.map(({ url }) => new OpenAI({ baseURL: `${url}/v1`, apiKey, maxRetries: 0 }))

  test('let a key ask as often together as one would', async () => {
    const limit = 30
    cluster = await openNodes(['one', 'other'], { server: { requestsPerMinute: limit } })
    const token = await cluster.token('read')
    const began = Date.now()
    const asked = clients(token).flatMap(client =>
      Array.from({ length: limit }, () => client.models.list().withResponse()),
    )
    const answers = await Promise.allSettled(asked)
    const back = Math.ceil(((Date.now() - began) / 60_000) * limit) // came back meanwhile
    const left = answers.flatMap(answer =>
      answer.status === 'fulfilled'
        ? [Number(answer.value.response.headers.get('x-ratelimit-remaining-requests'))]
        : [],
    )
    expect(left.length).toBeGreaterThanOrEqual(limit)
    expect(left.length).toBeLessThanOrEqual(limit + back)
    expect(Math.max(...left)).toBe(limit - 1)
    expect(Math.min(...left)).toBe(0)
    for (const answer of answers) {
      if (answer.status === 'fulfilled') continue
      expect(answer.reason).toBeInstanceOf(OpenAI.RateLimitError)
      const { headers } = answer.reason as InstanceType<typeof OpenAI.RateLimitError> // as just seen
      expect(headers.get('x-ratelimit-limit-requests')).toBe(String(limit))
      expect(Number(headers.get('retry-after-ms'))).toBeLessThanOrEqual(60_000 / limit)
    }
  })

  test('do once what is asked of each of them under one Idempotency-Key', async () => {
    cluster = await openNodes(['one', 'other'])
    const [one, other] = clients(await cluster.token())
    const create = async (client: OpenAI | undefined, name = 'notes') =>
      await client!.vectorStores.create({ name }, { headers: { 'idempotency-key': 'k' } })
    const made = await Promise.all([create(one), create(other), create(one)])
    const later = await create(other)
    expect(new Set([...made, later].map(({ id }) => id)).size).toBe(1)
    expect(
      (await other!.vectorStores.list()).data.filter(({ name }) => name === 'notes'),
    ).toHaveLength(1)
    await expect(create(other, 'else')).rejects.toThrow('another request')
  })

  test('say nothing of where the database is while it is away, and tell whoever runs them', async () => {
    const way = await wayTo(new URL(DATABASE!))
    cluster = await openNodes(['one'], {}, { one: way.url })
    const [client] = clients(await cluster.token())
    await client!.models.list()
    await way.close()
    const failure = await client!.vectorStores.list().catch((error: unknown) => error)
    expect(failure).toMatchObject({ status: 503, code: 'store_unavailable' })
    expect(String(failure)).not.toContain('127.0.0.1')
    expect(cluster.nodes[0]!.log.join()).toContain(`127.0.0.1:${way.port}`)
  })

  test('refuse a key at once that another revoked', async () => {
    cluster = await openNodes(['one', 'other'])
    const admin = await cluster.token('admin')
    const { key, token } = await cluster.keys.create({
      name: 'test',
      tenant: 'default',
      scope: 'read',
    })
    for (const client of clients(token)) await client.models.list()
    const revoke = { method: 'DELETE', headers: { authorization: `Bearer ${admin}` } }
    expect((await fetch(`${cluster.nodes[0]!.url}/api/keys/${key.id}`, revoke)).status).toBe(200)
    for (const client of clients(token))
      await expect(client.models.list()).rejects.toThrow(OpenAI.AuthenticationError)
  })

  test('end what a key began that another revoked', async () => {
    const model = await startScriptedModel([silentAfter('Hotels cost')])
    cluster = await openNodes(['one', 'other'], { model: { url: model.url, name: 'scripted' } })
    const { key, token } = await cluster.keys.create({
      name: 'test',
      tenant: 'default',
      scope: 'read',
    })
    const messages = [{ role: 'user' as const, content: 'Hi' }]
    const stream = await clients(token)[1]!.chat.completions.create({
      model: 'scripted',
      messages,
      stream: true,
    })
    const read = async () => {
      for await (const _ of stream);
    }
    const ended = read().catch((error: unknown) => String(error))
    const { closed } = await model.request(0)
    const admin = { authorization: `Bearer ${await cluster.token('admin')}` }
    await fetch(`${cluster.nodes[0]!.url}/api/keys/${key.id}`, { method: 'DELETE', headers: admin })
    expect(await ended).toContain('was revoked')
    await closed
    await model.close()
  })
})

/** Another address of a database, until it is closed with all who came by it. */
async function wayTo(database: URL) {
  const sockets = new Set<Socket>()
  const server = createServer(client => {
    const there = connect(Number(database.port), database.hostname)
    for (const socket of [client, there]) sockets.add(socket.on('error', () => {}))
    client.pipe(there).pipe(client)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // it listens on TCP
  const url = new URL(database)
  Object.assign(url, { hostname: '127.0.0.1', port: String(port) })
  return {
    ...{ url: url.href, port },
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
