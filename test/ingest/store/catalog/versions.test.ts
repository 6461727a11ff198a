import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Store } from '../../../../src/app/stores/store.ts'
import { Versions } from '../../../../src/ingest/store/catalog/versions.ts'
import type { Catalog } from '../../../../src/ingest/store/catalog.ts'
import { storeIn } from '../../../fakes/catalog-environment.ts'

let home: string
let store: Store
beforeEach(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'passim-versions-'))
  store = await storeIn(home)
  for (const document of ['doc_1', 'doc_2']) {
    const sql = `INSERT INTO versions (document_id, collection_id, state, sha256, parser_id, chunker_id, embedder_id, report)
      VALUES (?, 'vs_1', 'published', '', '', '', '', '{}')`
    await store.catalog.run(sql, document)
  }
})
afterEach(async () => {
  await store.catalog.close()
  await rm(home, { recursive: true })
})

/** A catalog whose answers come when they are let go, as from a server that is far away. */
function farAway(catalog: Catalog) {
  const held: (() => void)[] = []
  let holds = true
  const slow: Catalog = {
    get: async (sql, ...values) => {
      const row = await catalog.get(sql, ...values)
      if (holds) await new Promise<void>(resolve => held.push(resolve))
      return row as never // of the type that is asked for
    },
    all: (sql, ...values) => catalog.all(sql, ...values),
    run: (sql, ...values) => catalog.run(sql, ...values),
    transaction: work => catalog.transaction(work),
    state: () => catalog.state(),
    integrityProblems: () => catalog.integrityProblems(),
    copyTo: file => catalog.copyTo(file),
    truncateLog: () => catalog.truncateLog(),
    erase: () => catalog.erase(),
    close: () => catalog.close(),
  }
  const arrived = async () => await expect.poll(() => held.length).toBe(1)
  const letGo = () => {
    holds = false
    for (const resolve of held.splice(0)) resolve()
  }
  const hold = () => {
    holds = true
  }
  return { slow, arrived, letGo, hold }
}

const retire = async (version: number) =>
  await store.catalog.run(`UPDATE versions SET state = 'retired' WHERE version = ?`, version)

test('what was read before a write is not remembered after it', async () => {
  const { slow, arrived, letGo } = farAway(store.catalog)
  const versions = new Versions(slow)
  const before = versions.filterCurrent(new Set([1]))
  await arrived()
  await retire(1)
  await versions.filterCurrent(new Set()) // sees that something was written
  letGo()
  await before
  expect(await versions.filterCurrent(new Set([1]))).toEqual(new Set())
})

test('a reader is not robbed of what was known by another who sees a write', async () => {
  const { slow, arrived, letGo, hold } = farAway(store.catalog)
  const versions = new Versions(slow)
  letGo()
  await versions.filterCurrent(new Set([1]))
  hold()
  const both = versions.filterCurrent(new Set([1, 2]))
  await arrived()
  await retire(2)
  await versions.filterCurrent(new Set())
  letGo()
  expect(await both).toEqual(new Set([1, 2]))
})
