import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { SqliteCatalog } from '../../src/ingest/store/catalogs/sqlite.ts'
import type { IndexRow } from '../../src/ingest/store/chunk-index.ts'
import { LanceIndex } from '../../src/search/lance/lance-index.ts'
import { LanceTables } from '../../src/search/lance/lance-tables.ts'
import { TableFolder } from '../../src/search/lance/table-place.ts'
import { TermRarity, termRaritySchema } from '../../src/search/term-rarity.ts'
import { Analyzer } from '../../src/text/analyzer.ts'

const table = { id: 'vs_1', dimensions: 4 }
let folder: string
let catalog: SqliteCatalog
let tables: LanceTables
let rarity: TermRarity
let index: LanceIndex

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'passim-rarity-'))
  catalog = await SqliteCatalog.open(path.join(folder, 'catalog.db'), [[termRaritySchema]])
  tables = new LanceTables(new TableFolder(folder), 'test')
  rarity = new TermRarity(catalog)
  index = new LanceIndex(tables, new Analyzer(), [rarity])
})
afterEach(async () => {
  await tables.close()
  await catalog.close()
  await rm(folder, { recursive: true })
})

function row(ordinal: number, text: string, version = 1): IndexRow {
  const place = { charStart: 0, charEnd: text.length, headings: [], context: '', tokens: 1 }
  return { version, ordinal, chunkId: `chunk_${ordinal}`, text, name: '', ...place }
}

async function computeFullScore(counted: TermRarity, terms: readonly string[]) {
  return (await counted.getCounts(['vs_1']))?.computeFullScore(terms)
}

/** Every chunk says `every`, fox owl `tenth`. */
const rows = Array.from({ length: 200 }, (_, at) => row(at, at % 10 === 0 ? 'fox owl' : 'fox'))

test('the rarer the terms, the more a chunk that holds them all would get', async () => {
  expect(await computeFullScore(rarity, ['fox'])).toBeUndefined()
  await index.add(table, rows)
  await index.runUpkeep(table)
  const [fox, owl, elk] = await Promise.all(
    ['fox', 'owl', 'elk'].map(async term => (await computeFullScore(rarity, [term]))!),
  )
  expect(fox).toBeCloseTo(Math.log(1 + 0.5 / 200.5))
  expect(owl).toBeCloseTo(Math.log(1 + 180.5 / 20.5))
  expect(elk).toBeGreaterThan(owl!)
  expect(await computeFullScore(rarity, ['fox', 'owl', 'owl'])).toBeCloseTo(fox! + 2 * owl!)
})
test('spellings and parts of an identifier that no chunk holds are not expected beside those that some hold', async () => {
  await index.add(table, [...rows, row(200, 'fox 4711')])
  await index.runUpkeep(table)
  const full = async (...terms: string[]) => (await computeFullScore(rarity, terms))!
  expect(await full('fox', '4711', 'v4711', '47')).toBe(await full('fox', '4711'))
  expect(await full('v48', '48')).toBeGreaterThan(await full('48'))
  expect(await full('4711', 'elk')).toBeGreaterThan(await full('4711'))
})
test('upkeep counts again, for readers that had counts too', async () => {
  await index.add(table, rows)
  await index.runUpkeep(table)
  const before = (await computeFullScore(rarity, ['owl']))!
  const reader = new TermRarity(catalog)
  expect(await computeFullScore(reader, ['owl'])).toBe(before)
  await index.add(
    table,
    Array.from({ length: 200 }, (_, at) => row(200 + at, 'owl')),
  )
  await index.runUpkeep(table)
  expect(await computeFullScore(reader, ['owl'])).toBeLessThan(before)
  await index.drop('vs_1')
  expect(await computeFullScore(reader, ['owl'])).toBeUndefined()
})
test('what was removed is counted no more, and its terms leave the files of the table', async () => {
  await index.add(table, rows)
  await index.runUpkeep(table)
  const before = (await computeFullScore(rarity, ['owl']))!
  const added = Array.from({ length: 5 }, (_, at) => row(at, 'owl', 2))
  for (const isOneFragment of [false, true]) {
    await index.add(table, added)
    await index.runUpkeep(table)
    if (isOneFragment) await (await tables.find('vs_1'))!.optimize()
    expect(await computeFullScore(rarity, ['owl'])).toBeLessThan(before)
    await index.remove(table, [2])
    await index.runUpkeep(table)
    expect(await computeFullScore(rarity, ['owl'])).toBe(before)
    const { numRows, fragmentStats } = await (await tables.find('vs_1'))!.stats()
    expect([numRows, fragmentStats.numFragments * fragmentStats.lengths.mean]).toEqual([200, 200])
  }
})
test('a language that only some chunks quote is not written there; one that tables are in is', async () => {
  const english = Array.from({ length: 60 }, (_, at) =>
    row(at, 'to a fox and an owl of the hill in may'),
  )
  const withChinese = (count: number, text = '这是在山里的一只狐狸，不会有别的') => [
    ...english.slice(count),
    ...Array.from({ length: count }, (_, at) => row(60 + at, text)),
  ]
  const languages = async (id: string, written: readonly IndexRow[]) => {
    await index.add({ id, dimensions: 4 }, written)
    await index.runUpkeep({ id, dimensions: 4 })
    const counted = (await rarity.getCounts([id]))!
    return [
      counted.isWrittenLanguage('en'),
      counted.isWrittenLanguage('zh'),
      counted.hasLanguage('zh'),
    ]
  }
  expect(await languages('vs_2', withChinese(1))).toEqual([true, false, true])
  expect(await languages('vs_3', withChinese(6))).toEqual([true, true, true])
  expect(await languages('vs_4', withChinese(6, '狐狸的颜色 红 灰'))).toEqual([true, true, true])
})
