import { expect, test } from 'vitest'
import type { Document } from '../../../src/ingest/store/catalog/document.ts'
import { filterAttributes } from '../../../src/ingest/store/filter-attributes.ts'

const DOCUMENT: Document = {
  id: 'doc_1',
  collectionId: 'vs_1',
  fileId: 'file-1',
  hash: 'a1',
  source: '/papers/a.pdf',
  name: 'a.pdf',
  title: 'a.pdf',
  status: 'completed',
  mediaType: 'application/pdf',
  bytes: 1,
  chunks: 1,
  tokens: 1,
  attributes: {},
  metadata: {},
  warnings: [],
  createdAt: 0,
}

test('a document without facts has its name, source and type', () => {
  expect(filterAttributes(DOCUMENT)).toEqual({
    title: 'a.pdf',
    mediaType: 'application/pdf',
    name: 'a.pdf',
    source: '/papers/a.pdf',
  })
})
test('facts of the format are there by name, dates in unix seconds, the language without its region', () => {
  const metadata = {
    title: 'Prices',
    author: 'Ann',
    created: '2024-05-01T10:00:00+02:00',
    language: 'zh-Hant-TW',
  }
  expect(filterAttributes({ ...DOCUMENT, pages: 3, metadata })).toMatchObject({
    title: 'Prices',
    author: 'Ann',
    created: Date.UTC(2024, 4, 1, 8) / 1000,
    language: 'zh',
    pages: 3,
  })
})
test('a date without a zone is the same everywhere', () => {
  const created = (date: string) =>
    filterAttributes({ ...DOCUMENT, metadata: { created: date } }).created
  expect(created('2024-05-01T10:00')).toBe(Date.UTC(2024, 4, 1, 10) / 1000)
  expect(created('2024-05-01')).toBe(Date.UTC(2024, 4, 1) / 1000)
  expect(created('2024')).toBe(Date.UTC(2024, 0, 1) / 1000)
})
test("a user's attribute wins over a fact of the same name", () => {
  const attributes = { author: 'Bob', team: 'sales' }
  const merged = filterAttributes({ ...DOCUMENT, metadata: { author: 'Ann' }, attributes })
  expect(merged).toMatchObject({ author: 'Bob', team: 'sales' })
})
