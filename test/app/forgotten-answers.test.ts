import { access, mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Passim } from '../../src/app/passim.ts'
import { Sandbox } from '../fakes/store.ts'

let sandbox: Sandbox
let passim: Passim

beforeEach(async () => {
  sandbox = await Sandbox.make()
  passim = await sandbox.open()
})
afterEach(() => sandbox.remove())

const answers = () => path.join(sandbox.home, 'cache', 'answers')

/** Whether answers of earlier are forgotten by it. */
async function forgets(change: () => Promise<unknown>): Promise<boolean> {
  await mkdir(answers(), { recursive: true })
  await writeFile(path.join(answers(), 'kept'), 'what a document said')
  await change()
  return await access(answers()).then(
    () => false,
    () => true,
  )
}

test('answers are forgotten with the documents they were made of, however these go', async () => {
  const index = async (text: string) =>
    passim.index([await sandbox.write({ 'a.md': text, 'b.md': 'Another.' })])
  expect(await forgets(() => index('The first text.'))).toBe(false)
  expect(await forgets(() => index('The second text.'))).toBe(true)
  const collection = await passim.scope.findCollection('default')
  const [document] = await passim.list(collection)
  expect(await forgets(() => passim.delete(document!))).toBe(true) // there are two
  expect(await forgets(() => passim.collections.delete(collection))).toBe(true)
})
