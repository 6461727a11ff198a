import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Index } from '@lancedb/lancedb'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { IndexRow } from '../../src/ingest/store/chunk-index.ts'
import { createPseudoRandom } from '../../src/search/evaluation/metrics.ts'
import { LanceIndex } from '../../src/search/lance/lance-index.ts'
import { LanceIndexes } from '../../src/search/lance/lance-indexes.ts'
import { LanceTables, VECTOR_INDEX } from '../../src/search/lance/lance-tables.ts'
import { TableFolder } from '../../src/search/lance/table-place.ts'
import { listVectorIndexes } from '../../src/search/lance/vector-index.ts'
import { Analyzer } from '../../src/text/analyzer.ts'

const ROWS = 5_200
const LATER = 50
const table = { id: 'vs_1', dimensions: 16 }
const random = createPseudoRandom(1)
const baselines = new Map([['zh', 0.1] as const, ['en', -0.1] as const])

function unitVector(): Float32Array {
  const vector = Float32Array.from({ length: table.dimensions }, () => random() - 0.5)
  const norm = Math.hypot(...vector)
  return vector.map(value => value / norm)
}

function row(version: number): IndexRow {
  const text = version % 3 === 0 ? '字' : 'x'
  const place = { charStart: 0, charEnd: 1, headings: [], context: '', tokens: 1 }
  return {
    version,
    ordinal: 0,
    chunkId: `chunk_${version}`,
    text,
    name: '',
    vector: unitVector(),
    ...place,
  }
}

const rows = Array.from({ length: ROWS + LATER }, (_, version) => row(version))

let folder: string
let tables: LanceTables
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'passim-vectors-'))
  tables = new LanceTables(new TableFolder(folder), 'test')
  const index = new LanceIndex(tables, new Analyzer(), [])
  await index.add(table, rows.slice(0, ROWS))
  await index.runUpkeep(table)
  await index.add(table, rows.slice(ROWS))
})
afterAll(async () => {
  await tables.close()
  await rm(folder, { recursive: true })
})

/** The versions of the best rows by lift, worked out here. */
function nearest(
  query: Float32Array,
  limit: number,
  isAllowed: (version: number) => boolean = () => true,
) {
  const lift = ({ vector, text }: IndexRow) =>
    query.reduce((sum, value, at) => sum + value * vector![at]!, 0) -
    baselines.get(text === 'x' ? 'en' : 'zh')!
  const best = rows.filter(one => isAllowed(one.version)).toSorted((a, b) => lift(b) - lift(a))
  return best.slice(0, limit).map(one => one.version)
}

