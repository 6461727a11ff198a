import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStore } from '../../src/app/stores/store.ts'
import { Sandbox } from '../fakes/store.ts'

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await Sandbox.make()
})
afterAll(() => sandbox.remove())

const MARK = 'zanzibar'
const TURNS = 60

/** The files of the store that have this text anywhere in them. */
async function filesWith(text: string): Promise<readonly string[]> {
  const entries = await readdir(sandbox.home, { recursive: true, withFileTypes: true })
  const files = entries
    .filter(entry => entry.isFile())
    .map(entry => path.join(entry.parentPath, entry.name))
  const contents = await Promise.all(
    files.map(async file => ({ file, bytes: await readFile(file) })),
  )
  return contents.filter(({ bytes }) => bytes.includes(text)).map(({ file }) => path.basename(file))
}

/** Under ids of our own, so that the pages of the table look the same each time. */
const itemsOf = (name: string, mark: string) =>
  Array.from({ length: TURNS }, (_, at) => {
    const content = `${mark} `.repeat(1 + ((at * 37) % 900))
    return { kind: 'message' as const, role: 'user' as const, content, id: `msg_${name}${at}` }
  })

test('what was said in a deleted conversation is in no file of the store once it is deleted', async () => {
  const passim = await sandbox.open()
  await passim.conversationService.create({ id: 'conv_kept', items: itemsOf('kept', 'madagascar') })
  await passim.conversationService.create({
    id: 'conv_gone',
    title: MARK,
    items: itemsOf('gone', MARK),
  })
  expect(await filesWith(MARK)).toContain('catalog.db-wal')
  await passim.conversationService.delete('conv_gone')
  expect(await filesWith(MARK)).toEqual([])
  expect(await filesWith('madagascar')).toEqual(['catalog.db'])
})

test('where somebody reads the catalog meanwhile, it is gone with the next look for what has expired', async () => {
  const passim = await sandbox.open()
  await passim.conversationService.create({ id: 'conv_read', items: itemsOf('read', MARK) })
  const { catalog } = await openStore(sandbox.home)
  await catalog.get('SELECT 1')
  await catalog.all('BEGIN')
  await catalog.get('SELECT count(*) FROM conversations')
  await passim.conversationService.delete('conv_read')
  expect(await filesWith(MARK)).not.toEqual([])
  await catalog.all('COMMIT')
  await passim.expiry.sweep()
  expect(await filesWith(MARK)).toEqual([])
  await catalog.close()
})
