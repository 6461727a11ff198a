import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, test as everyTest, expect } from 'vitest'
import { SqliteCatalog } from '../../src/ingest/store/catalogs/sqlite.ts'
import type { ChunkIndex, IndexRow } from '../../src/ingest/store/chunk-index.ts'
import type { Found, Indexes, IndexReader, Restriction } from '../../src/search/index-reader.ts'
import { LanceIndex } from '../../src/search/lance/lance-index.ts'
import { LanceIndexes } from '../../src/search/lance/lance-indexes.ts'
import { LanceTables } from '../../src/search/lance/lance-tables.ts'
import { TableBucket } from '../../src/search/lance/table-bucket.ts'
import { TableFolder, type TablePlace } from '../../src/search/lance/table-place.ts'
import { LanguageMeans, meansSchema } from '../../src/search/language-means.ts'
import { TermRarity, termRaritySchema } from '../../src/search/term-rarity.ts'
import { WeaviateIndex } from '../../src/search/weaviate/weaviate-index.ts'
import { WeaviateIndexes } from '../../src/search/weaviate/weaviate-indexes.ts'
import { WeaviateTables } from '../../src/search/weaviate/weaviate-tables.ts'
import { Analyzer } from '../../src/text/analyzer.ts'
import { MemoryIndex } from '../fakes/memory-index.ts'
import { NEEDS_S3, s3Place, TestBucket } from '../fakes/s3.ts'
import { NEEDS_WEAVIATE, TestWeaviate, weaviateUrl } from '../fakes/weaviate.ts'
import { chooseAdapters } from '../suites.ts'

type Opened = { readonly index: ChunkIndex; readonly indexes: Indexes; close(): Promise<void> }

const table = { id: 'vs_1', dimensions: 4 }
let folder: string
let opened: Opened

async function openLance(place: TablePlace = new TableFolder(folder)): Promise<Opened> {
  const catalog = await SqliteCatalog.open(path.join(folder, 'catalog.db'), [
    [meansSchema, termRaritySchema],
  ])
  const tables = new LanceTables(place, 'test')
  const index = new LanceIndex(tables, new Analyzer(), [
    new LanguageMeans(catalog),
    new TermRarity(catalog),
  ])
  const close = async () => {
    await tables.close()
    await catalog.close()
  }
  let asked = 0
  return { index, indexes: new LanceIndexes(tables, async () => String(asked++)), close } // these tests publish nothing
}

async function openBucket(): Promise<Opened> {
  const bucket = new TestBucket(s3Place!)
  await bucket.make()
  const place = new TableBucket({
    client: bucket.client,
    prefix: bucket.prefix,
    scratch: path.join(folder, 'scratch'),
  })
  const opened = await openLance(place)
  const close = async () => {
    await opened.close()
    await bucket.remove()
  }
  return { ...opened, close }
}

async function openWeaviate(): Promise<Opened> {
  const catalog = await SqliteCatalog.open(path.join(folder, 'catalog.db'), [
    [meansSchema, termRaritySchema],
  ])
  const weaviate = new TestWeaviate(weaviateUrl!)
  const tables = new WeaviateTables(weaviate.client, {
    storeId: weaviate.storeId,
    analyzerId: 'test',
    replicas: 1,
  })
  const rarity = new TermRarity(catalog)
  const statistics = [new LanguageMeans(catalog), rarity]
  const index = new WeaviateIndex(tables, {
    analyzer: new Analyzer(),
    statistics,
    countedChunks: async id => await rarity.getCountedChunks(id),
  })
  const close = async () => {
    await weaviate.remove()
    await catalog.close()
  }
  let asked = 0
  return { index, indexes: new WeaviateIndexes(tables, async () => String(asked++)), close }
}

async function openMemory(): Promise<Opened> {
  const index = new MemoryIndex(new Analyzer())
  return { index, indexes: index, close: async () => {} }
}

