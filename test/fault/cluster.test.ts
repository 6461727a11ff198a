import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { schemaOf } from '../fakes/catalog-environment.ts'
import { startEmbeddingServer } from '../fakes/embedding-server.ts'
import { NEEDS_S3, s3Place, TestBucket } from '../fakes/s3.ts'
import { Sandbox } from '../fakes/store.ts'
import { TestCluster } from '../fakes/test-cluster.ts'

const database = process.env.PASSIM_TEST_POSTGRES
const there = test.skipIf(!database || !s3Place)

/** Longest that one node's change may be unseen by another, in milliseconds. */
const SEEN_MS = 1_500

/** Documents of a collection that two workers share. */
const SHARED = 24

let sandbox: Sandbox
let bucket: TestBucket
let cluster: TestCluster

beforeEach(async () => {
  if (!database || !s3Place) return
  sandbox = await Sandbox.make()
  bucket = new TestBucket(s3Place)
  await bucket.make()
  cluster = new TestCluster(sandbox.folder, {
    catalog: { url: database, schema: schemaOf(sandbox.folder) },
    ...{ s3: bucket.settings, content: { place: 's3' }, index: { place: 's3' } },
  })
})
afterEach(async () => {
  if (!database || !s3Place) return
  await cluster.close()
  await bucket.remove()
  await sandbox.remove()
})

there(
  `what is uploaded at one node is indexed by another, found by a third, and gone everywhere once it is deleted (needs PASSIM_TEST_POSTGRES, ${NEEDS_S3})`,
  { timeout: 240_000 },
  async () => {
    cluster.token = (
      await cluster.run('keys', 'keys', 'create', 'ci', '--scope', 'admin')
    ).stdout.trim()
    const [{ url: one }, { url: other }] = [
      await cluster.serve('one'),
      await cluster.serve('other'),
    ]
    const worker = await cluster.start('worker', ['work'])
    await cluster.start('second', ['work'])
    const { id: store } = await cluster.call(one, 'POST', '/v1/vector_stores', { name: 'lights' })
    const ids: string[] = []
    for (let at = 0; at < 12; at++) {
      ids.push(await cluster.upload(one, store, at))
      if (at === 6) await cluster.kill(worker)
    }
    const isFound = async () => await cluster.counts(other, store, 12)
    await expect.poll(isFound, { timeout: 120_000, interval: 200 }).toEqual(Array(12).fill(1))
    await cluster.call(one, 'DELETE', `/v1/files/${ids[3]}`)
    const soon = { timeout: SEEN_MS, interval: 50 }
    await expect
      .poll(() => cluster.find(other, store, 'lighthouse 1903'), soon)
      .not.toContain('in 1903.')
    expect(await cluster.find(other, store, 'lighthouse 1904')).toContain('in 1904.')
    expect(JSON.parse((await cluster.run('keys', 'verify', '--json')).stdout)).toMatchObject({
      ok: true,
    })
  },
)

/** A server of embeddings for each of two workers, which answer when both have been asked; what each was asked to embed. */
async function embeddingServers() {
  const asked: string[][] = [[], []]
  let answer = () => {}
  const areAsked = new Promise<void>(resolve => {
    answer = resolve
  })
  const start = async (own: string[]) =>
    await startEmbeddingServer(64, async texts => {
      own.push(...texts.filter(text => text.includes('Lighthouse number')))
      if (asked.every(texts => texts.length > 0)) answer()
      await areAsked
      await sleep(500) // so that neither has done all before the other looks
    })
  return { asked, areAsked, servers: await Promise.all(asked.map(start)) }
}

