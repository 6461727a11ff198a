import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Passim } from '../../src/app/passim.ts'
import { storeIn } from '../fakes/catalog-environment.ts'
import { HashingEmbedder } from '../fakes/hashing-embedder.ts'
import { Sandbox } from '../fakes/store.ts'

const MAIL = `From: a@example.org
Subject: Birds
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=x

--x
Content-Type: text/plain

A heron.
--x
Content-Type: text/plain; name="note.txt"
Content-Disposition: attachment; filename="note.txt"

A kingfisher.
--x--
`

let sandbox: Sandbox
let passim: Passim
let embedder: HashingEmbedder
/** Passages that had been embedded when a test began. */
let embedded: number
const passages = () =>
  embedder.calls
    .filter(({ role }) => role !== 'query')
    .reduce((sum, { texts }) => sum + texts.length, 0)
beforeEach(async () => {
  sandbox = await Sandbox.make()
  const docs = await sandbox.write({
    'a.txt': 'An albatross.',
    'b.txt': 'A bustard.',
    'mail.eml': MAIL,
  })
  embedder = new HashingEmbedder()
  passim = await sandbox.open({ embedder })
  await passim.index([docs])
  embedded = passages()
})
afterEach(() => sandbox.remove())

const collection = async () => await passim.scope.findCollection('default')
const document = async (name: string) =>
  await passim.scope.findDocument(name, await passim.scope.findCollections())
const namesOf = async (query: string) =>
  (await passim.search({ query, mode: 'keyword' })).map(hit => hit.name).toSorted()
const isStored = (text: string) => {
  const sha256 = createHash('sha256').update(text).digest('hex')
  return existsSync(path.join(sandbox.home, 'content', sha256.slice(0, 2), sha256, 'original'))
}
/** As if it had been deleted so long ago. */
const age = async (days: number) => {
  const { catalog } = await storeIn(sandbox.home)
  await catalog.run('UPDATE deletions SET expires_at = expires_at - ?', days * 24 * 60 * 60 * 1000)
  await catalog.close()
}

describe('a deleted document', () => {
  test('is in no answer, and comes back as it was, embedded no second time', async () => {
    await passim.setAttributes((await document('b.txt')).id, { kind: 'bird' })
    const before = await document('b.txt')
    await passim.delete(before)
    expect(await namesOf('bustard')).toEqual([])
    expect((await passim.list(await collection())).map(({ name }) => name)).not.toContain('b.txt')
    expect(await passim.library.find(before.id)).toBeUndefined()
    await passim.restoring.run(await passim.restoring.find({ document: 'b.txt' }))
    expect(await namesOf('bustard')).toEqual(['b.txt'])
    const { indexedAt: _, ...rest } = await document('b.txt')
    expect(before).toMatchObject(rest)
    expect(passages()).toBe(embedded)
    expect(await passim.verify.run()).toMatchObject({ ok: true, problems: [] })
    expect(await passim.restoring.list()).toEqual([])
  })

  test('comes back with what is attached to it', async () => {
    await passim.delete(await document('mail.eml'))
    expect(await namesOf('kingfisher')).toEqual([])
    await passim.restoring.run(await passim.restoring.find({ document: 'mail.eml' }))
    expect(await namesOf('kingfisher')).toEqual(['note.txt'])
    expect(await passim.verify.run()).toMatchObject({ ok: true, problems: [] })
  })

  test('is gone for good after a week, its bytes with the next upkeep', async () => {
    await passim.delete(await document('b.txt'))
    expect(isStored('A bustard.')).toBe(true)
    await age(7)
    expect(await passim.restoring.list()).toEqual([])
    await passim.delete(await document('a.txt'))
    expect(isStored('A bustard.')).toBe(false)
    expect(isStored('An albatross.')).toBe(true)
  })

  test('is gone for good at once where that is asked for, what was deleted of it before, too', async () => {
    await passim.delete(await document('b.txt'))
    await passim.index([sandbox.path('')])
    await passim.delete(await document('b.txt'), { now: true })
    expect(isStored('A bustard.')).toBe(false)
    await expect(passim.restoring.find({ document: 'b.txt' })).rejects.toThrow(/can be undone/)
  })

  test('can be given up later', async () => {
    await passim.delete(await document('b.txt'))
    await passim.restoring.forget(await passim.restoring.find({ document: 'b.txt' }))
    expect(isStored('A bustard.')).toBe(false)
    expect(await passim.restoring.list()).toEqual([])
  })

  test('takes nobody else out of their place', async () => {
    await passim.delete(await document('b.txt'))
    await passim.index([sandbox.path('')])
    const restored = passim.restoring.run(await passim.restoring.find({ document: 'b.txt' }))
    await expect(restored).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('b.txt'),
    })
    expect(await namesOf('bustard')).toEqual(['b.txt'])
    expect(await passim.restoring.list()).toHaveLength(1)
  })

  test('shares its bytes with others until the last of them is forgotten', async () => {
    await passim.index([await sandbox.write({ 'c.txt': 'A bustard.' })])
    await passim.delete(await document('b.txt'), { now: true })
    expect(isStored('A bustard.')).toBe(true)
    await passim.delete(await document('c.txt'))
    expect(isStored('A bustard.')).toBe(true)
    await passim.restoring.forget(await passim.restoring.find({ document: 'c.txt' }))
    expect(isStored('A bustard.')).toBe(false)
  })
})

