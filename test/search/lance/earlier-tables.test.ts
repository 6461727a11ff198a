import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { IndexRow } from '../../../src/ingest/store/chunk-index.ts'
import { LanceIndex } from '../../../src/search/lance/lance-index.ts'
import { LanceIndexes } from '../../../src/search/lance/lance-indexes.ts'
import { LanceTables } from '../../../src/search/lance/lance-tables.ts'
import { TableFolder } from '../../../src/search/lance/table-place.ts'
import { Analyzer } from '../../../src/text/analyzer.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'passim-earlier-'))
})
afterEach(() => rm(folder, { recursive: true }))

const buildRow = (version: number, text: string): IndexRow => ({
  version,
  chunkId: `c${version}`,
  ordinal: 0,
  charStart: 0,
  charEnd: text.length,
  tokens: 9,
  headings: [],
  context: '',
  name: 'n.md',
  text,
})

async function withIndex<T>(
  suffixes: readonly [string, string?],
  use: (index: LanceIndex, find: (id: string, term: string) => Promise<number>) => Promise<T>,
): Promise<T> {
  const tables = new LanceTables(new TableFolder(folder), suffixes[0], undefined, suffixes[1])
  let state = 0
  const indexes = new LanceIndexes(tables, async () => String(state++))
  const find = async (id: string, term: string) =>
    (await (await indexes.open(id))?.findByKeyword([term], 10, {}))?.length ?? 0
  try {
    return await use(new LanceIndex(tables, new Analyzer(), []), find)
  } finally {
    await tables.close()
  }
}

const OLD = { id: 'vs_old', dimensions: 0 }
const NEW = { id: 'vs_new', dimensions: 0 }

test('a table of the earlier form stays current, and is written on without values', async () => {
  await withIndex(['earlier', undefined], index => index.add(OLD, [buildRow(1, 'first')]))
  await withIndex(['own', 'earlier'], async (index, find) => {
    expect(await index.isStale(OLD)).toBe(false)
    await index.add(OLD, [buildRow(2, 'second 三万')])
    await index.activate(OLD)
    expect(await find(OLD.id, 'first')).toBe(1)
    expect(await find(OLD.id, 'second')).toBe(1)
    expect(await find(OLD.id, '30000')).toBe(0)
  })
})

test('a new table has values', async () => {
  await withIndex(['own', 'earlier'], async (index, find) => {
    await index.add(NEW, [buildRow(1, '三万')])
    expect(await find(NEW.id, '30000')).toBe(1)
  })
})

test('a table of another form is rewritten', async () => {
  await withIndex(['other'], index => index.add(OLD, [buildRow(1, 'first')]))
  await withIndex(['own', 'earlier'], async index => expect(await index.isStale(OLD)).toBe(true))
})
