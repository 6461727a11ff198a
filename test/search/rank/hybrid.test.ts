import { expect, test } from 'vitest'
import { createPseudoRandom } from '../../../src/search/evaluation/metrics.ts'
import type { Found, IndexReader } from '../../../src/search/index-reader.ts'
import { HybridRanker } from '../../../src/search/rank/hybrid.ts'
import type { Leg, RankQuery } from '../../../src/search/rank/ranker.ts'
import type { HybridWeights } from '../../../src/search/searcher.ts'

/** Scores by row of one leg. */
type Scores = Readonly<Record<number, number>>

function leg(scores: Scores, weakBelow = Number.NEGATIVE_INFINITY): Leg & { asked: number } {
  const rows = Object.keys(scores).map(Number)
  return {
    asked: 0,
    async find(_, limit) {
      const best = rows.toSorted((a, b) => scores[b]! - scores[a]!).slice(0, limit)
      return best.map(row => ({
        row: BigInt(row),
        version: 1,
        score: scores[row]!,
        weak: scores[row]! < weakBelow,
      }))
    },
    async judge(_, asked) {
      this.asked += asked.length
      const known = asked.filter(row => scores[Number(row)] !== undefined)
      return new Map(
        known.map(row => [
          row,
          { score: scores[Number(row)]!, weak: scores[Number(row)]! < weakBelow },
        ]),
      )
    },
  }
}

const index = {
  readCandidates: async (found: readonly Found[]) =>
    found.map(one => ({ ...one, chunkId: `chunk_${one.row}`, context: '', ordinal: 0 })),
} as unknown as IndexReader // all that a hybrid asks of it

async function rank(
  keyword: Leg,
  vector: Leg,
  fullScore: number | undefined,
  limit = 10,
  weights?: HybridWeights,
  text = '',
) {
  const ranker = new HybridRanker(
    { ...keyword, findTerms: async () => new Map(), computeFullScore: async () => fullScore },
    vector,
    {
      weights,
    },
  )
  const query: RankQuery = { text, collections: [], index, only: {} }
  const ranked = await ranker.rank(query, limit)
  return ranked.slice(0, limit).map(({ row, score }) => [Number(row), Number(score.toFixed(3))])
}

async function weakRows(keyword: Leg, vector: Leg) {
  const ranker = new HybridRanker(
    { ...keyword, findTerms: async () => new Map(), computeFullScore: async () => 8 },
    vector,
  )
  const ranked = await ranker.rank({ text: '', collections: [], index, only: {} }, 10)
  const rows = ranked.filter(({ weak }) => weak).map(({ row }) => Number(row))
  return rows.toSorted((a, b) => a - b)
}

/** The best 10 of the candidates, worked out from all scores. */
function expected(words: Scores, lifts: Scores, fullScore: number) {
  const top = (scores: Scores) =>
    Object.keys(scores)
      .toSorted((a, b) => scores[Number(b)]! - scores[Number(a)]! || Number(a) - Number(b))
      .slice(0, 100)
  const rows = [...new Set([...top(words), ...top(lifts)])].map(Number)
  const known = rows.map(row => lifts[row]).filter(lift => lift !== undefined)
  const [low, high] = [Math.min(...known), Math.max(...known)]
  const scored = rows.map(row => {
    const share = (words[row] ?? 0) / fullScore
    const lift = lifts[row] === undefined ? share : (lifts[row] - low) / (high - low)
    return [row, 0.5 * lift + 0.5 * share] as const
  })
  const best = scored.toSorted(
    (a, b) => b[1] - a[1] || (`chunk_${a[0]}` < `chunk_${b[0]}` ? -1 : 1),
  )
  return best.slice(0, 10).map(([row, score]) => [row, Number(score.toFixed(3))])
}

test.each(['12', '30000', '三万', '百分之八十', 'twenty-five', '2025年'])(
  'vectors only order what words leave equal if a query is a number: %s',
  async text => {
    const [words, near] = [leg({ 1: 10, 2: 4, 3: 4 }), leg({ 1: 0, 2: 0.2, 3: 0.5, 4: 0.6 })]
    const rankRows = async (query: string) =>
      (await rank(words, near, 10, 4, undefined, query)).map(([row]) => row)
    expect(await rankRows(text)).toEqual([1, 3, 2, 4])
    expect((await rankRows(`${text} years of rain`))[0]).not.toBe(1)
  },
)