test('many vectors are indexed, and a search stays exact, restricted or not, later rows among them, and tells of named rows the same', async () => {
  expect(await (await tables.find('vs_1'))?.indexStats(VECTOR_INDEX)).toMatchObject({
    numIndexedRows: ROWS,
  })
  const reader = (await new LanceIndexes(tables, async () => '').open('vs_1'))!
  for (let at = 0; at < 5; at++) {
    const vector = unitVector()
    const found = await reader.findNearest({ vector: vector, baselines }, 20, {})
    expect(found.map(one => one.version)).toEqual(nearest(vector, 20))
    const versions = rows.map(one => one.version).filter(version => version % 100 === at)
    const restricted = await reader.findNearest({ vector: vector, baselines }, 20, { versions })
    expect(restricted.map(one => one.version)).toEqual(
      nearest(vector, 20, version => version % 100 === at),
    )
    const named = await reader.findNearest({ vector: vector, baselines }, 20, {
      rows: restricted.map(one => one.row),
    })
    expect(named.map(one => one.version)).toEqual(restricted.map(one => one.version))
    for (const [at, { score }] of named.entries())
      expect(score).toBeCloseTo(restricted[at]!.score, 5)
  }
})
describe('vectors in many partitions', () => {
  const divided = { id: 'vs_2', dimensions: 16 }
  const GROWN = 4 * ROWS
  const indexesOf = async (id: string) => await listVectorIndexes((await tables.find(id))!)
  const open = async () => (await new LanceIndexes(tables, async () => '').open('vs_2'))!
  let index: LanceIndex
  beforeAll(async () => {
    index = new LanceIndex(tables, new Analyzer(), [], {
      upkeepProcessRows: 0,
      dividedVectors: 5_000,
    })
    await index.add(divided, rows.slice(0, ROWS))
    await index.runUpkeep(divided)
    await index.add(divided, rows.slice(ROWS))
  })

  test('are made by upkeep, two for each root of their number', async () => {
    expect(await indexesOf('vs_2')).toEqual([{ name: 'vector_idx_144', partitions: 144 }])
  })

  test('hide no row of those that a filter lets through, and none that came later', async () => {
    const reader = await open()
    for (let at = 0; at < 5; at++) {
      const vector = unitVector()
      const versions = rows.map(one => one.version).filter(version => version % 100 === at)
      const found = await reader.findNearest({ vector: vector, baselines }, 20, { versions })
      expect(found.map(one => one.version)).toEqual(
        nearest(vector, 20, version => version % 100 === at),
      )
      const named = await reader.findNearest({ vector: vector, baselines }, 20, {
        rows: found.map(one => one.row),
      })
      for (const [at, { score }] of named.entries()) expect(score).toBeCloseTo(found[at]!.score, 4)
    }
    for (const { version, vector } of rows.slice(ROWS)) {
      const [first] = await reader.findNearest({ vector: vector!, baselines: new Map() }, 1, {})
      expect(first?.version).toBe(version)
      expect(first?.score).toBeCloseTo(1, 4)
    }
  })

  test('are looked at until there are as many rows as are wanted, and mostly hold the nearest', async () => {
    const reader = await open()
    expect(
      await reader.findNearest({ vector: unitVector(), baselines }, rows.length, {}),
    ).toHaveLength(rows.length)
    let found = 0
    for (let at = 0; at < 20; at++) {
      const vector = unitVector()
      const best = new Set(nearest(vector, 10))
      found += (await reader.findNearest({ vector: vector, baselines }, 10, {})).filter(one =>
        best.has(one.version),
      ).length
    }
    expect(found).toBeGreaterThan(160)
  })

  test('are made anew when there are four times as many vectors, and one index is left of two', async () => {
    await index.add(
      divided,
      Array.from({ length: GROWN }, (_, at) => row(10_000 + at)),
    )
    await (await tables.find('vs_2'))!.createIndex('vector', {
      config: Index.ivfFlat({ distanceType: 'dot' }),
    }) // as a kill leaves it
    expect(await indexesOf('vs_2')).toHaveLength(2)
    await index.runUpkeep(divided)
    const partitions = Math.round(2 * Math.sqrt(ROWS + LATER + GROWN))
    expect(await indexesOf('vs_2')).toEqual([{ name: `vector_idx_${partitions}`, partitions }])
    await index.remove(divided, [0])
    await index.runUpkeep(divided)
    const [first] = await (await open()).findNearest(
      { vector: rows[0]!.vector!, baselines: new Map() },
      1,
      {},
    )
    expect(first?.version).not.toBe(0)
  })

  test('are those that a table of an earlier program gets, though nothing was added to it', async () => {
    const earlier = { id: 'vs_3', dimensions: 16 }
    const exact = new LanceIndex(tables, new Analyzer(), [])
    await exact.add(earlier, rows)
    await exact.runUpkeep(earlier)
    expect(await indexesOf('vs_3')).toEqual([{ name: VECTOR_INDEX, partitions: 1 }])
    await index.runUpkeep(earlier)
    expect(await indexesOf('vs_3')).toEqual([{ name: 'vector_idx_145', partitions: 145 }])
  })
})
test('questions that come together share a reader, and so what it loads', async () => {
  const indexes = new LanceIndexes(tables, async () => '')
  const readers = await Promise.all(Array.from({ length: 4 }, () => indexes.open('vs_1')))
  expect(new Set(readers).size).toBe(1)
})
test('what LanceDB keeps of an index is counted against the bound that it was given', async () => {
  const reader = await new LanceIndexes(tables, async () => '').open('vs_1')
  await reader?.findNearest({ vector: unitVector(), baselines }, 5, {})
  const vectorBytes = ROWS * table.dimensions * 4
  expect(tables.cache.bytes).toBeGreaterThan(vectorBytes)
})
