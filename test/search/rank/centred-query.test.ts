import { describe, expect, test } from 'vitest'
import { dot } from '../../../src/ingest/embed/vector.ts'
import { centerQuery } from '../../../src/search/rank/centred-query.ts'

const CHINESE = '备份放在哪里？'
/** First what is particular to Chinese and to English, then two topics. */
const zh = Float32Array.of(0.8, 0.1, 0.2, 0.2)
const en = Float32Array.of(0.1, 0.8, 0.2, 0.2)
const question = Float32Array.of(0.8, 0.1, 0.5, 0.1)

/** Cosine less what is expected of a text of the language. */
function lift(query: Float32Array, chunk: Float32Array, mean: Float32Array): number {
  return dot(query, chunk) - dot(query, mean)
}

describe('centredQuery', () => {
  const answer = Float32Array.of(0.75, 0.15, 0.45, 0.1)
  const codeWithChineseComments = Float32Array.of(0.5, 0.4, 0.2, 0.2)

  test('keeps chunks between the languages from being near to every question', () => {
    const means = new Map([
      ['zh', zh],
      ['en', en],
    ])
    expect(lift(question, codeWithChineseComments, en)).toBeGreaterThan(lift(question, answer, zh))
    const centred = centerQuery(question, CHINESE, means)
    expect(lift(centred, codeWithChineseComments, en)).toBeLessThan(lift(centred, answer, zh))
  })

  test('leaves the question as it is where there is only one language', () => {
    expect(centerQuery(question, CHINESE, new Map([['zh', zh]]))).toBe(question)
    expect(centerQuery(question, CHINESE, new Map([['en', en]]))).toBe(question)
  })

  test('leaves it whole where the two means are the same', () => {
    const means = new Map([
      ['zh', zh],
      ['en', zh],
    ])
    expect(centerQuery(question, CHINESE, means).every(Number.isFinite)).toBe(true)
  })
})
