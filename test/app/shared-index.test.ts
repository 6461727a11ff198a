import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import {
  type AddressInfo,
  connect,
  createServer as createTcpServer,
  type Server,
  type Socket,
} from 'node:net'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { S3Place } from '../../src/ingest/store/blobs/s3-client.ts'
import { NEEDS_S3, s3Place, TestBucket } from '../fakes/s3.ts'
import { Sandbox } from '../fakes/store.ts'

let sandbox: Sandbox
const closing: (() => Promise<unknown>)[] = []

beforeEach(async () => {
  sandbox = await Sandbox.make()
})
afterEach(async () => {
  await sandbox.remove()
  for (const close of closing.splice(0)) await close()
})

const TEXTS = {
  'tea.txt': 'Tea grows on hills.\n\nGreen tea is steamed soon after it is picked.',
  'rail.txt': 'The railway opened in the spring.\n\nIts bridges are of stone.',
  'zh.txt': '茶树生长在山坡上。',
}

async function openBucket(): Promise<TestBucket> {
  const bucket = new TestBucket(s3Place!)
  await bucket.make()
  closing.push(() => bucket.remove())
  return bucket
}

const inBucket = (s3: S3Place & { readonly prefix?: string }) => ({
  settings: { s3, index: { place: 's3' as const } },
})

async function listening(server: Server): Promise<number> {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

const there = test.skipIf(!s3Place)

there(
  `what lies in S3 is found as it is on the disk, and by another process (${NEEDS_S3})`,
  async () => {
    const docs = await sandbox.write(TEXTS)
    const local = await Sandbox.make()
    closing.push(() => local.remove())
    const onDisk = await local.open()
    await onDisk.index([docs])
    const bucket = await openBucket()
    const options = inBucket(bucket.settings)
    const passim = await sandbox.open(options)
    expect((await passim.index([docs])).totals).toMatchObject({ indexed: 3, failed: 0 })
    const found = async (store: typeof passim, query: string) =>
      (await store.search({ query })).map(({ name, score, text }) => ({ name, score, text }))
    for (const query of ['stone bridges', 'green tea', '茶树', '"soon after it is picked"'])
      expect(await found(passim, query)).toEqual(await found(onDisk, query))
    expect(existsSync(path.join(sandbox.home, 'index'))).toBe(false)
    const other = await sandbox.open(options)
    expect((await found(other, 'green tea'))[0]?.name).toBe('tea.txt')
    await passim.delete('tea.txt', { now: true })
    expect((await found(other, 'green tea')).map(({ name }) => name)).not.toContain('tea.txt')
    expect(await other.verify.run()).toMatchObject({ ok: true, problems: [] })
    await passim.collections.delete(await passim.scope.findCollection('default'), { now: true })
    const left: string[] = []
    for await (const { key } of bucket.blobs.list('')) left.push(key)
    expect(left.map(key => key.replace(/^[^/]*/, ''))).toEqual(['/store'])
  },
)

there(`two stores in one bucket know nothing of each other (${NEEDS_S3})`, async () => {
  const bucket = await openBucket()
  const options = inBucket(bucket.settings)
  const other = await Sandbox.make()
  closing.push(() => other.remove())
  const [one, two] = [await sandbox.open(options), await other.open(options)]
  await one.index([await sandbox.write({ 'tea.txt': TEXTS['tea.txt'] })])
  await two.index([await other.write({ 'rail.txt': TEXTS['rail.txt'] })])
  await two.collections.delete(await two.scope.findCollection('default'), { now: true })
  expect((await one.search({ query: 'green tea' }))[0]?.name).toBe('tea.txt')
  expect(await one.verify.run()).toMatchObject({ ok: true, problems: [] })
})

there(
  `an S3 store that is away is told as that, and what was lost of no work is gone on with (${NEEDS_S3})`,
  async () => {
    const bucket = await openBucket()
    const { hostname, port } = new URL(bucket.place.url)
    let isAway = false
    const sockets = new Set<Socket>()
    const proxy = createTcpServer(socket => {
      if (isAway) return socket.destroy()
      const inner = connect(Number(port), hostname)
      for (const one of [socket, inner]) {
        sockets.add(one)
        one.on('error', () => {}).on('close', () => sockets.delete(one))
      }
      socket.pipe(inner).pipe(socket)
    })
    const url = `http://127.0.0.1:${await listening(proxy)}`
    closing.push(() => new Promise(resolve => proxy.close(resolve)))
    const passim = await sandbox.open(inBucket({ ...bucket.settings, url }))
    await passim.index([await sandbox.write({ 'tea.txt': TEXTS['tea.txt'] })])
    isAway = true
    for (const socket of sockets) socket.destroy()
    const docs = await sandbox.write({ 'rail.txt': TEXTS['rail.txt'] })
    await expect(passim.index([docs])).rejects.toMatchObject({ code: 'store_unavailable' })
    isAway = false
    expect((await passim.index([docs])).totals).toMatchObject({ failed: 0 })
    expect((await passim.search({ query: 'stone bridges' }))[0]?.name).toBe('rail.txt')
    expect(await passim.verify.run()).toMatchObject({ ok: true, problems: [] })
  },
)

/** Lets the last one win, as stores do that know nothing of conditions. */
async function openCareless(): Promise<S3Place> {
  const kept = new Map<string, Buffer>()
  const server = createServer(async (request, answer) => {
    const { method, url = '' } = request
    if (method === 'PUT') kept.set(url, await buffer(request))
    answer
      .writeHead(method === 'GET' && !kept.has(url) ? 404 : 200)
      .end(method === 'GET' ? kept.get(url) : undefined)
  })
  const url = `http://127.0.0.1:${await listening(server)}`
  closing.push(() => new Promise(resolve => server.close(resolve)))
  return {
    url,
    bucket: 'careless',
    region: 'us-east-1',
    accessKeyId: 'id',
    secretAccessKey: 'secret',
  }
}

test('a store that lets a second writer replace the first is refused when it is opened', async () => {
  const message = expect.stringMatching(/bucket careless at 127.*If-None-Match/)
  const opening = sandbox.open(inBucket(await openCareless()))
  await expect(opening).rejects.toMatchObject({ code: 'store_mismatch', message })
})

test('an index in S3 without an S3 store is refused by the settings that are missing', async () => {
  const opening = sandbox.open({ settings: { index: { place: 's3' } } })
  await expect(opening).rejects.toMatchObject({
    code: 'invalid_input',
    message: expect.stringContaining('s3.url'),
  })
})
