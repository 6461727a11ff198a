import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Passim } from '../../src/app.ts'
import { Sandbox } from '../fakes/store.ts'

let sandbox: Sandbox
let passim: Passim
beforeAll(async () => {
  sandbox = await Sandbox.make()
  passim = await sandbox.open()
  await sandbox.write({ 'a/terms.txt': 'Three months.', 'b/terms.txt': 'Six weeks.' })
  await passim.index([sandbox.path('')], { collection: 'papers' })
})
afterAll(() => sandbox.remove())

const named = (reference: string) => passim.scope.document(reference, passim.collections.visible()).source

test('a document goes by its path, also as seen from the working directory', () => {
  const source = sandbox.path('a/terms.txt')
  expect(named(source)).toBe(source)
  expect(named(path.relative('', source))).toBe(source)
})

test('a base name that two documents share is a conflict that names them', () => {
  expect(() => named('terms.txt')).toThrow(expect.objectContaining({ code: 'conflict' }))
})

test('no name means the default collection, or all where there is none', async () => {
  const names = () => passim.scope.collections().map(collection => collection.name)
  expect(names()).toEqual(['papers'])
  await passim.collections.create({ name: 'notes' })
  expect(names()).toEqual(['notes', 'papers'])
  await passim.collections.create({ name: 'default' })
  expect(names()).toEqual(['default'])
})

test('a dry run makes no collection', async () => {
  const { totals } = await passim.index([sandbox.path('')], { collection: 'planned', dryRun: true })
  expect(totals.indexed).toBe(2)
  expect(passim.collections.visible().map(({ name }) => name)).not.toContain('planned')
})
