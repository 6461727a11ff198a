import { describe, expect, test } from 'vitest'
import {
  averageMetrics,
  computePercentile,
  queryMetrics,
} from '../../../src/search/evaluation/metrics.ts'

const judged = (relevance: Readonly<Record<string, number>>) => new Map(Object.entries(relevance))

describe('one query', () => {
  test('the relevant document first is perfect', () =>
    expect(queryMetrics(['a', 'b'], judged({ a: 1 }))).toEqual({
      ndcg10: 1,
      recall10: 1,
      mrr10: 1,
    }))
  test('second place is worth 1 / log2(3)', () =>
    expect(queryMetrics(['b', 'a'], judged({ a: 1, b: 0 }))).toEqual({
      ndcg10: 1 / Math.log2(3),
      recall10: 1,
      mrr10: 0.5,
    }))
  test('what stands after the tenth place does not count', () =>
    expect(queryMetrics([...'bcdefghijk', 'a'], judged({ a: 1 }))).toEqual({
      ndcg10: 0,
      recall10: 0,
      mrr10: 0,
    }))
  test('gains are linear in the relevance', () =>
    expect(queryMetrics(['b', 'a'], judged({ a: 2, b: 1 })).ndcg10).toBeCloseTo(
      (1 + 2 / Math.log2(3)) / (2 + 1 / Math.log2(3)),
    ))
  test('half of the relevant documents found is a recall of one half', () =>
    expect(queryMetrics(['a'], judged({ a: 1, b: 1 })).recall10).toBe(0.5))
})

test('the interval holds the mean, and is the same every time', () => {
  const queries = Array.from({ length: 40 }, (_, index) =>
    queryMetrics(index % 3 ? ['a'] : ['b'], judged({ a: 1 })),
  )
  const { ndcg10, ci95 } = averageMetrics(queries)
  expect(ci95.ndcg10[0]).toBeLessThan(ndcg10)
  expect(ci95.ndcg10[1]).toBeGreaterThan(ndcg10)
  expect(averageMetrics(queries)).toEqual(averageMetrics(queries))
})
test('a percentile is one of the values', () => expect(computePercentile([3, 1, 2], 0.5)).toBe(2))
