import { spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Store } from '../../../../src/app/stores/store.ts'
import type { RequestedDocument } from '../../../../src/ingest/store/catalog/documents.ts'
import { JobJournal, type Verdict } from '../../../../src/ingest/store/catalog/job-journal.ts'
import { getHelperLease } from '../../../../src/ingest/store/catalog/lease.ts'
import { readPidSpace } from '../../../../src/system/living-process.ts'
import { storeIn } from '../../../fakes/catalog-environment.ts'

const collectionId = 'vs_1'
const wanted = { id: 'doc_1', collectionId, source: '/a.txt', revision: 1 } as RequestedDocument // all that a journal reads
const LEASE = 'INSERT INTO leases VALUES (?, ?, ?, ?, ?, ?, ?)'

let home: string
let store: Store

beforeEach(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'passim-journal-'))
  store = await storeIn(home)
  await store.catalog.run(
    `INSERT INTO documents (id, collection_id, file_id, source, name, status, revision, settings, attributes, created_at, depth)
     VALUES ('doc_1', ?, 'file-1', '/a.txt', 'a.txt', 'in_progress', 1, '{}', '{}', 1, 0)`,
    collectionId,
  )
})
afterEach(async () => {
  await store.leases.releaseAll()
  await store.catalog.close()
  await rm(home, { recursive: true })
})

const writer = () => new JobJournal(store.catalog, { collectionId })
async function helper(number: number): Promise<JobJournal> {
  await store.leases.tryAcquire(getHelperLease(collectionId, number))
  return new JobJournal(store.catalog, {
    collectionId,
    helper: getHelperLease(collectionId, number),
  })
}
const others = async (journal: JobJournal) => [...(await journal.refreshClaims())]
const jobs = async () => (await store.jobs.listRunning(collectionId)).map(({ id }) => id)

test('a document of a shared queue is had by one worker at a time', async () => {
  const [one, two, publisher] = [await helper(1), await helper(2), writer()]
  expect(await one.start(wanted)).toBe(true)
  expect([await two.start(wanted), await publisher.start(wanted)]).toEqual([false, false])
  expect([await others(one), await others(two), await others(publisher)]).toEqual([
    [],
    ['doc_1'],
    ['doc_1'],
  ])
  await one.release()
  expect(await publisher.start(wanted)).toBe(true)
  expect([await two.start(wanted), await others(two), await others(publisher)]).toEqual([
    false,
    ['doc_1'],
    [],
  ])
})
test('what a helper has prepared is the writer’s, and no other helper’s', async () => {
  const [one, two, publisher] = [await helper(1), await helper(2), writer()]
  await one.start(wanted)
  await one.handOver(wanted)
  await one.writeDown()
  expect([await others(one), await others(two), await others(publisher)]).toEqual([
    ['doc_1'],
    ['doc_1'],
    [],
  ])
  expect([await one.start(wanted), await two.start(wanted), await publisher.start(wanted)]).toEqual(
    [false, false, true],
  )
  await publisher.finish(store.catalog, wanted, 'completed')
  expect(await store.jobs.find('job_1_1')).toMatchObject({ state: 'completed' })
})
test('why a helper could not prepare a document its writer is told, once and of what was wanted then', async () => {
  const [one, publisher] = [await helper(1), writer()]
  const verdict: Verdict = {
    failure: { code: 'timeout', message: 'It took too long.' },
    attempt: 'these bytes, this parser',
  }
  const handOver = async () => {
    await one.start(wanted)
    await one.handOver(wanted, verdict)
  }
  await handOver()
  expect(await store.jobs.listRunning(collectionId)).toMatchObject([{ state: 'running' }])
  expect((await store.jobs.listRunning(collectionId))[0]).not.toHaveProperty('error')
  await publisher.start(wanted)
  expect(publisher.findVerdict(wanted)).toEqual(verdict)
  await store.jobs.releaseAbandoned(collectionId) // that writer was killed
  const next = writer()
  await next.start(wanted)
  expect(next.findVerdict(wanted)).toBeUndefined()
  await next.release()
  await handOver()
  await store.documents.requeue(['doc_1'])
  const again = { ...wanted, revision: 2 }
  await next.start(again)
  expect(next.findVerdict(again)).toBeUndefined()
})
test('a helper that writes down how far it is takes nothing from who has the document by now', async () => {
  const one = await helper(1)
  await one.start(wanted)
  await store.catalog.run(`UPDATE jobs SET worker = NULL, stage = 'write'`)
  one.noteProgress(wanted, { stage: 'embed', done: 1 })
  await one.writeDown()
  expect(await store.catalog.get('SELECT worker, stage FROM jobs')).toMatchObject({
    worker: null,
    stage: 'write',
  })
})
test('what a helper had that was killed is free at once, and what one elsewhere had when its time is over', async () => {
  const { pid } = spawnSync('true')
  const dead = [hostname(), readPidSpace(), pid, 'long ago', Date.now() + 60_000]
  const late = ['elsewhere', 'b', 1, 'long ago', 1]
  for (const [at, holder] of [dead, late].entries()) {
    const name = getHelperLease(collectionId, at + 1)
    await store.catalog.run(LEASE, name, 'other', ...holder)
    expect(await new JobJournal(store.catalog, { collectionId, helper: name }).start(wanted)).toBe(
      true,
    )
    expect([await others(writer()), await jobs()]).toEqual([[], []])
  }
})
test('a writer that begins anew leaves living helpers what they have', async () => {
  const one = await helper(1)
  await one.start(wanted)
  await store.jobs.releaseAbandoned(collectionId)
  expect(await others(writer())).toEqual(['doc_1'])
  await one.handOver(wanted)
  await store.jobs.releaseAbandoned(collectionId)
  expect(await jobs()).toEqual([])
})
test('nobody begins with what is not wanted so any more, and what was handed over of it is over', async () => {
  const one = await helper(1)
  await one.start(wanted)
  await one.handOver(wanted)
  await store.documents.requeue(['doc_1'])
  expect([await writer().start(wanted), await one.start(wanted)]).toEqual([false, false])
  expect([await others(writer()), await jobs()]).toEqual([[], []])
})
test('a job that ended though its document waits, as where a writer lost its lease, begins again', async () => {
  await writer().start(wanted)
  await writer().drop(store.catalog, wanted)
  expect(await store.jobs.find('job_1_1')).toMatchObject({ state: 'cancelled' })
  expect(await (await helper(1)).start(wanted)).toBe(true)
  expect(await jobs()).toEqual(['job_1_1'])
})
test('a queue that is not shared is asked of nobody, and its jobs are written down later', async () => {
  const journal = new JobJournal(store.catalog)
  await writer().start(wanted)
  expect([await journal.start(wanted), await others(journal)]).toEqual([true, []])
})
test('what is put back while others write is not written down again', async () => {
  const journal = new JobJournal(store.catalog)
  await journal.start(wanted)
  let written: Promise<void> | undefined
  await store.catalog.transaction(async inside => {
    written = journal.writeDown()
    await journal.putBack(inside, wanted)
  })
  await written
  expect(await jobs()).toEqual([])
})
