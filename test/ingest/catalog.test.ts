import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Catalog } from '../../src/ingest/catalog.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'passim-catalog-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const first = [['CREATE TABLE a (x INTEGER)']]
const second = [['CREATE TABLE b (y INTEGER)', 'ALTER TABLE a ADD COLUMN z INTEGER NOT NULL DEFAULT 7']]
const open = (...formats: string[][][]) => Catalog.open(path.join(folder, 'catalog.db'), formats)

test('an older catalog is brought forward with what is in it', () => {
  const old = open(first)
  old.run('INSERT INTO a VALUES (1)')
  old.close()
  const catalog = open(first, second)
  expect(catalog.all('SELECT * FROM a')).toEqual([{ x: 1, z: 7 }])
  expect(catalog.all('SELECT * FROM b')).toEqual([])
  catalog.close()
})
test('a step that fails leaves the old format whole', () => {
  open(first).close()
  expect(() => open(first, [['CREATE TABLE b (y INTEGER)', 'no SQL']])).toThrow()
  const catalog = open(first)
  expect(() => catalog.all('SELECT * FROM b')).toThrow(/no such table/)
  catalog.close()
})
test('a newer catalog is refused', () => {
  open(first, second).close()
  expect(() => open(first)).toThrow(/format 2; this program reads up to 1/)
})
test('a damaged catalog is corrupt, and says what to do', async () => {
  const catalog = open(first)
  catalog.run('INSERT INTO a VALUES (1)')
  catalog.intoOneFile()
  catalog.close()
  const file = path.join(folder, 'catalog.db')
  const bytes = await readFile(file)
  const failure = { code: 'corrupt', message: expect.stringContaining(`The catalog ${file} is damaged`) }
  await writeFile(file, bytes.fill(0xaa, 0, 100))
  expect(() => open(first)).toThrow(expect.objectContaining(failure))
})
test('what is wrong with a statement is no matter of the disk', () => {
  const catalog = open(first)
  expect(() => catalog.all('SELECT * FROM nowhere')).toThrow(/no such table/)
  expect(() => catalog.transaction(() => catalog.run('no SQL'))).toThrow(/syntax error/)
  catalog.close()
})
