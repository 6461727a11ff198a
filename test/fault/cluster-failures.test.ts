import { chmod, mkdtemp, rm } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { FORMATS } from '../../src/app/stores/store.ts'
import { PostgresCatalog } from '../../src/ingest/store/catalogs/postgres.ts'
import { schemaOf } from '../fakes/catalog-environment.ts'
import { hasPostgresPrograms, NEEDS_POSTGRES_PROGRAMS, OwnPostgres } from '../fakes/engines.ts'
import { Forwarder } from '../fakes/forwarder.ts'
import { NEEDS_S3, s3Place, TestBucket } from '../fakes/s3.ts'
import { Sandbox } from '../fakes/store.ts'
import { hasHosts, NEEDS_HOSTS, TestCluster, type TestNode } from '../fakes/test-cluster.ts'

const database = process.env.PASSIM_TEST_POSTGRES
const POLL = { timeout: 150_000, interval: 300 }
/** Enough that a kill or a cut meets the first of them. */
const LIGHTS = 8
const ONCE = Array(LIGHTS).fill(1)

let sandbox: Sandbox
let cluster: TestCluster
/** Things to be given back, the last one first. */
let ends: (() => Promise<void>)[]

beforeEach(async () => {
  sandbox = await Sandbox.make()
  ends = [() => sandbox.remove()]
})
afterEach(async () => {
  for (const end of ends.toReversed()) await end()
})

/** Nodes over a database and, where the test has one, a bucket. */
async function clusterOver(url: string, bucket?: TestBucket): Promise<TestCluster> {
  const shared = bucket && { s3: bucket.settings, content: { place: 's3' }, index: { place: 's3' } }
  const made = new TestCluster(sandbox.folder, {
    catalog: { url, schema: schemaOf(sandbox.folder) },
    ...shared,
  })
  ends.push(() => made.close())
  return made
}

async function madeBucket(): Promise<TestBucket> {
  const bucket = new TestBucket(s3Place!) // tests without are skipped
  await bucket.make()
  ends.push(() => bucket.remove())
  return bucket
}

async function lineTo(port: number): Promise<Forwarder> {
  const line = await Forwarder.to(port)
  ends.push(() => line.close())
  return line
}

const through = (url: string, line: Forwarder) =>
  Object.assign(new URL(url), { port: String(line.port) }).href

/** Once it has said so. */
async function says(node: TestNode, text: string): Promise<void> {
  let said = ''
  for await (const part of node.child.stderr!) {
    said += part
    if (said.includes(text)) return
  }
  throw new Error(`It ended without saying "${text}": ${said}`)
}

async function storeAt(url: string): Promise<string> {
  return (await cluster.call(url, 'POST', '/v1/vector_stores', { name: 'lights' })).id
}

describe.skipIf(!hasPostgresPrograms)(`PostgreSQL's primary (${NEEDS_POSTGRES_PROGRAMS})`, () => {
  test('is killed and its synchronous standby promoted: what was acknowledged is there, and nodes go on by the same address', {
    timeout: 240_000,
  }, async () => {
    const folder = await mkdtemp('/tmp/passim-pg-') // not among the temporary files of tests, where its user may not look
    ends.push(() => rm(folder, { recursive: true }))
    await chmod(folder, 0o711)
    const primary = await OwnPostgres.start(path.join(folder, 'primary'))
    ends.push(() => primary.kill())
    const standby = await OwnPostgres.follow(path.join(folder, 'standby'), primary)
    ends.push(() => standby.kill())
    const line = await lineTo(primary.port)
    cluster = await clusterOver(through(primary.url, line))
    const { url } = await cluster.serve('one')
    const { id } = await cluster.call(url, 'POST', '/v1/conversations', {})
    const acknowledged: string[] = []
    let tried = 0
    const write = async () => {
      const text = `Note ${tried++} of it.`
      const items = [{ type: 'message', role: 'user', content: text }]
      const done = cluster.call(url, 'POST', `/v1/conversations/${id}/items`, { items })
      await done.then(
        () => acknowledged.push(text),
        error => expect(String(error)).toContain('503'),
      )
    }
    const writing = async (until: () => boolean) => {
      while (!until()) await write()
    }
    await writing(() => acknowledged.length === 20)
    const killed = primary.kill()
    await writing(() => tried > acknowledged.length) // it is refused
    await killed
    await standby.promote()
    line.pointTo(standby.port)
    const before = acknowledged.length
    await writing(() => acknowledged.length === before + 10)
    const { data } = await cluster.call(
      url,
      'GET',
      `/v1/conversations/${id}/items?limit=100&order=asc`,
    )
    const kept = [...JSON.stringify(data).matchAll(/Note \d+ of it\./g)].map(([text]) => text)
    expect(kept).toEqual([...new Set(kept)])
    expect(kept).toEqual(expect.arrayContaining(acknowledged))
  })
})