function row(
  version: number,
  ordinal: number,
  text: string,
  options: Partial<IndexRow> = {},
): IndexRow {
  const vector = Float32Array.from([1, ordinal, 0, 0].map(value => value / Math.hypot(1, ordinal)))
  const place = {
    charStart: 0,
    charEnd: text.length,
    headings: ['H'],
    context: 'T',
    tokens: 3,
  }
  return {
    version,
    ordinal,
    chunkId: `chunk_${version}_${ordinal}`,
    text,
    name: 'a.txt',
    vector,
    ...place,
    ...options,
  }
}

const NORTH = Float32Array.from([1, 0, 0, 0])

/** Where the rows stand that are found: `version-ordinal`. */
async function places(
  collectionId: string,
  find: (reader: IndexReader) => Promise<readonly Found[]>,
) {
  const reader = await opened.indexes.open(collectionId)
  if (!reader) return []
  return (await reader.readCandidates(await find(reader))).map(
    ({ version, ordinal }) => `${version}-${ordinal}`,
  )
}

const byTerms = (
  terms: readonly string[],
  limit: number,
  only: Restriction = {},
  collectionId = 'vs_1',
) => places(collectionId, reader => reader.findByKeyword(terms, limit, only))

const byVector = (limit: number, only: Restriction = {}) =>
  places('vs_1', reader => reader.findNearest({ vector: NORTH, baselines: new Map() }, limit, only))

const ADAPTERS = [
  ['LanceDB', () => openLance(), true, true],
  [`LanceDB in an S3 bucket (${NEEDS_S3})`, openBucket, s3Place !== undefined, true],
  [`Weaviate (${NEEDS_WEAVIATE})`, openWeaviate, weaviateUrl !== undefined, false],
  ['memory', openMemory, true, true],
] as const

