import { afterEach, beforeEach, expect, test } from 'vitest'
import { FileUses } from '../../src/agent/conversations/file-uses.ts'
import { type StoredResponse, StoredResponses } from '../../src/agent/stored-responses.ts'
import { openCatalog } from '../../src/app/store.ts'
import { type Catalog, MEMORY } from '../../src/ingest/catalog.ts'

let catalog: Catalog
let responses: StoredResponses
let uses: FileUses
beforeEach(() => {
  catalog = openCatalog(MEMORY)
  responses = new StoredResponses(catalog)
  uses = new FileUses(catalog)
})
afterEach(() => catalog.close())

const said = (id: string): StoredResponse => ({
  ...{ id, status: 'completed', input: [], body: {} },
  messages: [{ role: 'user', content: [{ file: `file-of-${id}` }] }],
})
const filesOf = (id: string) => uses.of(id).map(({ fileId }) => fileId)

test('a response is kept with the files that it has, or not at all', () => {
  responses.save(said('one'), 'new')
  expect(filesOf('one')).toEqual(['file-of-one'])
  catalog.run(`CREATE TRIGGER full BEFORE INSERT ON file_uses BEGIN SELECT RAISE(ABORT, 'full'); END`)
  expect(() => responses.save(said('two'), 'new')).toThrow(/full/)
  expect(responses.find('two')).toBeUndefined()
})

test('what is kept no longer is forgotten with its files, and nothing else is', () => {
  for (const id of ['old', 'older', 'new']) responses.save(said(id), 'new')
  const days = (count: number) => Date.now() - count * 24 * 60 * 60 * 1000
  catalog.run("UPDATE responses SET created_at = ? WHERE id IN ('old', 'older')", days(31))
  catalog.run(
    `CREATE TRIGGER stuck BEFORE DELETE ON responses WHEN OLD.id = 'older' BEGIN SELECT RAISE(ABORT, 'stuck'); END`,
  )
  expect(() => responses.prune()).toThrow(/stuck/)
  expect(responses.find('old')).toBeDefined()
  expect(filesOf('old')).toEqual(['file-of-old'])
  catalog.run('DROP TRIGGER stuck')
  responses.prune()
  expect(['old', 'older', 'new'].filter(id => responses.find(id))).toEqual(['new'])
  expect(['old', 'older', 'new'].flatMap(filesOf)).toEqual(['file-of-new'])
})

test('a response that is deleted takes its notes of files along', () => {
  responses.save(said('one'), 'new')
  expect(responses.delete('one')).toBe(true)
  expect(responses.delete('one')).toBe(false)
  expect(filesOf('one')).toEqual([])
})
