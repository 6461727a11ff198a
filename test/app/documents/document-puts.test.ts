import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Passim } from '../../../src/app/passim.ts'
import { importStore } from '../../../src/index.ts'
import { Sandbox } from '../../fakes/store.ts'

let sandbox: Sandbox
beforeEach(async () => {
  sandbox = await Sandbox.make()
})
afterEach(async () => await sandbox.remove())

const findTexts = async (passim: Passim, query: string) =>
  (await passim.search({ query, collections: ['notes'] })).map(({ text }) => text)

test('a put document is found when the call returns, and replaced under its id', async () => {
  const passim = await sandbox.open()
  await sandbox.write({ 'lease.md': 'The notice period is three months.' })
  const first = await passim.documents.put({
    id: 'lease',
    file: sandbox.path('lease.md'),
    collection: 'notes',
  })
  expect(first).toMatchObject({
    result: 'created',
    document: { status: 'completed', externalId: 'lease', name: 'lease.md' },
  })
  const second = await passim.documents.put({
    id: 'lease',
    text: 'The notice period is six months.',
    collection: 'notes',
  })
  expect(second).toMatchObject({ result: 'replaced', document: { id: first.document.id } })
  expect(await findTexts(passim, 'notice period')).toEqual(['The notice period is six months.'])
  for (const reference of ['id:lease', 'lease'])
    expect(await passim.show(reference)).toMatchObject({ id: first.document.id })
})

test('a file that is missing, and two contents, are refused', async () => {
  const { documents } = await sandbox.open()
  const file = sandbox.path('none.md')
  await expect(documents.put({ id: 'a', file })).rejects.toMatchObject({ code: 'not_found' })
  await sandbox.write({ 'a.md': 'A heron wades.' })
  const both = documents.put({ id: 'a', file: sandbox.path('a.md'), text: 'A heron wades.' })
  await expect(both).rejects.toMatchObject({ code: 'invalid_input' })
  const unknown = { id: 'a', text: 'A heron wades.', colour: 'red' }
  await expect(documents.put(unknown)).rejects.toThrow('colour')
})

test('a document that was queued before the process ended is indexed by the next one', async () => {
  const before = await sandbox.open()
  const notes = await before.documentPuts.findOrCreateCollection('notes')
  await before.documentPuts.putContent(notes, { id: 'a', text: 'A heron wades.' })
  await sandbox.close()
  const passim = await sandbox.open()
  await passim.resume()
  await expect.poll(() => findTexts(passim, 'heron'), { timeout: 60_000 }).toHaveLength(1)
  const again = { id: 'a', text: 'A heron wades.', collection: 'notes' }
  expect((await passim.documents.put(again)).result).toBe('unchanged')
})

test('a backup restores ids, titles and hashes', async () => {
  const passim = await sandbox.open()
  const note = { id: 'a', title: 'Birds', text: 'A heron wades.', collection: 'notes' }
  const { document } = await passim.documents.put(note)
  const file = path.join(sandbox.folder, 'store.backup')
  await passim.export(file)
  const home = path.join(sandbox.folder, 'restored')
  await importStore(home, file)
  const restored = await sandbox.open({ home })
  const [found] = await restored.list('notes')
  expect(found).toMatchObject({ externalId: 'a', title: 'Birds', hash: document.hash })
  expect((await restored.documents.put(note)).result).toBe('unchanged')
})
