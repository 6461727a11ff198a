import { existsSync, readdirSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { MatchQuery } from '@lancedb/lancedb'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import type { IndexRow } from '../../../src/ingest/store/chunk-index.ts'
import { LanceIndex } from '../../../src/search/lance/lance-index.ts'
import { FULL_TEXT_INDEX, LanceTables } from '../../../src/search/lance/lance-tables.ts'
import { TableFolder } from '../../../src/search/lance/table-place.ts'
import { choosePartitionBytes } from '../../../src/search/lance/word-partitions.ts'
import { Analyzer } from '../../../src/text/analyzer.ts'

/** More than are brought in order by the process itself. */
const ROWS = 20_100
const table = { id: 'vs_1', dimensions: 16 }

let folder: string
let tables: LanceTables
let index: LanceIndex
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'passim-upkeep-'))
  tables = new LanceTables(new TableFolder(folder), 'test')
  index = new LanceIndex(tables, new Analyzer(), [])
  await index.add(
    table,
    Array.from({ length: ROWS }, (_, version) => row(version)),
  )
})
afterAll(async () => {
  await tables.close()
  await rm(folder, { recursive: true })
})

afterEach(() => vi.useRealTimers())

function row(version: number): IndexRow {
  const place = { charStart: 0, charEnd: 1, headings: [], context: '', tokens: 1 }
  return {
    version,
    ordinal: 0,
    chunkId: `chunk_${version}`,
    text: `word ${version}`,
    name: '',
    ...place,
  }
}

const indexed = async () => (await tables.find('vs_1'))?.indexStats(FULL_TEXT_INDEX)

test('upkeep of a large table that is aborted leaves it as it was', async () => {
  await expect(index.runUpkeep(table, AbortSignal.abort(new Error('stop')))).rejects.toThrow('stop')
  expect(await indexed()).toMatchObject({ numIndexedRows: 0, numUnindexedRows: ROWS })
})

test('upkeep of a large table indexes all of it, in a process that is gone afterwards', async () => {
  await index.runUpkeep(table)
  expect(await indexed()).toMatchObject({ numIndexedRows: ROWS, numUnindexedRows: 0 })
})

test('what LanceDB writes for a while during upkeep of a large table lies in its folder, and is gone afterwards', {
  retry: 4,
}, async () => {
  // on a busy machine it may come and go between two looks
  const own = new LanceIndex(tables, new Analyzer(), [], { upkeepProcessRows: 0 })
  const seventh = { id: 'vs_7', dimensions: 16 }
  await own.add(seventh, [row(1), row(2)])
  const temporary = path.join(
    tables.place.uri,
    `${(await tables.find('vs_7'))!.name}.lance`,
    '_upkeep',
  )
  const leave = path.join(temporary, '.tmpKilled')
  await mkdir(leave, { recursive: true })
  const seen = new Set<string>()
  let isDone = false
  const end = () => {
    isDone = true
  }
  const done = own.runUpkeep(seventh)
  done.then(end, end)
  while (!isDone) {
    for (const name of namesIn(temporary)) seen.add(name)
    await setImmediate()
  }
  await done
  expect([...seen].filter(name => name !== '.tmpKilled')).toHaveLength(1)
  expect(existsSync(temporary)).toBe(false)
})

