import { once } from 'node:events'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Parser } from '../../src/ingest/parse/parser.ts'
import { JobJournal } from '../../src/ingest/store/catalog/job-journal.ts'
import { getWriterLease, Leases } from '../../src/ingest/store/catalog/lease.ts'
import { storeIn } from '../fakes/catalog-environment.ts'
import { Sandbox } from '../fakes/store.ts'

/** Reads text, but never comes to an end of files called slow until it is told to stop or `release` is called. */
function slowParser(): { parser: Parser; release: () => void; started: Promise<unknown> } {
  const gate = new EventTarget()
  const parser: Parser = {
    id: 'slow@1',
    mediaTypes: ['text/plain'],
    async *parse({ name }, signal) {
      yield { type: 'block', block: { kind: 'paragraph', text: `text of ${name}` } }
      yield { type: 'page', report: { page: 1, characters: 10, images: 0, garbled: 0 } }
      if (!name.startsWith('slow')) return
      const released = once(gate, 'release', { signal })
      gate.dispatchEvent(new Event('started'))
      await released
    },
  }
  return {
    parser,
    release: () => gate.dispatchEvent(new Event('release')),
    started: once(gate, 'started'),
  }
}

let sandbox: Sandbox

beforeEach(async () => {
  sandbox = await Sandbox.make()
})
afterEach(() => sandbox.remove())

async function start() {
  const slow = slowParser()
  const passim = await sandbox.open({ parsers: [slow.parser] })
  const docs = await sandbox.write({ 'a.txt': 'a', 'slow.txt': 'b' })
  const run = passim.index([docs])
  await slow.started
  const job = async (state: string) =>
    (await passim.jobs.list(undefined, 10)).find(
      one => one.state === state && one.source.endsWith('slow.txt'),
    )
  return { passim, run, slow, job, docs }
}

test('a running job tells its stage, and can be cancelled while the others go on', async () => {
  const { passim, run, job } = await start()
  await expect.poll(async () => (await job('running'))?.stage).toBe('parse')
  expect(await passim.jobs.count(undefined)).toEqual({ total: 2, unattended: 0 })
  await passim.jobs.cancel((await job('running'))!.id)
  const { documents } = await run
  expect(documents.map(document => document.status)).toEqual(['indexed', 'failed'])
  const [collection] = await passim.scope.findCollections()
  expect((await passim.list(collection!)).map(document => document.status)).toEqual([
    'completed',
    'cancelled',
  ])
  expect(await job('cancelled')).toBeDefined()
})

test('a cancelled job can be tried again', async () => {
  const { passim, run, slow, job } = await start()
  await passim.jobs.cancel(((await job('running')) ?? (await job('queued')))!.id)
  await run
  const again = passim.retryJob((await job('cancelled'))!.id)
  await expect.poll(async () => (await job('running'))?.stage).toBe('parse')
  slow.release()
  expect((await again).state).toBe('completed')
  expect((await passim.search({ query: 'slow', mode: 'keyword' })).map(hit => hit.name)).toEqual([
    'slow.txt',
  ])
})

test('a job that ended cannot be cancelled, one that went well not be tried again', async () => {
  const { passim, run, slow } = await start()
  slow.release()
  await run
  const [job] = await passim.jobs.list(undefined, 1)
  await expect(passim.jobs.cancel(job!.id)).rejects.toThrow(/cannot be cancelled/)
  await expect(passim.jobs.retry(job!.id)).rejects.toThrow(/cannot be tried again/)
  await expect(passim.jobs.cancel('job_x_1')).rejects.toThrow(/There is no job/)
})

test('a job of a killed process is over with the next run, and cancelling it leaves alone what is wanted now', async () => {
  const { passim, run, slow, docs, job } = await start()
  await expect.poll(() => job('running')).toBeDefined()
  slow.release()
  await run
  const { id, documentId, collectionId } = (await passim.jobs.list(undefined, 10)).find(one =>
    one.source.endsWith('a.txt'),
  )!
  const { catalog, documents } = await storeIn(sandbox.home)
  const killed = new JobJournal(catalog)
  const wanted = {
    ...(await documents.findRequested(documentId!))!,
    revision: Number(`${id.split('_').at(-1)}9`),
  }
  await killed.start(wanted)
  killed.noteProgress(wanted, { stage: 'parse', done: 1 })
  await killed.writeDown()
  await catalog.close()
  expect(await passim.jobs.find(`${id}9`)).toMatchObject({ state: 'queued', done: 0 })
  expect(await passim.jobs.count(collectionId)).toEqual({ total: 3, unattended: 1 })
  await expect(passim.jobs.cancel(`${id}9`)).rejects.toThrow(/cannot be cancelled/)
  await passim.index([docs])
  expect(await passim.jobs.listRunning(collectionId)).toEqual([])
})

