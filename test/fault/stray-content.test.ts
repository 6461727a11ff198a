import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Passim } from '../../src/app/passim.ts'
import type { Parser } from '../../src/ingest/parse/parser.ts'
import { Sandbox } from '../fakes/store.ts'

const DIE = fileURLToPath(new URL('../fakes/die-adopting.ts', import.meta.url))

let sandbox: Sandbox

beforeEach(async () => {
  sandbox = await Sandbox.make()
})
afterEach(() => sandbox.remove())

const strayProblem = { kind: 'content', message: '1 stored contents belong to no document.' }

test('bytes of a process that died while taking them in are gone after the next run', async () => {
  const docs = await sandbox.write({ 'a.txt': 'kept' })
  const passim = await sandbox.open()
  await writeFile(path.join(sandbox.folder, 'b.txt'), 'cut off')
  const args = ['--import', 'tsx', DIE, sandbox.home, path.join(sandbox.folder, 'b.txt')]
  const signal = await new Promise(resolve =>
    execFile(process.execPath, args, error => resolve(error?.signal)),
  )
  expect(signal).toBe('SIGKILL')
  expect((await passim.verify.run()).problems).toEqual([strayProblem])
  await passim.index([docs])
  expect(await passim.verify.run()).toMatchObject({ ok: true, problems: [] })
})

test('bytes of a process that died are gone once a service has started, though nothing waits to be indexed', async () => {
  const docs = await sandbox.write({ 'a.txt': 'kept' })
  const passim = await sandbox.open()
  await passim.index([docs])
  await writeFile(path.join(sandbox.folder, 'b.txt'), 'cut off')
  const args = ['--import', 'tsx', DIE, sandbox.home, path.join(sandbox.folder, 'b.txt')]
  await new Promise(resolve => execFile(process.execPath, args, resolve))
  expect((await passim.verify.run()).problems).toEqual([strayProblem])
  await passim.resume()
  await expect
    .poll(async () => (await passim.verify.run()).problems, { timeout: 60_000 })
    .toEqual([])
})

/** Deletes the document that it is reading, as another process may. */
function deletingParser(passim: () => Passim): Parser {
  return {
    id: 'deleting@1',
    mediaTypes: ['text/plain'],
    async *parse({ name }) {
      if (name === 'gone.txt') {
        const [collection] = await passim().scope.findCollections()
        await passim().delete(
          (await passim().list(collection!)).find(document => document.name === name)!,
        )
      }
      yield { type: 'block', block: { kind: 'paragraph', text: `text of ${name}` } }
      yield { type: 'page', report: { page: 1, characters: 10, images: 0, garbled: 0 } }
    },
  }
}

test('a document that is deleted while it is read leaves nothing behind', async () => {
  const docs = await sandbox.write({ 'gone.txt': 'a', 'stays.txt': 'b' })
  const passim: Passim = await sandbox.open({ parsers: [deletingParser(() => passim)] })
  await passim.index([docs])
  const [collection] = await passim.scope.findCollections()
  expect((await passim.list(collection!)).map(document => document.name)).toEqual(['stays.txt'])
  expect(await passim.verify.run()).toMatchObject({ ok: true, problems: [] })
})