/** None where the folder is gone, which it may be at any moment. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

test('old versions of a large table are dropped where nothing else is to do; a small tail is left until it is due', async () => {
  const own = new LanceIndex(tables, new Analyzer(), [], { upkeepProcessRows: 2 * ROWS })
  const lance = (await tables.find('vs_1'))!
  const optimize = vi.spyOn(lance, 'optimize')
  await own.add(table, [row(ROWS)])
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * 60_000 })
  const version = await lance.version()
  await own.runUpkeep(table)
  expect(optimize).not.toHaveBeenCalled()
  expect(await lance.version()).toBe(version)
  expect(await indexed()).toMatchObject({ numIndexedRows: ROWS, numUnindexedRows: 1 })
  await lance.optimize() // as if it had been due
  optimize.mockClear()
  await own.runUpkeep(table)
  expect(optimize).toHaveBeenCalledOnce()
})

test('files that were put together are dropped by a later upkeep that finds nothing else to do', async () => {
  const small = { id: 'vs_2', dimensions: 16 }
  for (const version of [1, 2, 3]) await index.add(small, [row(version)])
  await index.runUpkeep(small)
  const optimize = vi.spyOn((await tables.find('vs_2'))!, 'optimize') // just written
  await index.runUpkeep(small)
  expect(optimize).not.toHaveBeenCalled()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * 60_000 })
  await index.runUpkeep(small)
  expect(optimize).toHaveBeenCalledOnce()
})

test('a passage that is added to two is indexed', async () => {
  const three = { id: 'vs_6', dimensions: 16 }
  await index.add(three, [row(1), row(2)])
  await index.runUpkeep(three)
  await index.add(three, [row(3)])
  await index.runUpkeep(three)
  const stats = await (await tables.find('vs_6'))!.indexStats(FULL_TEXT_INDEX)
  expect(stats).toMatchObject({ numIndexedRows: 3, numUnindexedRows: 0 })
})

async function wordPartitions(id: string): Promise<number> {
  const table = (await tables.find(id))! // written by the test
  const index = (await table.listIndices()).find(({ name }) => name === FULL_TEXT_INDEX)
  const files = await readdir(
    path.join(tables.place.uri, `${table.name}.lance`, '_indices', index?.indexUuid ?? ''),
  )
  return files.filter(name => name.endsWith('_tokens.lance')).length
}

const words = Array.from({ length: 1_500 }, (_, at) => `w${at.toString(36)}`)
const rowsOfWords = (count: number, from = 0) =>
  Array.from({ length: count }, (_, at) => ({
    ...row(from + at),
    text: words.join(` ${from + at}`),
  }))

test('the word index of a large table is in partitions of the size that is asked for', async () => {
  const partitions = async (id: string, partitionBytes: number) => {
    const own = new LanceIndex(tables, new Analyzer(), [], { upkeepProcessRows: 0, partitionBytes })
    await own.add({ id, dimensions: 16 }, rowsOfWords(40))
    await own.runUpkeep({ id, dimensions: 16 })
    return await wordPartitions(id)
  }
  expect(await partitions('vs_3', 64 * 2 ** 20)).toBe(1)
  expect(await partitions('vs_4', 2 ** 20)).toBeGreaterThan(1)
})

test('smaller partitions of words are put together once larger ones are made', async () => {
  const table = { id: 'vs_7', dimensions: 16 }
  const indexWith = (partitionBytes: number) =>
    new LanceIndex(tables, new Analyzer(), [], { upkeepProcessRows: 0, partitionBytes })
  await indexWith(2 ** 20).add(table, rowsOfWords(60))
  await indexWith(2 ** 20).runUpkeep(table)
  expect(await wordPartitions('vs_7')).toBeGreaterThan(10)
  await indexWith(64 * 2 ** 20).add(table, rowsOfWords(4, 1_000))
  await indexWith(64 * 2 ** 20).runUpkeep(table)
  expect(await wordPartitions('vs_7')).toBeLessThan(5)
  const match = new MatchQuery('w0', 'terms')
  const found = (await tables.find('vs_7'))!.query().fullTextSearch(match).select(['version']) // just written
  expect(await found.limit(1_000).toArray()).toHaveLength(64)
})

test('partitions of words grow with the table, within the memory that is set', () => {
  const mebibytes = (rows: number, memory: number) =>
    choosePartitionBytes(rows, memory * 2 ** 20) / 2 ** 20
  expect(mebibytes(20_000, 4_096)).toBe(128)
  expect(mebibytes(200_000, 4_096)).toBeGreaterThan(400)
  expect(mebibytes(10_000_000, 4_096)).toBeLessThan(4_096)
  expect(mebibytes(10_000_000, 256)).toBe(128)
})

test('what a killed process left of an index and of rows goes with the next upkeep, and nothing else', async () => {
  const own = new LanceIndex(tables, new Analyzer(), [], { upkeepProcessRows: 0 })
  const table = { id: 'vs_5', dimensions: 16 }
  await own.add(table, [row(1), row(2)])
  await own.runUpkeep(table)
  const lance = (await tables.find('vs_5'))!
  const leave = async (name: string, hours: number) => {
    const file = path.join(tables.place.uri, `${lance.name}.lance`, name)
    await mkdir(path.dirname(file), { recursive: true })
    await writeFile(file, 'part')
    const when = new Date(Date.now() - hours * 60 * 60_000)
    for (const place of [file, path.dirname(file)]) if (hours > 0) await utimes(place, when, when)
  }
  await leave('_indices/00000000-0000-4000-8000-000000000000/part_0_tokens.lance', 2)
  await leave('_indices/00000000-0000-4000-8000-000000000001/part_0_tokens.lance', 0)
  await leave('data/killed.lance', 2)
  await own.add(table, [row(3)])
  await own.runUpkeep(table)
  const files = (await readdir(tables.place.uri, { recursive: true })).filter(file =>
    file.includes('vs_5'),
  )
  expect(files.filter(file => /killed|0000-4000-8000-0+\d$/.test(file))).toEqual([
    expect.stringMatching(/0001$/),
  ])
  expect(await lance.indexStats(FULL_TEXT_INDEX)).toMatchObject({
    numIndexedRows: 3,
    numUnindexedRows: 0,
  })
  expect(await lance.query().fullTextSearch('word').limit(5).toArray()).toHaveLength(3)
})
