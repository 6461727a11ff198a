import { expect, test } from 'vitest'
import {
  cutVocabulary,
  packVocabulary,
  type VocabularyList,
} from '../../../../src/ingest/chunk/tokens/vocabulary.ts'

const LIST: VocabularyList = [
  ['<unk>', 0],
  ['', -1],
  ['▁the', -3.4635426998138428],
  ['é', -12.5],
  ['检索', -0.000_123],
  ['😀', -1e-7],
  ['"],["\\', Math.fround(-9.87)],
  ['\n', -0.1],
]

/** The text is read as `JSON.parse` reads it. */
async function check(text: string, list: VocabularyList) {
  const cut = await cutVocabulary(Buffer.from(text))
  expect(cut?.vocabulary).toEqual(packVocabulary(list))
  const { model, ...others } = JSON.parse(text)
  expect(JSON.parse(cut!.rest)).toEqual({ ...others, model: { ...model, vocab: [] } })
}

test('a vocabulary is cut out with every piece and score as they are', async () => {
  const json = {
    added: ['"vocab":[["x",1]]'],
    model: { type: 'Unigram', vocab: LIST, byte_fallback: false },
  }
  await check(JSON.stringify(json), LIST)
  await check(JSON.stringify(json, null, 2), LIST)
})

test('characters that are written as escapes are those characters', () =>
  check(String.raw`{"model":{"vocab":[["\u2581\u68c0\ud83d\ude00",-2],["\\\"\t",-3.0]]}}`, [
    ['▁检😀', -2],
    ['\\"\t', -3],
  ]))

test('scores that are no float32 keep all of their digits', async () => {
  const scores = [-0.1, -3.46354269, 2 ** 70, 1.5e-300, -7]
  const list = scores.map((score, index) => [`p${index}`, score] as const)
  await check(JSON.stringify({ model: { vocab: list } }), list)
})

test('what is no list of pieces and scores is left to JSON.parse', async () => {
  for (const vocab of [
    '{"a":0}',
    '[]',
    '["a"]',
    '[["a"]]',
    '[["a","b"]]',
    '[["a",1]',
    '[["a',
    '[["a",]]',
    '[["a",1,2]]',
    String.raw`[["\x",1]]`,
  ])
    expect(await cutVocabulary(Buffer.from(`{"model":{"vocab":${vocab}}}`))).toBeUndefined()
  expect(await cutVocabulary(Buffer.from('{}'))).toBeUndefined()
})
