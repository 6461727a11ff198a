import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { schemaOf } from '../fakes/catalog-environment.ts'
import { startEmbeddingServer } from '../fakes/embedding-server.ts'
import { NEEDS_S3, s3Place, TestBucket } from '../fakes/s3.ts'
import { Sandbox } from '../fakes/store.ts'
import { hasHosts, NEEDS_HOSTS, TestCluster } from '../fakes/test-cluster.ts'
import { type WebAnswer, WebServer } from '../fakes/web-server.ts'

const database = process.env.PASSIM_TEST_POSTGRES
const there = test.skipIf(!database || !s3Place || !hasHosts)

const PAGES = 30

/** A slow site that counts its requests, and the most of them at once. */
class CountedSite {
  served = 0
  #atOnce = 0
  mostAtOnce = 0
  site: WebServer | undefined

  async start(): Promise<string> {
    const names = Array.from({ length: PAGES }, (_, n) => `/note-${n}.html`)
    const links = names.map(name => `<a href="${name}">${name}</a>`).join(' ')
    const pages = names.map((name, n) => [name, this.#answer(`<p>Note number ${n}.</p>`)] as const)
    this.site = await WebServer.start({
      '/robots.txt': { status: 404 },
      '/': this.#answer(links),
      ...Object.fromEntries(pages),
    })
    return this.site.url('/')
  }

  #answer(body: string): WebAnswer {
    return async (_request, response) => {
      this.mostAtOnce = Math.max(this.mostAtOnce, ++this.#atOnce)
      await sleep(100)
      this.#atOnce--
      this.served++
      response.writeHead(200, { 'content-type': 'text/html', connection: 'close' }).end(body)
    }
  }
}

let sandbox: Sandbox
let bucket: TestBucket
let cluster: TestCluster
let site: CountedSite
let model: Awaited<ReturnType<typeof startEmbeddingServer>>

beforeEach(async () => {
  if (!database || !s3Place) return
  sandbox = await Sandbox.make()
  bucket = new TestBucket(s3Place)
  await bucket.make()
  site = new CountedSite()
  model = await startEmbeddingServer(64)
  const notes = {
    ...{ type: 'site', url: await site.start(), crawl: 1, allowPrivate: true },
    ...{ collection: 'notes', everyMinutes: 0.02 },
  }
  cluster = new TestCluster(sandbox.folder, {
    catalog: { url: database, schema: schemaOf(sandbox.folder) },
    ...{ s3: bucket.settings, content: { place: 's3' }, index: { place: 's3' } },
    ...{ fetching: { delayMs: 0 }, sources: { notes } },
    embedder: { url: model.url, name: 'hashing', dimensions: 64 },
  })
})
afterEach(async () => {
  if (!database || !s3Place) return
  await cluster.close()
  await site.site?.close()
  await model.close()
  await bucket.remove()
  await sandbox.remove()
})

there(
  `a source is compared by one machine at a time, and by another once its machine is killed (needs PASSIM_TEST_POSTGRES, ${NEEDS_S3}, ${NEEDS_HOSTS})`,
  { timeout: 240_000 },
  async () => {
    const isServed = async (pages: number) =>
      await expect.poll(() => site.served, { timeout: 120_000 }).toBeGreaterThanOrEqual(pages)
    const one = await cluster.start('one', ['work'], { host: 'one' })
    await isServed(5)
    await cluster.start('other', ['work'], { host: 'other' })
    await sleep(1_000) // it leaves the source to the first
    await cluster.kill(one)
    const served = site.served
    expect(served).toBeLessThan(PAGES)
    await isServed(served + PAGES)
    await cluster.start('third', ['work'], { host: 'third' })
    await isServed(served + 4 * PAGES)
    expect(site.mostAtOnce).toBe(1)
    const listed = await cluster.run('reader', 'list', '-c', 'notes', '--json')
    const { documents } = JSON.parse(listed.stdout) as { documents: { source: string }[] } // of this build
    expect(new Set(documents.map(({ source }) => source)).size).toBe(PAGES + 1)
    expect(documents).toHaveLength(PAGES + 1)
    const verified = await cluster.run('reader', 'verify', '--json')
    expect(JSON.parse(verified.stdout)).toMatchObject({ ok: true })
  },
)