describe.each(chooseAdapters(ADAPTERS, ([, , isThere]) => isThere))(
  'an index in %s',
  (_name, open, isThere, hasSnapshots) => {
    const test = everyTest.skipIf(!isThere)
    beforeEach(async () => {
      if (!isThere) return
      folder = await mkdtemp(path.join(tmpdir(), 'passim-index-'))
      opened = await open()
    })
    afterEach(async () => {
      if (!isThere) return
      await opened.close()
      await rm(folder, { recursive: true })
    })

    test('finds nothing before anything is written', async () => {
      expect(await byTerms(['fox'], 5)).toEqual([])
      expect(await opened.index.isStale(table)).toBe(true)
    })
    test('finds by any of the terms, more of them first', async () => {
      await opened.index.add(table, [
        row(1, 0, 'a red fox'),
        row(1, 1, 'a dog'),
        row(2, 0, 'red fox, lazy dog'),
      ])
      expect((await byTerms(['fox', 'dog'], 5))[0]).toBe('2-0')
      expect((await byTerms(['fox'], 5)).toSorted()).toEqual(['1-0', '2-0'])
    })
    test('a term counts as often as it is given, and never less in rows that are not in the index yet', async () => {
      await opened.index.add(table, [
        row(1, 0, 'a red fox'),
        row(1, 1, 'a blue dog'),
        row(1, 2, 'a bird'),
      ])
      await opened.index.runUpkeep(table)
      await opened.index.add(table, [row(2, 0, 'a white fox'), row(2, 1, 'a fox')])
      const reader = await opened.indexes.open('vs_1')
      const scores = async (terms: readonly string[]) => {
        const found = await reader!.findByKeyword(terms, 9, {})
        const named = await reader!.scoreByKeyword(
          terms,
          found.map(one => one.row),
        )
        for (const one of found) expect(named.get(one.row)).toBeCloseTo(one.score, 5)
        return new Map(
          (await reader!.readCandidates(found)).map(one => [
            `${one.version}-${one.ordinal}`,
            one.score,
          ]),
        )
      }
      const [once, often] = [await scores(['fox']), await scores(['fox', 'dog', 'fox', 'fox'])]
      expect([...often.keys()].toSorted()).toEqual(['1-0', '1-1', '2-0', '2-1'])
      expect(often.get('1-0')).toBeCloseTo(3 * once.get('1-0')!, 5)
      for (const place of ['2-0', '2-1'])
        expect(often.get(place)).toBeGreaterThanOrEqual(once.get(place)!)
      expect(await byTerms(['dog', 'fox', 'dog'], 1)).toEqual(['1-1'])
    })
    test('a term that nothing holds finds nothing', async () => {
      await opened.index.add(table, [row(1, 0, 'a red fox')])
      expect(await byTerms(['cat'], 5)).toEqual([])
    })
    test('the name of the file is found', async () => {
      await opened.index.add(table, [row(1, 0, 'text', { name: 'travel-policy.pdf' })])
      expect(await byTerms(new Analyzer().listQueryTerms('policy'), 5)).toEqual(['1-0'])
    })
    test('nearest vectors come first, with their cosine', async () => {
      await opened.index.add(table, [row(1, 0, 'x'), row(1, 1, 'y'), row(1, 2, 'z')])
      expect(await byVector(2)).toEqual(['1-0', '1-1'])
      const reader = await opened.indexes.open('vs_1')
      const found = await reader!.findNearest({ vector: NORTH, baselines: new Map() }, 2, {})
      expect(found[1]?.score).toBeCloseTo(Math.SQRT1_2)
      expect(
        await reader!.findNearest({ vector: NORTH, baselines: new Map() }, 9, {
          rows: [found[1]!.row],
        }),
      ).toEqual([{ ...found[1], score: expect.closeTo(Math.SQRT1_2) }])
    })
    test('what a language has in common is taken off', async () => {
      await opened.index.add(table, [row(1, 0, 'x'), row(1, 1, '二'), row(1, 2, 'z')])
      const reader = await opened.indexes.open('vs_1')
      const found = await reader!.findNearest(
        { vector: NORTH, baselines: new Map([['en', 0.6]]) },
        2,
        {},
      )
      expect(found.map(one => one.score)).toEqual([
        expect.closeTo(Math.SQRT1_2),
        expect.closeTo(0.4),
      ])
    })
    test('a chunk in windows is one hit, as near as the nearest of them, and counts once by words', async () => {
      const [east, up] = [Float32Array.from([0, 1, 0, 0]), Float32Array.from([0, 0, 1, 0])]
      const long = row(1, 0, 'a red fox', { vector: up, windows: [east, up, NORTH, east] })
      const others = [row(1, 1, 'a red dog'), row(2, 0, 'a cat', { vector: up })]
      await opened.index.add(table, [long, ...others])
      const plain = { id: 'vs_2', dimensions: 4 }
      await opened.index.add(plain, [{ ...long, windows: [] }, ...others])
      for (const one of [table, plain]) await opened.index.runUpkeep(one)
      expect(await byVector(1)).toEqual(['1-0'])
      expect(await byVector(9)).toEqual(['1-0', '1-1', '2-0'])
      expect(await byVector(9, { beforeOrdinal: 1 })).toEqual(['1-0', '2-0'])
      const [reader, plainReader] = [
        await opened.indexes.open('vs_1'),
        await opened.indexes.open('vs_2'),
      ]
      const chunks = await reader!.readFirst(9, {})
      expect(chunks.map(({ version, ordinal }) => `${version}-${ordinal}`)).toEqual([
        '1-0',
        '1-1',
        '2-0',
      ])
      const rowNames = chunks.map(found => found.row)
      for (const isRepeated of [false, true]) {
        const query = { vector: NORTH, baselines: new Map(), isRepeated }
        for (const scored of [rowNames.slice(0, 1), rowNames, rowNames.slice(1)]) {
          const scores = await reader!.scoreByVector(query, scored)
          const expected = [1, Math.SQRT1_2, 0].slice(rowNames.indexOf(scored[0]!))
          expect([...scores.keys()]).toEqual(scored)
          expect([...scores.values()]).toEqual(
            expected.slice(0, scored.length).map(score => expect.closeTo(score)),
          )
        }
      }
      expect(await byVector(9, { rows: [chunks[0]!.row] })).toEqual(['1-0'])
      const scoresOf = async (one: IndexReader) =>
        (await one.findByKeyword(['red', 'fox'], 9, {})).map(({ score }) => score)
      expect(await scoresOf(reader!)).toEqual(await scoresOf(plainReader!))
      expect(await reader!.readStatistics(['red'])).toEqual({ rows: 3, frequencies: [2] })
      const counts = await opened.index.countVersions(table)
      expect([counts.get(1), counts.get(2), counts.size]).toEqual([2, 1, 2])
      await opened.index.remove(table, [1])
      expect([await byVector(9), await opened.index.countVersions(table)]).toEqual([
        ['2-0'],
        new Map([[2, 1]]),
      ])
    })
    test('rows that are named give their vectors as they were embedded, with the language of their texts', async () => {
      const { vector: _, ...plain } = row(1, 2, 'z')
      const long = row(2, 0, 'w', { windows: [NORTH, NORTH] })
      await opened.index.add(table, [row(1, 0, 'x'), row(1, 1, '二'), plain, long])
      const reader = await opened.indexes.open('vs_1')
      const rows = (await reader!.readFirst(9, {})).map(found => found.row)
      const vectors = await reader!.readVectors(rows)
      const known = rows.map(name => vectors.get(name))
      expect(known.map(one => one?.language)).toEqual(['en', 'zh', undefined, 'en'])
      const given = [row(1, 0, 'x'), row(1, 1, '二'), undefined, long].map(one => one?.vector)
      expect(known.map(one => one && [...one.vector])).toEqual(
        given.map(vector => vector && [...vector].map(value => expect.closeTo(value))),
      )
    })
    test('rows without a vector are found by words only', async () => {
      const { vector: _, ...plain } = row(1, 0, 'fox')
      await opened.index.add(table, [plain, row(1, 1, 'dog')])
      expect(await byVector(5)).toEqual(['1-1'])
      expect(await byTerms(['fox'], 5)).toEqual(['1-0'])
    })
    test('restrictions hold before the best are chosen', async () => {
      await opened.index.add(table, [row(1, 0, 'fox'), row(2, 0, 'fox'), row(2, 1, 'fox')])
      expect(await byTerms(['fox'], 1, { versions: [2], beforeOrdinal: 1 })).toEqual(['2-0'])
      expect(await byVector(9, { versions: [2] })).toEqual(['2-0', '2-1'])
      const reader = await opened.indexes.open('vs_1')
      const rows = (await reader!.readFirst(9, {})).slice(2).map(found => found.row)
      expect(await byTerms(['fox'], 9, { rows })).toEqual(['2-1'])
      expect(await byVector(9, { rows })).toEqual(['2-1'])
      expect(await byVector(9, { rows: [] })).toEqual([])
      expect(await byTerms(['fox'], 9, { versions: [] })).toEqual([])
    })
    test('rows that hold all terms, and those that hold them in a row', async () => {
      await opened.index.add(table, [
        row(1, 0, 'a red fox'),
        row(1, 1, 'a fox, red'),
        row(1, 2, 'a red dog'),
      ])
      const reader = await opened.indexes.open('vs_1')
      const versions = async (only: Restriction) =>
        (await reader!.findWithAllTerms(['red', 'fox'], 9, only)).length
      expect(await versions({})).toBe(2)
      expect(await versions({ sequences: [['red', 'fox']] })).toBe(1)
    })
    test('statistics count the rows that hold a term', async () => {
      await opened.index.add(table, [
        row(1, 0, 'a red fox'),
        row(1, 1, 'a fox'),
        row(1, 2, 'a dog'),
      ])
      const reader = await opened.indexes.open('vs_1')
      expect(await reader!.readStatistics(['fox', 'dog', 'cat'])).toEqual({
        rows: 3,
        frequencies: [2, 1, 0],
      })
    })
    test('pages hold where a row stands on one of them at least in part', async () => {
      await opened.index.add(table, [
        row(1, 0, 'fox', { pages: [1, 2] }),
        row(1, 1, 'fox', { pages: [3, 3] }),
        row(1, 2, 'fox'),
      ])
      const on = async (pages: readonly [number, number]) =>
        (await byTerms(['fox'], 9, { pages })).toSorted()
      expect(await on([2, 2])).toEqual(['1-0'])
      expect(await on([2, 9])).toEqual(['1-0', '1-1'])
      expect(await on([4, 9])).toEqual([])
    })
    test('many versions restrict as few do, whether they follow each other or not', async () => {
      const rows = Array.from({ length: 200 }, (_, version) => row(version, 0, 'fox'))
      await opened.index.add(table, rows)
      const odd = rows.map(({ version }) => version).filter(version => version % 2 === 1)
      const found = await byTerms(['fox'], 300, { versions: odd })
      expect(found.toSorted()).toEqual(odd.map(version => `${version}-0`).toSorted())
      expect(await byTerms(['fox'], 300, { versions: [1, 4, 5, 6, 9] })).toHaveLength(5)
    })
    test('a candidate tells where it stands', async () => {
      await opened.index.add(table, [
        row(7, 3, 'fox', { pages: [2, 3], headings: ['Ä', '二'], charStart: 5, charEnd: 8 }),
      ])
      const reader = await opened.indexes.open('vs_1')
      const [found] = await reader!.readFirst(5, {})
      expect(found).toMatchObject({
        version: 7,
        ordinal: 3,
        pages: [2, 3],
        headings: ['Ä', '二'],
        charStart: 5,
        charEnd: 8,
      })
    })
    test('removed versions are gone, the others stay', async () => {
      await opened.index.add(table, [row(1, 0, 'fox'), row(2, 0, 'fox'), row(2, 1, 'dog')])
      await opened.index.remove(table, [1])
      await opened.index.runUpkeep(table)
      expect(await byTerms(['fox'], 5)).toEqual(['2-0'])
      expect(await opened.index.countVersions(table)).toEqual(new Map([[2, 2]]))
    })
    test('upkeep changes no result', async () => {
      await opened.index.add(table, [row(1, 0, 'red fox'), row(1, 1, 'dog')])
      const before = await byTerms(['fox', 'dog'], 5)
      await opened.index.runUpkeep(table)
      expect((await byTerms(['fox', 'dog'], 5)).toSorted()).toEqual(before.toSorted())
    })
    test('a reader stays at what it was opened on, or leaves out what was removed since', async () => {
      await opened.index.add(table, [row(1, 0, 'red fox')])
      const before = await opened.indexes.open('vs_1')
      const found = await before!.findByKeyword(['fox'], 5, {})
      await opened.index.add(table, [row(2, 0, 'grey fox')])
      await opened.index.remove(table, [1])
      await opened.index.runUpkeep(table)
      expect(await before!.readCandidates(found)).toMatchObject(
        hasSnapshots ? [{ version: 1, ordinal: 0 }] : [],
      )
      expect(await byTerms(['fox'], 5)).toEqual(['2-0'])
    })
    test('a table that was made anew is read anew', async () => {
      await opened.index.add(table, [row(1, 0, 'fox')])
      expect(await byTerms(['fox'], 5)).toEqual(['1-0'])
      await opened.index.drop('vs_1')
      await opened.index.add(table, [row(2, 0, 'fox')])
      expect(await byTerms(['fox'], 5)).toEqual(['2-0'])
    })
    test('collections know nothing of each other', async () => {
      await opened.index.add(table, [row(1, 0, 'fox')])
      await opened.index.add({ ...table, id: 'vs_2' }, [row(2, 0, 'fox')])
      expect(await byTerms(['fox'], 5, {}, 'vs_2')).toEqual(['2-0'])
      await opened.index.drop('vs_2')
      expect(await byTerms(['fox'], 5, {}, 'vs_2')).toEqual([])
      expect(await opened.index.isStale(table)).toBe(false)
    })
  },
)
