import { expect, test } from 'vitest'
import type { IndexReader, RowVector } from '../../../src/search/index-reader.ts'
import type { LanguageMeans } from '../../../src/search/language-means.ts'
import { FeedbackRanker, type Likeness } from '../../../src/search/rank/feedback.ts'
import type { Ranked, Ranker, RankQuery } from '../../../src/search/rank/ranker.ts'
import { VectorLeg } from '../../../src/search/rank/vector.ts'
import type { HybridWeights } from '../../../src/search/searcher.ts'

/** Rows 1, 2, 3 and so on, whose scores fall by a hundredth from 1 on. */
function ranker(rows: number): Ranker & { asked: number[] } {
  const asked: number[] = []
  const rank = async (_: RankQuery, limit: number) => {
    asked.push(limit)
    return Array.from({ length: Math.min(rows, limit) }, (_, at) => ranked(at + 1, 1 - at / 100))
  }
  return { asked, rank }
}

function ranked(row: number, score: number): Ranked {
  const parts = { keyword: score / 4, vector: (3 * score) / 4 }
  return {
    row: BigInt(row),
    score,
    parts,
    chunkId: `chunk_${row}`,
    context: '',
    ordinal: 0,
  } as Ranked // all that is looked at
}

function likeness(known: Readonly<Record<number, number>>): Likeness {
  return {
    measureSimilarity: async (_, rows) => {
      const own = rows.filter(row => known[Number(row)] !== undefined)
      return new Map(own.map(row => [row, known[Number(row)]!]))
    },
  }
}

const plain: RankQuery = { text: '', collections: [], index: {} as IndexReader, only: {} } // not asked here

async function rank(known: Readonly<Record<number, number>>, rows = 8, weights?: HybridWeights) {
  const found = await new FeedbackRanker(ranker(rows), likeness(known), weights).rank(plain, rows)
  return found.map(({ row, score }) => [Number(row), Number(score.toFixed(4))])
}

test('the best five stay, and after them what is like them comes before what is not', async () => {
  const found = await rank({ 1: 0, 2: 1, 3: 0.1, 4: 0, 5: 0, 6: 0, 7: 0.5, 8: 1 })
  expect(found.slice(0, 5)).toEqual([1, 2, 3, 4, 5].map(row => [row, 1 - (row - 1) / 100]))
  expect(found.slice(5)).toEqual([
    [8, 0.93],
    [7, 0.705],
    [6, 0.475],
  ])
})
test('the parts of a score still add up to it', async () => {
  const found = await new FeedbackRanker(ranker(8), likeness({ 6: 0.2, 7: 0.9 })).rank(plain, 8)
  for (const { score, parts } of found) expect(parts!.keyword + parts!.vector).toBeCloseTo(score)
})
test('what was not looked at comes after what was, in its order', async () => {
  const like = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [at + 1, at % 2]))
  const found = await rank(like, 40)
  expect(found.slice(30).map(([row]) => row)).toEqual([31, 32, 33, 34, 35, 36, 37, 38, 39, 40])
  expect(found.map(([, score]) => score)).toEqual(
    found.map(([, score]) => score!).toSorted((a, b) => b - a),
  )
})
test('the order does not depend on how many are asked for', async () => {
  const like = Object.fromEntries(
    Array.from({ length: 40 }, (_, at) => [at + 1, ((at * 7) % 10) / 10]),
  )
  const all = await new FeedbackRanker(ranker(40), likeness(like)).rank(plain, 40)
  const ten = await new FeedbackRanker(ranker(40), likeness(like)).rank(plain, 10)
  expect(ten.slice(0, 10)).toEqual(all.slice(0, 10))
})
test('what has no vector counts as those that have one do on average', async () => {
  expect((await rank({ 1: 1, 6: 0, 8: 1 })).slice(5)).toEqual([
    [8, 0.93],
    [7, 0.705],
    [6, 0.475],
  ])
})
test('nothing moves without vectors, nor where they weigh nothing', async () => {
  const asItWas = await rank({})
  expect(asItWas.map(([row]) => row)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  expect(await rank({ 6: 0, 7: 1, 8: 1 }, 8, { keyword: 1, vector: 0 })).toEqual(asItWas)
})
test('who asks for five or fewer pays nothing', async () => {
  const inner = ranker(8)
  expect(await new FeedbackRanker(inner, likeness({ 1: 1 })).rank(plain, 5)).toHaveLength(5)
  expect(inner.asked).toEqual([5])
})

const [EAST, NORTH, UP] = [
  Float32Array.of(1, 0, 0),
  Float32Array.of(0, 1, 0),
  Float32Array.of(0, 0, 1),
]

async function likenessOf(
  rows: readonly (RowVector | undefined)[],
  means: Readonly<Record<string, Float32Array>> = {},
) {
  const vectors = async (asked: readonly bigint[]) =>
    new Map(asked.flatMap(row => (rows[Number(row)] ? [[row, rows[Number(row)]!] as const] : [])))
  const embedder = { embed: async () => [EAST] }
  const leg = new VectorLeg(
    async () => ({ embedder, priors: {} }) as never, // all that is asked of a model
    { getMeans: async () => new Map(Object.entries(means)) } as unknown as LanguageMeans, // and of means
  )
  const collections = [{ id: 'vs_1', name: 'one', tableId: 'vs_1', embedderId: 'model' }]
  const query = { ...plain, collections, index: { readVectors: vectors } as unknown as IndexReader } // all that is asked of an index
  const found = await leg.measureSimilarity(
    query,
    rows.map((_, row) => BigInt(row)),
    2,
  )
  return Object.fromEntries([...found].map(([row, like]) => [Number(row), Number(like.toFixed(3))]))
}

const english = (vector: Float32Array): RowVector => ({ language: 'en', vector })

test('a row is as like the trusted ones as its vector is near to theirs, the first counting most', async () => {
  // Half of the second is added to the first: they lie at (1, .5, 0), and are 5/6 near to it on average.
  expect(await likenessOf([EAST, NORTH, EAST, NORTH, UP].map(english))).toEqual({
    0: 1,
    1: 0.6,
    2: 1,
    3: 0.6,
    4: 0,
  })
})
test('what a language has in common is no likeness', async () => {
  const both = Float32Array.of(0.8, 0.6, 0)
  const rows = [
    english(EAST),
    english(EAST),
    english(both),
    { language: 'zh', vector: both } as const,
  ]
  expect(await likenessOf(rows, { en: Float32Array.of(0.5, 0, 0) })).toEqual({
    0: 1,
    1: 1,
    2: 0.6,
    3: 1,
  })
})
test('of rows without a vector nothing is known, and of none where the trusted have none', async () => {
  expect(await likenessOf([english(EAST), undefined, undefined, english(EAST)])).toEqual({
    0: 1,
    3: 1,
  })
  expect(await likenessOf([undefined, undefined, english(EAST)])).toEqual({})
})
