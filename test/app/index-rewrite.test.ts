import { cp, readdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Passim } from '../../src/app/passim.ts'
import { HashingEmbedder } from '../fakes/hashing-embedder.ts'
import { Sandbox } from '../fakes/store.ts'

const TEXTS = { 'fox.txt': 'The quick brown fox.', 'zh.txt': '敏捷的狐狸。' }

let sandbox: Sandbox
beforeEach(async () => {
  sandbox = await Sandbox.make()
  const passim = await sandbox.open()
  await passim.index([await sandbox.write(TEXTS)])
  await passim.close()
})
afterEach(() => sandbox.remove())

const tables = async () =>
  (await readdir(path.join(sandbox.home, 'index'))).filter(name => name.endsWith('.lance'))
const table = (name: string) => path.join(sandbox.home, 'index', name)
/** The name that the table would have if an analyzer before ours had written it. */
const older = (name: string) => name.replace(/\.[^-]+-/, '.before1-')

/** An embedder that counts the passages it is given. */
class CountingEmbedder extends HashingEmbedder {
  passages = 0
  override async embed(...[texts, role, signal]: Parameters<HashingEmbedder['embed']>) {
    if (role === 'passage') this.passages += texts.length
    return await super.embed(texts, role, signal)
  }
}

async function found(passim: Passim) {
  const modes = ['keyword', 'vector', 'hybrid'] as const
  const hits = await Promise.all(
    modes.map(mode => passim.search({ query: 'quick fox', mode, limit: 1 })),
  )
  return hits.map(([hit]) => hit?.name)
}
const ALL = ['fox.txt', 'fox.txt', 'fox.txt']

test('what another analyzer wrote is found until the rows are written again, without embedding anything', async () => {
  const [name = ''] = await tables()
  await rename(table(name), table(older(name)))
  const embedder = new CountingEmbedder()
  const passim = await sandbox.open({ embedder })
  const before = (await passim.list(await passim.scope.findCollection('default'))).map(
    ({ id, indexedAt }) => ({
      id,
      indexedAt,
    }),
  )
  expect(await found(passim)).toEqual(ALL)
  await passim.index([sandbox.path('')])
  expect(await tables()).toEqual([name])
  expect(await found(passim)).toEqual(ALL)
  expect(embedder.passages).toBe(0)
  expect(await passim.list(await passim.scope.findCollection('default'))).toMatchObject(before)
  expect(await passim.verify.run()).toMatchObject({ ok: true })
})
test('an index that is gone or has rows of another form is told, and written again by a service that starts', async () => {
  const [name = ''] = await tables()
  await rename(table(name), table(name.replace(/-row\d+/, '-row1')))
  const passim = await sandbox.open()
  await expect(found(passim)).rejects.toMatchObject({ code: 'store_mismatch' })
  await passim.resume()
  await expect.poll(tables).toEqual([name])
  await expect.poll(() => passim.isBusy).toBe(false)
  expect(await found(passim)).toEqual(ALL)
  await passim.close()
  await rm(table(name), { recursive: true })
  const again = await sandbox.open()
  await expect(found(again)).rejects.toMatchObject({ code: 'store_mismatch' })
})
test('a rewrite that was interrupted goes on, and readers see the older table until then', async () => {
  const [name = ''] = await tables()
  await rename(table(name), table(older(name)))
  const first = await sandbox.open()
  await first.index([sandbox.path('')])
  await first.delete(await first.scope.findDocument('fox.txt', await first.scope.findCollections()))
  await first.index([await sandbox.write({ 'fox.txt': 'A quick fox.', 'new.txt': 'Another fox.' })])
  await first.close()
  await cp(table(name), table(older(name)), { recursive: true })
  const passim = await sandbox.open()
  expect(await found(passim)).toEqual(ALL)
  await passim.index([await sandbox.write({ 'last.txt': 'The last one.' })])
  expect(await tables()).toEqual([name])
  expect(await passim.verify.run()).toMatchObject({ ok: true })
})
test('a document whose derived text is gone is derived again', async () => {
  const content = path.join(sandbox.home, 'content')
  for (const entry of await readdir(content, { recursive: true })) {
    if (path.basename(entry).startsWith('parsed-')) await rm(path.join(content, entry))
  }
  await rm(path.join(sandbox.home, 'index'), { recursive: true })
  const passim = await sandbox.open()
  await passim.index([sandbox.path('')])
  expect(await found(passim)).toEqual(ALL)
  expect(await passim.verify.run()).toMatchObject({ ok: true })
})
