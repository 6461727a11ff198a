import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DocumentReader } from '../../src/ingest/store/document-reader.ts'
import type { Searcher } from '../../src/search/searcher.ts'
import { SEARCH_MODES, type SearchMode } from '../../src/search/searcher.ts'
import { MemorySearcher } from '../fakes/memory-searcher.ts'
import { Sandbox } from '../fakes/store.ts'

const TEXTS = {
  'tea.txt': 'Tea grows on hills.\n\nGreen tea is steamed soon after it is picked.',
  'rail.txt': 'The railway opened in the spring.\n\nIts bridges are of stone.',
  'zh.txt': '茶树生长在山坡上。',
}

type Opened = {
  readonly searcher: Searcher
  readonly reader: DocumentReader
  readonly collectionIds: readonly string[]
}

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await Sandbox.make()
})
afterAll(() => sandbox.remove())

async function openStore(mode: SearchMode, precise = false): Promise<Opened> {
  const passim = await sandbox.open()
  await passim.index([await sandbox.write(TEXTS)])
  const collectionIds = (await passim.scope.findCollections()).map(collection => collection.id)
  const search: Searcher['search'] = ({ text, limit, documentIds }, signal) =>
    passim.search({
      query: text,
      mode,
      precise,
      limit,
      ...(documentIds && { documents: documentIds }),
      signal,
    })
  return { searcher: { search }, reader: passim.library, collectionIds }
}

async function openMemory(): Promise<Opened> {
  const memory = new MemorySearcher(Object.entries(TEXTS).map(([name, text]) => ({ name, text })))
  return { searcher: memory, reader: memory, collectionIds: ['memory'] }
}

describe.each([
  ...SEARCH_MODES.map(mode => [`a store by ${mode}`, () => openStore(mode)] as const),
  ['a store, precisely', () => openStore('hybrid', true)] as const,
  ['memory', openMemory] as const,
])('a searcher over %s', (_name, open) => {
  let opened: Opened
  beforeAll(async () => {
    opened = await open()
  })
  const search = (
    text: string,
    options: { limit?: number; documentIds?: readonly string[] } = {},
  ) => opened.searcher.search({ text, collectionIds: opened.collectionIds, limit: 5, ...options })

  test('finds what says it, first', async () => {
    expect((await search('stone bridges of the railway'))[0]).toMatchObject({ name: 'rail.txt' })
  })
  test('gives no more than asked for, best first, none twice', async () => {
    const hits = await search('tea on hills', { limit: 2 })
    expect(hits.length).toBeLessThanOrEqual(2)
    expect(hits.map(hit => hit.score)).toEqual(hits.map(hit => hit.score).toSorted((a, b) => b - a))
    expect(new Set(hits.map(hit => hit.chunkId)).size).toBe(hits.length)
  })
  test('a hit is exactly the text at its place', async () => {
    for (const hit of await search('tea')) {
      expect(await opened.reader.read(hit.documentId, hit.charStart, hit.charEnd)).toBe(hit.text)
    }
  })
  test('keeps to the documents asked for', async () => {
    const [tea] = await search('green tea')
    const hits = await search('railway', { documentIds: [tea!.documentId] })
    expect(hits.every(hit => hit.documentId === tea!.documentId)).toBe(true)
  })
})
