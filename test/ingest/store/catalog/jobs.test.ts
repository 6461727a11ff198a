import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Store } from '../../../../src/app/stores/store.ts'
import { Jobs } from '../../../../src/ingest/store/catalog/jobs.ts'
import { storeIn } from '../../../fakes/catalog-environment.ts'

let home: string
let store: Store

beforeEach(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'passim-jobs-'))
  store = await storeIn(home)
  await store.catalog.run(
    `INSERT INTO jobs VALUES ('job_1_1', 'doc_1', 'vs_1', 'a.txt', 'running', 'parse', 1, NULL, 1, 1, NULL, NULL, NULL)`,
  )
})
afterEach(async () => {
  await store.catalog.close()
  await rm(home, { recursive: true })
})

/** Jobs whose writer is asked for and not there; `before` happens at that moment. */
const unattended = (before: () => unknown) =>
  new Jobs(store.catalog, async () => {
    await before()
    return false
  })

test('a job that nobody runs any more waits', async () => {
  expect(await unattended(() => {}).find('job_1_1')).toMatchObject({ state: 'queued', done: 0 })
})

test('a job that ends while it is looked at never goes back to waiting', async () => {
  const end = async () =>
    await store.catalog.run(`UPDATE jobs SET state = 'completed', finished_at = 2`)
  expect(await unattended(end).find('job_1_1')).toMatchObject({ state: 'completed', finishedAt: 2 })
  expect(await unattended(end).list('vs_1', 9)).toMatchObject([{ state: 'completed' }])
})

test('of documents that are taken out of the queue together, those that ended meanwhile stay as they are', async () => {
  const insert = `INSERT INTO documents (id, collection_id, file_id, source, name, status, revision, settings, attributes, created_at, depth)
    VALUES (?, 'vs_1', ?, ?, 'a.txt', ?, 1, '{}', '{}', 1, 0)`
  await store.catalog.run(insert, 'doc_2', 'file-2', '/2/a.txt', 'in_progress')
  await store.catalog.run(insert, 'doc_3', 'file-3', '/3/a.txt', 'completed')
  await store.jobs.cancelDocuments(['doc_2', 'doc_3', 'doc_gone'])
  expect(await store.jobs.find('job_2_1')).toMatchObject({
    documentId: 'doc_2',
    state: 'cancelled',
  })
  const statuses = await store.catalog.all('SELECT id, status FROM documents ORDER BY id')
  expect(statuses).toEqual([
    { id: 'doc_2', status: 'cancelled' },
    { id: 'doc_3', status: 'completed' },
  ])
})

test('the job of a collection says what becomes of it: another model, or another engine', async () => {
  const embedder = { embedderId: 'm1', dimensions: 3 }
  const { id } = await store.collections.create({
    name: 'papers',
    chunking: { tokens: 400, overlap: 60 },
    ...embedder,
  })
  const wish = async (...wanted: readonly [string, 'lance' | 'weaviate']) => {
    await store.reEmbeddings.request(id, { ...embedder, embedderId: wanted[0] }, wanted[1])
    return (await store.jobs.list(id, 9)).find(({ state }) => state === 'queued')?.source
  }
  expect(await wish('m2', 'lance')).toBe('collection papers, to be embedded with m2')
  expect(await wish('m1', 'weaviate')).toBe('collection papers, to be moved into weaviate')
})
