import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Passim } from '../../src/app/passim.ts'
import type { Store } from '../../src/app/stores/store.ts'
import { storeIn } from '../fakes/catalog-environment.ts'
import { Sandbox } from '../fakes/store.ts'

const DAY_MS = 86_400_000

let sandbox: Sandbox
let passim: Passim
let store: Store
beforeEach(async () => {
  sandbox = await Sandbox.make()
  passim = await sandbox.open()
  const file = await sandbox.write({ 'heron.txt': 'The heron is called Maren.' })
  await passim.ask({ question: 'What is the heron called?', files: [file] }).result
  store = await storeIn(sandbox.home)
})
afterEach(async () => {
  await store.catalog.close()
  await sandbox.remove()
})

const ageBy = async (days: number) =>
  await store.catalog.run('UPDATE collections SET used_at = used_at - ?', days * DAY_MS)

test('files of a question go a week after the last question on them, without another one', async () => {
  await ageBy(6)
  await passim.expiry.sweep()
  expect(await store.collections.listAll()).toHaveLength(1)
  await ageBy(2)
  await passim.expiry.sweep()
  expect(await store.collections.listAll()).toEqual([])
  expect(await store.content.list()).toEqual([])
})

test('of too many files of questions, those unused for longest go', async () => {
  const [oldest] = await store.collections.listAll()
  if (!oldest) throw new Error('The question left no collection.')
  const { embedderId, dimensions, chunking } = oldest
  await ageBy(1)
  for (let at = 0; at < 200; at++)
    await store.collections.create({ ...oldest, name: `files of a question ${at}` })
  await store.collections.create({ name: 'mine', embedderId, dimensions, chunking })
  await passim.expiry.sweep()
  const names = (await store.collections.listAll()).map(({ name }) => name)
  expect(names).toHaveLength(201)
  expect(names).not.toContain(oldest.name)
  expect(names).toContain('mine')
})

test('a close ends the sweep between two removals', async () => {
  await ageBy(8)
  await expect(passim.expiry.sweep(AbortSignal.abort())).rejects.toThrow()
  expect(await store.collections.listAll()).toHaveLength(1)
})