test('the deleted file of a document that was indexed from a folder comes back with it', async () => {
  await passim.files.delete((await document('b.txt')).fileId)
  expect(await namesOf('bustard')).toEqual([])
  const [deletion] = await passim.restoring.list()
  if (!deletion) throw new Error('nothing was kept')
  await passim.restoring.run(deletion)
  expect(await namesOf('bustard')).toEqual(['b.txt'])
  expect(await passim.verify.run()).toMatchObject({ ok: true, problems: [] })
})

describe('a deleted collection', () => {
  test('is in no answer, and comes back whole, embedded no second time', async () => {
    const { rootHash } = await passim.verify.run()
    const { id } = await collection()
    await passim.collections.delete(await collection())
    expect(await passim.collections.list()).toEqual([])
    await expect(passim.collections.get(id)).rejects.toThrow(/no collection/)
    expect((await passim.collections.countDocuments()).completed).toBe(0)
    const deletion = await passim.restoring.find({ collection: 'default' })
    expect(deletion).toMatchObject({ kind: 'collection', name: 'default', documents: 4, chunks: 4 })
    await passim.restoring.run(deletion)
    expect((await collection()).id).toBe(id)
    expect(await namesOf('albatross bustard kingfisher')).toEqual(['a.txt', 'b.txt', 'note.txt'])
    expect((await passim.search({ query: 'bustard', mode: 'vector' }))[0]?.name).toBe('b.txt')
    expect(passages()).toBe(embedded)
    expect(await passim.verify.run()).toEqual({ ok: true, rootHash, problems: [] })
  })

  test('comes back under another name where its own is taken', async () => {
    await passim.collections.delete(await collection())
    await passim.index([await sandbox.write({ 'd.txt': 'A dodo.' })])
    const deletion = await passim.restoring.find({ collection: 'default' })
    await expect(passim.restoring.run(deletion)).rejects.toMatchObject({ code: 'conflict' })
    await passim.restoring.run(deletion, { as: 'old' })
    expect(await passim.list(await passim.scope.findCollection('old'))).toHaveLength(4)
  })

  test('has to come back before a document that was deleted from it', async () => {
    await passim.delete(await document('b.txt'))
    await passim.collections.delete(await collection())
    const ofDocument = await passim.restoring.find({ document: 'b.txt' })
    await expect(passim.restoring.run(ofDocument)).rejects.toThrow(/restore it first/)
    await passim.restoring.run(await passim.restoring.find({ collection: 'default' }))
    await passim.restoring.run(ofDocument)
    expect(await namesOf('bustard')).toEqual(['b.txt'])
  })

  test('leaves nothing when it is deleted for good, not even what was deleted from it before', async () => {
    await passim.delete(await document('b.txt'))
    await passim.collections.delete(await collection(), { now: true })
    for (const text of ['An albatross.', 'A bustard.', MAIL]) expect(isStored(text)).toBe(false)
    expect(await passim.restoring.list()).toEqual([])
  })
})

test('a store that keeps nothing deletes for good', async () => {
  await sandbox.close()
  passim = await sandbox.open({ settings: { deleting: { keepDays: 0 } } })
  await passim.delete(await document('b.txt'))
  expect(isStored('A bustard.')).toBe(false)
  expect(await passim.restoring.list()).toEqual([])
})

test('what is deleted is in a backup, and can be brought back from it', async () => {
  await passim.delete(await document('b.txt'))
  const { importStore } = await import('../../src/index.ts')
  const file = path.join(sandbox.folder, 'backup')
  await passim.export(file)
  const home = path.join(sandbox.folder, 'restored')
  await importStore(home, file)
  await sandbox.close()
  passim = await sandbox.open({ home })
  await passim.restoring.run(await passim.restoring.find({ document: 'b.txt' }))
  expect(await namesOf('bustard')).toEqual(['b.txt'])
})
