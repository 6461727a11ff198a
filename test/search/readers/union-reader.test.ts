import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { IndexReader } from '../../../src/search/index-reader.ts'
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

test('a score does not depend on which term is scored first', async () => {
  const scores = new Map([
    ['a', 0.1],
    ['b', 0.2],
    ['c', 0.7],
  ])
  const sum = async (slow: string) => {
    const reader: Partial<IndexReader> = {
      readStatistics: async terms => ({ rows: 9, frequencies: terms.map(() => 1) }),
      scoreByKeyword: async ([term = ''], rows) => {
        if (term === slow) for (let turn = 0; turn < 3; turn++) await nextTurn()
        return new Map(rows.map(row => [row, scores.get(term) ?? 0]))
      },
    }
    const union = new UnionReader([reader as IndexReader]) // all that is used
    return (await union.scoreByKeyword([...scores.keys()], [0n])).get(0n)
  }
  expect(await sum('a')).toBe(await sum('c'))
})
