import { expect, test } from 'vitest'
import { UnionReader } from '../../../src/search/readers/union-reader.ts'
import { Analyzer } from '../../../src/text/analyzer.ts'
import { MemoryIndex } from '../../fakes/memory-index.ts'

test('rows of several indexes give each its own vector', async () => {
  const index = new MemoryIndex(new Analyzer())
  const vectors = { vs_1: Float32Array.of(1, 0), vs_2: Float32Array.of(0, 1) }
  const readers = await Promise.all(
    Object.entries(vectors).map(async ([id, vector]) => {
      const row = {
        version: 1,
        ordinal: 0,
        chunkId: `chunk_${id}`,
        text: 'x',
        context: '',
        name: '',
        vector,
      }
      await index.add({ id, dimensions: 2 }, [row as never]) // all that is looked at
      return (await index.open(id))!
    }),
  )
  const union = new UnionReader(readers)
  const rows = (await union.readFirst(9, {})).map(({ row }) => row)
  const found = await union.readVectors(rows)
  expect(rows.map(row => [...(found.get(row)?.vector ?? [])])).toEqual([
    [1, 0],
    [0, 1],
  ])
})
