import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { IndexRow } from '../../../src/ingest/store/chunk-index.ts'
import { LanceIndex } from '../../../src/search/lance/lance-index.ts'
import { LanceIndexes } from '../../../src/search/lance/lance-indexes.ts'
import {
  FULL_TEXT_INDEX,
  LanceTables,
  VECTOR_INDEX,
} from '../../../src/search/lance/lance-tables.ts'
import { TableBucket } from '../../../src/search/lance/table-bucket.ts'
import { Analyzer } from '../../../src/text/analyzer.ts'
import { NEEDS_S3, s3Place, TestBucket } from '../../fakes/s3.ts'

const ROWS = 300
const table = { id: 'vs_1', dimensions: 4 }
const NORTH = Float32Array.from([1, 0, 0, 0])
let folder: string
let bucket: TestBucket
let tables: LanceTables

beforeEach(async () => {
  if (!s3Place) return
  folder = await mkdtemp(path.join(tmpdir(), 'passim-bucket-'))
  bucket = new TestBucket(s3Place)
  await bucket.make()
  tables = new LanceTables(
    new TableBucket({
      client: bucket.client,
      prefix: bucket.prefix,
      scratch: path.join(folder, 'scratch'),
    }),
    'test',
  )
})
afterEach(async () => {
  if (!s3Place) return
  await tables.close()
  await bucket.remove()
  await rm(folder, { recursive: true })
})

function row(ordinal: number): IndexRow {
  const angle = ordinal / ROWS
  const vector = Float32Array.from([Math.cos(angle), Math.sin(angle), 0, 0])
  const place = { charStart: 0, charEnd: 8, headings: [], context: '', tokens: 2, name: 'a.txt' }
  return {
    version: 1,
    ordinal,
    chunkId: `chunk_${ordinal}`,
    text: `word${ordinal} fox`,
    vector,
    ...place,
  }
}

const there = test.skipIf(!s3Place)

there(
  `upkeep by a process of its own indexes words and vectors, and leaves nothing on the disk (${NEEDS_S3})`,
  async () => {
    const index = new LanceIndex(tables, new Analyzer(), [], { upkeepProcessRows: 0 })
    await index.add(
      table,
      Array.from({ length: ROWS }, (_, ordinal) => row(ordinal)),
    )
    await index.runUpkeep(table)
    const lance = (await tables.find(table.id))!
    const indexed = { numIndexedRows: ROWS, numUnindexedRows: 0 }
    expect(await lance.indexStats(FULL_TEXT_INDEX)).toMatchObject(indexed)
    expect(await lance.indexStats(VECTOR_INDEX)).toMatchObject(indexed)
    expect(await readdir(path.join(folder, 'scratch'))).toEqual([])
    expect(existsSync(path.join(folder, 'index'))).toBe(false)
    const reader = (await new LanceIndexes(tables, async () => '').open(table.id))!
    const near = await reader.findNearest({ vector: NORTH, baselines: new Map() }, 3, {})
    expect((await reader.readCandidates(near)).map(({ ordinal }) => ordinal)).toEqual([0, 1, 2])
    expect(await reader.readStatistics(['fox', 'word7'])).toEqual({
      rows: ROWS,
      frequencies: [ROWS, 1],
    })
  },
)

there(
  `what a kill left of making a table is no table, and is made anew (${NEEDS_S3})`,
  async () => {
    const index = new LanceIndex(tables, new Analyzer(), [])
    await bucket.blobs.put('vs_1.test.lance/_transactions/0-killed.txn', Buffer.from('x'))
    expect([await index.isStale(table), await index.listTables()]).toEqual([true, new Set()])
    await index.add(table, [row(0)])
    expect(await index.countVersions(table)).toEqual(new Map([[1, 1]]))
  },
)
