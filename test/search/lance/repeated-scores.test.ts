import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { LanceIndex } from '../../../src/search/lance/lance-index.ts'
import { LanceIndexes } from '../../../src/search/lance/lance-indexes.ts'
import { LanceTables } from '../../../src/search/lance/lance-tables.ts'
import { TableFolder } from '../../../src/search/lance/table-place.ts'
import { Analyzer } from '../../../src/text/analyzer.ts'

/** Scores that the index keeps of one vector. */
const STORED = 16_384
const CHUNKS = STORED + 4_000

test('searches at the same time lose no score when the stored ones are dropped', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'passim-scores-'))
  const tables = new LanceTables(new TableFolder(folder), 'test')
  try {
    const vector = Float32Array.from([1, 0])
    const rows = Array.from({ length: CHUNKS }, (_, ordinal) => ({
      ...{ version: 1, ordinal, chunkId: `chunk_${ordinal}`, name: 'a.txt', vector },
      ...{ text: 'a', context: '', headings: [], charStart: 0, charEnd: 1, tokens: 1 },
    }))
    await new LanceIndex(tables, new Analyzer(), []).add({ id: 'vs_1', dimensions: 2 }, rows)
    const reader = await new LanceIndexes(tables, async () => '1').open('vs_1')
    const found = (await reader!.readFirst(CHUNKS, {})).map(({ row }) => row)
    const stored = found.slice(0, STORED)
    const [one = 0n, ...others] = found.slice(STORED)
    const query = { vector, baselines: new Map(), isRepeated: true }
    const score = async (scored: readonly bigint[]) =>
      (await reader!.scoreByVector(query, scored)).size
    expect(await score(stored)).toBe(stored.length)
    const [first = 0n, second = 0n] = stored
    const slower = score([first, ...others])
    await score([one])
    await score([second])
    expect(await slower).toBe(1 + others.length)
  } finally {
    await tables.close()
    await rm(folder, { recursive: true, force: true })
  }
})
