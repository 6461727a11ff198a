import { createHash } from 'node:crypto'
import { copyFile, cp, mkdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openCatalog } from '../../../src/app/stores/store.ts'
import { importStore } from '../../../src/index.ts'
import { isLeased, Leases } from '../../../src/ingest/store/catalog/lease.ts'
import { Sandbox } from '../../fakes/store.ts'

let sandbox: Sandbox
let docs: string
let file: string
let restored: string
beforeEach(async () => {
  sandbox = await Sandbox.make()
  docs = await sandbox.write({ 'a.txt': 'An albatross.', 'b.txt': 'A bustard.' })
  file = path.join(sandbox.folder, 'backup')
  restored = path.join(sandbox.folder, 'restored')
})
afterEach(() => sandbox.remove())

const namesOf = async (home: string, query: string) => {
  const passim = await sandbox.open({ home })
  await passim.background.drainAll({})
  return (await passim.search({ query, mode: 'keyword' })).map(hit => hit.name)
}

test('a store comes back whole from its backup, vectors too, with the same root hash', async () => {
  const passim = await sandbox.open()
  await passim.index([docs])
  const { rootHash } = await passim.verify.run()
  expect(await passim.export(file)).toEqual({ file, contents: 2, missing: 0 })
  await importStore(restored, file)
  expect(await namesOf(restored, 'bustard')).toEqual(['b.txt'])
  const copy = await sandbox.open({ home: restored })
  expect(await copy.verify.run()).toEqual({ ok: true, rootHash, problems: [] })
  expect((await copy.index([docs])).totals).toMatchObject({ unchanged: 2 })
})

test('conversations are in a backup, item by item, and are gone on with where it is brought back', async () => {
  const passim = await sandbox.open()
  await passim.index([docs], { withoutVectors: true })
  const { conversation: id } = await passim.ask({
    question: 'What is an albatross?',
    conversation: 'new',
  }).result
  const itemsOf = async ({ conversations }: typeof passim) =>
    await conversations.items(id!, { limit: 50, order: 'asc' })
  const items = await itemsOf(passim)
  expect(items.length).toBeGreaterThan(2)
  await passim.export(file)
  await importStore(restored, file)
  const copy = await sandbox.open({ home: restored })
  expect(await itemsOf(copy)).toEqual(items)
  await copy.background.drainAll({})
  await copy.ask({ question: 'And a bustard?', conversation: id }).result
  expect((await copy.conversations.get(id!)).turns).toBe(2)
})

test('what is removed and added while it is written is as the catalog says at its end', async () => {
  const passim = await sandbox.open()
  await passim.index([docs], { withoutVectors: true })
  let isChanged = false
  const onProgress = async () => {
    if (isChanged) return
    isChanged = true
    await rm(path.join(docs, 'a.txt'))
    await sandbox.write({ 'c.txt': 'A crane.' })
    await passim.index([docs], { withoutVectors: true })
  }
  const changed: Promise<void>[] = []
  await passim.export(file, { onProgress: () => void changed.push(onProgress()) })
  await Promise.all(changed)
  await importStore(restored, file)
  const copy = await sandbox.open({ home: restored })
  await copy.background.drainAll({})
  expect(await copy.verify.run()).toMatchObject({ ok: true, problems: [] })
  expect(await namesOf(restored, 'bustard')).toEqual(['b.txt'])
})

test('what is left of a store that is gone has no part in the one that is brought back', async () => {
  const passim = await sandbox.open()
  await passim.index([docs], { withoutVectors: true })
  await passim.export(file)
  await passim.index([await sandbox.write({ 'c.txt': 'A crane.' })], { withoutVectors: true })
  await mkdir(restored)
  await copyFile(path.join(sandbox.home, 'catalog.db-wal'), path.join(restored, 'catalog.db-wal'))
  await cp(path.join(sandbox.home, 'index'), path.join(restored, 'index'), { recursive: true })
  await importStore(restored, file)
  expect(await namesOf(restored, 'bustard crane')).toEqual(['b.txt'])
})

test('nobody holds anything in a store that is brought back, whoever worked when it was taken', async () => {
  const passim = await sandbox.open()
  await passim.index([docs], { withoutVectors: true })
  const lease = await new Leases(
    await openCatalog(path.join(sandbox.home, 'catalog.db')),
  ).tryAcquire('writer')
  await passim.export(file)
  await lease?.release()
  await importStore(restored, file)
  expect(await isLeased(await openCatalog(path.join(restored, 'catalog.db')), 'writer')).toBe(false)
})

test('a backup is not written over a file, nor taken into a store', async () => {
  const passim = await sandbox.open()
  await passim.index([docs], { withoutVectors: true })
  await passim.export(file)
  await expect(passim.export(file)).rejects.toThrow(/file .* already/)
  await expect(importStore(sandbox.home, file)).rejects.toThrow(/store .* already/)
})

test('a backup that is cut off, damaged or none at all is refused, and no store is made of it', async () => {
  const passim = await sandbox.open()
  await passim.index([docs], { withoutVectors: true })
  await passim.export(file)
  const bytes = await readFile(file)
  const refuse = async (content: Buffer) => {
    await writeFile(file, content)
    await expect(importStore(restored, file)).rejects.toMatchObject({ code: 'corrupt' })
    await mkdir(restored, { recursive: true })
    await expect(sandbox.open({ home: restored, mustExist: true })).rejects.toThrow(
      'There is no store',
    )
  }
  const at = bytes.indexOf('albatross')
  await refuse(Buffer.concat([bytes.subarray(0, at), Buffer.from('b'), bytes.subarray(at + 1)]))
  await refuse(bytes.subarray(0, bytes.length - 4096))
  await refuse(Buffer.from('no database'))
  await truncate(file, 0)
  await expect(importStore(restored, file)).rejects.toMatchObject({ code: 'corrupt' })
})

test('an original that is damaged is told of and left out, and the backup can be used', async () => {
  const passim = await sandbox.open()
  await passim.index([docs], { withoutVectors: true })
  const sha256 = createHash('sha256').update('An albatross.').digest('hex')
  await writeFile(
    path.join(sandbox.home, 'content', sha256.slice(0, 2), sha256, 'original'),
    'An albatrosz.',
  )
  expect(await passim.export(file)).toEqual({ file, contents: 1, missing: 1 })
  expect(await importStore(restored, file)).toMatchObject({ missing: 1 })
  expect(await namesOf(restored, 'albatross')).toEqual(['a.txt'])
})
