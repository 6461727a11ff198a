import { describe, expect, test } from 'vitest'
import { dot } from '../../../src/ingest/embed/vector.ts'
import {
  centerQuery,
  computeMeanGain,
  removeQueryMean,
  selectMean,
} from '../../../src/search/rank/centered-query.ts'

const CHINESE = '备份放在哪里？'
/** First what all texts share, then the language, then a topic. */
const zh = Float32Array.of(0.9, 0.2, 0, 0)
const en = Float32Array.of(0.9, -0.2, 0, 0)
const question = Float32Array.of(0.9, 0.2, 0.15, 0)
const means = new Map([
  ['zh', zh],
  ['en', en],
])

/** Cosine less what is expected of a text of the language. */
function lift(query: Float32Array, chunk: Float32Array, mean: Float32Array): number {
  return dot(query, chunk) - dot(query, mean)
}

function centredLift(chunk: Float32Array, mean: Float32Array): number {
  const own = selectMean(CHINESE, means)!
  const centred = centerQuery(question, CHINESE, means)
  return lift(centred, chunk, mean) + computeMeanGain(lift(own, chunk, mean))
}

describe('centredQuery', () => {
  const answer = Float32Array.of(0.9, 0.2, 0.12, 0)
  const codeWithChineseComments = Float32Array.of(0.9, 0.06, 0, 0)

  test('keeps chunks between the languages from being near to every question', () => {
    expect(lift(question, codeWithChineseComments, en)).toBeGreaterThan(lift(question, answer, zh))
    expect(centredLift(codeWithChineseComments, en)).toBeLessThan(centredLift(answer, zh))
  })

  test('keeps texts unlike all others from being near to every question', () => {
    const unlike = Float32Array.of(0.75, 0.15, 0, 0.6)
    expect(centredLift(unlike, zh)).toBeLessThan(centredLift(answer, zh))
    expect(computeMeanGain(lift(zh, unlike, zh))).toBe(0)
  })

  test('lets a text gain the more, the farther it is from the mean, as long as that is usual', () => {
    expect([0.01, -0.01, -0.02, -0.05, -0.2].map(computeMeanGain)).toEqual([
      -0.005,
      0.005,
      0.01,
      expect.closeTo(0.005),
      0,
    ])
  })

  test('leaves the question as it is where there is only one language', () => {
    expect(centerQuery(question, CHINESE, new Map([['zh', zh]]))).toBe(question)
    expect(centerQuery(question, CHINESE, new Map([['en', en]]))).toBe(question)
    expect(selectMean(CHINESE, new Map([['zh', zh]]))).toBeUndefined()
  })

  test('leaves it whole where the two means are the same', () => {
    const same = new Map([
      ['zh', zh],
      ['en', zh],
    ])
    expect(centerQuery(question, CHINESE, same).every(Number.isFinite)).toBe(true)
  })
})

describe('the mean of queries', () => {
  const queryMeans = { zh: Float32Array.of(0.8, 0.2, 0, 0.5) }

  test('is removed in part, so that texts near to every query lose', () => {
    const note = Float32Array.of(0.7, 0.2, 0, 0.4)
    const answer = Float32Array.of(0.9, 0.2, 0.3, 0)
    const asked = Float32Array.of(0.8, 0.2, 0.3, 0.4)
    expect(dot(asked, note)).toBeLessThan(dot(asked, answer))
    const gap = (query: Float32Array) => dot(query, answer) - dot(query, note)
    expect(gap(removeQueryMean(asked, CHINESE, queryMeans))).toBeGreaterThan(gap(asked))
  })

  test('is not removed in a language, or for a model, without one', () => {
    expect(removeQueryMean(question, 'where is the backup', queryMeans)).toBe(question)
    expect(removeQueryMean(question, CHINESE)).toBe(question)
  })
})