there(
  'two workers share the documents of one collection, and what one of them dies over the other takes up (needs PASSIM_TEST_POSTGRES, PASSIM_TEST_S3)',
  { timeout: 300_000 },
  async () => {
    const model = (url: string) => ({
      settings: { embedder: { url, name: 'hashing', dimensions: 64 } },
    })
    const questions = await startEmbeddingServer(64)
    const { url } = await cluster.serve('service', ['--no-ingest'], model(questions.url))
    for (const [round, killed] of [undefined, 0, 1].entries()) {
      const first = round * SHARED // what was embedded before is not again
      const { asked, areAsked, servers } = await embeddingServers()
      const { id: store } = await cluster.call(url, 'POST', '/v1/vector_stores', {})
      for (let at = 0; at < SHARED; at++) await cluster.upload(url, store, first + at)
      const start = async (at: number) =>
        await cluster.start(`worker-${at}`, ['work'], model(servers[at]!.url))
      const workers = [await start(0), await start(1)]
      await areAsked
      if (killed !== undefined) await cluster.kill(workers[killed]!)
      const counts = async () =>
        (await cluster.call(url, 'GET', `/v1/vector_stores/${store}`)).file_counts
      await expect
        .poll(counts, { timeout: 120_000, interval: 200 })
        .toMatchObject({ completed: SHARED, in_progress: 0 })
      expect(await cluster.counts(url, store, SHARED, first)).toEqual(Array(SHARED).fill(1))
      const [one = [], other = []] = asked
      if (killed === undefined)
        expect(Math.min(one.length, other.length)).toBeGreaterThanOrEqual(SHARED / 6)
      if (killed === undefined) expect(one.length + other.length).toBe(SHARED)
      else expect(new Set([...one, ...other]).size).toBe(SHARED)
      for (const worker of workers) await cluster.kill(worker)
      for (const server of servers) await server.close()
    }
    await questions.close()
    expect(JSON.parse((await cluster.run('service', 'verify', '--json')).stdout)).toMatchObject({
      ok: true,
    })
  },
)

there(
  'what a service that indexes by itself leaves in its queue when it dies is indexed by another (needs PASSIM_TEST_POSTGRES, PASSIM_TEST_S3)',
  { timeout: 240_000 },
  async () => {
    const other = await cluster.serve('other', [])
    const one = await cluster.serve('one', [], { settings: { parsing: { processes: 1 } } })
    const { id: store } = await cluster.call(one.url, 'POST', '/v1/vector_stores', {
      name: 'lights',
    })
    for (let at = 0; at < 8; at++) await cluster.upload(one.url, store, at)
    await cluster.kill(one.node)
    const { jobs } = await cluster.call(other.url, 'GET', '/api/jobs')
    expect(jobs).toContainEqual(expect.objectContaining({ state: 'queued' }))
    const isFound = async () => await cluster.counts(other.url, store, 8)
    await expect.poll(isFound, { timeout: 120_000, interval: 500 }).toEqual(Array(8).fill(1))
  },
)

/** A part of an upload. */
async function sendPart(url: string, id: string, bytes: Buffer): Promise<string> {
  const form = new FormData()
  form.append('data', new File([new Uint8Array(bytes)], 'blob'))
  return (await cluster.call(url, 'POST', `/v1/uploads/${id}/parts`, form)).id
}

there(
  `an upload in parts ends at another node than took them, though that was killed and its disk is lost (needs PASSIM_TEST_POSTGRES, ${NEEDS_S3})`,
  { timeout: 120_000 },
  async () => {
    cluster.token = (
      await cluster.run('keys', 'keys', 'create', 'ci', '--scope', 'admin')
    ).stdout.trim()
    const [{ node: one, url: urlOfOne }, { url: other }] = [
      await cluster.serve('one'),
      await cluster.serve('other'),
    ]
    const bytes = randomBytes(3 * 1024 * 1024)
    const announced = {
      filename: 'big.bin',
      purpose: 'assistants',
      bytes: bytes.length,
      mime_type: 'text/plain',
    }
    const { id } = await cluster.call(urlOfOne, 'POST', '/v1/uploads', announced)
    const middle = 2 * 1024 * 1024
    const end = await sendPart(other, id, bytes.subarray(middle))
    const start = await sendPart(urlOfOne, id, bytes.subarray(0, middle))
    await cluster.kill(one)
    await rm(path.join(sandbox.folder, 'one'), { recursive: true })
    const done = await cluster.call(other, 'POST', `/v1/uploads/${id}/complete`, {
      part_ids: [start, end],
    })
    const { id: file } = done.file as { id: string } // it is completed
    const headers = { authorization: `Bearer ${cluster.token}` }
    const content = await fetch(`${other}/v1/files/${file}/content`, { headers })
    expect(Buffer.from(await content.arrayBuffer()).equals(bytes)).toBe(true)
    const left: string[] = []
    for await (const { key } of bucket.blobs.list('')) if (key.includes('/uploads/')) left.push(key)
    expect(left).toEqual([])
  },
)