test.each(['四川', '百度', '三星 S8', '零售'])(
  'vectors count in full for a name that begins with a numeral: %s',
  async text => {
    const [words, near] = [leg({ 1: 10, 2: 4 }), leg({ 1: 0, 2: 0.5, 3: 0.6 })]
    const rows = (await rank(words, near, 10, 4, undefined, text)).map(([row]) => row)
    expect(rows).toEqual((await rank(words, near, 10, 4)).map(([row]) => row))
    expect(rows[0]).not.toBe(1)
  },
)

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
  const ranker = new HybridRanker(
    { ...leg({ 1: 8 }), findTerms: async () => new Map(), computeFullScore: async () => 8 },
    leg({ 1: 0, 2: 1 }),
  )
  const query: RankQuery = {
    text: '',
    collections: [],
    index,
    only: {},
    weights: { keyword: 1, vector: 0 },
  }
  expect((await ranker.rank(query, 10)).map(({ row, score }) => [Number(row), score])).toEqual([
    [1, 1],
    [2, 0],
  ])
})
test('a hit is weak when its vector is near to chance, and it holds none of the words or far fewer than the best', async () => {
  const vector = leg({ 1: 0.01, 2: 0.02, 3: 0.3, 4: 0.03 }, 0.05)
  expect(await weakRows(leg({}), vector)).toEqual([1, 2, 4])
  expect(await weakRows(leg({ 1: 8, 2: 3 }), vector)).toEqual([2, 4])
  expect(await weakRows(leg({ 1: 8, 5: 1 }), vector)).toEqual([2, 4])
})
test('words that find little of what was asked weigh little', async () => {
  expect(await rank(leg({ 1: 2 }), leg({ 1: 0, 2: 1 }), 20)).toEqual([
    [2, 0.5],
    [1, 0.05],
  ])
})
test('the nearest of rows that are hardly nearer than chance does not come before the one that holds the word', async () => {
  const noise = Object.fromEntries(
    Array.from({ length: 20 }, (_, at) => [at + 2, 0.05 - at / 1000]),
  )
  expect((await rank(leg({ 1: 6 }), leg({ 1: 0.01, ...noise }), 8))[0]?.[0]).toBe(1)
  expect((await rank(leg({ 1: 6 }), leg({ 1: 0.01, ...noise, 2: 0.3 }), 8))[0]?.[0]).toBe(2)
})
test('while nothing is known of the collection, the best match by words is measure', async () => {
  expect(await rank(leg({ 1: 2 }), leg({ 1: 0, 2: 1 }), undefined)).toEqual([
    [1, 0.5],
    [2, 0.5],
  ])
})
test('the best are those that both exact scores of every candidate give, though not every one is asked for', async () => {
  const random = createPseudoRandom(6)
  let [asked, open] = [0, 0]
  for (let round = 0; round < 20; round++) {
    const some = (share: number, most: number) => {
      const rows = Array.from({ length: 400 }, (_, row) => row).filter(() => random() < share)
      return Object.fromEntries(rows.map(row => [row, Math.round(random() * most * 64) / 64]))
    }
    const [words, lifts] = [some(0.2 + 0.8 * random(), 12), some(0.2 + 0.8 * random(), 1)]
    const keyword = leg(words)
    expect(await rank(keyword, leg(lifts), 20)).toEqual(expected(words, lifts, 20))
    asked += keyword.asked
    open += 100
  }
  expect(asked).toBeLessThan(open / 2)
})
test('of equals, those whose ids come first are kept', async () => {
  expect(await rank(leg({ 3: 1, 2: 1, 1: 1 }), leg({}), 1, 2)).toEqual([
    [1, 1],
    [2, 1],
  ])
})
test('the best by keyword come beyond the limit, because their texts have the rarest words', async () => {
  const keyword = { ...leg({ 1: 9 }), findTerms: async () => new Map() }
  const ranker = new HybridRanker(
    { ...keyword, computeFullScore: async () => 100 },
    leg({ 2: 0.9, 3: 0.8 }),
  )
  const ranked = await ranker.rank({ text: '', collections: [], index, only: {} }, 1)
  expect(ranked.map(({ row }) => Number(row))).toEqual([2, 1])
})
test('a row that has no vector yet is judged by its words in its place', async () => {
  expect(await rank(leg({ 1: 6, 2: 4, 3: 2 }), leg({ 2: 0.3, 3: 0.1 }), 8)).toEqual([
    [1, 0.75],
    [2, 0.75],
    [3, 0.125],
  ])
})
