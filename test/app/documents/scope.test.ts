import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Passim } from '../../../src/app/passim.ts'
import { Sandbox } from '../../fakes/store.ts'

let sandbox: Sandbox
let passim: Passim
beforeAll(async () => {
  sandbox = await Sandbox.make()
  passim = await sandbox.open()
  await sandbox.write({ 'a/terms.txt': 'Three months.', 'b/terms.txt': 'Six weeks.' })
  await passim.index([sandbox.path('')], { collection: 'papers' })
})
afterAll(() => sandbox.remove())

const named = async (reference: string) =>
  (await passim.scope.findDocument(reference, await passim.collections.listVisible())).source

test('a document goes by its path, also as seen from the working directory', async () => {
  const source = sandbox.path('a/terms.txt')
  expect(await named(source)).toBe(source)
  expect(await named(path.relative('', source))).toBe(source)
})

test('a base name that two documents share is a conflict that names them', async () => {
  await expect(named('terms.txt')).rejects.toThrow(expect.objectContaining({ code: 'conflict' }))
})

test('no name means the default collection, or all where there is none', async () => {
  const names = async () =>
    (await passim.scope.findCollections()).map(collection => collection.name)
  expect(await names()).toEqual(['papers'])
  await passim.collections.create({ name: 'notes' })
  expect(await names()).toEqual(['notes', 'papers'])
  await passim.collections.create({ name: 'default' })
  expect(await names()).toEqual(['default'])
})

test('a hidden collection has no name for callers, not even that of an evaluation', async () => {
  for (const name of ['files of a question 1', 'evaluation 1']) {
    const { id } = await passim.collections.findOrCreate(name, { hidden: true })
    for (const reference of [name, id])
      await expect(passim.scope.findCollection(reference)).rejects.toMatchObject({
        code: 'not_found',
      })
  }
})

test('a dry run makes no collection', async () => {
  const { totals } = await passim.index([sandbox.path('')], { collection: 'planned', dryRun: true })
  expect(totals.indexed).toBe(2)
  expect((await passim.collections.listVisible()).map(({ name }) => name)).not.toContain('planned')
})
