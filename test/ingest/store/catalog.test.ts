import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { SqliteCatalog } from '../../../src/ingest/store/catalogs/sqlite.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'passim-catalog-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const first = [['CREATE TABLE a (x INTEGER)']]
const second = [
  ['CREATE TABLE b (y INTEGER)', 'ALTER TABLE a ADD COLUMN z INTEGER NOT NULL DEFAULT 7'],
]
const open = async (...formats: string[][][]) =>
  await SqliteCatalog.open(path.join(folder, 'catalog.db'), formats)

test('an older catalog is brought forward with what is in it', async () => {
  const old = await open(first)
  await old.run('INSERT INTO a VALUES (1)')
  await old.close()
  const catalog = await open(first, second)
  expect(await catalog.all('SELECT * FROM a')).toEqual([{ x: 1, z: 7 }])
  expect(await catalog.all('SELECT * FROM b')).toEqual([])
  await catalog.close()
})
test('a step that fails leaves the old format whole', async () => {
  await (await open(first)).close()
  await expect(open(first, [['CREATE TABLE b (y INTEGER)', 'no SQL']])).rejects.toThrow()
  const catalog = await open(first)
  await expect(catalog.all('SELECT * FROM b')).rejects.toThrow(/no such table/)
  await catalog.close()
})
test('a newer catalog is refused', async () => {
  await (await open(first, second)).close()
  await expect(open(first)).rejects.toThrow(/format 2; this program reads up to 1/)
})
test('a damaged catalog is corrupt, and says what to do', async () => {
  const catalog = await open(first)
  await catalog.run('INSERT INTO a VALUES (1)')
  await catalog.emptyLogIntoFile()
  await catalog.close()
  const file = path.join(folder, 'catalog.db')
  const bytes = await readFile(file)
  const failure = {
    code: 'corrupt',
    message: expect.stringContaining(`The catalog ${file} is damaged`),
  }
  await writeFile(file, bytes.fill(0xaa, 0, 100))
  await expect(open(first)).rejects.toThrow(expect.objectContaining(failure))
})
test('what is wrong with a statement is no matter of the disk', async () => {
  const catalog = await open(first)
  await expect(catalog.all('SELECT * FROM nowhere')).rejects.toThrow(/no such table/)
  await expect(catalog.transaction(async inside => await inside.run('no SQL'))).rejects.toThrow(
    /syntax error/,
  )
  await catalog.close()
})
