import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { IndexRow } from '../../src/ingest/chunk-index.ts'
import { pseudoRandom } from '../../src/search/evaluation/metrics.ts'
import { LanceIndex } from '../../src/search/lance/lance-index.ts'
import { LanceIndexes } from '../../src/search/lance/lance-indexes.ts'
import { LanceTables, VECTOR_INDEX } from '../../src/search/lance/lance-tables.ts'
import { TableFolder } from '../../src/search/lance/table-place.ts'
import { Analyzer } from '../../src/text/analyzer.ts'

const ROWS = 5_200
const LATER = 50
const table = { id: 'vs_1', dimensions: 16 }
const random = pseudoRandom(1)
const baselines = new Map([['zh', 0.1] as const, ['en', -0.1] as const])

function unitVector(): Float32Array {
  const vector = Float32Array.from({ length: table.dimensions }, () => random() - 0.5)
  const norm = Math.hypot(...vector)
  return vector.map(value => value / norm)
}

function row(version: number): IndexRow {
  const text = version % 3 === 0 ? '字' : 'x'
  const place = { charStart: 0, charEnd: 1, headings: [], context: '', tokens: 1 }
  return { version, ordinal: 0, chunkId: `chunk_${version}`, text, name: '', vector: unitVector(), ...place }
}

const rows = Array.from({ length: ROWS + LATER }, (_, version) => row(version))

let folder: string
let tables: LanceTables
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'passim-vectors-'))
  tables = new LanceTables(new TableFolder(folder), 'test')
  const index = new LanceIndex(tables, new Analyzer(), [])
  await index.add(table, rows.slice(0, ROWS))
  await index.upkeep(table)
  await index.add(table, rows.slice(ROWS))
})
afterAll(async () => {
  await tables.close()
  await rm(folder, { recursive: true })
})

/** The versions of the best rows by lift, worked out here. */
function nearest(query: Float32Array, limit: number, isAllowed: (version: number) => boolean = () => true) {
  const lift = ({ vector, text }: IndexRow) =>
    query.reduce((sum, value, at) => sum + value * vector![at]!, 0) - baselines.get(text === 'x' ? 'en' : 'zh')!
  const best = rows.filter(one => isAllowed(one.version)).toSorted((a, b) => lift(b) - lift(a))
  return best.slice(0, limit).map(one => one.version)
}

test('many vectors are indexed, and a search stays exact, restricted or not, later rows among them, and tells of named rows the same', async () => {
  expect(await (await tables.find('vs_1'))?.indexStats(VECTOR_INDEX)).toMatchObject({ numIndexedRows: ROWS })
  const reader = (await new LanceIndexes(tables, () => '').open('vs_1'))!
  for (let at = 0; at < 5; at++) {
    const vector = unitVector()
    const found = await reader.vector({ vector, baselines }, 20, {})
    expect(found.map(one => one.version)).toEqual(nearest(vector, 20))
    const versions = rows.map(one => one.version).filter(version => version % 100 === at)
    const restricted = await reader.vector({ vector, baselines }, 20, { versions })
    expect(restricted.map(one => one.version)).toEqual(nearest(vector, 20, version => version % 100 === at))
    const named = await reader.vector({ vector, baselines }, 20, { rows: restricted.map(one => one.row) })
    expect(named.map(one => one.version)).toEqual(restricted.map(one => one.version))
    for (const [at, { score }] of named.entries()) expect(score).toBeCloseTo(restricted[at]!.score, 5)
  }
})
test('questions that come together share a reader, and so what it loads', async () => {
  const indexes = new LanceIndexes(tables, () => '')
  const readers = await Promise.all(Array.from({ length: 4 }, () => indexes.open('vs_1')))
  expect(new Set(readers).size).toBe(1)
})
test('what LanceDB keeps of an index is counted against the bound that it was given', async () => {
  const reader = await new LanceIndexes(tables, () => '').open('vs_1')
  await reader?.vector({ vector: unitVector(), baselines }, 5, {})
  const vectorBytes = ROWS * table.dimensions * 4
  expect(tables.cache.bytes).toBeGreaterThan(vectorBytes)
})