test('a document that is deleted while it is indexed stays deleted', async () => {
  const { passim, run, docs } = await start()
  const [collection] = await passim.scope.findCollections()
  await passim.delete(await passim.scope.findDocument(`${docs}/slow.txt`, [collection!]))
  await run
  expect((await passim.list(collection!)).map(document => document.name)).toEqual(['a.txt'])
  expect((await passim.verify.run()).problems).toEqual([])
})

test('a collection that is deleted while it is indexed leaves nothing behind', async () => {
  const { passim, run } = await start()
  const [collection] = await passim.scope.findCollections()
  await passim.collections.delete(collection!)
  await run
  expect(await passim.collections.list()).toEqual([])
  expect((await passim.verify.run()).problems).toEqual([])
})

test('a second caller waits for the first, sees its progress, and finds its documents done', async () => {
  const { passim, run, slow, docs } = await start()
  const second = await sandbox.open({ parsers: [slowParser().parser] })
  const seen: string[] = []
  const done: string[] = []
  const waiting = second.index([docs], {
    onEvent: event => {
      if (event.type === 'progress') seen.push(event.source)
      if (event.type === 'done') done.push(path.basename(event.source))
    },
  })
  await expect.poll(() => seen.some(source => source.endsWith('slow.txt'))).toBe(true)
  slow.release()
  expect((await waiting).totals).toMatchObject({ indexed: 0, unchanged: 2, failed: 0 })
  expect(done).toContain('slow.txt')
  await run
  await expect(passim.index([docs])).resolves.toMatchObject({ totals: { unchanged: 2 } })
})

test('of two callers who queue a document at once, one counts it, whoever indexes it', async () => {
  const { passim, run, slow } = await start()
  slow.release()
  await run
  const [collection] = await passim.scope.findCollections()
  const { catalog } = await storeIn(sandbox.home)
  const second = await sandbox.open({ parsers: [slowParser().parser] })
  // Both ask for the lease every 100 ms: which of them gets it depends on when it is released.
  for (let round = 0; round < 8; round++) {
    const lease = await new Leases(catalog).tryAcquire(getWriterLease(collection!.id))
    const docs = await sandbox.write({ [`round-${round}.txt`]: 'text' })
    const results: ReturnType<typeof passim.index>[] = []
    for (const caller of [passim, second]) {
      const gate = new EventTarget()
      const waits = once(gate, 'wait')
      results.push(caller.index([docs], { onWait: () => gate.dispatchEvent(new Event('wait')) }))
      await waits
      await sleep(50)
    }
    await sleep(13 * round)
    await lease!.release()
    const indexed = (await Promise.all(results)).map(result => result.totals.indexed)
    expect(indexed.toSorted()).toEqual([0, 1])
  }
  await catalog.close()
})

test('a file that is being indexed is not indexed twice for somebody who wants all of them anew', async () => {
  const { passim, run, slow, docs } = await start()
  const second = await sandbox.open({ parsers: [slowParser().parser] })
  const kinds = new Map<string, string>()
  const forced = second.index([docs], {
    force: true,
    onEvent: event => event.type === 'found' && kinds.set(path.basename(event.source), event.kind),
  })
  await expect.poll(() => kinds.get('slow.txt')).toBe('waiting')
  slow.release()
  await Promise.all([run, forced])
  const jobs = (await passim.jobs.list(undefined, 10)).filter(({ source }) =>
    source.endsWith('slow.txt'),
  )
  expect(jobs.map(({ state }) => state)).toEqual(['completed'])
})

test('who does not want to wait is told who holds the collection', async () => {
  const { passim, run, slow, docs } = await start()
  const second = await sandbox.open({ parsers: [slowParser().parser] })
  await sandbox.write({ 'late.txt': 'Too late.' })
  await expect(second.index([docs], { noWait: true })).rejects.toThrow(
    `Process ${process.pid} is working as the writer of collection default. Nothing was queued`,
  )
  slow.release()
  await run
  const listed = (await passim.list(await passim.scope.findCollection('default'))).map(
    ({ name }) => name,
  )
  expect(listed).not.toContain('late.txt')
})

test('jobs wait for somebody while a service looks for what waits', async () => {
  const passim = await sandbox.open()
  const [service, idle] = [
    await sandbox.open(),
    await sandbox.open({ settings: { server: { ingest: false } } }),
  ]
  await passim.index([await sandbox.write({ 'a.txt': 'a' })])
  const collection = await passim.scope.findCollection('default')
  const [document] = await passim.list(collection)
  await idle.resume()
  await passim.collections.addFile(collection, document!.fileId, {
    chunking: { tokens: 200, overlap: 0 },
  }) // nobody is told
  const unattended = async () => (await passim.jobs.count(undefined)).unattended
  expect(await unattended()).toBe(1)
  await service.background.startQueued()
  expect(await unattended()).toBe(0)
  await expect.poll(async () => (await passim.list(collection))[0]?.status).toBe('completed')
  await passim.collections.addFile(collection, document!.fileId, {
    chunking: { tokens: 300, overlap: 0 },
  })
  expect(await unattended()).toBe(0)
  await service.close()
  expect(await unattended()).toBe(1)
})
