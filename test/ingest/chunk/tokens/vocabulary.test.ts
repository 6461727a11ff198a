import { expect, test } from 'vitest'
import {
  packVocabulary,
  type VocabularyList,
} from '../../../../src/ingest/chunk/tokens/vocabulary.ts'

/** The pieces and scores are those that went in, with a space for each `▁`. */
function check(list: VocabularyList) {
  const { units, starts, scores } = packVocabulary(list)
  const pieces = list.map((_, index) =>
    String.fromCharCode(...units.slice(starts[index], starts[index + 1])),
  )
  expect(pieces).toEqual(list.map(([piece]) => piece.replaceAll('▁', ' ')))
  expect([...scores]).toEqual(list.map(([, score]) => score))
  expect(starts).toHaveLength(list.length + 1)
}

test('a vocabulary is packed with every piece and score as they are', () =>
  check([
    ['<unk>', 0],
    ['', -1],
    ['▁the', -3.4635426998138428],
    ['é', -12.5],
    ['检索', -0.000_123],
    ['😀', -1e-7],
    ['"],["\\', Math.fround(-9.87)],
    ['\n', -0.1],
  ]))

test('halves of characters stay apart', () =>
  check([
    ['\ud83d', -2],
    ['\ude00', -3],
  ]))

test('scores that are no float32 keep all of their digits', () =>
  check(
    [-0.1, -3.46354269, 2 ** 70, 1.5e-300, -7].map((score, index) => [`p${index}`, score] as const),
  ))
