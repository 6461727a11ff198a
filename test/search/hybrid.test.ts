import { expect, test } from 'vitest'
import { HybridRanker } from '../../src/search/hybrid.ts'
import type { Found, IndexReader } from '../../src/search/index-reader.ts'
import type { Leg, RankQuery } from '../../src/search/ranker.ts'
import type { HybridWeights } from '../../src/search/searcher.ts'

/** Scores by row of one leg; those marked are among its best, the others it only tells when asked. */
type Scores = Readonly<Record<number, number>>

function leg(scores: Scores, best: readonly number[] = Object.keys(scores).map(Number)): Leg {
  return {
    find: async ({ only }) => {
      const rows = only.rows?.map(Number) ?? best
      const known = rows.filter(row => scores[row] !== undefined).toSorted((a, b) => scores[b]! - scores[a]!)
      return known.map(row => ({ row: BigInt(row), version: 1, score: scores[row]!, weak: false }))
    },
  }
}

const index = {
  candidates: async (found: readonly Found[]) =>
    found.map(one => ({ ...one, chunkId: `chunk_${one.row}`, context: '', ordinal: 0 })),
} as unknown as IndexReader // all that a hybrid asks of it

async function rank(keyword: Leg, vector: Leg, fullScore: number | undefined, limit = 10, weights?: HybridWeights) {
  const ranker = new HybridRanker({ ...keyword, fullScore: () => fullScore }, vector, { weights })
  const query: RankQuery = { text: '', collectionIds: ['c'], index, only: {} }
  return (await ranker.rank(query, limit)).map(({ row, score }) => [Number(row), Number(score.toFixed(3))])
}

test('both legs weigh alike, each score from 0 to 1', async () => {
  expect(await rank(leg({ 1: 8, 2: 4 }), leg({ 1: 0.1, 2: 0.3, 3: 0.2 }), 8)).toEqual([
    [2, 0.75],
    [1, 0.5],
    [3, 0.25],
  ])
})
test('legs weigh as they are told to', async () => {
  expect(await rank(leg({ 1: 8 }), leg({ 1: 0, 2: 1 }), 8, 10, { keyword: 3, vector: 1 })).toEqual([
    [1, 0.75],
    [2, 0.25],
  ])
})
test('a query may say how they weigh', async () => {
  const ranker = new HybridRanker({ ...leg({ 1: 8 }), fullScore: () => 8 }, leg({ 1: 0, 2: 1 }))
  const query: RankQuery = { text: '', collectionIds: ['c'], index, only: {}, weights: { keyword: 1, vector: 0 } }
  expect((await ranker.rank(query, 10)).map(({ row, score }) => [Number(row), score])).toEqual([
    [1, 1],
    [2, 0],
  ])
})
test('words that find little of what was asked weigh little', async () => {
  expect(await rank(leg({ 1: 2 }), leg({ 1: 0, 2: 1 }), 20)).toEqual([
    [2, 0.5],
    [1, 0.05],
  ])
})
test('while nothing is known of the collection, the best match by words is measure', async () => {
  expect(await rank(leg({ 1: 2 }), leg({ 1: 0, 2: 1 }), undefined)).toEqual([
    [1, 0.5],
    [2, 0.5],
  ])
})
test('what one leg finds is weighed by the other too', async () => {
  expect(await rank(leg({ 1: 8, 2: 6 }, [1]), leg({ 1: 0, 2: 1 }, [2]), 8)).toEqual([
    [2, 0.875],
    [1, 0.5],
  ])
})
test('of equals, those whose ids come first are kept', async () => {
  expect(await rank(leg({ 3: 1, 2: 1, 1: 1 }), leg({}), 1, 2)).toEqual([
    [1, 0.5],
    [2, 0.5],
  ])
})
test('by ranks, scores do not matter, and what both legs find comes first', async () => {
  const legs = [leg({ 1: 100, 2: 1 }), leg({ 2: 0.9, 3: 0.1 })] as const
  const ranker = new HybridRanker({ ...legs[0], fullScore: () => 100 }, legs[1], { fusion: 'rrf' })
  const ranked = await ranker.rank({ text: '', collectionIds: ['c'], index, only: {} }, 10)
  expect(ranked.map(({ row, score }) => [Number(row), score])).toEqual([
    [2, 1 / 62 + 1 / 61],
    [1, 1 / 61],
    [3, 1 / 62],
  ])
})
