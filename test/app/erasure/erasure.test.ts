import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { FORMAT_COUNT, scanRaw, writeCanaries } from '../../fakes/canaries.ts'
import { HashingEmbedder } from '../../fakes/hashing-embedder.ts'
import { Sandbox } from '../../fakes/store.ts'

const DIMENSIONS = new HashingEmbedder().dimensions

let sandbox: Sandbox

beforeEach(async () => {
  sandbox = await Sandbox.make()
})
afterEach(() => sandbox.remove())

/** The first vector of each content. */
async function readVectors(home: string): Promise<ReadonlyMap<string, Buffer>> {
  const pieces = new Map<string, Buffer>()
  for (const entry of await readdir(path.join(home, 'content'), {
    recursive: true,
    withFileTypes: true,
  })) {
    if (!entry.name.endsWith('.f32')) continue
    const bytes = await readFile(path.join(entry.parentPath, entry.name))
    pieces.set(path.basename(entry.parentPath), bytes.subarray(0, 4 * DIMENSIONS))
  }
  return pieces
}

const toNeedles = (words: readonly string[]) =>
  new Map(words.map(word => [word, Buffer.from(word)]))

test('nothing is left of erased documents of any format in any file of the home', async () => {
  const passim = await sandbox.open()
  const { files, words } = writeCanaries(FORMAT_COUNT)
  await passim.index([
    await sandbox.write({ ...files, 'other.md': '# Kept\n\nThe pump runs at night.\n' }),
  ])
  const documents = await passim.list('default')
  const erased = documents.filter(({ name }) => name.startsWith('canary') && !name.includes('/'))
  expect(erased).toHaveLength(FORMAT_COUNT)
  await passim.ask({ question: `What does the ${words[0]} do?`, conversation: 'new' }).result
  await passim.ask({ question: 'When does the pump run?', conversation: 'new' }).result
  const needles = new Map([...toNeedles(words), ...(await readVectors(sandbox.home))])
  expect((await scanRaw(sandbox.home, needles)).size).toBe(needles.size)
  const other = documents.find(({ name }) => name === 'other.md')
  const report = await passim.erasure.eraseDocuments(erased)
  expect(report).toMatchObject({ proved: true, kind: 'document', scan: { found: [] } })
  const left = await scanRaw(sandbox.home, needles)
  const keptVectors = [...left.keys()].filter(name => !words.includes(name))
  expect([...left].filter(([name]) => words.includes(name))).toEqual([])
  expect(keptVectors).toHaveLength(1)
  expect(report.conversations).toHaveLength(1)
  expect((await passim.conversations.list({ limit: 9 })).length).toBe(1)
  expect(report.places).toContainEqual({ place: 'hits', removed: 1, left: 0 })
  expect((await passim.search({ query: 'pump at night' }))[0]?.documentId).toBe(other?.id)
})

test('a collection, an earlier deletion and a whole store are erased alike, also from views', async () => {
  const passim = await sandbox.open()
  const { files, words } = writeCanaries(8)
  const { files: more, words: all } = writeCanaries(10)
  const kept = all.filter(word => !words.includes(word))
  const folder = await sandbox.write({ ...files, 'kept.md': 'The pump runs at night.' })
  await passim.index([folder], { collection: 'papers' })
  await sandbox.write(more)
  const others = Object.keys(more).filter(name => !(name in files))
  await passim.index(
    others.map(name => sandbox.path(name)),
    { collection: 'notes' },
  )
  const view = await passim.openView({ collections: ['papers', 'notes'] })
  await view.search({ query: 'mine below the hill' })
  const erased = toNeedles(words)
  expect((await scanRaw(path.join(sandbox.home, 'views'), erased)).size).toBe(words.length)
  const [first] = await passim.list('papers')
  await passim.delete(first!)
  const [deletion] = await passim.restoring.list()
  const ofFirst = await passim.erasure.eraseDeleted(deletion!)
  expect(ofFirst).toMatchObject({ proved: true, ids: [first?.id] })
  const papers = await passim.collections.get('papers')
  expect(await passim.erasure.eraseCollection(papers)).toMatchObject({
    proved: true,
    kind: 'collection',
  })
  expect((await scanRaw(sandbox.home, erased)).size).toBe(0)
  expect((await view.search({ query: 'mine below the hill' })).length).toBeGreaterThan(0)
  await view.close()
  expect((await scanRaw(sandbox.home, toNeedles(kept))).size).toBeGreaterThan(0)
  expect(await passim.erasure.eraseStore()).toMatchObject({ proved: true, kind: 'store', ids: [] })
  expect((await scanRaw(sandbox.home, toNeedles(kept))).size).toBe(0)
})

test('words that stand elsewhere, and bytes that another document has, are not proved gone', async () => {
  const passim = await sandbox.open()
  const text = 'The lighthouse of Northumbria was painted green in winter.'
  await passim.index([await sandbox.write({ 'a.md': text })])
  await passim.index([sandbox.path('a.md')], { collection: 'copies' })
  const report = await passim.erasure.eraseDocuments(await passim.list('copies'))
  expect(report.proved).toBe(false)
  expect(report.places).toContainEqual({ place: 'originals', removed: 0, left: 1 })
  expect(report.scan.found.map(({ file }) => file).join()).toContain('content')
  expect(report.unproved).toContain('source')
})
