import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { callTool } from '../../../src/agent/tool.ts'
import { storageTool } from '../../../src/agent/tools/storage.ts'
import { toolCall } from '../../fakes/scripted-chat-model.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'passim-storage-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const store = (args: object) =>
  callTool(
    [storageTool({ root: path.join(folder, 'root'), maxValueBytes: 20 })],
    toolCall('storage', JSON.stringify(args)),
  )

test('what is put can be got, scanned and deleted', async () => {
  expect(await store({ operate: 'put', key: '/notes/a', value: 'one' })).toBe(
    'Successfully saved /notes/a.',
  )
  await store({ operate: 'put', key: 'notes', value: 'a key may be a folder, too'.slice(0, 20) })
  await store({ operate: 'put', key: '其他', value: '二' })
  expect(await store({ operate: 'get', key: 'notes/a' })).toBe('one')
  expect(await store({ operate: 'scan', key: 'notes' })).toBe(
    '/notes: a key may be a folde\n/notes/a: one',
  )
  expect((await store({ operate: 'scan' })).split('\n')).toHaveLength(3)
  expect(await store({ operate: 'delete', key: 'notes/a' })).toBe('Successfully deleted notes/a')
  expect(await store({ operate: 'get', key: 'notes/a' })).toMatch(
    /Get Failed: notes\/a does not exist$/,
  )
  expect(await store({ operate: 'delete', key: 'notes/a' })).toMatch(/Delete Failed/)
  expect(await store({ operate: 'scan', key: 'nowhere' })).toMatch(/Scan Failed/)
})

test('a scan shows so much, and says how much more there is', async () => {
  const large = storageTool({ root: path.join(folder, 'large') })
  const run = (args: object) => callTool([large], toolCall('storage', JSON.stringify(args)))
  for (const key of ['a', 'b', 'c']) await run({ operate: 'put', key, value: key.repeat(40_000) })
  const shown = await run({ operate: 'scan' })
  expect(shown.length).toBeLessThan(51_000)
  expect(shown).toMatch(
    /^\/a: a{40000}\n\/b: b{10000}… \(40000 characters: get it alone\)\n… and 1 more keys$/,
  )
})

const LEADING_OUT = [
  '../x',
  '../../x',
  'a/../../x',
  '..\\x',
  '/../x',
  'a/./../../x',
  '.',
  '..',
  'link/x',
  'a\0b',
]
test.each(LEADING_OUT)('the key %j does not lead out of the root', async key => {
  await store({ operate: 'put', key: 'a', value: 'inside' })
  await writeFile(path.join(folder, 'x.value'), 'outside')
  await symlink(folder, path.join(folder, 'root', 'link'))
  for (const operate of ['put', 'get', 'delete']) {
    expect(await store({ operate, key, value: 'evil' })).toMatch(/leads out of the storage/)
  }
  expect((await readdir(folder)).toSorted()).toEqual(['root', 'x.value'])
})

test('a value that is too large is refused, and nothing of it is kept', async () => {
  expect(await store({ operate: 'put', key: 'a', value: 'x'.repeat(21) })).toMatch(
    /at most 20 bytes/,
  )
  expect(existsSync(path.join(folder, 'root', 'a.value'))).toBe(false)
})

test('a wrong operation is told with the right ones', async () =>
  expect(await store({ operate: 'list', key: 'a' })).toMatch(/operate: .*put.*get.*delete.*scan/))
