import { expect, test } from 'vitest'
import { segmentText } from '../../src/text/segments.ts'

const SEGMENTER = new Intl.Segmenter('zh', { granularity: 'word' })
const sentence = '第三条员工应当遵守公司的规章制度，the staff of 7号楼 meet on 2024年5月1日。'

test('a text is parted into words as the dictionary has them, all of it', () => {
  const expected = [...SEGMENTER.segment(sentence)].map(({ segment, index }) => [segment, index])
  expect(segmentText(sentence).map(({ segment, index }) => [segment, index])).toEqual(expected)
  expect(segmentText('')).toEqual([])
})

test.each([
  ['sentences', sentence.repeat(60)],
  ['Chinese without a stop', '员工应当遵守公司制度'.repeat(400)],
  ['one word without an end', 'x'.repeat(5_000)],
  ['signs of two units', '😀'.repeat(3_000)],
])('a long text is parted as a short one: %s', (_, text) => {
  const all = segmentText(text)
  expect(all.map(({ segment }) => segment).join('')).toBe(text)
  for (const { segment, index } of all) expect(text.startsWith(segment, index)).toBe(true)
})

test('words of a long text are not cut where a stretch of it ends', () => {
  const words = segmentText('员工应当遵守公司制度'.repeat(400)).map(({ segment }) => segment)
  expect([...new Set(words)].toSorted()).toEqual(
    ['公司', '制度', '员工', '应当', '遵守'].toSorted(),
  )
})

test('memory grows with the length of a text, not with its square', () => {
  const text = '员工应当遵守公司制度'.repeat(20_000) // each segment with a copy of it would be 40 GB
  expect(segmentText(text).length).toBe(100_000)
})
