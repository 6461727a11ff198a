import { afterEach, beforeEach, expect, test } from 'vitest'
import { openCatalog } from '../../src/app/stores/store.ts'
import { FileUses } from '../../src/conversations/file-uses.ts'
import { type StoredResponse, StoredResponses } from '../../src/conversations/stored-responses.ts'
import { MEMORY, type SqliteCatalog } from '../../src/ingest/store/catalogs/sqlite.ts'

let catalog: SqliteCatalog
let responses: StoredResponses
let uses: FileUses
beforeEach(async () => {
  catalog = await openCatalog(MEMORY)
  responses = new StoredResponses(catalog)
  uses = new FileUses(catalog)
})
afterEach(async () => await catalog.close())

const said = (id: string): StoredResponse => ({
  ...{ id, status: 'completed', input: [], body: {} },
  messages: [{ role: 'user', content: [{ file: `file-of-${id}` }] }],
})
const filesOf = async (id: string) => (await uses.list(id)).map(({ fileId }) => fileId)

test('a response is kept with the files that it has, or not at all', async () => {
  await responses.save(said('one'), 'new')
  expect(await filesOf('one')).toEqual(['file-of-one'])
  await catalog.run(
    `CREATE TRIGGER full BEFORE INSERT ON file_uses BEGIN SELECT RAISE(ABORT, 'full'); END`,
  )
  await expect(responses.save(said('two'), 'new')).rejects.toThrow(/full/)
  expect(await responses.find('two')).toBeUndefined()
})

test('what is kept no longer is forgotten with its files, and nothing else is', async () => {
  for (const id of ['old', 'older', 'new']) await responses.save(said(id), 'new')
  const days = (count: number) => Date.now() - count * 24 * 60 * 60 * 1000
  await catalog.run("UPDATE responses SET created_at = ? WHERE id IN ('old', 'older')", days(31))
  await catalog.run(
    `CREATE TRIGGER stuck BEFORE DELETE ON responses WHEN OLD.id = 'older' BEGIN SELECT RAISE(ABORT, 'stuck'); END`,
  )
  await expect(responses.prune()).rejects.toThrow(/stuck/)
  expect(await responses.find('old')).toBeDefined()
  expect(await filesOf('old')).toEqual(['file-of-old'])
  await catalog.run('DROP TRIGGER stuck')
  await responses.prune()
  const left = await Promise.all(['old', 'older', 'new'].map(async id => await responses.find(id)))
  expect(left.map(response => response?.id)).toEqual([undefined, undefined, 'new'])
  expect((await Promise.all(['old', 'older', 'new'].map(filesOf))).flat()).toEqual(['file-of-new'])
})

test('a response that is deleted takes its notes of files along', async () => {
  await responses.save(said('one'), 'new')
  expect(await responses.delete('one')).toBe(true)
  expect(await responses.delete('one')).toBe(false)
  expect(await filesOf('one')).toEqual([])
})
