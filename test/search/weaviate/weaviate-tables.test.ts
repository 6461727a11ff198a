import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { IndexRow } from '../../../src/ingest/store/chunk-index.ts'
import { WeaviateIndex } from '../../../src/search/weaviate/weaviate-index.ts'
import { WeaviateIndexes } from '../../../src/search/weaviate/weaviate-indexes.ts'
import { WeaviateTables } from '../../../src/search/weaviate/weaviate-tables.ts'
import { Analyzer } from '../../../src/text/analyzer.ts'
import { NEEDS_WEAVIATE, TestWeaviate, weaviateUrl } from '../../fakes/weaviate.ts'

const table = { id: 'vs_1', dimensions: 0 }
let weaviate: TestWeaviate

/** The index as a program with that analyzer has it. */
function opened(analyzerId: string, storeId = weaviate.storeId) {
  const tables = new WeaviateTables(weaviate.client, { storeId, analyzerId, replicas: 1 })
  const index = new WeaviateIndex(tables, {
    analyzer: new Analyzer(),
    statistics: [],
    countedChunks: async () => 0,
  })
  let asked = 0
  const indexes = new WeaviateIndexes(tables, async () => String(asked++))
  const find = async (term: string) =>
    (await (await indexes.open(table.id))?.findByKeyword([term], 9, {}))?.length
  return { index, find }
}

function row(version: number, text: string): IndexRow {
  const place = { charStart: 0, charEnd: text.length, headings: [], context: '', tokens: 1 }
  return { version, ordinal: 0, chunkId: `chunk_${version}`, text, name: '', ...place }
}

describe.skipIf(weaviateUrl === undefined)(`tables in Weaviate (${NEEDS_WEAVIATE})`, () => {
  beforeEach(() => {
    weaviate = new TestWeaviate(weaviateUrl!)
  })
  afterEach(async () => await weaviate.remove())

  test('a write that is repeated is there once', async () => {
    const { index } = opened('plain@1')
    for (let time = 0; time < 2; time++) await index.add(table, [row(1, 'fox'), row(2, 'dog')])
    expect(await index.countVersions(table)).toEqual(
      new Map([
        [1, 1],
        [2, 1],
      ]),
    )
  })
  test('while rows are written anew for another analyzer, readers see the older ones', async () => {
    const [before, now] = [opened('plain@1'), opened('plain@2')]
    await before.index.add(table, [row(1, 'fox'), row(2, 'fox')])
    expect(await now.index.isStale(table)).toBe(true)
    await now.index.add(table, [row(1, 'fox')])
    expect([await now.index.isStale(table), await now.find('fox')]).toEqual([true, 2])
    await now.index.activate(table)
    expect([await now.index.isStale(table), await now.find('fox')]).toEqual([false, 1])
  })
  test('stores that share a Weaviate do not see each other', async () => {
    const [one, other] = [opened('plain@1'), opened('plain@1', `${weaviate.storeId}b`)]
    await one.index.add(table, [row(1, 'fox')])
    expect([await other.find('fox'), await other.index.listTables()]).toEqual([
      undefined,
      new Set(),
    ])
    await other.index.drop(table.id)
    expect(await one.index.listTables()).toEqual(new Set([table.id]))
  })
  test('what names no table is refused', async () => {
    const { index } = opened('plain@1')
    for (const id of ['../schema', 'vs_1-w', 'x'.repeat(63)]) {
      await expect(index.add({ ...table, id }, [row(1, 'fox')])).rejects.toMatchObject({
        code: 'corrupt',
      })
    }
  })
  test('a table that can be read to its end has no damage', async () => {
    const { index } = opened('plain@1')
    expect(await index.findDamage(table)).toBeUndefined()
    await index.add(
      table,
      Array.from({ length: 300 }, (_, at) => row(at + 1, 'fox')),
    )
    expect(await index.findDamage(table)).toBeUndefined()
    await index.remove(
      table,
      Array.from({ length: 299 }, (_, at) => at + 1),
    )
    expect(await index.countVersions(table)).toEqual(new Map([[300, 1]]))
  })
})
