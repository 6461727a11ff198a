import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { FORMATS } from '../../src/app/stores/store.ts'
import { SqliteCatalog } from '../../src/ingest/store/catalogs/sqlite.ts'
import { loadSqliteEngine } from '../../src/ingest/store/catalogs/sqlite-engine.ts'

test('a catalog that is kept alone is read and written by nobody else until it is closed', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'passim-alone-'))
  const file = path.join(folder, 'own.db')
  const own = SqliteCatalog.open(file, FORMATS)
  expect(await own.lockExclusively()).toBe(true)
  const other = new (loadSqliteEngine())(file)
  expect(() => other.prepare('SELECT * FROM leases').all()).toThrow('locked')
  expect(() => other.exec('DELETE FROM leases')).toThrow('locked')
  expect([...own.readRows('leases')]).toEqual([])
  await own.close()
  other.exec('DELETE FROM leases')
  other.close()
  await rm(folder, { recursive: true })
})