describe.skipIf(!database)(
  'a line to PostgreSQL that says nothing (needs PASSIM_TEST_POSTGRES)',
  () => {
    test('makes readers and writers end as store_unavailable, though nobody hangs up, and both go on once it speaks', {
      timeout: 120_000,
    }, async () => {
      const line = await lineTo(Number(new URL(database!).port))
      const place = { url: through(database!, line), schema: schemaOf(sandbox.folder) }
      const catalog = await PostgresCatalog.open(place, FORMATS)
      ends.push(() => catalog.close())
      await Promise.all([catalog.all('SELECT 1'), catalog.all('SELECT 2')])
      line.silence()
      const asked = [
        catalog.all('SELECT 1'),
        catalog.run('DELETE FROM leases'),
        catalog.all('SELECT 3'),
        catalog.state(),
      ]
      for (const { reason } of (await Promise.allSettled(asked)) as PromiseRejectedResult[])
        expect(reason).toMatchObject({ code: 'store_unavailable' })
      line.restore()
      await expect.poll(() => catalog.run('DELETE FROM leases').catch(() => -1), POLL).toBe(0)
    })
  },
)

describe.skipIf(!database || !s3Place)(`workers (need PASSIM_TEST_POSTGRES, ${NEEDS_S3})`, () => {
  test('whose S3 store is away for a while leave documents in the queue, and end them once it is there', {
    timeout: 240_000,
  }, async () => {
    const bucket = await madeBucket()
    cluster = await clusterOver(database!, bucket)
    const line = await lineTo(Number(new URL(s3Place!.url).port))
    const s3 = { ...bucket.settings, url: through(s3Place!.url, line).replace(/\/$/, '') }
    const { url } = await cluster.serve('one')
    const store = await storeAt(url)
    const worker = await cluster.start('worker', ['work'], { settings: { s3 } })
    await cluster.upload(url, store, 0)
    await expect.poll(() => cluster.counts(url, store, 1), POLL).toEqual([1])
    line.cut()
    const stopped = says(worker, 'Indexing of lights stopped')
    for (let at = 1; at < LIGHTS; at++) await cluster.upload(url, store, at)
    await stopped
    const { jobs } = await cluster.call(url, 'GET', '/api/jobs')
    expect(JSON.stringify(jobs)).toContain('"queued"')
    line.restore()
    await expect.poll(() => cluster.counts(url, store, LIGHTS), POLL).toEqual(ONCE)
    const states = async () => {
      const { jobs: ended } = await cluster.call(url, 'GET', '/api/jobs')
      return (ended as { state: string }[]).map(({ state }) => state) // as /api/jobs gives them
    }
    await expect.poll(states, POLL).toEqual(ONCE.map(() => 'completed')) // found by words before their jobs end
  })

  test.skipIf(!hasHosts)(
    `one that cannot reach PostgreSQL is replaced, and what it does once it can overwrites nothing (${NEEDS_HOSTS})`,
    { timeout: 240_000 },
    async () => {
      const bucket = await madeBucket()
      cluster = await clusterOver(database!, bucket)
      const line = await lineTo(Number(new URL(database!).port))
      const schema = schemaOf(sandbox.folder)
      const { url } = await cluster.serve('one')
      const store = await storeAt(url)
      const catalog = { url: through(database!, line), schema }
      await cluster.start('late', ['work'], { settings: { catalog }, host: 'elsewhere' })
      const here = await PostgresCatalog.open({ url: database!, schema }, FORMATS)
      ends.push(() => here.close())
      const holder = async () =>
        (await here.get<{ host: string }>(`SELECT host FROM leases WHERE name LIKE 'writer of %'`))
          ?.host
      for (let at = 0; at < LIGHTS; at++) await cluster.upload(url, store, at)
      await expect.poll(holder, { ...POLL, interval: 5 }).toBe('elsewhere')
      line.silence()
      const queued = async () =>
        (
          await here.get<{ n: number }>(
            `SELECT count(*) AS n FROM documents WHERE status = 'in_progress'`,
          )
        )?.n
      expect(await queued()).toBeGreaterThan(0)
      const other = await cluster.start('other', ['work'])
      await expect.poll(() => cluster.counts(url, store, LIGHTS), POLL).toEqual(ONCE)
      await expect.poll(queued, POLL).toBe(0)
      line.restore()
      await cluster.kill(other)
      await cluster.upload(url, store, LIGHTS) // which the late one indexes: it has come back
      await expect.poll(() => cluster.counts(url, store, LIGHTS + 1), POLL).toEqual([...ONCE, 1])
      await expect.poll(async () => [await queued(), await holder()], POLL).toEqual([0, undefined])
      const verified = JSON.parse((await cluster.run('check', 'verify', '--json')).stdout)
      expect(verified).toEqual({ ok: true, rootHash: expect.any(String), problems: [] })
    },
  )
})

describe.skipIf(!database || !hasHosts)(
  `clocks that stand apart (needs PASSIM_TEST_POSTGRES, ${NEEDS_HOSTS})`,
  () => {
    const MINUTE_MS = 60_000

    test('by minutes, take no lease from who holds it, and that of a dead one is free as soon as ever', {
      timeout: 240_000,
    }, async () => {
      cluster = await clusterOver(database!)
      const reader = await cluster.serve('home')
      const store = await storeAt(reader.url)
      for (let at = 0; at < LIGHTS; at++) await cluster.upload(reader.url, store, at)
      const behind = { host: 'behind', clockAheadMs: -4 * MINUTE_MS }
      const first = await cluster.start('home', ['work'], behind)
      await expect.poll(() => cluster.counts(reader.url, store, 1), POLL).toEqual([1])
      await cluster.start('home', ['work'], { host: 'ahead', clockAheadMs: 4 * MINUTE_MS })
      await cluster.kill(first)
      await expect.poll(() => cluster.counts(reader.url, store, LIGHTS), POLL).toEqual(ONCE)
    })

    test('by an hour, let a machine write nothing, and nothing go that others keep', {
      timeout: 120_000,
    }, async () => {
      cluster = await clusterOver(database!)
      const { url } = await cluster.serve('home')
      const form = new FormData()
      form.append('purpose', 'assistants')
      form.append('file', new File(['Kept for an hour.'], 'hour.txt'))
      form.append('expires_after[anchor]', 'created_at')
      form.append('expires_after[seconds]', '3600')
      const { id } = await cluster.call(url, 'POST', '/v1/files', form)
      for (const clockAheadMs of [61 * MINUTE_MS, -61 * MINUTE_MS]) {
        const { code, stderr } = await (
          await cluster.start('home', ['serve', '--port', '0'], { clockAheadMs })
        ).ended
        expect({ code, stderr }).toEqual({
          code: 3,
          stderr: expect.stringContaining('The clock of this machine is 61 minutes'),
        })
      }
      expect(await cluster.call(url, 'GET', `/v1/files/${id}`)).toMatchObject({ id })
    })
  },
)
